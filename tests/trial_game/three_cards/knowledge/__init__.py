"""What a seat knows and does not."""
