"""States as texts read them: quickly, field by field."""

from __future__ import annotations

from ginkgo_env.core.fields import Fields as Fields
from ginkgo_env.games.ginkgopolis.state import State

Readable = State | Fields
"""A record or its fields: functions that only read take either."""
