"""The texts of Ginkgopolis in a person's language; German uses the terms of the German edition."""

from __future__ import annotations

from ginkgo_env.core.language import Texts, shared

say = Texts(__package__, shared)
