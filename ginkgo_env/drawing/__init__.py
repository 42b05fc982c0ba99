"""Pictures of positions as SVG, shared by all games; nothing here depends on a particular game."""
