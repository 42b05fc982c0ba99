"""The rules as compiled kernels on one record g and the board t, a module for each part of a round."""
