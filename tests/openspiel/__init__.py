"""The games for OpenSpiel."""
