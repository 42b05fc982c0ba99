"""The game-agnostic core."""
