r"""Actions in the answers of language models.

Thoughts and the marks of chat formats are cut out first. The first of these rules that finds an action decides:

1. The contents of wrappers: ``<answer>R7</answer>``, ``\boxed{R7}``, ``{"action": "R7"}``, ``{"card": "R7", "tile": "B12"}``.
2. The last line, if it is an action or states one, as in ``Action: R7`` or ``I play R7, because ...``.
3. All lines that are an action or state one; the first and the last line may also explain it, as in ``R7, since it pays``.

Nothing is guessed: if a rule finds different actions, or if an action is only mentioned, denied, asked about or taken back, the
answer is refused. Case, quotes, markdown, and spaces around ``+`` and ``:`` do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from ginkgo_env.core.errors import GinkgoError, NotationError, truncate
from ginkgo_env.core.game import Game, States

MAX_LENGTH = 100_000
"""The longest answer that is read, in characters, without thoughts."""

# --- what is cut out ---------------------------------------------------------------------------------------------------------

_THOUGHT = re.compile(r"([<\u25c1]/?(?:think|thinking|thought|thoughts|reasoning|analysis|scratchpad)[>\u25b7])", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")
_UNMARKED = re.compile(r"\A\s*analysis.*assistant(?:final|commentary)", re.DOTALL)  # the same without its marks
_MARK = re.compile(r"<\|[^|<>\n]{1,40}\|>|</s>|<eos>|<end_of_turn>|</?(?:b|i|em|strong|code|p|br|pre)\s*/?>", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]*~~")
_TAKEN_BACK = re.compile(
    r"(?:^|(?<=[.!?,;\u2026\u2014-]))\W{0,9}\b(?:wait|hold\s+on|hmm+|on\s+second\s+thoughts?|scratch\s+that|never\s?mind"
    r"|correction|actually|oops|no(?=\s*[,.!;:\u2014-]))\b",
    re.IGNORECASE | re.MULTILINE,
)
_SAME = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0x2010: "-", 0x2011: "-", 0x2212: "-"}
_INVISIBLE = dict.fromkeys((0xAD, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF))
_CHARACTERS = str.maketrans(_SAME | _INVISIBLE)

# --- wrappers ----------------------------------------------------------------------------------------------------------------

_KEY = r"action|move|answer|choice|final_?answer"
_TEXT = r"""(?:\\?"(?P<double>[^"\\\n]*)\\?"|'(?P<single>[^'\n]*)'|(?P<other>[^\s"',{}\[\]]+))"""
_WRAPPER = re.compile(
    rf"<(?:(?P<tag>{_KEY})|parameter(?:=|\s+name=)[\"']?(?:{_KEY})[\"']?)>(?P<inside>.*?)(?:</(?:(?P=tag)|parameter)>|\Z)"
    r"|\\boxed\s*\{\s*(?:\\text\w*\s*\{)?(?P<boxed>[^{}]*)\}"
    rf"|\\?[\"'](?:{_KEY}|(?P<card>card)|(?P<tile>tile))\\?[\"']\s*:\s*{_TEXT}"
    r"|\b(?:play|submit|choose|select|act|move)\w*\(\s*(?:\w+\s*=\s*)?[\"'](?P<call>[^\"'\n]*)[\"']\s*\)",
    re.IGNORECASE | re.DOTALL,
)
_DEEPEST = 3  # depth of nested wrappers
_NOTHING, _PLAYS = {"", "null", "none"}, {"play", "exploit", "urbanize", "construct"}

# --- statements --------------------------------------------------------------------------------------------------------------

