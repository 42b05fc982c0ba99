"""Training of agents by self-play: the trainers ``lookahead`` and ``ppo``, and the runs that drive, evaluate and log them."""
