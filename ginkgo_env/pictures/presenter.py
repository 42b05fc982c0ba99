"""The people's side of a game: pictures, actions as picks, and texts in several languages.

A game class names its presenter, which is imported when :attr:`ginkgo_env.core.game.Game.presenter` is first read::

    class ConnectFour(Game):
        presenter_entry_point = f"{__name__}:ConnectFourPresenter"


    class ConnectFourPresenter(Presenter):
        texts = Texts({"en": {"question:drop": "Choose a column", "group:column": "Column"}})

        def draw(self, g):
            columns = [named(f"column:{n}", rect(60 * n, 0, 50, 300, "f-blue")) for n in range(7)]
            return Box(420, 300, "".join(columns))

        def choice(self, state, action):
            return Choice({"column": str(action)})

Everything has a default: a presenter may only draw, or only have choices. A game without a presenter is shown as the text of
``Game.describe``, and each of its actions as a single pick, the action's notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game, Outcome, States
from ginkgo_env.core.language import ENGLISH, Texts, current_language, shared
from ginkgo_env.core.state import VisibleState
from ginkgo_env.pictures.picture import TEXT_COLUMNS, Picture, framed, text_box
from ginkgo_env.pictures.svg import Box

_FRAME_GAMES = 4  # random games whose last pictures give the size of a frame
_TIE_BREAK = "The scores are tied; the rules of the game break the tie."


class Choice(NamedTuple):
    """A legal action as the picks that make it up, such as a card and a tile.

    The legal actions of a position differ in their picks. After a pick, people are shown the picks that still go with it.
    """

    picks: Mapping[str, str]
    """Names as in notation by group, in the order in which people pick. A pick is the part ``group:name`` of the picture."""
    places: tuple[str, ...] = ()
    """Further parts of the picture that the action is about, such as the cells that a building would cover."""
    note: str = ""
    """A warning in the current language that the action does less than its picks say, such as a tile that cannot be paid."""
    sentence: str = ""
    """The action as a sentence in the current language, where that says more than the labels of its picks."""

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts of the picture (``pictures.svg.named``) that the action is about; some may not be drawn."""
        return (*(f"{group}:{name}" for group, name in self.picks.items()), *self.places)


Rows = Mapping[str, Sequence[Box]]
"""Boxes in rows by name, such as ``hand``; people read the text ``row:<name>``."""
_NO_ROWS: Rows = MappingProxyType({})


class Areas(NamedTuple):
    """The drawing of a table in areas, so that a page can keep in sight what a decision needs."""

    board: Box
    """What all play on, or the viewer's own board."""
    hand: Rows = _NO_ROWS
    """What the viewer chooses from, such as the cards of the hand, the most important first."""
    sides: Sequence[Rows] = ()
    """What each side has, its counters first; of the viewer, what is not in its hand."""
    table: Rows = _NO_ROWS
    """Everything else, such as piles. A row with a part that can be picked now is shown with the hand."""


