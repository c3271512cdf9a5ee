r"""Where on the page a value that the rules name is stated: found by how the rules themselves write the result.

Names in rules are plain (`c2`, `S_10`); what a student writes is not (`c^2=69`, `|AB|=5`, `x=\{1,3\}`, `x^2-x-6=0`). A value
that a step yields is therefore looked for by the left side of what the step expects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from itembank.algebra.results import Result
from itembank.domain.formula_names import plain_name
from itembank.domain.rules import Path, Rules, Step

from .expressions import flat, has_symbols, remembered, sides, statements
from .oracle import Oracle, Pairs

Shape = Literal["value", "set", "equation", "relation", "bare"]

_ORDER = re.compile(r"<|>|≤|≥|\\l(?:e|eq|t)(?![a-z])|\\g(?:e|eq|t)(?![a-z])")
_EITHER = re.compile(r"或|\\lor(?![a-z])|\\vee|\bor\b|\\text\{\s*(?:or|或)\s*\}")
_COMMANDS = re.compile(r"\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}|\\[A-Za-z]+")
_UNIT = re.compile(r"\\(?:text|mathrm|rm)\s*\{\s*([^{}]*?)\s*\}\s*$")
_LABEL = re.compile(r"^(?:\\?[A-Za-z]+\{[^{}]*[:：]\s*\}|\\[,;:! ]|\s|\}|\\+(?=\s|$))+")
_ARITHMETIC = re.compile(r"\\(?:[dt]?frac|cdot|times|div|sqrt|binom|pi|left|right)(?![a-z])")
_NAMED = re.compile(r"\\text|\\mathrm|\\operatorname|^\\?\||^[A-Za-z]'*(?:\^-1)?\([^()]*\)$")
_PLAIN_NAME = re.compile(r"\\?[A-Za-z\u0370-\u03ff]+(?:_\w+)?'*")


@dataclass(frozen=True)
class Sought:
    """A value by the name that formulas use, the right one, and how the rules write the statement that gives it."""

    name: str
    value: str
    lefts: frozenset[str]
    shape: Shape
    letters: frozenset[str] = frozenset()
    unit: str = ""
    left: str = ""  # as the rules write it
    step_id: str = ""
    rank: int = 0  # among the results of the path that are written alike
    alike: int = 1

    def on(self, content: str, oracle: Oracle, *, cited: bool = False) -> str | None:
        """The value that a line states last; `cited`: a bare expression counts, since a judge says that it is the result."""
        if self.shape == "set":
            found = self._set_on(content, oracle)
            if found is not None:
                return found
        value: str | None = None
        for piece in pieces(content):
            value = self._in(piece, content, cited=cited) or value
        return value

    def _in(self, piece: str, content: str, *, cited: bool) -> str | None:
        parts = sides(piece)
        if len(parts) > 1 and _label_free(parts[0]) in self.lefts:
            # A formula in letters for what is a number says how it is found and not yet what it is, and the other way round.
            other_kind = "{" not in self.value and has_symbols(self.value) is not has_symbols(parts[-1])
            return None if other_kind else _unitless(parts[-1])
        if self.shape == "equation" and len(parts) == 2 and _letters(piece) == self.letters:
            is_solved = bool(_PLAIN_NAME.fullmatch(flat(parts[0]))) and not has_symbols(parts[1])
            return None if is_solved else _LABEL.sub("", piece)
        if self.shape == "relation" and _ORDER.search(piece) and _letters(piece) == self.letters:
            return _LABEL.sub("", content if _EITHER.search(content) else piece)
        if self.shape == "bare":
            if self.unit and _unit_of(parts[-1]) == self.unit:
                return _unitless(parts[-1])
            return _unitless(parts[-1]) if cited and not _PLAIN_NAME.fullmatch(flat(parts[0])) else None
        return None

    def _set_on(self, content: str, oracle: Oracle) -> str | None:
        """All values that a line gives to the name, or to its indexed forms, as one set."""
        bases = {_base(left) for left in self.lefts}
        found = [value for name, value in oracle.asserts(content) if _base(name) in bases]
        if not found:
            return None
        return found[0] if len(found) == 1 and found[0].startswith("{") else "{" + ", ".join(found) + "}"


def sought_on(path: Path, rules: Rules, oracle: Oracle) -> dict[str, Sought]:
    """Everything that formulas on this path may name beside the givens, earlier parts included.

    The result of the n-th step of the path has the name step_n, so that a formula can be proposed where rules name nothing.
    """
    found: dict[str, Sought] = {}
    yielded = {name for one in rules.paths for step in one.steps for name in step.yields}
    for other in (*(one for one in rules.paths if one.part < path.part), path):
        steps = [
            tuple(_of_step(step, f"step_{number}" if other is path else "", rules, oracle, yielded))
            for number, step in enumerate(other.steps, 1)
        ]
        for sought in _ranked(steps):
            found[sought.name] = sought
    return found


def result_name(path: Path, step: Step) -> str:
    """The name that formulas use for the result of a step of the path: step_n for the n-th."""
    return f"step_{path.steps.index(step) + 1}"


def _ranked(steps: list[tuple[Sought, ...]]) -> Iterator[Sought]:
    """Results that several steps write alike (x={-2,4}, then x={4}) are told apart by their order."""
    for number, of_step in enumerate(steps):
        for sought in of_step:
            same = [at for at, other in enumerate(steps) if at == number or any(_alike(sought, one) for one in other)]
            yield sought if len(same) == 1 else replace(sought, rank=same.index(number), alike=len(same))


def _alike(one: Sought, other: Sought) -> bool:
    if one.shape in ("equation", "relation") or other.shape in ("equation", "relation"):
        return one.shape == other.shape and one.letters == other.letters
    return bool(one.lefts & other.lefts)


def _of_step(step: Step, step_name: str, rules: Rules, oracle: Oracle, yielded: set[str]) -> Iterator[Sought]:
    """The quantities of a step: those that it yields, those without any formula that it names, and its own result."""
    results = [result for text in step.expects if (result := _result(text, oracle.asserts(text))) is not None]
    for name in step.yields:
        value = rules.quantities[name]
        lone = len(step.yields) == 1
        fitting = [one for one in results if lone or oracle.compare(value, one.value).result is Result.PROVED]
        if fitting:
            first = fitting[0]
            lefts = frozenset(left for one in fitting for left in one.lefts)
            yield Sought(name, value, lefts, first.shape, first.letters, first.unit, step_id=step.step_id)
    for result in results:
        for name, value in rules.quantities.items():
            if name not in yielded and result.left and plain_name(result.left) == name:
                yield replace(result, name=name, value=value, step_id=step.step_id)
    if step_name and results:
        first = results[0]
        lefts = frozenset(left for one in results for left in one.lefts)
        yield Sought(step_name, first.value, lefts, first.shape, first.letters, first.unit, step_id=step.step_id)


@remembered
def _result(expected: str, asserted: Pairs) -> Sought | None:
    """What one expected text, of which algebra says what it asserts, gives; without a name."""
    bases = {_base(name) for name, _ in asserted}
    if len(bases) == 1 and (len(asserted) > 1 or asserted[0][1].startswith("{")):
        values = [value for _, value in asserted]
        value = values[0] if len(values) == 1 else "{" + ", ".join(values) + "}"
        left = flat(sides(pieces(expected)[0])[0]) if pieces(expected) else ""
        return Sought("", value, frozenset({left, *bases}), "set")
    found = pieces(expected)
    if not found:
        return None
    shape: Shape
    last = found[-1]
    parts = sides(last)
    if len(parts) < 2:
        shape = "relation" if _ORDER.search(expected) else "bare"
        text = _LABEL.sub("", expected if shape == "relation" else last)
        return Sought("", _unitless(text), frozenset(), shape, _letters(text), _unit_of(text))
    if _is_equation(parts):
        return Sought("", _LABEL.sub("", last), frozenset(), "equation", _letters(last))
    left = _label_free(parts[0])
    closed_left = not has_symbols(parts[0]) and not re.search(r"[A-Za-z\u3400-\u9fff]", _ARITHMETIC.sub("", left))
    unit = _unit_of(parts[-1]) if closed_left else ""
    shape = "bare" if closed_left else "value"
    return Sought("", _unitless(parts[-1]), frozenset({left}), shape, unit=unit, left=_LABEL.sub("", parts[0]))


def _is_equation(parts: tuple[str, ...]) -> bool:
    """Two sides that restrict one letter and name no quantity: x^2-x-6=0, x(x-2)=8, x+6=x^2, 0=t^2-1."""
    if len(parts) != 2:
        return False
    left, right = _label_free(parts[0]), parts[1]
    inside = _letters(parts[0])
    if re.fullmatch(r"-?\d+", left):
        return bool(_letters(right))
    if len(inside) != 1 or _NAMED.search(left):
        return False
    without_powers = re.sub(r"\^\{?-?\w+\}?", "", parts[0])
    worked = bool(re.search(r"(?<=.)[+\-]|[A-Za-z]\(|\)\(|\\frac", without_powers))
    shared = bool(inside & _letters(right))
    return (shared and left != next(iter(inside))) or (
        worked and bool(re.search(r"\^|\)\(|[a-z]\(|\\[a-z]+", parts[0]))
    )


@remembered
def pieces(content: str) -> tuple[str, ...]:
    r"""The statements of a line, without labels and spacing before them; what only goes on with a list stays with it.

    >>> pieces(r"\text{nature} = min, max"), pieces(r"x>2:\; x = 4")
    (('\\text{nature} = min, max',), ('x>2', 'x = 4'))
    """
    found: list[str] = []
    for part in statements(content):
        piece = _LABEL.sub("", part).strip()
        if not piece or piece == "\\":
            continue
        if found and len(sides(piece)) < 2 <= len(sides(found[-1])) and not _ORDER.search(piece):
            found[-1] += ", " + piece
        else:
            found.append(piece)
    return tuple(found)


@remembered
def _label_free(side: str) -> str:
    return flat(_LABEL.sub("", side))


@remembered
def _letters(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z]", without_commands(text))) - {"e", "i"}


def without_commands(text: str) -> str:
    """The text with a space for each command and for words set as words."""
    return _COMMANDS.sub(" ", text)


def _unit_of(text: str) -> str:
    found = _UNIT.search(text)
    return found.group(1) if found else ""


def _unitless(text: str) -> str:
    """The number before a unit or before what is said of its sign (4>0); other words stay."""
    found = _ORDER.search(text)
    if found and not has_symbols(text):
        text = text[: found.start()].strip()
    bare = _UNIT.sub("", text).strip()
    return bare if re.fullmatch(r"-?[\d.,/ ]+|-?\\frac\{?\d+\}?\{?\d+\}?", bare) else _LABEL.sub("", text).strip()


@remembered
def _base(name: str) -> str:
    """x for x_1 and x_2."""
    return re.sub(r"_\{?\d+\}?$", "", name)
