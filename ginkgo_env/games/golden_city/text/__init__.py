"""Text: notation, descriptions, sentences, views of a seat, positions."""
