"""Compare kernels and oracle for as many decisions as asked: ``python tests/oracle/my_city/soak.py --decisions 1000000``.

1 to 4 players: one game of each in turn, the game's seed counting up from ``--seed``. Stops at the first difference and prints
how to see it again.

What is drawn by chance, who decides, what is legal, whole positions and scores are compared after every decision, what seats are
shown after every eighth.
"""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.oracle.my_city.compare import play_match
from tests.oracle.soaking import options_of_a_soak, soak

CONFIGS = [{"players": players} for players in (1, 2, 3, 4)]

if __name__ == "__main__":
    sys.exit(soak(partial(play_match, views=8), CONFIGS, options_of_a_soak(__doc__).parse_args()))
