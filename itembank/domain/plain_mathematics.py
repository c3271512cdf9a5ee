"""LaTeX as a line of plain text: what a page shows before (or without) typesetting and what a screen reader says."""

from __future__ import annotations

import re

_COMMANDS = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥",
    "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "in": "∈",
    "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "emptyset": "∅", "varnothing": "∅",
    "infty": "∞", "therefore": "∴", "because": "∵", "Rightarrow": "⇒", "rightarrow": "→", "to": "→", "iff": "⇔",
    "Leftrightarrow": "⇔", "triangle": "△", "angle": "∠", "perp": "⊥", "parallel": "∥", "circ": "°", "degree": "°",
    "cdots": "⋯", "ldots": "…", "dots": "…", "sum": "Σ", "int": "∫", "prime": "′", "alpha": "α", "beta": "β",
    "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ", "lambda": "λ",
    "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "phi": "φ", "varphi": "φ", "omega": "ω", "Omega": "Ω",
    "forall": "∀", "exists": "∃", "mid": "|", "lbrace": "{", "rbrace": "}", "mathbb": "", "mathrm": "", "text": "",
    "left": "", "right": "", "displaystyle": "", "overline": "", "vec": "", "boldsymbol": "", "quad": " ", "qquad": " ",
}  # fmt: skip
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()aeijkmnprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₚᵣₛₜᵤᵥₓ")
_TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|([{}^_&])|([^\\{}^_&]+?)(?=[\\{}^_&]|$)", re.DOTALL)
_ATOM = re.compile(r"√?(\d+(\.\d+)?|[^\W\d_][₀-₉]*)")
_DEEPEST = 30


def plain_mathematics(latex: str) -> str:
    r"""The formula in one line; text that is not LaTeX comes back as it is.

    >>> plain_mathematics(r"d=\frac{15-7}{4}=2")
    'd=(15-7)/4=2'
    >>> plain_mathematics(r"S_{10}=10a_1+45d")
    'S₁₀=10a₁+45d'
    >>> plain_mathematics(r"\frac{\sqrt{3}}{2}")
    '√3/2'
    >>> plain_mathematics(r"60^\circ")
    '60°'
    """
    tokens = [_Token(*match.groups()) for match in _TOKEN.finditer(latex)]
    return re.sub(r"  +", " ", _Line(tokens).rest()).strip()


class _Token:
    """One command, escaped character, structural mark or run of ordinary characters."""

    def __init__(self, command: str | None, escaped: str | None, mark: str | None, run: str | None) -> None:
        self.command, self.escaped, self.mark, self.run = command, escaped, mark, run


class _Line:
    """Reads tokens from left to right; anything unknown is kept by name rather than dropped."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def rest(self) -> str:
        parts = []
        while self.at < len(self.tokens):
            parts.append(self.piece())
        return "".join(parts)

    def piece(self) -> str:
        if self.at >= len(self.tokens) or self.depth > _DEEPEST:
            self.at = len(self.tokens)
            return ""
        token = self.tokens[self.at]
        self.at += 1
        if token.run is not None:
            return token.run
        if token.escaped is not None:
            return {"\\": "; ", ",": " ", ";": " ", "!": "", ":": " "}.get(token.escaped, token.escaped)
        if token.command is not None:
            return self.command(token.command)
        return self.mark(token.mark or "")

    def mark(self, mark: str) -> str:
        if mark == "{":
            return self.group()
        if mark in "^_":
            return self.script(mark)
        return " " if mark == "&" else ""

    def group(self) -> str:
        self.depth += 1
        parts = []
        while self.at < len(self.tokens) and self.tokens[self.at].mark != "}":
            parts.append(self.piece())
        self.at += 1
        self.depth -= 1
        return "".join(parts)

    def argument(self) -> str:
        """The next braced group, or the first character of what follows."""
        if self.at < len(self.tokens):
            run = self.tokens[self.at].run
            if run is not None and len(run) > 1:
                self.tokens[self.at] = _Token(None, None, None, run[1:])
                return run[0]
        return self.piece()

    def script(self, mark: str) -> str:
        inner = self.argument()
        if inner == "°":
            return inner
        table = _RAISED if mark == "^" else _LOWERED
        if inner and all(ord(character) in table for character in inner):
            return inner.translate(table)
        return f"{mark}{inner}" if len(inner) < 2 else f"{mark}({inner})"

    def command(self, name: str) -> str:
        if name in ("frac", "dfrac", "tfrac"):
            return f"{_bracketed(self.argument())}/{_bracketed(self.argument())}"
        if name == "sqrt":
            return f"√{_bracketed(self.argument())}"
        if name in ("begin", "end"):
            self.argument()
            return ""
        if name in _COMMANDS:
            return _COMMANDS[name]
        return f" {name} " if name in ("sin", "cos", "tan", "log", "ln", "lg", "lim") else name


def _bracketed(inner: str) -> str:
    """Brackets around anything but one number or one name, which division or a root would tear apart."""
    return inner if _ATOM.fullmatch(inner) else f"({inner})"
