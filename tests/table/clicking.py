"""A person at the page of a seat, who plays by clicks or keys on what is shown there."""

from __future__ import annotations

import random
from typing import Any

from .served import until

Json = dict[str, Any]

SEEN = """() => game && ({
    decision: game.decision, over: game.result !== null, actor: game.actor, seat: game.seat, picks: {...chosen.picks},
    chosen: [...document.querySelectorAll('#actions [aria-selected="true"]')].map((one) => Number(one.dataset.action)),
    pressed: [...document.querySelectorAll('.group [aria-pressed="true"]')]
        .map((one) => [one.closest("[data-group]").dataset.group, one.dataset.name]),
    list: !document.getElementById("actions").hidden,
    can: !sending && document.getElementById("confirm").getAttribute("aria-disabled") === "false",
})"""

# How much on the page moves, but for what never ends.
MOVING = "document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).length"

# Where a part of the picture can be clicked: a point at which nothing else lies above it.
POINT = """(part) => {
    for (const node of document.querySelectorAll(`.gk [data-part="${CSS.escape(part)}"]`)) {
        node.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = node.getBoundingClientRect();
        for (const [u, v] of [[0.5, 0.5], [0.5, 0.2], [0.2, 0.5], [0.8, 0.8], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]) {
            const [x, y] = [left + u * width, top + v * height];
            const found = document.elementFromPoint(x, y)?.closest(".gk [data-part]");
            if (found && found.dataset.part === part) return [x, y];
        }
    }
    return null;
}"""


class Person:
    """Plays at a page of a seat.

    ``decided`` has the actions in notation; ``drawn`` tells how many clicks were on the picture, ``beside`` how many elsewhere.
    """

    def __init__(self, page: Any, seed: int = 0, avoid: tuple[str, ...] = ()) -> None:
        self.page, self._chance, self._avoid = page, random.Random(seed), avoid
        self.decided: list[str] = []
        self.drawn = self.beside = 0

    def seen(self) -> Json:
        """What stands on the page."""
        found: Json = self.page.evaluate(SEEN)
        return found

    def ready(self) -> Json:
        """Wait for one's turn or the end, and until no piece moves."""
        until(lambda: (seen := self.seen()) and (seen["decision"] or seen["over"]) and not self.page.evaluate(MOVING))
        return self.seen()

    def play(self, most: int = 1_000) -> bool:
        """Play to the end, or for so many decisions; returns whether the game is over."""
        for _ in range(most):
            seen = self.ready()
            if seen["over"]:
                return True
            self.decide(self.wanted(seen))
        return bool(self.seen()["over"])

    def wanted(self, seen: Json) -> Json:
        """An action that this person takes, at random."""
        actions = seen["decision"]["actions"]
        liked = [one for one in actions if all(group not in self._avoid for group, _ in one["picks"])]
        found: Json = self._chance.choice(liked or actions)
        return found

    def decide(self, action: Json) -> None:
        """Put an action together by clicks, and confirm it."""
        self.put_together(action)
        self.confirm(action)

    def put_together(self, action: Json) -> None:
        """Click its picks, the places it is about, and at last, if that is not enough, its line in the list."""
        for group, name in action["picks"]:
            if [group, name] not in self.seen()["pressed"]:
                self._pick(group, name)
        for place in action["places"]:
            if self._is_chosen(action):
                break
            self._point_at(place, action)
        if not self._is_chosen(action):
            if not self.page.locator(f"#action-{action['id']}").count():  # a click met another place, as the page had moved
                self.page.keyboard.press("Escape")
            self._unfold()
            self.page.click(f"#action-{action['id']}")
            self.beside += 1
        assert self._is_chosen(action)

    def confirm(self, action: Json) -> None:
        """Click on Confirm, and wait until the page shows what has come of it."""
        assert self.seen()["can"]
        self._until_gone(lambda: self.page.click("#confirm"))
        self.decided.append(action["text"])

    def press(self, action: Json) -> None:
        """The same decision by keys alone: through the list, or through the buttons where they say it all."""
        if self.seen()["list"]:
            ids = [one["id"] for one in self.seen()["decision"]["actions"]]
            self._keys("Escape", "l", "Home", *["ArrowDown"] * ids.index(action["id"]))
        else:
            ((_, name),) = action["picks"]
            self._keys("Escape", "c")
            names = self.page.evaluate("[...document.activeElement.closest('.names').children].map((one) => one.dataset.name)")
            if name in names:
                self._keys("Home", *["ArrowRight"] * names.index(name), "Enter")
            else:
                self._keys(self.page.get_attribute(f'.group [data-name="{name}"]', "aria-keyshortcuts"))
        assert self._is_chosen(action)
        self._until_gone(lambda: self._keys("Enter"))
        self.decided.append(action["text"])

    def _until_gone(self, act: Any) -> None:
        number = self.seen()["decision"]["number"]
        act()
        until(lambda: (now := self.seen()["decision"]) is None or now["number"] != number)

    def _keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def _pick(self, group: str, name: str) -> None:
        point = self.page.evaluate(POINT, f"{group}:{name}")
        if point:
            self.page.mouse.click(*point)
            self.drawn += 1
        elif (button := self.page.locator(f'[data-group="{group}"] [data-name="{name}"]')).count():
            if not button.is_visible():
                self._unfold()
            button.click(force=True)  # what does not fit is marked as disabled and can be picked
            self.beside += 1
        else:
            return  # an action that is its notation stands in the list
        assert [group, name] in self.seen()["pressed"] or self.seen()["picks"].get(group) == name

    def _unfold(self) -> None:
        """Show all actions, where they are folded away."""
        if self.page.locator("#left:not([open])").count():
            self.page.click("#left-title")
            self.beside += 1

    def _point_at(self, place: str, action: Json) -> None:
        """A place goes through the actions about it: some clicks, the list is there for the rest."""
        for _ in range(4):
            point = None if self._is_chosen(action) else self.page.evaluate(POINT, place)
            if not point:
                return
            self.page.mouse.click(*point)
            self.drawn += 1

    def _is_chosen(self, action: Json) -> bool:
        seen = self.seen()
        if seen["list"]:
            return bool(seen["chosen"] == [action["id"]])
        return seen["can"] and all(pick in seen["pressed"] for pick in action["picks"])
