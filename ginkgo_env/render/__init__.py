"""Output of pictures: pixels, animations, pages for browsers, colored text."""

from ginkgo_env.render.animation import animation as animation
from ginkgo_env.render.drawing import draw as draw
from ginkgo_env.render.pixels import png as png
from ginkgo_env.render.pixels import rgb_array as rgb_array
from ginkgo_env.render.viewer import replay_page as replay_page
