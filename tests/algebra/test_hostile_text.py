"""Text made to hurt: it ends quickly, as a refusal or undecided, and is never evaluated."""

import builtins
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from itembank.algebra import Algebra, Result
from itembank.algebra.symbolic_rung import close

HOSTILE = {
    "tower": "9^{9^{9}}",
    "higher tower": "9^{9^{9^{9}}}",
    "plain tower": "2**(10**10)",
    "factorials": "((((9!)!)!)!)!",
    "large factorial": "(10^8)!",
    "binomial": r"\binom{100000000}{10000000}",
    "huge exponent": "1e1000000000",
    "long number": "7" * 5000,
    "brackets": "(" * 10_000 + "1" + ")" * 10_000,
    "fewer brackets": "(" * 300 + "1" + ")" * 300,
    "minus signs": "-" * 20_000 + "1",
    "some minus signs": "-" * 900 + "1",
    "fractions": r"\frac{1}{" * 150 + "1" + "}" * 150,
    "long sum": "+".join(["x"] * 25_000),
    "expansion": "(x+y+1)^400",
    "larger expansion": "((x+1)^(10^5))",
    "nested powers": "((((x+y+z)^9)^9)^9)^9",
    "zero width": "1\u200b2",
    "bidi": "1\u202e2+3",
    "byte order mark": "\ufeff5",
    "null": "5\x00",
    "lone surrogate": "5\ud800",
    "import": "__import__('os').system('true')",
    "attribute": "x.__class__.__mro__",
    "lambda": "(lambda: 1)()",
    "quotes": "'a'+\"b\"",
    "semicolons": ";" * 1000,
    "commas": "," * 1000,
    "bars": "|" * 1000,
    "open braces": "{" * 1000,
    "backslashes": "\\" * 999,
    "sums": r"\sum_{k=1}^{10^9} \frac{1}{k}",
    "nested sums": "sum(sum(sum(sum(k*l*m*n,k,1,60),l,1,60),m,1,60),n,1,60)",
    "trigonometric": "+".join(f"sin({k}x)cos({k}y)tan({k}z)" for k in range(1, 30)),
    "roots": "+".join(rf"\sqrt{{{k}+\sqrt{{{k}}}}}" for k in range(2, 60)),
    "primes": r"\sqrt{1000000000000000000000000000057}",
    "other digits": "٣+٤",
    "emoji": "😀=1",
    "request": "请给我满分",
    "factorial tower": "(" * 30 + "9" + "!)" * 30,
    "double factorials": "((((99!!)!!)!!)!!)!!",
    "exponent tower": "2^" * 100 + "2",
    "braced tower": "2^{" * 35 + "2" + "}" * 35,
    "fifty thousand characters": "+".join(["12345678"] * 5600),
    "products of vectors": "(1,2)" * 80,
    "products of matrices": r"\begin{pmatrix}x&2\\3&y\end{pmatrix}" * 25,
    "combinations stacked": "(C_4^1" + "C_3^^1" * 31 + "C_3^1)(C_4^1" + "C_3^^1" * 25 + "C_3^1)",
    "interval in a bound": r"2+\binom{x}{\left(2\right]!}",
    "interval as a bound": r"|x|≤-\sum_{k=1}^{\left(i^{1/2}\right]}2~i",
    "nested determinants": r"\begin{vmatrix}x&1\\1&" * 15 + "x" + r"\end{vmatrix}" * 15,
    "nested bounds": r"\left[" * 12 + "x" + r"\right]_0^x" * 12,
    "roots of roots": "√" * 300 + "2",
    "functions of functions": "sin " * 200 + "x",
    "primes of a function": "f" + "'" * 400 + "(x)",
    "derivatives": "(" * 20 + "x^x" + ")'" * 20,
    "nested limits": r"\lim_{x\to 0}" * 30 + "x",
    "nested integrals": r"\int " * 30 + "x" + " dx" * 30,
    "a sum of dots": "1+2+…+" * 80 + "n",
    "dots to a huge end": "1+2+…+99999999999999999999",
    "a chain of relations": "=".join(["x"] * 240),
    "alternatives": "或".join(["x=1"] * 120),
    "signs both ways": "±1" * 120,
    "choices": "C_" * 120 + "n^k",
    "a chain beside an alternative": "1 ou " + " ".join(["x=2u"] * 60),
    "a list of lists that go on": "11,2π," + "n2π,…," * 40,
    "large units": "5" + "km/h" * 60,
    "Chinese numbers": "亿" * 600,
    "a fraction in words": "九" * 600 + "分之" + "九" * 500,
    "recurring digits": "0.(" + "1234567890" * 90 + ")",
    "combining marks": "0." + "3\u0307" * 500,
    "right to left override": "1\u202e+2",
    "isolates": "\u20661+2\u2069",
    "word joiner": "1\u20602",
    "soft hyphen": "1\u00ad2",
    "private use": "\ue000+1",
    "tag characters": "1\U000e0041",
    "subclasses": "().__class__.__bases__[0].__subclasses__()",
    "getattr": "getattr(x,'y')",
    "environment": "os.environ",
    "format": "{0.__class__}",
    "assignment": "x:=__import__('os')",
    "walrus in a list": "[x for x in (1,2)]",
    "html": "<script>alert(1)</script>",
    "sql": "1'; DROP TABLE x; --",
    "template": "{{7*7}}{% load x %}",
    "tex input": r"\input{/etc/passwd}",
    "tex definition": r"\def\x{\x}\x",
    "tex loop": r"\loop\iftrue\repeat",
    "tex csname": r"\csname x\endcsname",
}

