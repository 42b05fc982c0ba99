"""``ginkgo play``: the table in the terminal. ``session`` takes a line and gives what to show; ``screen`` shows it."""
