"""Which names a formula uses: the check that `yields` stands on givens and quantities alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from itembank.algebra.formulas import OPERATIONS

_FUNCTION_WORDS = """
abs acos arccos arcsin arctan asin atan binom binomial ceil cos cosh cot csc exp factorial floor gcd lcm lg ln log max
min root sec sin sinh sqrt tan tanh
"""
FUNCTIONS = frozenset(_FUNCTION_WORDS.split()) | OPERATIONS
CONSTANTS = frozenset({"e", "pi", "π"})
# LaTeX commands that only shape a formula; what they hold is read like the rest.
_SHAPE = re.compile(r"\\(?:[dt]?frac|left|right|cdot|times|div|mathrm|text|operatorname|[,;:! ])(?![A-Za-z])")
_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "varphi": "φ",
    "omega": "ω",
    "pi": "π",
    "Delta": "Δ",
    "Omega": "Ω",
}
_GREEK_WORD = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(_GREEK)})(?![A-Za-z])")
# solve(E, x) and keep(S, x, C) bind x; the first argument may hold brackets and braces of its own, two deep.
_INSIDE = r"(?:[^(),{}]|\{(?:[^{}]|\{[^{}]*\})*\}|\((?:[^()]|\([^()]*\))*\))*"
_BINDING = re.compile(
    rf"(?:solve|roots|keep|diff|replace|inverse|factors)\({_INSIDE},\s*([A-Za-z]|\([A-Za-z, ]+\))\s*[,)]"
)
_FUNCTION_OF = re.compile(r"\s*([A-Za-z])\s*(?:\\mapsto(?![A-Za-z])|↦)")
_WORD = r"[A-Za-z\u0370-\u03ff]+"
_NAME = re.compile(rf"{_WORD}(?:_[A-Za-z0-9]+)?'{{0,2}}")
_CALL = re.compile(r"\(([A-Za-z\u0370-\u03ff0-9_+\-*/^=]+)\)")
_BARE_ARGUMENT = re.compile(rf"\s*({_WORD}(?:_[A-Za-z0-9]+)?)")


def plain_name(name: str) -> str:
    r"""A written name in the plain form used by rules: no braces, no backslash.

    >>> plain_name(r"S_{10}"), plain_name(r"\cos A"), plain_name("a_{1}")
    ('S_10', 'cos(A)', 'a_1')
    """
    text = _flattened(name).strip()
    spaced = re.fullmatch(rf"({'|'.join(sorted(FUNCTIONS))})\s+({_WORD})", text)
    return f"{spaced.group(1)}({spaced.group(2)})" if spaced else text.replace(" ", "")


def unknown_names(formula: str, known: frozenset[str], functions: frozenset[str] = frozenset()) -> list[str]:
    r"""Names in `formula` that are neither known values, functions nor constants; each once, in order.

    >>> unknown_names("(a_7-a_3)/4 + k", frozenset({"a_3", "a_7"}))
    ['k']
    >>> unknown_names(r"solve(v, t, t>0)", frozenset({"v"})), unknown_names(r"x \mapsto m*x+c", frozenset({"m"}))
    ([], ['c'])
    >>> unknown_names("keep({s, -s}, y, [0, 1])", frozenset({"s"}))
    []
    >>> unknown_names(r"10a_1+45d-\frac{b}{2}", frozenset({"a_1", "d", "b"}))
    []
    >>> unknown_names(r"b^2+c^2-2bc\cos A", frozenset({"b", "c", "cos(A)"}))
    []
    """
    return _scan(formula, known, functions)[1]


def used_names(formula: str, known: frozenset[str]) -> list[str]:
    r"""The known values that a formula uses; each once, in order.

    >>> used_names(r"10a_1+45d", frozenset({"a_1", "d", "S_10"}))
    ['a_1', 'd']
    """
    return _scan(formula, known, frozenset())[0]


def with_values(formula: str, values: Mapping[str, str]) -> str:
    r"""The formula as a student writes it with numbers put in: each known name becomes its value in brackets.

    >>> with_values(r"10a_1+\frac{10\times 9}{2}d", {"a_1": "3", "d": "2"})
    '10(3)+\\frac{10\\times 9}{2}(2)'
    >>> with_values(r"2bc\cos A", {"b": "8", "c": "5", "cos(A)": "1/2"})
    '2(8)(5)(1/2)'
    >>> with_values(r"s/\cos\theta", {"s": "3/5", "cos(theta)": "-4/5"})
    '(3/5)/(-4/5)'
    """
    spellings = {spelling: name for name in values for spelling in _spellings(name)}
    ordered = sorted(spellings, key=len, reverse=True)
    pattern = re.compile("|".join([*(f"(?:{one})" for one in ordered), r"\\[A-Za-z]+"]))

    def replaced(match: re.Match[str]) -> str:
        text = match.group()
        name = next((spellings[one] for one in ordered if re.fullmatch(one, text)), None)
        return text if name is None else f"({values[name]})"

    return pattern.sub(replaced, formula)


def _spellings(name: str) -> list[str]:
    """Patterns of the ways a name is written: with or without braces, backslash and brackets."""
    call = re.fullmatch(rf"({_WORD})\((.+)\)", name)
    if call is not None and call.group(1) in FUNCTIONS:
        inner = _letter_spelling(call.group(2))
        return [rf"\\?{call.group(1)}\s*\(?\s*{inner}\)?"]
    head, _, index = name.partition("_")
    greek = _letter_spelling(head)
    return [rf"{greek}_\{{?{re.escape(index)}\}}?(?![A-Za-z0-9])"] if index else [rf"{greek}(?![_'])"]


def _letter_spelling(text: str) -> str:
    """Pattern of a name or a Greek letter, as a word, a command or a letter."""
    return rf"(?:\\?{text}(?![A-Za-z])|{_GREEK[text]})" if text in _GREEK else re.escape(text)


def _scan(formula: str, known: frozenset[str], functions: frozenset[str]) -> tuple[list[str], list[str]]:
    """Used and unknown names of a formula."""
    bound, formula = _bound(formula)
    known -= bound
    text = _spelled(_flattened(formula))
    by_spelling = {_spelled(name): name for name in known}
    known = frozenset(by_spelling)
    used: dict[str, None] = {}
    missing: dict[str, None] = {}
    position = 0
    while (match := _NAME.search(text, position)) is not None:
        position, names, unknown = _after_name(text, match, known, functions)
        used.update(dict.fromkeys(names))
        missing.update(dict.fromkeys(name for name in unknown if not set(name) <= bound))
    return [by_spelling[name] for name in used], list(missing)


def _bound(formula: str) -> tuple[frozenset[str], str]:
    """The letters that an operation or a function sign binds, and the formula without that sign."""
    letters = {letter for found in _BINDING.findall(formula) for letter in re.findall(r"[A-Za-z]", found)}
    sign = _FUNCTION_OF.match(formula)
    if sign is not None:
        return frozenset(letters | {sign.group(1)}), formula[sign.end() :]
    return frozenset(letters), re.sub(r"(?<![A-Za-z])(?:or|and)(?![A-Za-z])", " ", formula) if letters else formula


def _flattened(formula: str) -> str:
    text = _SHAPE.sub(" ", formula)
    text = re.sub(r"_\{\s*([A-Za-z0-9]+)\s*\}", r"_\1 ", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda match: " " + _GREEK.get(match.group(1), match.group(1)) + " ", text)
    return re.sub(r"\s+([_'])", r"\1", text)


def _spelled(text: str) -> str:
    """Greek words as letters, so that `Delta`, `\\Delta` and `Δ` are one name."""
    return _GREEK_WORD.sub(lambda match: _GREEK[match.group()], text)


def _after_name(
    text: str, match: re.Match[str], known: frozenset[str], functions: frozenset[str]
) -> tuple[int, list[str], list[str]]:
    """Where to read on after one name, the known values in it, and what of it is unknown."""
    name, end = match.group(), match.end()
    call = _CALL.match(text, end)
    if call is not None and f"{name}({call.group(1)})" in known:
        return call.end(), [f"{name}({call.group(1)})"], []
    argument = _BARE_ARGUMENT.match(text, end)
    if name in FUNCTIONS and argument is not None and f"{name}({argument.group(1)})" in known:
        return argument.end(), [f"{name}({argument.group(1)})"], []
    if name in known:
        return end, [name], []
    if name in FUNCTIONS or name in functions or name in CONSTANTS:
        return end, [], []
    factors = _factors(name, known)
    return (end, [], [name]) if factors is None else (end, factors, [])


def _factors(name: str, known: frozenset[str]) -> list[str] | None:
    """The known names in a run such as `bc`, `a_1d` or `bcd_1` read as a product; None where it is none."""
    found: list[str] = []
    rest = name
    while rest:
        head = next((rest[:size] for size in range(len(rest), 0, -1) if _is_value(rest[:size], known)), None)
        if head is None:
            return None
        found += [head] if head in known else []
        rest = rest[len(head) :]
    return found


def _is_value(text: str, known: frozenset[str]) -> bool:
    return text in known or text in CONSTANTS
