"""The oracle: a second, slow implementation of the rules in plain Python, written from the rules text alone."""
