"""Text made to hurt: it ends quickly, as a refusal or undecided, and is never evaluated."""

import time

import pytest

from itembank.algebra import Algebra, Result

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
}


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


@pytest.mark.parametrize(
    "name", ["zero width", "bidi", "byte order mark", "import", "attribute", "brackets", "long sum"]
)
def test_what_is_no_mathematics_is_refused(algebra, name):
    answer = algebra.compare("5", HOSTILE[name])
    assert answer.result is Result.UNREADABLE
    assert answer.witness
    assert {"reason", "at"} <= set(answer.witness)
