"""Positions: the complete state as plain data, written, read and checked (``docs/design/text-forms.md``)."""
