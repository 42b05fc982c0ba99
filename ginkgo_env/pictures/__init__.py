"""Pictures of positions, shared by all games.

Below the games: SVG, widgets, themes, the interface of a game's presenter. Above them: animations, exports, the replay viewer.
"""
