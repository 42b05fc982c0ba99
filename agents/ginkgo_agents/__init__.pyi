# The public names: type checkers read them here, and ``lazy_loader`` imports each when it is first used.
from .analysis import Analysis as Analysis
from .analysis import analyze as analyze
from .base import Agent as Agent
from .base import Decision as Decision
from .base import DecisionBatch as DecisionBatch
from .base import FunctionAgent as FunctionAgent
from .base import KernelThreads as KernelThreads
from .base import act as act
from .evaluation.matches import MatchConfig as MatchConfig
from .evaluation.matches import MatchResults as MatchResults
from .evaluation.matches import play_match as play_match
from .registry import agent_names as agent_names
from .registry import make_agent as make_agent
from .registry import register_agent as register_agent
