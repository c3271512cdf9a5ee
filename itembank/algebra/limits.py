"""Sizes beyond which text is refused or a computation is given up. All of them bound time and memory in-process."""

MAX_CHARACTERS = 1200
MAX_TOKENS = 500
MAX_NODES = 400
MAX_DEPTH = 40
MAX_DIGITS = 40
MAX_EXPONENT = 10_000
MAX_CONSTANT_EXPONENT = 400
MAX_FACTORIAL = 200
MAX_TERMS = 500
MAX_BITS = 6000
"""Bits of a numerator or denominator in exact arithmetic."""
