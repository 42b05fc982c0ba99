"""The contract suite, held by every registered game."""
