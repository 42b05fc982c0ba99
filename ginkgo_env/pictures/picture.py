"""Pictures of positions as SVG: the table that a presenter draws, with title, caption and scores.

>>> import ginkgo_env
>>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), size=1)
>>> picture = batch.game.picture(batch.state(0))
>>> picture.svg(theme="dark").startswith("<svg")
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ginkgo_env.core.errors import BatchError, short_repr
from ginkgo_env.core.game import OBSERVER, Game, States
from ginkgo_env.core.language import ENGLISH, current_language
from ginkgo_env.core.language import shared as translate
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import GAP, LARGE, OWN, PAGE, SMALL, Box, number
from ginkgo_env.pictures.theme import THEMES, Theme, style_sheet
from ginkgo_env.pictures.widgets import badge, gold_star, heading, letters, panel, sign_of

MARGIN = 16.0
"""Width of the margin around a picture."""

TEXT_COLUMNS = 72
"""Width of a description that replaces a drawing, in columns."""

_CAPTION_LINES = 3  # reserved below the title


# --- pictures --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A picture. ``svg`` returns it as a complete document; notebooks show it.

    >>> import ginkgo_env
    >>> ginkgo_env.draw(ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 1)).svg("light")[:4]
    '<svg'
    """

    width: float
    height: float
    body: str = field(repr=False)
    title: str
    """A short title."""
    description: str = field(default="", repr=False)
    """The content as text, for screen readers."""

    def svg(self, theme: Theme = "auto", *, width: float | None = None) -> str:
        """The picture as an SVG document with unique ids.

        Parameters
        ----------
        theme : ``"light"``, ``"dark"``, or ``"auto"``, which lets the browser choose
        width : the width in pixels at which the document is displayed; by default one pixel for each unit

        Raises BatchError for an unknown theme.
        """
        if theme not in THEMES:
            raise BatchError(f"invalid theme {short_repr(theme)}; expected one of {', '.join(THEMES)}")
        digest = hashlib.sha256(f"{theme}{self.body}".encode(errors="replace")).hexdigest()[:10]
        size = f"{number(self.width)} {number(self.height)}"
        scale = 1.0 if width is None else width / self.width
        description = svg.tag("desc", "", svg.escape(self.description)) if self.description else ""
        definitions = DEFINITIONS if OWN in self.body else ""
        inside = f"{svg.tag('title', '', svg.escape(self.title))}{description}<style>{style_sheet(theme)}</style>{definitions}"
        inside += f"{svg.rect(0, 0, self.width, self.height, 'f-page')}{self.body}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="gk gk-{theme}" role="img" viewBox="0 0 {size}"'
            f' width="{number(scale * self.width)}" height="{number(scale * self.height)}">'
            f"{inside.replace(OWN, f'gk{digest}')}</svg>"
        )

    def enlarged(self, width: float, height: float) -> Picture:
        """The picture with empty space added at the right and below."""
        return replace(self, width=width, height=height)

    def _repr_svg_(self) -> str:
        """The SVG that a notebook shows."""
        return self.svg()


DEFINITIONS = (
    "<defs>"
    + "".join(
        f'<pattern id="{OWN}-{name}" width="8" height="8" patternUnits="userSpaceOnUse">{content}</pattern>'
        for name, content in {
            "hatch": svg.path("M-2 2L2 -2M0 8L8 0M6 10L10 6", "s-ink", stroke_width=1.2, stroke_opacity=0.45),
            "dots": svg.circle(2, 2, 1.2, "f-ink", fill_opacity=0.45) + svg.circle(6, 6, 1.2, "f-ink", fill_opacity=0.45),
            "cross": svg.path("M0 4H8M4 0V8", "s-ink", stroke_width=1, stroke_opacity=0.35),
        }.items()
    )
    + "</defs>"
)
"""The patterns that pictures refer to."""


# --- a whole picture -------------------------------------------------------------------------------------------------------


def framed(
    game: Game, state: States, seat: int | None, names: Sequence[str], table: Box, caption: Sequence[str] | None
) -> Picture:
    """Add title, caption and, when the game is over, scores to the drawing of a table.

    Arguments as in :meth:`ginkgo_env.pictures.presenter.Presenter.picture`, checked.
    """
    width = max(PAGE, table.width)
    scores = [scores_box(game, state, names, width)] if game.ending(state) is not None else []
    sentences = [] if caption is None else [_caption(" ".join(caption), width)]
    whole = svg.below([_title(game, seat, names, width), *sentences, *scores, table], GAP)
    title = game.title if seat is None else f"{game.title}, {_viewer(seat, names)}"
    body, description = whole.at(MARGIN, MARGIN), game.describe(state, seat, names)
    return Picture(width + 2 * MARGIN, whole.height + 2 * MARGIN, body, title, description)


def _caption(text: str, width: float) -> Box:
    box = svg.paragraph(text, width, "dim")
    return Box(width, max(box.height, _CAPTION_LINES * svg.label("").height), box.body)


