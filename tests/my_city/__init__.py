"""Tests of My City."""
