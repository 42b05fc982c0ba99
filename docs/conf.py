"""Configuration of Sphinx: ``sphinx-build -W --keep-going -n docs site``.

Neither the build nor the site needs the network.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "agents"), str(ROOT / "training"), str(ROOT / "docs" / "_site")]

from ginkgo_env import __version__  # noqa: E402 -- after the path

project, author = "ginkgo_env", "ginkgo_env developers"
project_copyright = "ginkgo_env developers, MIT license"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "outside_pages", "accessible"]
source_suffix = {".md": "markdown", ".ipynb": "markdown", ".py": "markdown"}
exclude_patterns = ["_site", "*.py"]
html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = f"ginkgo_env {release}"
html_baseurl = os.environ.get("DOCS_URL", "")  # where search engines find the newest version of each page
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_js_files = ["search.js"]

myst_heading_anchors = 4  # as on GitHub, so that links to headings work in both places
myst_url_schemes = ("http", "https", "source")  # "source:" is resolved by outside_pages

# Pages whose text is elsewhere in the repository, by their name on the site.
outside_pages = {
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
    "security": "SECURITY.md",
    "trained_agents": "agents/ginkgo_agents/models/README.md",
    "games/golden_city_data": "ginkgo_env/games/golden_city/data/README.md",
    "games/my_city_data": "ginkgo_env/games/my_city/data/README.md",
    "notebooks/playing": "notebooks/01_a_game_in_ten_minutes.ipynb",
    "notebooks/seeing": "notebooks/02_what_an_agent_sees.ipynb",
    "notebooks/benchmarking": "notebooks/03_benchmark_your_bot.ipynb",
    "notebooks/training": "notebooks/04_train_an_agent.ipynb",
    "notebooks/winning": "notebooks/05_what_wins_at_ginkgopolis.ipynb",
    "notebooks/reading": "notebooks/06_reading_a_game.ipynb",
    "notebooks/siblings": "notebooks/07_three_games_one_agent.ipynb",
    "notebooks/critic": "notebooks/08_what_the_value_network_knows.ipynb",
    "notebooks/scratch": "notebooks/09_ppo_from_scratch_on_a_batch.ipynb",
    "notebooks/population": "notebooks/10_a_population_and_its_payoffs.ipynb",
    "notebooks/boards": "notebooks/11_from_one_board_to_others.ipynb",
} | {f"examples/{path.stem}": f"training/examples/{path.name}" for path in (ROOT / "training" / "examples").glob("*.py")}

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 100
python_use_unqualified_type_names = True
autodoc_mock_imports = [name for name in ("torch", "stable_baselines3", "sb3_contrib", "tensorboard") if find_spec(name) is None]
default_role = "literal"

# Types of other libraries, whose documentation is not linked, since the build needs no network.
nitpick_ignore_regex = [
    (r"py:.*", r"(np|numpy|msgspec|gymnasium|pettingzoo|torch|stable_baselines3|sb3_contrib|matplotlib)\b.*"),
    (r"py:.*", r"(abc|collections|contextlib|pathlib|typing)\b.*|Path"),
    (r"py:class", r"AECEnv|AutoresetMode|spaces\.\w+|Figure|PlackettLuceRating|AbstractContextManager|os\.PathLike"),
    # Aliases of one module.
    (r"py:class", r"NDArray|ArrayLike|Arrays?|Bools|Floats|Integers|Ints|Rates|Seats|Keys|_\w+"),
    (r"py:class", r"Check|Curve|Drawing|Factory|Invariant|Line|Pieces|Play|Points|Read|RewardFunction|RewardName|Rows?|Run"),
    (r"py:(class|obj)", r"(.+\.)?(\w+Options|GameName|Observed|Unpack|IllegalAnswer)"),
    (r"py:class", r"Ginkgopolis|GoldenCity|MyCity"),
    # Internal classes and modules, which have no pages.
    (r"py:mod", r"ginkgo_env\.core\.checks"),
    (r"py:class", r"(.+\.)?(Flaws|Frozen|Kernels|PlainRecord|RunningGames|SeedsAndActions|Texts|Things|VisibleState)"),
    (r"py:class", r"ginkgo_env\.datasets\.(play\.(FinishedGames|GameRunner)|metadata\.LayoutInfo)"),
    (r"py:class", r"ginkgo_env\.envs\.(observation_writer\.(RowSubset|ObservationWriter))"),
    (r"py:class", r"nn\.Module|InputKind|ginkgo_agents\.evaluation\.benchmark\.tasks\.Training"),
]
