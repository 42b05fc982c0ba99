# The public names: type checkers read them here, and ``lazy_loader`` imports each when it is first used.
from .core.batch import Batch as Batch
from .core.errors import BatchError as BatchError
from .core.errors import ConfigError as ConfigError
from .core.errors import FinishedGameError as FinishedGameError
from .core.errors import GinkgoError as GinkgoError
from .core.errors import IllegalActionError as IllegalActionError
from .core.errors import NotationError as NotationError
from .core.errors import PositionError as PositionError
from .core.errors import RecordError as RecordError
from .core.game import Game as Game
from .core.game import Outcome as Outcome
from .core.layout import Observation as Observation
from .core.rewards import shaped as shaped
from .core.transitions import Transition as Transition
from .core.transitions import each_step as each_step
from .envs.aec import env as env
from .envs.aec import raw_env as raw_env
from .envs.gym import GinkgoEnv as GinkgoEnv
from .envs.parallel import parallel_env as parallel_env
from .envs.text import text_env as text_env
from .envs.vector import GinkgoVectorEnv as GinkgoVectorEnv
from .pictures.animation import animation as animation
from .pictures.export import draw as draw
from .pictures.export import png as png
from .pictures.export import rgb_array as rgb_array
from .records import Record as Record
from .records import replay as replay
from .registry import GAMES as GAMES
from .registry import make_game as make_game

__version__: str
