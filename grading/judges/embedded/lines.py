"""One row of writing read whole: its structure, the runs in it, and how far the reading can be trusted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grading.judges.embedded import repair
from grading.judges.embedded.corroborate import Weak, same_kind
from grading.judges.embedded.first_look import Sorted
from grading.judges.embedded.layout import Fraction, Level, Root, Run, structure
from grading.judges.embedded.recogniser import Candidate, Recogniser
from grading.judges.embedded.repair import Repair, Token
from grading.judges.embedded.rows import Part
from grading.judges.embedded.runs import RunReading, recognise
from grading.judges.embedded.scripts import Place, marks_of, ruling_of
from grading.judges.embedded.typeset import LOOK_LIKE_STROKES, is_ideograph

DOUBTED = 0.5
"""Confidence at most given to a line whose layout was a guess: below every threshold in use."""
OVER_SURE = {frozenset("17"): 0.02, frozenset("aα"): 0.05}
SURE = 0.9
"""Characters at least this sure are never listed as weak."""
SELF_EVIDENT = frozenset(",.+-=×÷<>")
"""Signs that stand on the line whatever their exact height: they are no scripts by themselves."""
RELATIONS = frozenset("=<>≤≥≠")


@dataclass(frozen=True)
class LineReading:
    """What a row says and how sure that is."""

    latex: str
    raw: str
    least: float
    mean: float
    doubts: tuple[str, ...]
    unread: tuple[Part, ...]
    alternatives: tuple[tuple[str, float], ...]
    repairs: tuple[Repair, ...]
    characters: int
    weak: tuple[Weak, ...] = ()

    @property
    def confidence(self) -> float:
        """The least sure character, held below every threshold where the layout was a guess."""
        return min(self.least, DOUBTED) if self.doubts else self.least


def read_rows(engine: Recogniser, page: Sorted) -> list[LineReading]:
    """The reading of each row; all rows go to the recogniser together, which is several times faster."""
    levels = [structure(page.sheet, row, page.chinese) for row in page.rows]
    runs = [list(_runs(level, page)) for level in levels]
    everything = [reading for line in runs for reading in line]
    recognise(engine, page, everything)
    return [_line(level, line) for level, line in zip(levels, runs, strict=True)]


def _runs(level: Level, page: Sorted, inside: bool = False) -> Iterator[RunReading]:
    """All text runs under a level, each with the ruling of its own level; Chinese stands lower and has no say in it."""
    unit = page.sheet.unit
    loose = {id(node): marks_of(node.parts, unit) for node in level.nodes if isinstance(node, Run)}
    bars = [node.bar for node in level.nodes if isinstance(node, Fraction)]
    axis = sum(bar.cy for bar in bars) / len(bars) if bars else None
    marks = [mark for loose_marks in loose.values() for mark in loose_marks]
    latin = [mark for mark in marks if not any(part.label in page.chinese for part in mark.parts)]
    ruling = ruling_of(latin or marks, unit, axis, 0.85 if inside else 1.0)
    for at, node in enumerate(level.nodes):
        if isinstance(node, Run):
            yield RunReading(node, loose[id(node)], ruling, at == 0, inside, at + 1 < len(level.nodes))
        elif isinstance(node, Fraction):
            yield from _runs(node.above, page, True)
            yield from _runs(node.below, page, True)
        else:
            yield from _runs(node.inside, page, True)


def _line(level: Level, readings: Sequence[RunReading]) -> LineReading:
    by_run = {id(reading.run): reading for reading in readings}
    tokens = [one for reading in readings for one in reading.tokens]
    shares = [one.probability for one in tokens]
    explained = [reading.explained for reading in readings if reading.explained is not None]
    return LineReading(
        latex=_latex(level, by_run),
        raw="".join(one.raw for one in tokens),
        least=min(shares, default=0.0),
        mean=sum(shares) / len(shares) if shares else 0.0,
        doubts=tuple(_doubts(level, readings)),
        unread=tuple(part for each in explained for mark in each.unread for part in mark.parts),
        alternatives=tuple(_alternatives(level, by_run, readings)),
        repairs=tuple(one for reading in readings for one in reading.repairs),
        characters=len(tokens),
        weak=tuple(_weak(level, by_run, readings)),
    )


def _latex(level: Level, by_run: dict[int, RunReading]) -> str:
    pieces = []
    for node in level.nodes:
        if isinstance(node, Fraction):
            pieces.append(rf"\frac{{{_latex(node.above, by_run)}}}{{{_latex(node.below, by_run)}}}")
        elif isinstance(node, Root):
            pieces.append(rf"\sqrt{{{_latex(node.inside, by_run)}}}")
        else:
            pieces.append(repair.latex(by_run[id(node)].tokens))
    return repair.join(pieces)


def _alternatives(
    level: Level, by_run: dict[int, RunReading], readings: Sequence[RunReading]
) -> Iterator[tuple[str, float]]:
    """The line with one doubtful character exchanged, for each rival that is probable enough."""
    for reading in readings:
        for at, one in enumerate(reading.tokens):
            for rival in _rivals(one):
                yield _exchanged(level, by_run, reading, at, rival.char), rival.probability


def _exchanged(level: Level, by_run: dict[int, RunReading], reading: RunReading, at: int, char: str) -> str:
    """The line, had another character been read at one place."""
    kept = reading.tokens
    swapped = list(kept)
    swapped[at] = replace(kept[at], char=char, rivals=())
    reading.tokens = swapped
    latex = _latex(level, by_run)
    reading.tokens = kept
    return latex


def _weak(level: Level, by_run: dict[int, RunReading], readings: Sequence[RunReading]) -> Iterator[Weak]:
    """Each character that is not sure, with what the line would be for every other one of its kind and each rival."""
    for reading in readings:
        for at, one in enumerate(reading.tokens):
            if one.probability < SURE:
                others = dict.fromkeys([*same_kind(one.char), *(rival.char for rival in _rivals(one))])
                lines = tuple(_exchanged(level, by_run, reading, at, other) for other in others if other != one.char)
                yield Weak(one.char, one.probability, lines)


def _rivals(one: Token) -> Iterator[Candidate]:
    for rival in one.rivals:
        ideograph = is_ideograph(rival.char) or rival.char in LOOK_LIKE_STROKES
        if rival.probability >= repair.doubt(one.char, rival.char) and ideograph is is_ideograph(one.char):
            yield rival
    other = repair.other_case(one)
    if other is not None:
        yield Candidate(other, repair.DOUBT)


def _twin(one: Token) -> str | None:
    """The rival of a pair that the recogniser is over-sure of, where it has not quite ruled it out."""
    for rival in one.rivals:
        if rival.probability > OVER_SURE.get(frozenset((one.char, rival.char)), 1.0):
            return rival.char
    return None


def _place_doubted(reading: RunReading) -> bool:
    """True for a doubtful place that neither the sign itself nor its neighbours have settled."""
    assert reading.explained is not None
    pairs = list(zip(reading.explained.read, reading.tokens, strict=True))
    for at, (read, one) in enumerate(pairs):
        if not read.doubtful or (
            one.place is Place.MAIN and (one.char in SELF_EVIDENT or read.place is not Place.MAIN)
        ):
            continue
        follows = pairs[at + 1] if at + 1 < len(pairs) else None
        # The sign of an exponent stands as high as the exponent that follows it.
        if one.char in "+-" and follows and follows[1].place is one.place and not follows[0].doubtful:
            continue
        return True
    return False


def _doubts(level: Level, readings: Sequence[RunReading]) -> Iterator[str]:
    """Reasons why the layout of this line may be misunderstood although every character is clear."""
    for reading in readings:
        explained = reading.explained
        if explained is None:
            continue
        if explained.unread:
            yield "ink without a character"
        if explained.phantom:
            yield "a character without ink"
        if _place_doubted(reading):
            yield "the place of a sign is a guess"
        yield from reading.guesses
        yield from (f"{one.char} or {_twin(one)}" for one in reading.tokens if _twin(one))
        text = "".join(one.char for one in reading.tokens)
        if reading.inside and RELATIONS & set(text):
            yield "a relation inside a fraction or root"
        if "√" in text:
            yield "a root sign without a roof"
        if not reading.tokens:
            yield "nothing read where ink is"
    if any(isinstance(node, Fraction) and not (node.above.nodes and node.below.nodes) for node in level.nodes):
        yield "a fraction with an empty side"
