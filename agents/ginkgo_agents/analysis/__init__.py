"""Analysis of decisions: what the actions of a position were worth, and what each decision of a record lost.

All values are those of one agent, in worlds that are resampled from what the deciding seat knew (``docs/analysis.md``).
"""

from __future__ import annotations

from ginkgo_agents.analysis.results import Analysis, AnalysisError, Decision, Option, Player
from ginkgo_agents.analysis.run import analyze

__all__ = ["Analysis", "AnalysisError", "Decision", "Option", "Player", "analyze"]
