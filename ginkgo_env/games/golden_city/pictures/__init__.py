"""The presenter: the table as a picture, actions as picks, and labels in several languages."""
