"""The rules of Ginkgopolis, one file a section."""
