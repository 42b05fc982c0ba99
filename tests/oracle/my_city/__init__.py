"""The oracle of My City, the eternal game: a second, slow implementation in plain Python, written from the rules text alone."""
