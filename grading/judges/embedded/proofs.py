"""Which written lines prove, contradict or support a step, by algebra; stricter than equality alone.

Equality alone is too generous: `(9+16-13)/24` without a left side is no `cos A = 1/2`, `S_10=5*24` is no `S_10=120`
where the rules call it working, and an equation equivalent to the question is no factorisation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from grading.domain.expressions import flat, sides
from grading.domain.oracle import Oracle
from grading.domain.stated import pieces
from itembank.algebra.results import Options, Result
from itembank.domain.rules import Rules, Step

from .written import Answer, Fragment, has_alternatives, has_symbols, is_worked, letters

SAME_FORM = Options(form="same_up_to_order")
_SET = re.compile(r"\\\{|或|\\pm|±|\\in|∈|\\cup|∪|,|，|\bor\b")


@dataclass(frozen=True)
class Proof:
    """Lines that state an expected result. `text` is the statement that is paid for; each is paid once."""

    positions: tuple[int, ...]
    expected: str
    text: str
    strength: Decimal

    @property
    def first(self) -> int:
        """Position of the first line."""
        return self.positions[0]


@dataclass(frozen=True)
class Contradiction:
    """A line that states something else than expected; `certain` where that is shown to be false."""

    position: int
    certain: bool
    formula: bool = False  # a false formula in letters stands in place of one that the rules call working
    open: bool = False  # the right result is one of several alternatives


_NOT_SAID = frozenset(("supposed", "alternatives", "several-values"))
EXACT = Decimal("0.99")
CERTAIN = Decimal("0.98")
UNFINISHED = Decimal("0.65")
SEVERAL_LINES = Decimal("0.9")


class Proofs:
    """Lines of one answer against the steps of the rules."""

    def __init__(self, rules: Rules, answer: Answer, oracle: Oracle) -> None:
        self._rules = rules
        self._answer = answer
        self._oracle = oracle
        self._cache: dict[tuple[tuple[str, ...], ...], tuple[Proof, ...]] = {}

    def of(self, step: Step) -> tuple[Proof, ...]:
        """Every proof of a step, in the order of the lines."""
        key = (step.expects, step.working, step.demands)
        if key not in self._cache:
            self._cache[key] = tuple(self._find(step))
        return self._cache[key]

    def _find(self, step: Step) -> list[Proof]:
        found = []
        for position in range(len(self._answer.lines)):
            proof = next((one for one in (self._on(step, text, position) for text in step.expects) if one), None)
            if proof is not None:
                found.append(proof)
        if not found:
            found = [one for text in step.expects if _SET.search(text) for one in self._over_lines(text)][:1]
        return found

    def _on(self, step: Step, expected: str, position: int) -> Proof | None:
        """The proof of one expected result on one line."""
        if not _SET.search(expected) and has_alternatives(self._answer.lines[position].content):
            return None  # `sin x = 1/2 或 sin x = -2` leaves open what the step was to decide
        if self._oracle.fulfils(expected, self._answer.lines[position].content).method in _NOT_SAID:
            return None
        if is_value(expected) and not is_worked(sides(expected)[-1]):
            return self._value_on(step, expected, position)
        for piece in self._answer.fragments_of(position):
            if self._proved(expected, piece.text) and self._admitted(step, expected, piece):
                return Proof((position,), expected, piece.text, _strength(expected, piece.text))
        content = self._answer.lines[position].content
        if flat(content) == flat(expected):
            return Proof((position,), expected, content, EXACT)
        # A set or a list of roots is not one equality; the whole line states it or nothing does.
        if self._proved(expected, content) and ("form" not in step.demands or self._same_form(expected, content)):
            whole = not self._answer.fragments_of(position) or bool(_SET.search(expected))
            return Proof((position,), expected, content, CERTAIN) if whole else None
        parts = pieces(content)
        if len(parts) > 1 and _SET.search(expected) and self._proved(expected, parts[-1]):
            return Proof((position,), expected, parts[-1], SEVERAL_LINES)  # x>2: x={4}
        return None

    def _value_on(self, step: Step, expected: str, position: int) -> Proof | None:
        """A value counts as stated last in its line; what stands before it in the chain is how it was found."""
        content = self._answer.lines[position].content
        if not self._proved(expected, content):
            return None
        pieces = [
            one for one in self._answer.fragments_of(position) if one.is_last and self._proved(expected, one.text)
        ]
        admitted = [piece for piece in pieces if self._admitted(step, expected, piece)]
        if not admitted:
            # Equal on the way and something else in the end is not this value; nor is what the rules call working.
            passed = any(self._proved(expected, one.text) for one in self._answer.fragments_of(position))
            return None if passed or "form" in step.demands else Proof((position,), expected, content, CERTAIN)
        strength = UNFINISHED if is_worked(admitted[0].right) else _strength(expected, admitted[0].text)
        return Proof((position,), expected, admitted[0].text, strength)

    def _admitted(self, step: Step, expected: str, piece: Fragment) -> bool:
        """Whether a fragment that is equal to the expected result is also what the rules ask for."""
        text = flat(piece.text)
        if any(text == flat(one) for one in step.expects):
            return True
        if any(text == flat(one) for one in step.working):
            return False
        result = sides(expected)[-1]
        arithmetic = is_worked(result) and not has_symbols(result)
        if arithmetic and not is_worked(piece.right) and not has_symbols(piece.right):
            return False
        return "form" not in step.demands or self._same_form(expected, piece.text)

    def _same_form(self, expected: str, text: str) -> bool:
        if flat(expected) == flat(text):
            return True
        return self._oracle.compare(expected, text, relation="form", options=SAME_FORM).result is Result.PROVED

    def lacks(self, step: Step, proof: Proof) -> tuple[str, ...]:
        """Which of the demanded unit, rounding and left side a proof of the value does not show; the form is proved."""
        if flat(proof.text) == flat(proof.expected):
            return ()
        expected, written = sides(proof.expected), sides(proof.text)
        met = {
            "unit": lambda: self._oracle.compare(expected[-1], written[-1], relation="unit").result is Result.PROVED,
            "sf": lambda: _digits(expected[-1]) == _digits(written[-1]),
            "left_side": lambda: len(expected) < 2 or flat(expected[0]) == flat(written[0]),
        }
        return tuple(demand for demand in step.demands if demand in met and not met[demand]())

    def _proved(self, expected: str, text: str) -> bool:
        return flat(expected) == flat(text) or self._oracle.fulfils(expected, text).result is Result.PROVED

    def _over_lines(self, expected: str) -> list[Proof]:
        """A set of roots written one under the other: two or three lines in a row that state it together."""
        found = []
        for size in (2, 3):
            for start in range(len(self._answer.lines) - size + 1):
                positions = tuple(range(start, start + size))
                text = ", ".join(self._answer.lines[position].content for position in positions)
                if self._proved(expected, text):
                    found.append(Proof(positions, expected, text, SEVERAL_LINES))
        return found

    def contradictions(self, step: Step) -> tuple[Contradiction, ...]:
        """Lines that state something else where an expected result should stand."""
        found = []
        for position in range(len(self._answer.lines)):
            pieces = self._answer.fragments_of(position)
            pairs = ((text, piece) for text in step.expects if not _SET.search(text) for piece in pieces)
            sets = (expected for expected in step.expects if _SET.search(expected))
            certainties = [certain for pair in pairs if (certain := self._contradicts(*pair)) is not None]
            certainties += [False for one in sets if self._is_other_set(one, position)]
            false_formula = any(self._is_false_formula(text, piece) for text in step.working for piece in pieces)
            if certainties or false_formula:
                left_open = self.leaves_open(step, position)
                found.append(Contradiction(position, any(certainties), false_formula and not certainties, left_open))
        return tuple(found)

    def _contradicts(self, expected: str, piece: Fragment) -> bool | None:
        """Whether a fragment contradicts an expected result for certain; None where it does not."""
        closed = not has_symbols(piece.right)
        if closed and has_symbols(sides(expected)[-1]):
            return None  # `S_10=130` is a value; it says nothing about the formula
        if not self._states_otherwise(expected, piece):
            return None
        sound = self._oracle.sound(piece.text, self._rules.known_values)
        # `a_7=a_1+6d` is no `a_7=a_3+4d`, but it is true: another way, not an error. Two closed values for one left
        # side cannot both be true, so there it is enough that algebra does not prove the line.
        holds = sound.result is Result.PROVED and sound.method != "nothing-claimed"
        if closed:
            return None if holds else True
        if sound.result is Result.REFUTED:
            return True
        # Two formulas in the same letters for one name differ; two roots may still have changed names.
        return False if not holds and letters(piece.right) == letters(sides(expected)[-1]) else None

    def _is_false_formula(self, working: str, piece: Fragment) -> bool:
        """Whether a formula in letters stands where the rules' working has another one with the same left side."""
        parts = sides(working)
        if len(parts) != 2 or flat(parts[0]) != flat(piece.left) or not has_symbols(parts[1]):
            return False
        if not has_symbols(piece.left) or letters(piece.right) != letters(parts[1]):
            return False
        return self._oracle.compare(parts[1], piece.right).result is Result.REFUTED

    def is_only_supposed(self, step: Step) -> bool:
        """Whether an expected result stands on some line, but under a condition, taken back, or as one of several."""
        lines = [line.content for line in self._answer.lines]
        methods = {self._oracle.fulfils(text, line).method for text in step.expects for line in lines}
        return bool(methods & _NOT_SAID)

    def leaves_open(self, step: Step, position: int) -> bool:
        """Whether the right result stands on the line as one of several alternatives."""
        if not has_alternatives(self._answer.lines[position].content):
            return False
        pieces = self._answer.fragments_of(position)
        wanted = [text for text in step.expects if not _SET.search(text)]
        return any(self._proved(text, piece.text) for text in wanted for piece in pieces)

    def _states_otherwise(self, expected: str, piece: Fragment) -> bool:
        """Whether a fragment has the left side of the expected result and another right side."""
        if self._oracle.fulfils(expected, piece.text).result is Result.REFUTED:
            return True
        left, *_, right = sides(expected) if len(sides(expected)) > 1 else (expected, "")
        if not right or flat(left) != flat(piece.left):
            return False
        return self._oracle.compare(right, piece.right).result is Result.REFUTED

    def _is_other_set(self, expected: str, position: int) -> bool:
        """Whether a line states other solutions than the expected set, or only some of them."""
        answer = self._oracle.fulfils(expected, self._answer.lines[position].content)
        return answer.result is Result.REFUTED or answer.method == "partial"

    def working(self, step: Step) -> tuple[int, ...]:
        """Lines that hold a line of the step's working, which supports it and earns nothing alone."""
        texts = {flat(one) for one in step.working}
        found = []
        for position, line in enumerate(self._answer.lines):
            pieces = [piece.text for piece in self._answer.fragments_of(position)] or [line.content]
            if any(flat(piece) in texts for piece in pieces) or any(
                self._states(one, piece) for one in step.working for piece in pieces
            ):
                found.append(position)
        return tuple(found)

    def _states(self, working: str, text: str) -> bool:
        """Whether a line is that working: equal to it, and still showing arithmetic where the working does."""
        if not self._proved(working, text):
            return False
        right, written = sides(working)[-1], sides(text)[-1]
        return not is_worked(right) or is_worked(written) or has_symbols(written)

    def is_known(self, position: int) -> bool:
        """Whether a line states, supports or contradicts any step of any path."""
        return any(
            any(position in proof.positions and proof.strength > UNFINISHED for proof in self.of(step))
            or position in self.working(step)
            or any(position == one.position for one in self.contradictions(step))
            for path in self._rules.paths
            for step in path.steps
        )


def _digits(side: str) -> str:
    """The number of a side as it is written, so that 3.1 and 3.10 differ; its unit is not looked at."""
    found = re.match(r"-?[\d.,/]+", flat(side))
    return found.group() if found else flat(side)


def _strength(expected: str, text: str) -> Decimal:
    """What stands there word for word is preferred to what is only equal to it."""
    return EXACT if flat(expected) == flat(text) else CERTAIN


def is_set(expected: str) -> bool:
    r"""Whether an expected result is a set of solutions or several results together.

    >>> is_set(r"x=\pm 1"), is_set("d=2")
    (True, False)
    """
    return bool(_SET.search(expected))


def is_value(expected: str) -> bool:
    r"""Whether an expected result gives one left side a closed value.

    >>> is_value("d=2"), is_value(r"\Delta=16-4m=4"), is_value("S_{10}=10a_1+45d"), is_value(r"x=\pm 1")
    (True, True, False, False)
    """
    parts = sides(expected)
    return len(parts) >= 2 and not _SET.search(expected) and not has_symbols(parts[-1])
