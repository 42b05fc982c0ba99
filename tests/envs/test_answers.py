"""What language models write names an action, or is refused with one sentence; two different legal actions are never mixed up."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import NotationError
from ginkgo_env.envs.answers import MAX_LENGTH, AnswerReader
from ginkgo_env.registry import game_class

LEGAL = "legal are R7, R7+B12, B2, A, A+B12, I, take:resource, new-hand"
TEXTS = ["R7", "R7+B12", "B2", "A", "A+B12", "I", "take:resource", "new-hand"]


class Notation:
    """The notation of a game that could be Ginkgopolis."""

    def action_texts(self, state: Any, actions: Any) -> list[str]:
        return [TEXTS[action] for action in actions]

    def parse_action(self, state: Any, text: str) -> int:
        if text in ("take:tile", "pass"):
            return len(TEXTS)  # not legal
        raise NotationError(f"{text!r}: unknown card")


READER = AnswerReader(Notation(), None, range(len(TEXTS)))  # type: ignore[arg-type]


def name(answer: str) -> str:
    return TEXTS[READER.read(answer)]


LISTS = {
    "cards": ["B3", "B3+B6", "B3+R9", "B6", "B6+R9", "A", "A+B6", "A+R9", "I", "I+B6", "new-hand"],
    "bids": ["bid:a", "bid:b", "bid:c"],
    "places": ["build:C2", "build:D6", "build:F1", "build:done"],
    "city": ["e1E", "f1N", "f1S", "pass", "end"],
    "takes": ["take:resource", "take:tile"],
    "columns": ["1", "2", "3", "4", "5", "6", "7"],
    "payments": ["pay:forest", "pay:forest+desert", "pay:meadow+meadow"],
    "sides": ["token:N", "token:E", "token:after"],
}
"""Lists of legal actions, by the name in ``answers.jsonl``."""
ANSWERS = [json.loads(line) for line in Path(__file__).with_name("answers.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", ANSWERS, ids=lambda line: f"{line['legal']}: {line['answer'][:60]!r}")
def test_answers_are_read_as_a_person_reads_them(line: dict[str, Any]) -> None:
    """``answers.jsonl`` has each answer with the action that it names, or null if none is named for certain."""

    class Game(Notation):
        def action_texts(self, state: Any, actions: Any) -> list[str]:
            return [LISTS[line["legal"]][action] for action in actions]

    reader = AnswerReader(Game(), None, range(len(LISTS[line["legal"]])))  # type: ignore[arg-type]
    if line["reading"] is None:
        with pytest.raises(NotationError):
            reader.read(line["answer"])
    else:
        assert LISTS[line["legal"]][reader.read(line["answer"])] == line["reading"]


@pytest.mark.parametrize(
    "answer",
    [
        *("R7+B12", "r7 + b12.", " R7 +B12 \n\n", '"R7+B12"', "“R7+B12”", "> R7+B12", "- R7+B12", "1. R7+B12", "(R7+B12)"),
        *("**R7+B12**", "`R7 + B12`", "***`R7+B12`***", "```\nR7+B12\n```", "```text\nR7+B12\n```\nA floor more.", "$R7+B12$"),
        *(
            "Action: R7+B12",
            "**Action:** R7+B12.",
            "### Final answer: `R7+B12`",
            "ACTION - R7+B12",
            "Answer = R7+B12",
            "Move → R7+B12",
        ),
        *(
            "I play R7 + B12.",
            "I'll play R7+B12!",
            "I\u2019ll go with R7+B12",
            "So I choose to play R7+B12, since it pays.",
            "Let's play R7+B12",
        ),
        *(
            "My move is R7+B12",
            "The best action is R7+B12 because it pays",
            "Therefore, the final answer is: R7+B12",
            "Playing now: R7+B12",
        ),
        *(
            "R7+B12 because the building is mine",
            "R7+B12 - a floor more",
            "R7+B12: it pays.",
            "R7+B12, which pays",
            "R7+B12 (a floor)",
        ),
        *('{"action": "R7+B12"}', "{'move': 'r7+b12'}", '```json\n{"thought": "not B2", "action": "R7+B12"}\n```'),
        *(
            "<answer>R7+B12</answer>",
            "<answer>\nI play R7+B12.\n</answer>",
            "<ANSWER>R7 + B12",
            "<action>**R7+B12**</action> Good luck!",
        ),
        *(
            "\\boxed{R7+B12}",
            "$\\boxed{\\text{R7+B12}}$",
            '<answer>{"action": "R7+B12"}</answer>',
            "B2 is weak. <answer>R7+B12</answer>",
        ),
        "<think>B2? Or R7? I play B2.</think>\nR7+B12",
        "I could play B2, or R7 alone.\nA, B and C are far away.\n\nR7+B12",
        "If I play B2, then William builds.\nAction: R7+B12",
        "R7+B12\n\nThis gives me a floor, and I keep the card.",
        "Action: R7+B12\nReason: the color stays.",
        "Looking at the table, my best bet seems to be R7+B12 here",
        "I play R7 with B12.",
        "R7+B12\nI avoided B2.",
        "As player_0, I play R7+B12",
    ],
)
def test_one_action_in_many_forms(answer: str) -> None:
    assert name(answer) == "R7+B12"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        *(
            ("A", "A"),
            ("a", "A"),
            ("I", "I"),
            ("I play A.", "A"),
            ("I play I.", "I"),
            ("`A`", "A"),
            ("I think `A` is best here", "A"),
        ),
        *(("take: resource", "take:resource"), ("Action: Take : Resource", "take:resource"), ("NEW-HAND.", "new-hand")),
        *(("I choose R7.", "R7"), ("R7", "R7"), ("Card R7, nothing else", "R7"), ("I play R7 alone? No.\nB2", "B2")),
    ],
)
def test_short_names(answer: str, expected: str) -> None:
    assert name(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        *("R7+B12\nB2, which I play later.", "<answer>R7</answer> or <answer>B2</answer>", "\\boxed{R7} \\boxed{B2}"),
        *('{"action": "R7"} {"action": "B2"}', "Action: R7\nAction: B2\nBye!", "I play R7. I play B2."),
    ],
)
def test_several_actions_are_refused(answer: str) -> None:
    with pytest.raises(NotationError, match=r"^the answer names several actions: .*; write one alone on the last line$"):
        READER.read(answer)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("R9", f"not a legal action: 'R9': unknown card; {LEGAL}"),
        ("I considered R7.\nI play R9+B12.", f"not a legal action: 'R9+B12': unknown card; {LEGAL}"),
        ("R7 is fine.\n<answer>R9</answer>", f"not a legal action: 'R9': unknown card; {LEGAL}"),
        ('R7 is fine. {"action": "something"}', f"not a legal action: 'something': unknown card; {LEGAL}"),
        ("I considered R7.\ntake:tile", f"'take:tile' is not a legal action; {LEGAL}"),
        ("I considered R7.\npass", f"'pass' is not a legal action; {LEGAL}"),
        ("I considered R7.\n17", f"'17' is not a legal action; {LEGAL}"),
        ("<answer></answer> R7", f"not a legal action: 'nothing': unknown card; {LEGAL}"),
        *(
            (text, f"no action found; write one alone on the last line; {LEGAL}")
            for text in (
                "",
                " \n",
                "I think I should build.",
                "I, as player_0, am A player",
                "A better way",
                "<think>R7",
                "A, B and C",
                "R7 or B2",
                "1. R7\n2. B2",
                "`A` or `I`",
                "I would love R9+B12, but R7 is fine too",
            )
        ),
    ],
)
def test_illegal_answers_are_refused(answer: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        READER.read(answer)
    assert str(error.value) == sentence


def test_thoughts_do_not_count_in_the_length() -> None:
    for thought in (
        f"<think>{'R9 ' * 60_000}</think>",
        f"{'R9 ' * 60_000}</think>",
        f"<think>{'B2' * 80_000}</think><think>x</think>",
    ):
        assert name(f"{thought}\nI play R7.") == "R7"


def test_refusals_prefer_no_action() -> None:
    """Of many legal actions some from the whole list are named, not the first ones."""

    class Many(Notation):
        def action_texts(self, state: Any, actions: Any) -> list[str]:
            return [f"c{action}N" for action in actions]

    reader = AnswerReader(Many(), None, range(80))  # type: ignore[arg-type]
    with pytest.raises(NotationError) as error:
        reader.read("no idea")
    assert str(error.value).endswith("; among the 80 legal actions are " + ", ".join(f"c{5 + 10 * i}N" for i in range(8)))


def test_answers_of_other_types_and_lengths() -> None:
    for answer in (17, None, b"R7", "x" * (MAX_LENGTH + 1)):
        with pytest.raises(NotationError, match="the answer must"):
            READER.read(answer)  # type: ignore[arg-type]


def test_numbers_are_notation_where_the_game_writes_numbers() -> None:
    class Columns(Notation):
        def action_texts(self, state: Any, actions: Any) -> list[str]:
            return [str(action + 1) for action in actions]

    reader = AnswerReader(Columns(), None, range(7))  # type: ignore[arg-type]
    assert reader.read("3") == 2 and reader.read("Action: 7.") == 6
    with pytest.raises(NotationError):
        reader.read("0")


def test_case_counts_where_it_tells_actions_apart() -> None:
    class Cases(Notation):
        def action_texts(self, state: Any, actions: Any) -> list[str]:
            return ["e1E", "E1e", "e2N"]

    reader = AnswerReader(Cases(), None, range(3))  # type: ignore[arg-type]
    assert reader.read("e1E") == 0 and reader.read("E1e") == 1 and reader.read("E2n") == 2
    with pytest.raises(NotationError):
        reader.read("E1E")


LONG = [
    "<answer>",
    "<answer>R7",
    '{"action": ',
    "\\boxed{",
    "Action: ",
    "I play ",
    "so ",
    "R7 ",
    "R7\n",
    "a-",
    "R7+",
    "`R7",
    ". ",
    "#",
]


def test_long_answers_take_no_long_time() -> None:
    for part in LONG:
        start = time.process_time()
        try:
            READER.read(part * (MAX_LENGTH // 4 // len(part)))
        except NotationError as error:
            assert len(str(error)) < 300
        assert time.process_time() - start < 2, part


def random_answers(n: int) -> Iterator[str]:
    rng = random.Random(7)
    parts = [
        *LONG,
        *TEXTS,
        "\n",
        " ",
        "</answer>",
        "}",
        '"',
        "R9",
        "because",
        "</think>",
        "I",
        "17",
        "1",
        "is",
        "not",
        ",",
        ":",
        "**",
        "\ud800",
    ]
    for _ in range(n):
        yield "".join(rng.choice(parts) for _ in range(rng.randint(1, 12)))


def test_random_answers_never_name_an_action_that_is_not_in_them() -> None:
    """What is chosen stands in the answer, as notation; all else is refused in one sentence."""
    for answer in random_answers(5_000):
        try:
            chosen = READER.read(answer)
        except NotationError as error:
            assert str(error) and "\n" not in str(error)
            continue
        assert TEXTS[chosen].casefold() in answer.casefold().replace(" ", "")


@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city", "my_city"])
def test_every_legal_action_is_read_in_every_form(game: str) -> None:
    made = game_class(game)()
    batch = ginkgo_env.Batch(made, 4)
    batch.reset(seed=3)
    for _ in range(60):
        for row in np.flatnonzero(~batch.over)[:1]:
            reader = AnswerReader(made, batch.state(row), ids := np.flatnonzero(batch.mask[row]))
            for action, text in zip(ids, reader.texts, strict=True):
                for form in (
                    text,
                    f"Action: {text}",
                    f"I play {text}.",
                    f"<answer>{text.upper()}</answer>",
                    f"**{text}** since it pays",
                ):
                    if len(text) > 1 or "since" not in form:
                        assert reader.read(form) == action, form
        if batch.over.all():
            break
        batch.step(batch.sample())
