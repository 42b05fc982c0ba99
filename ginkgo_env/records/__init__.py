"""Records of games, like PGN for chess (``docs/design/text-forms.md``)."""

from ginkgo_env.records.record import VIEW_FORMAT, Record, Step, replay

__all__ = ["VIEW_FORMAT", "Record", "Step", "replay"]
