"""Actions in named blocks, and their names."""

from __future__ import annotations

from ginkgo_env.core.layout import Block, Layout
from three_cards.constants import Action

ACTIONS = Layout([Block("act", (2,), "pass, bet")])
ACTION_NAMES = tuple(action.name.lower() for action in Action)
