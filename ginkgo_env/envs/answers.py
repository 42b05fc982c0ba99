r"""Actions in the answers of language models.

The following rules are tried in order; the first one that finds something decides. Thoughts in ``<think>`` are ignored.

1. The contents of wrappers: ``<answer>R7</answer>``, ``\boxed{R7}``, ``{"action": "R7"}``.
2. The last line, if it is an action or names one, as in ``Action: R7`` or ``I play R7, because ...``.
3. All lines that are an action, alone or with an explanation, or name one.
4. Words of the text that look like actions, and quoted actions.

If a rule finds different actions, the answer is refused. Case, quotes, markdown and spaces around ``+`` and
``:`` do not matter. A number is the id of an action, unless the game writes actions as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ginkgo_env.core.errors import GinkgoError, NotationError, join_names, truncate
from ginkgo_env.core.game import Game, States

MAX_LENGTH = 100_000
"""The longest answer that is read, in characters."""

_WRAPPER = re.compile(
    r"<(?P<tag>answer|action|move|final_answer)>(?P<inside>.*?)(?:</(?P=tag)>|\Z)"
    r"|\\boxed\s*\{\s*(?:\\text\w*\s*\{)?(?P<boxed>[^{}]*)\}"
    r"""|["'](?:action|move|answer|choice)["']\s*:\s*(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<number>\d+))""",
    re.IGNORECASE | re.DOTALL,
)
_DEEPEST = 3  # depth of nested wrappers
_VERB = r"(?:play|choose|pick|select|submit|go\s+with)"
_SAYS = re.compile(
    r"(?:(?:so|therefore|thus|hence|okay|ok|finally|then|now|well|alright)\b[,:]?\s+)*"
    r"(?:(?:(?:my|the|final|best|chosen|next|selected)\s+)*(?:action|move|answer|choice|play|decision|response)"
    r"\s*(?:(?:is|will\s+be)\b|[=:\u2192]|->)\s*:?"
    rf"|(?:(?:i|we)(?:['\u2019]ll|\s+will|\s+shall|\s+am\s+going\s+to)?\s+|let['\u2019]s\s+|let\s+me\s+)?{_VERB}(?:\s+to\s+{_VERB})?\b\s*:?)"
    r"\s*",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"[.,;:!?](?=\s|$)|\s[-\u2013\u2014(]|\u2014|\s(?:because|since|as|to|so|for|which|that|in\s+order)\b",
    re.IGNORECASE,
)
_MOST_ENDS, _LONGEST_WORD = 20, 40
_DECORATION = " \t*_`\"'\u201c\u201d\u2018\u2019\u00ab\u00bb()[]{}<>$#.,;!"
_ITEM = re.compile(r"\s*(?:[-*\u2022]|\d+[.)])\s")
_FENCE = re.compile(r"\s*```[\w-]*\s*")
_ID = re.compile(r"(?:(?:action|id|number|no\.?)\s*:?\s*)*#?\s*(\d{1,9})", re.IGNORECASE)
_NOTATION = re.compile(r"(?<![\w+:-])(?:[A-Za-z]{1,3}\d+\w*|\w[\w-]*[+:]\w)[\w+:-]*")
_QUOTED = re.compile(r"[`\"\u201c*]([^`\"\u201c\u201d*\n]{1,40})[`\"\u201d*]")

_Said = int | str
"""An action that an answer names, or words that name none."""


