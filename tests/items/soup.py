"""Formulas made at random of everything that the typesetter knows, most of them nonsense."""

from __future__ import annotations

import random

from itembank.domain.typesetting import _table

_PLAIN: list[str] = [
    *"ab12+-=(){}{}^_'&[]<>|,. %",
    "\\frac", "\\sqrt", "\\left", "\\right", "\\begin{cases}", "\\end{cases}", "\\\\", "\\text", "\\limits", "\\sum",
    "\\{", "\\}", "\\begin{array}{ll}", "\\end{array}", "\\quad", "中", "\\operatorname", "\\left(", "\\right)", "\\ ",
]  # fmt: skip


class Soup:
    """Formulas from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        table = _table()
        self.names = [
            "\\" + name for name in [*table.math, *table.text, *sorted(table.sized), *sorted(table.delimiters)]
        ]

    def formula(self, depth: int = 0) -> str:
        return " ".join(self._piece(depth) for _ in range(self.rng.randint(1, 3)))

    def _piece(self, depth: int) -> str:
        inner, chance = depth + 1, self.rng.random()
        if depth > 4 or chance < 0.35:
            return self.rng.choice(_PLAIN)
        if chance < 0.5:
            return self.rng.choice(self.names)
        if chance < 0.75:
            return str(self.rng.choice(self.names)) + f" {{{self.formula(inner)}}}" * self.rng.randint(1, 2)
        if chance < 0.8:
            return f"\\begin{{cases}}{self.formula(inner)}&1\\\\{self.formula(inner)}\\end{{cases}}"
        if chance < 0.85:
            return f"\\left({self.formula(inner)}\\right)"
        return f"x{self.rng.choice('^_')}{{{self.formula(inner)}}}{self.rng.choice(['', '^2', chr(39), '_1'])}"