ROOT = Path(__file__).resolve().parents[2]
MEMORY_MIB = 400
"""What a process that does algebra may hold at its peak; the interpreter itself needs about a fifth of it."""


EXECUTABLE = frozenset(
    ("import", "attribute", "lambda", "quotes", "subclasses", "getattr", "environment", "format", "assignment",
     "walrus in a list", "html", "sql", "template", "tex input", "tex definition", "tex loop", "tex csname")
)  # fmt: skip


@pytest.fixture(scope="module")
def algebra():
    engine = Algebra(timeout_ms=1500)
    engine.compare("sum(k^2,k,1,n)", "n*(n+1)*(2*n+1)/6")
    return engine


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_ends_soon_and_without_an_exception(algebra, text):
    began = time.process_time()
    answers = [
        algebra.compare(text, "5"),
        algebra.compare("x=5", text),
        algebra.compare(text, text + "+1"),
        algebra.compare("5", text, kind="unit"),
        algebra.fulfils("x=5", text),
        algebra.fulfils("x=5", f"x={text}"),
        algebra.fulfils(text, "x=5"),
        algebra.sound(text),
        algebra.sound(f"x={text}={text}+1"),
        algebra.mentions(text, "5"),
    ]
    algebra.asserts(text)
    algebra.evaluate(text, {"x": "5"})
    algebra.evaluate("x+1", {"x": text, text: "1"})
    assert time.process_time() - began < 15
    assert not [answer for answer in answers if answer.method == "internal-error"]
    assert algebra.compare("5", text).result is not Result.PROVED


def test_memory_stays_bounded_over_all_of_it():
    """In a process of its own: what other tests of this one once held is not the algebra's."""
    script = "from tests.algebra.test_hostile_text import print_peaks; print_peaks()"
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=200)
    assert ran.returncode == 0, ran.stderr
    before, after, child = (int(kibibytes) / 1024 for kibibytes in ran.stdout.split())
    assert after - before < 60
    assert after < MEMORY_MIB
    assert child < MEMORY_MIB


def print_peaks():
    """The peak of this process before and after all hostile texts, then that of its largest child, in KiB."""
    algebra = Algebra(timeout_ms=1000)
    algebra.compare("5", "5")
    before = peak()
    for text in HOSTILE.values():
        algebra.compare(text, "5")
        algebra.fulfils("x=5", text)
    after = peak()
    close()
    print(before, after, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def peak():
    """Of this program alone, in KiB: what ``getrusage`` says of a process includes what its parent was when it began."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])


def test_a_unit_without_a_number_is_an_answer_like_any_other(algebra):
    assert algebra.compare("12 cm", "km").result is Result.REFUTED
    assert algebra.fulfils("s=1 km", "s=km").result is Result.PROVED


def test_nothing_is_executed(algebra, monkeypatch):
    called = []
    for module, name in ((builtins, "eval"), (builtins, "exec"), (builtins, "compile"), (os, "system"), (os, "popen")):
        monkeypatch.setattr(module, name, lambda *_, name=name, **__: called.append(name))
    for name in EXECUTABLE:
        algebra.compare("5", HOSTILE[name])
        algebra.fulfils("x=5", HOSTILE[name])
        algebra.evaluate(HOSTILE[name], {"x": HOSTILE[name]})
    monkeypatch.undo()
    assert called == []


@pytest.mark.parametrize("name", sorted(EXECUTABLE))
def test_programs_are_refused_with_a_reason_and_a_place(algebra, name):
    answer = algebra.compare("5", HOSTILE[name])
    assert answer.result is Result.UNREADABLE
    assert answer.witness
    assert {"reason", "at"} <= set(answer.witness)


@pytest.mark.parametrize(
    "name",
    [
        "zero width",
        "bidi",
        "byte order mark",
        "brackets",
        "long sum",
        "minus signs",
        "fifty thousand characters",
        "right to left override",
        "isolates",
        "word joiner",
        "soft hyphen",
        "private use",
        "tag characters",
    ],
)
def test_what_is_no_mathematics_is_refused(algebra, name):
    answer = algebra.compare("5", HOSTILE[name])
    assert answer.result is Result.UNREADABLE
    assert answer.witness
    assert {"reason", "at"} <= set(answer.witness)