_VERB = r"(?:play|choose|pick|select|submit|use|go\s+(?:with|for)|opt\s+for|take|prefer)"
_SUBJECT = (
    r"(?:i|we)(?:['\u2019](?:ll|d(?:\s+rather)?)|\s+(?:will|would|shall|should|must|have\s+to)"
    r"|(?:['\u2019](?:m|ve)|\s+(?:am|have))?\s+(?:going|want|choose|decided?)\s+to)?\s+"
)
_ENGLISH = (
    r"(?:(?:my|the|our|final|best|chosen|next|selected|recommended)\s+)*"
    r"(?:action|move|answer|choice|play|playing|decision|response|bet|option)(?:\s+(?:now|here|this\s+turn))?"
    r"\s*(?:(?:is|will\s+be|would\s+be|seems\s+to\s+be)\b|[=:\u2192\u2013\u2014-]|->)\s*(?:to\s+)?:?"
    rf"|(?:{_SUBJECT}|let['\u2019]s\s+|let\s+me\s+)?{_VERB}(?:\s+to\s+{_VERB})?\b\s*:?"
    r"|my\s+bid\s*(?::|is\b)|(?:going|playing)\s+(?:with\s+)?|i\s+(?:think|believe|say)\b"
)
_OTHER = (
    r"(?:(?:meine?|finale|mon|ma|mi|il\s+mio|la\s+mia|minha|meu|mijn)\s+)?"
    r"(?:aktion|zug|antwort|wahl|entscheidung|action|coup|réponse|choix|acción|jugada|respuesta|elección|azione|mossa|risposta"
    r"|scelta|ação|jogada|resposta|escolha|actie|zet|keuze|ответ|действие|ход|(?:最终)?(?:答案|行动|动作|选择)|行動|回答)"
    r"\s*(?::|\b(?:ist|est|es|è|é|is)\b|是)\s*:?"
    r"|(?:ich\s+(?:spiele|wähle|nehme)|je\s+(?:joue|choisis|prends)|(?:yo\s+)?(?:juego|elijo)|gioco|scelgo"
    r"|(?:eu\s+)?(?:jogo|escolho)|ik\s+(?:speel|kies)|я\s+(?:играю|выбираю)|我(?:选择|出|选))\b"
)
_SAYS = re.compile(
    r"(?:(?:so|therefore|thus|hence|okay|ok|finally|then|now|well|alright|also|here(?:['\u2019]s|\s+is)|deshalb|donc)\b[,:]?\s+)*"
    rf"(?:{_ENGLISH}|{_OTHER})\s*",
    re.IGNORECASE,
)
_ACTS = re.compile(rf"(?:{_SUBJECT}|let['\u2019]s\s+|ich\s+|je\s+)(?=\w{{3}})", re.IGNORECASE)
"""Stands before an action that is a verb: ``I pass``, ``I'll bid on pair a``."""
_SUPPOSES = re.compile(
    r"\W*(?:if|when|whenever|once|unless|suppose|supposing|assuming|should|were|had|next|later|last|previous\w*|earlier"
    r"|wenn|falls|si|se)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(_VERB, re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:(?<!as\s)player_\d|william|opponents?|sa(?:id|ys)|not|never)\b|n['\u2019]t\b", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"[.,;:!](?=\s|$)|\s[-\u2013\u2014(#]|\u2014"
    r"|\s(?:because|since|as|to|so|for|which|that|in\s+order|here|now|this|over|instead|rather"
    r"|weil|da|denn|car|parce|porque|it\s+is)\b"
    r"|\sis\s+(?:the\s+)?best(?=\W*(?:\w+\W*)?$)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\W*(?:or|and|then|but|if|unless|maybe|perhaps|only|tile|with|plus|oder|ou|o|y|und|et)\b|.*\?", re.IGNORECASE
)
"""What follows an action and makes it less than a choice."""
_MOST_ENDS, _LONGEST_WORD, _LONGEST_CLAUSE = 20, 40, 200
_DECORATION = (
    " \t*_`\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb()[]{}<>$#.,;!\u3002\u2192\u27a1\ufe0f\U0001f449\u2705\u2714\U0001f3af"
)
_ITEM = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s")
_HEADING = re.compile(r"[\W_]*[\w+]+[\W_]*:(?:[\s*_]|$)")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")

# --- single actions ----------------------------------------------------------------------------------------------------------

