"""The benchmark: named tasks, an agent's normalized results on them, and reports (``ginkgo benchmark``)."""
