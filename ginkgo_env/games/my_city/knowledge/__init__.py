"""What a seat knows: observation, features, resampling, layouts."""
