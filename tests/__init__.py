"""All tests; `tiers.py` and CONTRIBUTING.md say which run when."""
