"""Explanations (written below)."""

from __future__ import annotations


def explain(comparison):
    yield from ()
