"""What a student wrote for the names that the rules know: each value with its line, in the order of writing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from itembank.algebra.results import Result

from .oracle import Oracle
from .reading import Line, Reading
from .stated import Sought


@dataclass(frozen=True)
class Written:
    """A value that stands on the page."""

    position: int
    line_id: str
    name: str
    value: str


class StudentValues:
    """Every named closed value that standing lines assert, in the order of writing."""

    def __init__(self, reading: Reading, oracle: Oracle, known: StudentValues | None = None) -> None:
        """`known`: the values under another reading of the same page; lines that are read alike say the same."""
        self._reading = reading
        self._oracle = oracle
        self._until: dict[int, dict[str, str]] = {}
        self.lines = tuple(line for line in reading.standing if not line.scratch)
        self._said: dict[tuple[str, str], tuple[Written, ...]] = {} if known is None else known._said
        self.written: tuple[Written, ...] = tuple(item for line in self.lines for item in self._said_on(line))

    def _said_on(self, line: Line) -> tuple[Written, ...]:
        key = line.line_id, line.content
        if key not in self._said:
            self._said[key] = tuple(
                Written(self._reading.position[line.line_id], line.line_id, name, value)
                for name, value in self._oracle.asserts(line.content)
            )
        return self._said[key]

    def position_of(self, line: Line) -> int:
        """The place of a line in the order of writing."""
        return self._reading.position[line.line_id]

    def until(self, position: int) -> Mapping[str, str]:
        """The last value of each name written on lines up to and including `position`."""
        if position not in self._until:
            self._until[position] = {item.name: item.value for item in self.written if item.position <= position}
        return self._until[position]

    def stated(self, sought: Sought, position: int, cited: frozenset[str] = frozenset()) -> Written | None:
        """Where and as what a sought value was stated last up to `position`; several alike are told apart by order.

        With `cited` only those lines are looked at, and a bare expression on them counts.
        """
        found = [
            Written(self._reading.position[line.line_id], line.line_id, sought.name, value)
            for line in self.lines
            if (not cited or line.line_id in cited)
            and (value := sought.on(line.content, self._oracle, cited=bool(cited))) is not None
        ]
        if sought.alike > 1 and found:
            found = self._in_order(sought, found)
        reached = [one for one in found if one.position <= position]
        return reached[-1] if reached else None

    def _in_order(self, sought: Sought, found: list[Written]) -> list[Written]:
        """The statements among those written alike that stand for this result and not for an earlier or later one."""
        if len(found) >= sought.alike:
            return found[sought.rank :] if sought.rank == sought.alike - 1 else found[sought.rank : sought.rank + 1]
        right = [one for one in found if self._oracle.compare(sought.value, one.value).result is Result.PROVED]
        return right or (found[-1:] if sought.rank == sought.alike - 1 else [])

    def on_line(self, line_id: str) -> Mapping[str, tuple[str, ...]]:
        """All values that one line asserts, by name."""
        return self._by_line.get(line_id, {})

    @cached_property
    def _by_line(self) -> dict[str, dict[str, tuple[str, ...]]]:
        by_line: dict[str, dict[str, tuple[str, ...]]] = {}
        for item in self.written:
            found = by_line.setdefault(item.line_id, {})
            found[item.name] = (*found.get(item.name, ()), item.value)
        return by_line
