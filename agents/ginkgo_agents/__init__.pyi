# The public names: type checkers read them here, and ``lazy_loader`` imports each when it is first used.
from .agents.base import Agent as Agent
from .agents.base import Decision as Decision
from .agents.base import DecisionBatch as DecisionBatch
from .agents.base import FunctionAgent as FunctionAgent
from .agents.base import KernelThreads as KernelThreads
from .agents.base import act as act
from .agents.registry import agent_names as agent_names
from .agents.registry import make_agent as make_agent
from .agents.registry import register_agent as register_agent
from .analysis import Analysis as Analysis
from .analysis import analyze as analyze
from .evaluation.matches import MatchConfig as MatchConfig
from .evaluation.matches import MatchResults as MatchResults
from .evaluation.matches import play_match as play_match
