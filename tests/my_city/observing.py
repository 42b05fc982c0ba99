"""Observations (M12.3) as the oracle has them."""

from __future__ import annotations

from ginkgo_env.core.batch import Batch

from ..oracle.my_city.compare import with_files
from ..oracle.observations import check_views, no_chance


def check_observations(batch: Batch) -> None:
    """Compare all blocks of all seats in all rows."""
    oracle = with_files(batch.game.config_dict)
    check_views(batch, lambda position: oracle.from_position(position, no_chance))