def _title(game: Game, seat: int | None, names: Sequence[str], width: float) -> Box:
    viewer = translate("everything open") if seat is None else _viewer(seat, names)
    note = svg.text(width, 13, viewer, "dim", anchor="end", fit=0.6 * width)
    return Box(width, 26, svg.text(0, 13, game.title, size=LARGE, bold=True) + note)


def _viewer(seat: int, names: Sequence[str]) -> str:
    return translate("as everybody sees it") if seat == OBSERVER else translate("as {name} sees it", name=names[seat])


def text_box(text: str) -> Box:
    """A text in a monospaced font, which replaces the drawing for games without one."""
    lines = svg.listing(text.split("\n"))
    return panel(lines, max(PAGE, lines.width + 20))


def scores_box(game: Game, state: States, names: Sequence[str], width: float) -> Box:
    """The final scores: a row for each side with its points by source; winners have a star."""
    points, _ = game.points(state)
    outcome = game.outcome(state)
    marks, inner = letters(game), width - 20
    columns = _columns(game)
    first = 0.3 * inner
    step = (inner - first) / len(columns)
    if any(svg.text_width(column, SMALL) > step - 6 for column in columns):
        return _scores_framed(game, state, names, _scores_by_source(game, state, names, inner), width)
    head = "".join(
        svg.text(first + (k + 1) * step, 9, source, "dim", size=SMALL, anchor="end", fit=step - 6)
        for k, source in enumerate(columns)
    )
    rows = [Box(inner, 18, head)]
    for side in range(game.sides):
        won = side in outcome.winners
        values = [*points[side].tolist(), outcome.scores[side]]
        cells = "".join(
            svg.text(first + (k + 1) * step, 13, value, anchor="end", bold=k == len(values) - 1 or won)
            for k, value in enumerate(values)
        )
        sign = badge(sign_of(game, side), 36, 13, 9, marks[side]) + (gold_star(12, 13, 9) if won else "")
        name = svg.text(52, 13, names[side], bold=won, fit=first - 52)
        rule = svg.line(0, 0, inner, 0)
        rows.append(Box(inner, 26, rule + sign + name + cells))
    return _scores_framed(game, state, names, rows, width)


def _scores_by_source(game: Game, state: States, names: Sequence[str], inner: float) -> list[Box]:
    """The final scores with a row for each source, for games with many sources."""
    (points, _), outcome, marks = game.points(state), game.outcome(state), letters(game)
    step = min(120.0, 0.75 * inner / game.sides)
    middles = [inner - step * (game.sides - side - 0.5) for side in range(game.sides)]
    called = [svg.wrapped(name, step - 6, SMALL) for name in names]
    head = ""
    for side, x in enumerate(middles):
        won = side in outcome.winners
        head += badge(sign_of(game, side), x, 12, 10, marks[side]) + (gold_star(x - 25, 12, 9) if won else "")
        for k, line in enumerate(called[side]):
            head += svg.text(x, 32 + 16 * k, line, size=SMALL, anchor="middle", bold=won, fit=step - 6)
    rows = [Box(inner, 26 + 16 * max(map(len, called)), head)]
    for k, source in enumerate(_columns(game)):
        last = k == len(game.sources)
        values = outcome.scores if last else points[:, k].tolist()
        cells = "".join(
            svg.text(x, 11, value, anchor="middle", bold=last or side in outcome.winners)
            for side, (x, value) in enumerate(zip(middles, values, strict=True))
        )
        rows.append(Box(inner, 20, svg.line(0, 0, inner, 0) + svg.text(0, 11, source, bold=last) + cells))
    return rows


def _scores_framed(game: Game, state: States, names: Sequence[str], rows: Sequence[Box], width: float) -> Box:
    """The scores below a heading that names the winners and how the game ended."""
    outcome, inner = game.outcome(state), width - 20
    verdict = translate("{points} points", points=outcome.scores[0])
    if game.sides > 1:
        verb = "{names} wins" if len(outcome.winners) == 1 else "{names} win"
        verdict = translate(verb, names=translate.joined([names[side] for side in outcome.winners]))
    notes = _ending(game, outcome.ending), game.presenter.tie_break(outcome)
    rows = [*rows, *(svg.paragraph(note, inner) for note in notes if note)]
    return panel(svg.below([heading(translate("Game over: {verdict}", verdict=verdict), inner), *rows], 4), width, active=True)


def _columns(game: Game) -> list[str]:
    """The sources of points and the total, as texts."""
    texts = translate if current_language() == ENGLISH else game.presenter.texts
    return [*(texts.label("source", source) for source in game.sources), translate("total")]


def _ending(game: Game, ending: str | None) -> str:
    """How the game ended, in a sentence if the presenter has one."""
    sentence = game.presenter.texts.get(f"ending:{ending}")
    return sentence or translate("Ended by {ending}.", ending=str(ending).replace("_", " "))
