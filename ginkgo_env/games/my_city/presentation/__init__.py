"""The table as a picture: made of what the descriptions of the text room are made of."""
