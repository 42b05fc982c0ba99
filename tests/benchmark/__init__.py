"""Tests of the benchmark: tasks, runs, and the line protocol."""
