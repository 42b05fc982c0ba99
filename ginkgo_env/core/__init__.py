"""The foundation of all games, on top of numpy and Numba. It knows no particular game."""
