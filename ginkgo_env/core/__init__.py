"""What every game stands on: numpy and Numba, and no game in particular."""
