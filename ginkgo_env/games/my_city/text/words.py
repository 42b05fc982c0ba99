"""The texts of My City in a person's language."""

from __future__ import annotations

from ginkgo_env.core.language import Texts, shared

say = Texts(__package__, shared)
