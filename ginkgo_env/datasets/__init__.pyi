# The public names: type checkers read them here, and ``lazy_loader`` imports each on first use.
from .loader import Dataset as Dataset
from .loader import load as load
from .metadata import VERSION as VERSION
from .metadata import DataError as DataError
from .metadata import DatasetInfo as DatasetInfo
