"""What a seat knows: observation, resampling, layouts."""
