"""The rules of My City, one file a section."""
