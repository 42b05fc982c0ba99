"""What a seat knows: observations, features, resampling, and their layouts."""
