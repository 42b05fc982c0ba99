"""Games in words."""
