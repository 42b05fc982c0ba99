"""The flat action space, declared as named blocks. Ids are frozen by ``tests/ginkgopolis/frozen_ids.json``."""

from __future__ import annotations

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE, N_CHARACTERS, N_TILES, Side

ALONE = 0  # second index of a commit: no tile; otherwise 1 + tile
TAKE_RESOURCE, TAKE_TILE = 0, 1
DONE = N_TILES  # index in the block "return"

ACTIONS = Layout(
    [
        Block("commit", (HAND_SIZE, 1 + N_TILES), "card in the hand's k-th place (hands are sorted); alone or with a tile"),
        Block("new_hand", (1,), "spend a New Hand token (R3.2)"),
        Block("take", (2,), "for an urbanization card alone: a resource or a tile (R4.1)"),
        Block("token", (len(Side),), "where the token goes: N E S W of the new tile, after, before (R6.2, R6.3)"),
        Block("return", (N_TILES + 1,), "set a tile aside for the new supply, or done (R7.1)"),
        Block("draft", (N_CHARACTERS,), "keep a character (R2.7)"),
    ]
)

COMMIT = ACTIONS["commit"].start
NEW_HAND = ACTIONS["new_hand"].start
TAKE = ACTIONS["take"].start
TOKEN = ACTIONS["token"].start
RETURN = ACTIONS["return"].start
DRAFT = ACTIONS["draft"].start
N_ACTIONS = ACTIONS.size
CHOICES = 1 + N_TILES  # commits of one card
