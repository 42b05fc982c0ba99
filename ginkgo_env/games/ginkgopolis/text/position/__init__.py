"""Positions: the complete state as plain data (``docs/design/text-forms.md``).

Each module writes and reads a part: ``whole`` status and piles, ``city`` buildings and tokens, ``pending`` the turn under way,
``player`` the fields of a player. ``values`` reads single values. The modules ``check_*`` refuse positions that no game can
reach: pieces in two places, moments and turns that do not fit together.
"""

from ginkgo_env.games.ginkgopolis.text.position.whole import read_config, read_position, write_position

__all__ = ["read_config", "read_position", "write_position"]
