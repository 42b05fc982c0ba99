"""The texts of The Golden City in a person's language; German follows the rule book."""

from __future__ import annotations

from ginkgo_env.core.language import Texts, shared

say = Texts(__package__, shared)


def pair_text(name: str) -> str:
    """Return a goods card, which is named by its two goods, in words."""
    return "+".join(map(say, name.split("+")))
