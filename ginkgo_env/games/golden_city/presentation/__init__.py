"""The presenter: the table as a picture, actions as picks, and words in several languages."""
