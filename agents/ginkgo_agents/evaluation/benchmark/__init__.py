"""The benchmark: named tasks, normalized results of agents, and reports (``ginkgo benchmark``)."""