_NOTATION = re.compile(r"(?:[A-Za-z]{1,3}\d+\w*|\w[\w-]*[+:]\w)[\w+:-]*")
_PAIR = re.compile(
    r"\bcard\b[\s:]*([\w*`]+)\s*(?:,|;|and|with|plus|\+|&)?\s*(?:(?:the|my|a)\s+)?tile\b[\s:]*([\w*`]+)", re.IGNORECASE
)
_WITH = re.compile(r"(?:\s+(?:with|plus|mit|avec|con)\s+|\+)(?:(?:the|my|a)\s+)?(?:tile\s+)?", re.IGNORECASE)
_CARD = re.compile(r"^(?:a\s+|(?:(?:the|my)\s+)?(?:card|pair):?\s+)?(?=\S)|\s+(?:alone|without\s+a\s+tile)$", re.IGNORECASE)
_FILLERS = frozenset(["a", "an", "the", "my", "on", "for", "at", "in", "with", "to", "pair", "card", "tile", "place", "one"])
_FEW = 8  # legal actions that a refusal lists

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
        self._verbs = {text.partition(":")[0].casefold() for text in self.texts if ":" in text}
        self._by_folded: dict[str, set[int]] = {}
        for text, action in self._by_text.items():
            name = text.partition(":")[2]
            for form in (
                text,
                re.sub(r"(\d)([A-Za-z])$", r"\1 \2", text),
                "" if name.isdigit() or name in ("done", "none") else name,
            ):
                self._by_folded.setdefault(_plain(form), set()).add(action)

    def read(self, answer: str) -> int:
        """Return the id of the legal action that an answer names.

        Raises NotationError, whose message explains the problem and lists legal actions.
        """
        if not isinstance(answer, str):
            raise NotationError(f"the answer must be a text, got {type(answer).__name__}")
        text = _final_text(answer)
        if len(text) > MAX_LENGTH:
            raise NotationError(f"the answer must have at most {MAX_LENGTH} characters without thoughts, got {len(text)}")
        said = self._said(text)
        if not said:
            raise NotationError(f"no action found; write one alone on the last line; {self._legal()}")
        if len(said) > 1:
            names = [word if isinstance(word, str) else self.texts[[*self._by_text.values()].index(word)] for word in said]
            shown = ", ".join(truncate(name) for name in names[:_FEW])
            raise NotationError(f"the answer names several actions: {shown}; write one alone on the last line")
        if isinstance(said[0], str):
            raise NotationError(self._refusal(said[0]))
        return said[0]

    # --- the rules ---------------------------------------------------------------------------------------------------------

    def _said(self, text: str, depth: int = 0) -> list[_Said]:
        """Return the different actions that a text names."""
        if depth < _DEEPEST and (wrapped := _contents(text)):
            return _different(said for inside in wrapped for said in self._inside(inside, depth))
        text = _PAIR.sub(r"\1+\2", _STRUCK.sub("", text))
        text = text[max((match.end() for match in _TAKEN_BACK.finditer(text)), default=0) :]
        lines = [line for line in text.splitlines() if line.strip() and not _FENCE.fullmatch(line)]
        lines = [line for line in lines if not _ITEM.match(line) or len(lines) == 1]
        last = _different(self._statements(lines[-1])) if lines else []
        if last and self._whole(lines[-1]) is not None:  # lines that are actions and nothing else must agree
            others = (
                self._in(lines) if lines[-1].strip(_DECORATION).isalpha() else map(self._whole, lines)
            )  # "End." may be no action
            last = _different([*last, *(said for said in others if isinstance(said, int))])
        return last or _different(self._in(lines))

    def _in(self, lines: list[str]) -> Iterator[_Said]:
        """Yield the actions that lines are, or state; the first and the last one may explain it."""
        for i, line in enumerate(lines):
            explains = len(lines) == 1 or (i in (0, len(lines) - 1) and not _HEADING.match(line))
            said = self._beginning(_ITEM.sub("", line)) if explains else None
            yield from [said] if said is not None else () if line.lstrip().startswith("#") else self._statements(line)

    def _inside(self, text: str, depth: int) -> list[_Said]:
        """Return the actions that a wrapper names or, if it names none, its text."""
        action = self._action(text)
        return [action] if action is not None else self._said(text, depth + 1) or [text.strip() or "nothing"]

    def _statements(self, line: str) -> Iterator[_Said]:
        """Yield the action that a line is, or the actions that its sentences state."""
        line = _ITEM.sub("", line)
        whole, stated = self._whole(line), list(self._sentences(line))
        yield from [whole] if isinstance(whole, int) else stated or filter(None, [whole])

    def _sentences(self, line: str) -> Iterator[_Said]:
        """Yield the actions that the sentences of a line state."""
        sentences = re.split(r"(?<=[.!?\u3002])\s+", re.sub(r"[*`]", "", line).strip(" \t#>_"))
        for sentence in sentences:
            if not re.search(r"\w", sentence) or sentence.startswith("|") or sentence.endswith("?") or _SUPPOSES.match(sentence):
                continue
            if sentence is sentences[-1] and isinstance(action := self._whole(sentence), int):
                yield action
            for start in (0, *(comma.end() for comma in re.finditer(r"[,;:]\s+", sentence[:_LONGEST_CLAUSE]))):
                if start and (_OTHERS.search(sentence[:start]) or _IMPERATIVE.match(sentence[start:])):
                    continue
                if (said := self._stated(sentence[start:])) is not None:
                    yield said
                    break

    def _stated(self, clause: str) -> _Said | None:
        """Return the action that a clause states to be the choice, or None."""
        rest = clause
        for _ in range(2):  # as in "Action: I play R7"
            if says := _SAYS.match(rest):
                rest = rest[says.end() :]
                if (said := self._beginning(rest, letters=True)) is not None:
                    return said
        acts = _ACTS.match(clause)
        said = self._beginning(clause[acts.end() :]) if acts else None
        return said if isinstance(said, int) else None

    def _whole(self, text: str) -> _Said | None:
        """Return the action that a text is, legal or not; None if it is not an action."""
        if re.search(r"[:?]\W*$", text[-_MOST_ENDS:]):  # a heading, or a question
            return None
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
        for end in reversed([*_EXPLAINS.finditer(text)][:_MOST_ENDS]):
            word, rest = text[: end.start()], text[end.start() :]
            if said is None and (letters or len(word.strip(_DECORATION)) > 1):
                said = None if self._goes_on(rest) else self._whole(word)
        return said

    def _goes_on(self, rest: str) -> bool:
        """Whether what follows an action makes it less than a choice: another action, an alternative, a condition."""
        if not rest.strip(_DECORATION + ":"):
            return ":" in rest  # a heading
        rest = rest[:_LONGEST_CLAUSE].lstrip(_DECORATION + ":-")
        says = _SAYS.match(rest)
        first = re.match(r"[\W_]*([\w+:]*)", rest[says.end() :] if says else rest)[1]  # type: ignore[index]
        named = first in self._by_text if len(first) < 2 else self._action(first) is not None or _NOTATION.fullmatch(first)
        return bool(_GOES_ON.match(rest) or (named and first != "I"))

    # --- single words ------------------------------------------------------------------------------------------------------

    def _action(self, text: str) -> int | None:
        """Return the id of the legal action that a text is, or None."""
        if (action := self._by_text.get(text.strip(), self._by_text.get(_bare(text)))) is not None:
            return action
        bare = _CARD.sub("", _bare(text))
        for form in (bare, _WITH.sub("+", bare), self._with_verb(bare)):
            same = self._by_folded.get(_plain(form), set())
            if form and len(same) == 1:
                return next(iter(same))
        return None

    def _with_verb(self, text: str) -> str:
        """Return a verb and its object, such as ``bid on pair a``, as notation; empty without a verb of a legal action."""
        verb, *words = re.split(r"[\s:]+", text)[:_MOST_ENDS]
        while len(words) > 1 and words[0].casefold() in _FILLERS:
            words.pop(0)
        known = verb.casefold() in self._verbs and words
        return f"{verb}:{re.sub(r'[ ](?:and|[+&])[ ]', '+', ' '.join(words))}" if known else ""

    def _is_notation(self, word: str) -> bool:
        """Whether a word is an action that is not legal, or looks like one."""
        if _NOTATION.fullmatch(_bare(word)) or (word.isdecimal() and len(word) < 10):
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
            if len(word) <= _LONGEST_WORD and not word.isdecimal():
                return f"not a legal action: {error}; {self._legal()}"
        return f"{truncate(word)!r} is not a legal action; {self._legal()}"

    def _legal(self) -> str:
        """Return all legal actions, or some from the whole list, evenly spread so that none is preferred."""
        n = len(self.texts)
        if n <= _FEW:
            return f"legal are {', '.join(self.texts)}"
        return f"among the {n} legal actions are {', '.join(self.texts[(2 * i + 1) * n // (2 * _FEW)] for i in range(_FEW))}"