class Presenter:
    """Shows a game, in one configuration, to people.

    Parameters
    ----------
    game : the game that the presenter belongs to
    """

    text_styles: Mapping[str, str] = {}
    """Colors of descriptions on terminals: Rich's styles by regular expression, such as ``{"R[0-9]+": "red"}``."""
    text_order: Sequence[str] = ()
    """How the most important sections of English descriptions begin, as regular expressions; ``{name}`` is the seat's own name.

    Sections are the parts between blank lines. A terminal with few rows shows these in full and folds the others.
    """
    text_asked: str = ""
    """The beginning of the section that decisions are about, as a regular expression: a terminal repeats it above the choices."""
    texts: Texts = shared
    """Texts of the game, among them labels with these keys:

    ``question:<kind>``
        the question to the player who decides, by the kind of decision
    ``elsewhere:<kind>``
        a sentence that says why no action of this kind of decision is about a place of the board
    ``group:<group>``
        the heading of a group of picks
    ``pick:<group>:<name>``
        a pick whose name in notation says too little
    ``source:<source>``, ``note:<source>``
        a source of points, and a sentence that explains it
    ``row:<name>``
        a row of cards or counters, see :class:`Areas`
    ``option:<option>``, ``value:<option>:<value>``
        an option of the game, and one of its values
    ``ending:<ending>``
        a sentence that says how the game ended
    ``tie_break``
        a sentence that says who wins among equal scores
    ``lobby:sentence``, ``lobby:minutes``
        what the game is about, in a sentence, and how many minutes it takes
    ``guide:<kind>``
        a sentence for people who make this kind of decision for the first time
    """
    how_to_play_file: ClassVar[str] = ""
    """How to play, for people, as Markdown in the package of the game's module, such as ``"how_to_play/{language}.md"``.

    The address of a picture is ``board``, ``hand`` or the name of a row of :class:`Areas`, drawn in the middle of a game.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def draw(self, g: VisibleState) -> Box | None:
        """Draw the table, about ``pictures.svg.PAGE`` wide; None shows the text of ``Game.describe`` instead.

        A part that people can click is marked by ``pictures.svg.named``.

        g : the state as the viewer may know it, with the names of the sides and the earlier state of :meth:`picture`
        """
        return None

    def draw_areas(self, g: VisibleState) -> Areas | None:
        """Draw the table in areas; None shows the whole picture as the board. See :meth:`draw`."""
        return None

    def choice(self, state: States, action: int) -> Choice:
        """A legal action as the picks that make it up; by default a single pick, the action's notation.

        It tells no more than the seat that decides may know.
        """
        return Choice({"action": self.game.action_text(state, action)})

    def choices(self, state: States, actions: Sequence[int]) -> list[Choice]:
        """Each of some legal actions of one decision: see :meth:`choice`."""
        return [self.choice(state, action) for action in actions]

    def how_to_play(self) -> str:
        """How to play, as Markdown in the current language, or else in English; empty by default."""
        if not self.how_to_play_file:
            return ""
        folder = files(type(self.game).__module__.rpartition(".")[0])
        texts = (folder / self.how_to_play_file.format(language=language) for language in (current_language(), ENGLISH))
        return next(text.read_text(encoding="utf-8") for text in texts if text.is_file())

    def text_map(self, state: States, width: int) -> str:
        """A map of the board for terminals of `width` columns, of what all can see; by default empty."""
        return ""

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """Public numbers of a seat by name in the current language, such as coins and cards; by default none."""
        return {}

    def tie_break(self, outcome: Outcome) -> str:
        """The sentence that explains a tie that was broken; empty if there was none."""
        return self.texts.get("tie_break", _TIE_BREAK) if outcome.is_tie_broken else ""

    def picture(
        self,
        state: States,
        seat: int | None = None,
        names: Sequence[str] | None = None,
        *,
        since: States | None = None,
        caption: Sequence[str] | None = None,
    ) -> Picture:
        """A picture of the table; when the game is over, with the scores by source.

        Parameters
        ----------
        state : a state of the game, shape (1,)
        seat : the viewer: what this seat, or OBSERVER, cannot know is face down; None: all information visible
        names : the names of the sides; by default ``Game.side_names``
        since : an earlier state of the same game: changes since then are highlighted
        caption : sentences above the table, such as the last events. With a caption, also an empty one, three lines are
            reserved, so that the table is in the same place in one picture after another

        Raises BatchError for bad arguments.
        """
        g = self.game.visible_state(state, seat, names, since)
        box = self.draw(g) or text_box(self.game.describe(state, seat, names, width=TEXT_COLUMNS))
        return framed(self.game, state, seat, g.names, box, caption)

    def areas(
        self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, since: States | None = None
    ) -> Areas:
        """The table in areas; arguments and errors as in :meth:`picture`."""
        whole = self.draw_areas(self.game.visible_state(state, seat, names, since))
        if whole is not None:
            return whole
        picture = self.picture(state, seat, names, since=since)
        return Areas(Box(picture.width, picture.height, picture.body))

    @cached_property
    def frame_size(self) -> tuple[float, float]:
        """The width and height of the frame in which videos show all pictures of a game.

        It holds the last pictures, usually the largest, of four random games, and depends only on the configuration.
        """
        batch = Batch(self.game, _FRAME_GAMES)
        batch.reset(seed=0)
        while not batch.over.all():
            batch.step(batch.sample())
        pictures = [self.picture(batch.state(row)) for row in range(_FRAME_GAMES)]
        return max(picture.width for picture in pictures), max(picture.height for picture in pictures)
