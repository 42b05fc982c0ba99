"""Run the command line as ``python -m ginkgo_env``."""

from ginkgo_env.cli import main

main()
