"""The rules, one folder a game and one file a section: each example is played by the kernels and by the oracle."""
