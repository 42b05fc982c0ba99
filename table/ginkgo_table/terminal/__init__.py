"""``ginkgo play``: ``app`` turns lines of input into output, and ``screen`` reads and prints."""
