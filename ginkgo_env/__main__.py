"""``python -m ginkgo_env``: the command line."""

from ginkgo_env.cli import main

main()
