"""Positions: the complete state as plain data (``docs/design/text-forms.md``).

Each module writes and reads a part: ``whole`` status and piles, ``city`` buildings and tokens, ``pending`` the turn under way,
``player`` the fields of a player. ``values`` reads single values. Whether all this goes together is checked in the record
(``rules/soundness``).
"""

from ginkgo_env.games.ginkgopolis.text.position.whole import read_config, read_position, write_position

__all__ = ["read_config", "read_position", "write_position"]
