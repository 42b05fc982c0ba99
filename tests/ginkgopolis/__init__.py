"""The rules of Ginkgopolis, one file a section; and its data, text and positions."""
