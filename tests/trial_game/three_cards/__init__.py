"""Three-card poker (Kuhn 1950), with other decks, alone against a dealer, and with open cards."""