class AnswerReader:
    """Reads answers to one decision.

    Parameters
    ----------
    game, state : the game and its state, of shape (1,)
    actions : the ids of the legal actions
    """

    def __init__(self, game: Game, state: States, actions: Iterable[int]) -> None:
        self._game, self._state = game, state
        ids = [int(action) for action in actions]
        self.texts = game.action_texts(state, ids)
        self._by_text = dict(zip(self.texts, ids, strict=True))
        self._by_folded: dict[str, list[int]] = {}
        for text, action in self._by_text.items():
            self._by_folded.setdefault(_plain(text), []).append(action)
        self._ids = set() if any(text.isdigit() for text in self.texts) else set(ids)

    def read(self, answer: str) -> int:
        """Return the id of the legal action that an answer names.

        Raises NotationError, whose message explains the problem.
        """
        if not isinstance(answer, str):
            raise NotationError(f"the answer must be a text, got {type(answer).__name__}")
        if len(answer) > MAX_LENGTH:
            raise NotationError(f"the answer must have at most {MAX_LENGTH} characters, got {len(answer)}")
        said = self._said(answer.rpartition("</think>")[2].partition("<think>")[0])
        if not said:
            raise NotationError(f"no action found; write one alone on the last line, such as {self.texts[0]}")
        if len(said) > 1:
            names = [word if isinstance(word, str) else self.texts[[*self._by_text.values()].index(word)] for word in said]
            raise NotationError(f"the answer names several actions: {join_names(names)}; write one alone on the last line")
        if isinstance(said[0], str):
            raise NotationError(self._refusal(said[0]))
        return said[0]

    # --- the rules ---------------------------------------------------------------------------------------------------------

    def _said(self, text: str, depth: int = 0) -> list[_Said]:
        """Return the different actions that a text names."""
        if depth < _DEEPEST and (wrapped := [next(filter(None, _contents(match)), "") for match in _WRAPPER.finditer(text)]):
            return _different(said for inside in wrapped for said in self._inside(inside, depth))
        lines = [line for line in text.splitlines() if line.strip() and not _FENCE.fullmatch(line)]
        return (
            _different(said for line in lines[-1:] for said in self._statements(line, explained=False))
            or _different(said for line in lines for said in self._statements(line, explained=True))
            or _different(self._mentions(text))
        )

    def _inside(self, text: str, depth: int) -> list[_Said]:
        """Return the actions that a wrapper names or, if it names none, its text."""
        action = self._action(text)
        return [action] if action is not None else self._said(text, depth + 1) or [text.strip() or "nothing"]

    def _statements(self, line: str, *, explained: bool) -> Iterator[_Said]:
        """Yield the action that a line is, or the actions that its sentences name.

        explained : whether a line counts that begins with an action and continues
        """
        if _ITEM.match(line):
            return
        said = self._beginning(line) if explained else self._whole(line)
        if said is not None:
            yield said
            return
        for sentence in re.split(r"(?<=[.!?])\s+", re.sub(r"[*`]", "", line).strip(" \t#>_")):
            if says := _SAYS.match(sentence):
                said = self._beginning(sentence[says.end() :], letters=True)
                if said is not None:
                    yield said

    def _whole(self, text: str) -> _Said | None:
        """Return the action that a text is, legal or not; None if it is not an action."""
        action = self._action(text)
        if action is not None:
            return action
        word = text.strip(_DECORATION)
        return word if self._is_notation(word) else None

    def _beginning(self, text: str, *, letters: bool = False) -> _Said | None:
        """Return the action that a text is, or begins with before an explanation; None if there is none.

        letters : whether the action can be a single letter; if not, a letter is a word such as "I"
        """
        said = self._whole(text)
        ends = [end.start() for end in _EXPLAINS.finditer(text)][:_MOST_ENDS]
        for end in reversed(ends):
            if said is None and (letters or len(text[:end].strip(_DECORATION)) > 1):
                said = self._whole(text[:end])
        return said

    def _mentions(self, text: str) -> Iterator[_Said]:
        """Yield the words of a text that look like actions, and actions in quotes."""
        for word in _NOTATION.findall(_joined(text)):
            action = self._action(word)
            yield word if action is None else action
        for word in _QUOTED.findall(text):
            action = self._action(word)
            if action is not None:
                yield action

    # --- single words ------------------------------------------------------------------------------------------------------

    def _action(self, text: str) -> int | None:
        """Return the id of the legal action that a text is, or None."""
        if (action := self._by_text.get(text.strip(), self._by_text.get(_bare(text)))) is not None:
            return action
        same = self._by_folded.get(_plain(text), [])
        if same:
            return same[0] if len(same) == 1 else None
        number = _ID.fullmatch(_bare(text))
        return int(number[1]) if number and int(number[1]) in self._ids else None

    def _is_notation(self, word: str) -> bool:
        """Whether a word is an action that is not legal, or looks like one."""
        if _NOTATION.fullmatch(_joined(word)) or (self._ids and word and _ID.fullmatch(word)):
            return True
        try:
            self._game.parse_action(self._state, word)
        except GinkgoError:
            return False
        return True

    def _refusal(self, word: str) -> str:
        """Return a sentence that says why a word is not a legal action."""
        try:
            self._game.parse_action(self._state, _bare(word))
        except NotationError as error:
            if len(word) <= _LONGEST_WORD and not _ID.fullmatch(word):
                return f"not a legal action: {error}"
        return f"{truncate(word)!r} is not a legal action; legal are {join_names(self.texts)}"


def _contents(match: re.Match[str]) -> list[str | None]:
    return [match[name] for name in ("inside", "boxed", "double", "single", "number")]


def _different(said: Iterable[_Said]) -> list[_Said]:
    return list(dict.fromkeys(said))


def _joined(text: str) -> str:
    """Return a text without spaces around ``+``."""
    return re.sub(r"\s*\+\s*", "+", text)


def _bare(text: str) -> str:
    """Return a text without decoration, and without spaces around ``+`` and ``:``."""
    return re.sub(r"\s*([+:])\s*", r"\1", text.strip(_DECORATION + "\n:"))


def _plain(text: str) -> str:
    return " ".join(_bare(text).casefold().split())
