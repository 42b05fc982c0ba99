"""The Golden City: tests by paragraph of the rules, and of what this game alone has."""
