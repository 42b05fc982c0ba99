"""Ginkgopolis (Xavier Georges, Pearl Games 2012), with its expansion The Experts.

Rules: ``docs/rules/ginkgopolis.md``.
"""
