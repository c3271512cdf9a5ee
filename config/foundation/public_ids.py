"""Opaque ids for addresses: they say nothing about how many rows there are or who comes next."""

from __future__ import annotations

import secrets

# No vowels and no look-alikes: the ids are read aloud over the telephone and must not form words.
ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
LENGTH = 12


def new_public_id() -> str:
    """Twelve random characters, about 57 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def anonymous_code() -> str:
    """A short code (密号) that stands for a candidate on the marker's screen; unique per assessment by constraint."""
    return "".join(secrets.choice("23456789ABCDEFGHJKMNPQRSTUVWXYZ") for _ in range(6))
