"""Analysis of decisions: values of the actions of a position, losses of the decisions of a record.

All values are estimates of one agent, in worlds that are resampled from what the deciding seat knew (``docs/analysis.md``).
"""

from __future__ import annotations

from ginkgo_agents.analysis.results import AnalysisError, Decision, Option, Player
from ginkgo_agents.analysis.run import Analysis, analyze

__all__ = ["Analysis", "AnalysisError", "Decision", "Option", "Player", "analyze"]
