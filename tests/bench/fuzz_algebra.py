"""Fuzzing of the algebra: texts made by a grammar, texts of people changed a little, and plain noise.

Run: ``.venv/bin/python -m tests.bench.fuzz_algebra [--count N] [--seed S] [--timeout-ms N] [--seconds N]``. Each input goes through
`compare`, and in turn through `fulfils`, `sound`, `asserts` and `evaluate`. Prints one JSON document: inputs by source,
answers by result, exceptions and internal errors (there may be none), the slowest answers, and the peak memory of this
process and of its child. Exit 1 where anything was raised, or `internal-error` answered.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from itembank.algebra import Algebra, Comparison, clear_cache
from itembank.algebra.symbolic_rung import close

ROOT = Path(__file__).resolve().parents[2]
READINGS = ROOT / "tests" / "algebra" / "readings.txt"
CASES = Path(os.environ.get("WENSHU_CASES", ROOT.parent / "shared" / "cases")) / "equivalence_sample.jsonl"
CLEAR_EVERY = 2000

ATOMS = ("x", "y", "n", "k", "a_1", "a_n", "2", "3", "10", "0", "1/2", "0.5", "π", "e", "i", r"\pi", r"\theta", "A", "AB",
         r"\vec a", "∞", "½", "12万", "1.5e3", r"0.\dot3", "1,234", "x_1", "S_{10}", "3 1/2", "√2", "°", "km", "cm^2",
         "百分之五", "ABC")  # fmt: skip
FRAMES = ("{}+{}", "{}-{}", "{}{}", "{}*{}", "{}/{}", "({})", "({},{})", "[{},{})", "{}^{}", "{}^{{{}}}", r"\frac{{{}}}{{{}}}",
          r"\sqrt{{{}}}", "√{}", r"\sin {}", "sin^2{}", "ln({})", r"\log_{}{}", "|{}|", "-{}", "{}!", "{}'", "f({})",
          r"f'({})", r"\sum_{{k=1}}^{{{}}}{}", r"\int_0^{} {} dx", r"\int {}dx", r"\lim_{{x\to {}}}{}", "{}%", "{}°", "{}km/h",
          r"\binom{{{}}}{{{}}}", "C_{}^{}", r"\begin{{pmatrix}}{}\\{}\end{{pmatrix}}", r"\begin{{cases}}{}\\{}\end{{cases}}",
          r"\{{{},{}\}}", r"\overline{{{}}}", r"\left({}\right]", "{}…{}", "{} mod {}", r"\boxed{{{}}}", r"\text{{{}}}", "{}_{}",
          "{}±{}", "{},{}", r"{}\cdot{}", "{}×{}")  # fmt: skip
JOINTS = ("=", "<", ">", "≤", r"\ne", "∈", " or ", "或", "且", "，", "；", r"\Rightarrow ", "所以", "≡", "~", "∪", "=0", "舍去",
          "(k∈Z)", "不", "时", "当", r"\\", "&", " is ", "")  # fmt: skip
NOISE = (
    r"\{}[]()^_&$%#@!~`'\"|/<>=+-*.,;:? " + "0123456789abcxyzdefinπ√∫∑∞°′″²³₁₂½∈∪∩≤≥≠±×÷或且解答万亿时分"
    "\u200b\u202e\u0000\ufeff\u0307\ud800\U0001d465\U0001f600١٢х"
)


def made(rng: random.Random, depth: int = 0) -> str:
    """A text by the grammar above, often sensible."""
    if depth > 3 or rng.random() < 0.3:
        return rng.choice(ATOMS)
    frame = rng.choice(FRAMES)
    return frame.format(*(made(rng, depth + 1) for _ in range(frame.replace("{{", "").replace("}}", "").count("{}"))))


def statement(rng: random.Random) -> str:
    """One to three expressions with what may stand between them."""
    parts = [made(rng)]
    for _ in range(rng.randrange(3)):
        parts += [rng.choice(JOINTS), made(rng)]
    return "".join(parts)


def changed(rng: random.Random, text: str, others: list[str]) -> str:
    """A text with some characters dropped, doubled, swapped, put in, or with a piece of another text."""
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text) + 1)
        way = rng.randrange(6)
        if way == 0:
            text = text[:at] + text[at + rng.randrange(1, 4) :]
        elif way == 1:
            text = text[:at] + text[at : at + 6] * rng.randrange(2, 30) + text[at + 6 :]
        elif way == 2:
            text = text[:at] + rng.choice(NOISE) + text[at:]
        elif way == 3:
            other = rng.choice(others)
            cut = rng.randrange(len(other) + 1)
            text = text[:at] + other[cut:]
        elif way == 4:
            text = rng.choice(
                ("{0}{0}", "({0})", "{0}={0}", "-{0}", "{{{0}}}", r"\frac{{{0}}}{{{0}}}", "{0}^{{{0}}}")
            ).format(text)
        else:
            piece = list(text[at : at + 8])
            rng.shuffle(piece)
            text = text[:at] + "".join(piece) + text[at + 8 :]
        text = text[:3000]
    return text


def noise(rng: random.Random) -> str:
    """Characters of the trade at random, or any characters at all."""
    size = rng.choice((1, 3, 10, 40, 200, 1300))
    if rng.random() < 0.6:
        return "".join(rng.choice(NOISE) for _ in range(size))
    if rng.random() < 0.5:
        return rng.randbytes(size).decode("latin-1")
    return "".join(chr(rng.randrange(0x110000)) for _ in range(size))


def corpus() -> list[str]:
    """What people wrote: the table of readings and, where they are at hand, the pairs from outside."""
    texts = [
        line.split("\t")[0] for line in READINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("## ")
    ]
    if CASES.is_file():
        pairs = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
        texts += [pair[side] for pair in pairs for side in ("gold", "student")]
    return texts


class Fuzzing:
    """One run; everything that it found out."""

    def __init__(self, seed: int, timeout_ms: int) -> None:
        self.rng = random.Random(seed)
        self.algebra = Algebra(timeout_ms=timeout_ms)
        self.texts = corpus()
        self.sources: Counter[str] = Counter()
        self.results: Counter[str] = Counter()
        self.methods: Counter[str] = Counter()
        self.faults: list[dict[str, str]] = []
        self.slowest: list[tuple[float, str, str]] = []

    def input(self) -> tuple[str, str]:
        """A text and where it came from."""
        rng = self.rng
        way = rng.random()
        if way < 0.4:
            return "grammar", statement(rng)
        if way < 0.8:
            return "mutation", changed(rng, rng.choice(self.texts), self.texts)
        return "noise", noise(rng)

    def run(self, count: int, seconds: float) -> None:
        """So many inputs, or as many as fit into the time."""
        ends = time.perf_counter() + seconds
        for number in range(count):
            if time.perf_counter() > ends:
                return
            if number % CLEAR_EVERY == 0:
                clear_cache()
            source, text = self.input()
            self.sources[source] += 1
            other = self.rng.choice(self.texts) if self.rng.random() < 0.5 else text + "+0"
            calls: list[tuple[str, Callable[[], object]]] = [
                ("fulfils", lambda text=text, other=other: self.algebra.fulfils(other, text)),  # type: ignore[misc]
                ("sound", lambda text=text: self.algebra.sound(text, {"x": "2"})),  # type: ignore[misc]
                ("asserts", lambda text=text: self.algebra.asserts(text)),  # type: ignore[misc]
                ("evaluate", lambda text=text: self.algebra.evaluate(text, {"x": "1/2", text[:3]: text})),  # type: ignore[misc]
            ]
            self.timed("compare", text, lambda text=text, other=other: self.algebra.compare(other, text))  # type: ignore[misc]
            verb, work = calls[number % 4]
            self.timed(verb, text, work)

    def timed(self, verb: str, text: str, work: Callable[[], object]) -> None:
        began = time.perf_counter()
        try:
            answer = work()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self.faults.append({"verb": verb, "text": text[:300], "error": traceback.format_exc(limit=-3)})
            return
        spent = time.perf_counter() - began
        if not isinstance(answer, Comparison):
            self.results[f"{verb}: {'something' if answer else 'nothing'}"] += 1
        else:
            self.results[f"{verb}: {answer.result.value}"] += 1
            self.methods[answer.method] += 1
            if answer.method == "internal-error":
                self.faults.append({"verb": verb, "text": text[:300], "error": "internal-error"})
        if len(self.slowest) < 5 or spent > self.slowest[-1][0]:
            self.slowest = sorted([*self.slowest, (spent, verb, text[:120])], reverse=True)[:5]


def peak(who: int) -> float:
    """Peak resident memory in MiB."""
    return round(resource.getrusage(who).ru_maxrss / 1024, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout-ms", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=7200, help="stop after so long, whatever is left")
    options = parser.parse_args()
    before = peak(resource.RUSAGE_SELF)
    began = time.perf_counter()
    fuzzing = Fuzzing(options.seed, options.timeout_ms)
    fuzzing.run(options.count, options.seconds)
    seconds = time.perf_counter() - began
    close()
    report = {
        "inputs": dict(fuzzing.sources),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(time.process_time(), 1),
        "answers": dict(sorted(fuzzing.results.items())),
        "methods": dict(fuzzing.methods.most_common(25)),
        "slowest": [{"ms": round(spent * 1000), "verb": verb, "text": text} for spent, verb, text in fuzzing.slowest],
        "peak_mib": {"at start": before, "parent": peak(resource.RUSAGE_SELF), "child": peak(resource.RUSAGE_CHILDREN)},
        "faults": len(fuzzing.faults),
    }
    print(json.dumps(report, ensure_ascii=True, indent=1))
    for fault in fuzzing.faults[:20]:
        print(json.dumps(fault, ensure_ascii=True), file=sys.stderr)
    return 1 if fuzzing.faults else 0


if __name__ == "__main__":
    sys.exit(main())
