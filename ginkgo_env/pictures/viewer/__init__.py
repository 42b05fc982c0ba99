"""The replay viewer: a recorded game as one HTML file that needs no network and no server."""

from ginkgo_env.pictures.viewer.page import contents as contents
from ginkgo_env.pictures.viewer.page import replay_page as replay_page