def _final_text(answer: str) -> str:
    """Return an answer without thoughts, the marks of chat formats and invisible characters."""
    text = answer.translate(_CHARACTERS)
    channels = _CHANNEL.split(text)[1:]
    if channels:
        said = [body for channel, body in zip(channels[::2], channels[1::2], strict=True) if channel != "analysis"]
        text = said[-1] if said else ""
    kept: list[str] = []
    thinking = False
    for part in _THOUGHT.split(_UNMARKED.sub("", text)):
        if not _THOUGHT.fullmatch(part):
            kept += [] if thinking else [part]
        elif "/" in part:
            kept = kept if thinking else []  # the opening tag can be part of the prompt
            thinking = False
        else:
            thinking = True
    return _MARK.sub("\n", "".join(kept))


def _contents(text: str) -> list[str]:
    """Return the contents of wrappers; a card and its tile are one."""
    found: dict[str, list[str]] = {"card": [], "tile": [], "": []}
    for match in _WRAPPER.finditer(text):
        inside = next(filter(None, (match[name] for name in ("inside", "boxed", "double", "single", "other", "call"))), "")
        found[(match["card"] or match["tile"] or "").casefold()].append(inside)
    cards, tiles, others = found.values()
    if cards:  # such as {"action": "play", "card": "R7"}
        others = [other for other in others if other.casefold() not in _PLAYS]
    played = [
        f"{card}+{tile}" if tile.casefold() not in _NOTHING else card for card, tile in zip_longest(cards, tiles, fillvalue="")
    ]
    return [*others, *(played if cards else [])]


def _different(said: Iterable[_Said]) -> list[_Said]:
    return list(dict.fromkeys(said))


def _bare(text: str) -> str:
    """Return a text without decoration, and without spaces around ``+`` and ``:``."""
    return re.sub(r"\s*([+:])\s*", r"\1", text.strip(_DECORATION + "\n:"))


def _plain(text: str) -> str:
    return " ".join(_bare(text).casefold().replace("-", " ").split())
