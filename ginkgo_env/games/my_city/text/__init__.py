"""My City as text: notation, positions, descriptions, sentences, what a seat learns."""
