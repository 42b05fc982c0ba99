"""Pictures of positions as SVG: what all games share. This package knows no game."""
