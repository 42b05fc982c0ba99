"""Compiled kernels: when they are compiled, from what, and what happens in trouble."""
