"""Fast access to the fields of a state for text."""

from __future__ import annotations

from ginkgo_env.core.fields import Fields as Fields
from ginkgo_env.games.ginkgopolis.state import State

Readable = State | Fields
"""A record or its fields; functions that only read accept both."""
