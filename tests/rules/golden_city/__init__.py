"""The rules of The Golden City, one file a section."""
