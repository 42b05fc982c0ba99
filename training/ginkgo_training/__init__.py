"""Training of agents. Nothing here yet: see the table in the README."""
