"""The rules of each game: who knows one folder knows all."""
