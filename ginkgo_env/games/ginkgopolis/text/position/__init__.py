"""Positions: the complete state as plain data, written, read and checked (``docs/design/text-forms.md``).

What is written and how it is read back stand side by side: ``whole`` (status and piles), ``city``, ``pending`` (the turn under
way) and ``player`` (a table of all fields of a player, which descriptions use as well). ``values`` reads single values. The files
``check_*`` refuse what no game can reach: pieces in two places, moments and turns that do not fit together.
"""

from ginkgo_env.games.ginkgopolis.text.position.whole import read_config, read_position, write_position

__all__ = ["read_config", "read_position", "write_position"]
