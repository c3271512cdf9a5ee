"""Numbers as they are written: grouped, with a decimal comma, recurring, scientific, in Chinese words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra import limits
from itembank.algebra.results import NOTATIONS
from itembank.algebra.tape import Tape, Token

_PLAIN = re.compile(r"\d+\.\d+|\d+|\.\d+")
_COMMAS = re.compile(r"\d{1,3}(?:,(?:\\!)?\d{3})+(?![\d,])(?:\.\d+)?")
_THIN = r"(?:[ \u00a0\u2009\u202f~]|\\[, ;])"
_SPACES = re.compile(rf"\d{{1,3}}(?:{_THIN}\d{{3}})+(?!\d)(?:\.\d+)?|\d{{1,3}}\.\d{{3}} \d{{3}}(?!\d)")
_APOSTROPHES = re.compile(r"\d{1,3}(?:'\d{3})+(?!\d)(?:\.\d+)?")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?!\d)(?:,\d+)?")
_BRACED_COMMA = re.compile(r"\d+\{,\}\d+(?:\{,\}\d+)*")
_EXPONENT = re.compile(r"[eE][+-]?\d{1,4}(?![\d.])")
_RECURRING = re.compile(
    r"(?P<whole>\d*)\.(?P<fixed>\d*)(?:"
    r"\\(?:overline|bar|dot)\s*(?:\{(?P<bar>\d+)\}|(?P<one>\d))(?P<rest>(?:\d*\\dot\s*(?:\{\d\}|\d))?)"
    r"|\((?P<round>\d+)\)|(?P<marked>(?:\d\u0307)(?:\d*\d\u0307)?|(?:\d\u0305)+))"
)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})\s*(?:\\(?:text|mathrm)\s*\{\s*)?([AaPp])\.?\s?[Mm](?![A-Za-z])\.?\}?")
_LARGE = {"万亿": 12, "亿": 8, "万": 4, "千": 3, "百": 2}
_MULTIPLIER = re.compile(r"\s*(万亿|亿|万|千(?![克米瓦焦帕卡伏赫安牛])|百(?!分))")

# decimal sign, signs between groups, sizes of the groups counted from the decimal sign (the last one repeats)
_SIGNS: dict[str, tuple[str, str, str]] = {
    "plain": (".", "", "3"), "en": (".", ",", "3"), "in": (".", ",", "32"), "ch": (".", "'", "3"),
    "si-en": (".", " ", "3"), "si-fr": (",", " ", "3"), "eu": (",", ".", "3"), "plain-eu": (",", "", "3"),
}  # fmt: skip
_ALIASES = {
    "us": "en", "uk": "en", "gb": "en", "cn": "en", "zh": "en", "si": "si-en", "space": "si-en", "fr": "si-fr",
    "ru": "si-fr", "pl": "si-fr", "cs": "si-fr", "se": "si-fr", "de": "eu", "es": "eu", "it": "eu", "nl": "eu",
    "pt": "eu", "br": "eu", "tr": "eu", "li": "ch", "scientific": "plain",
}  # fmt: skip

assert set(NOTATIONS) == set(_SIGNS) | set(_ALIASES)


@dataclass(frozen=True, slots=True)
class _Written:
    """Digits with a point as decimal sign, and how many characters they took."""

    digits: str
    length: int


def read_number(tape: Tape) -> None:
    """One number from the tape; whatever else it may be is remembered as a doubt."""
    if _clock(tape) or _recurring(tape):
        return
    found = _foreign(tape) if tape.notation else _usual(tape)
    if found is None:
        raise tape.fail("a digit of another script")
    digits, end, scale = found.digits, tape.at + found.length, 0
    exponent = _EXPONENT.match(tape.text, end)
    if exponent and _is_scientific(tape, digits, exponent.group()):
        scale, end = int(exponent.group()[1:]), exponent.end()
    if len(digits) > limits.MAX_DIGITS or abs(scale) > limits.MAX_CONSTANT_EXPONENT:
        raise tape.fail("the number is too long")
    places = len(digits.partition(".")[2]) if "." in digits else None
    value = Fraction(digits) * Fraction(10) ** scale
    value, places, end = _multiplied(tape, value, places, end)
    tape.put(Token("num", tape.text[tape.at : end], tape.place(), tape.gap, value, places), end - tape.at)
    _notice(tape)


def _usual(tape: Tape) -> _Written | None:
    """Without a stated notation: a point is the decimal sign, and groups of three are seen where nothing else fits."""
    braced = _BRACED_COMMA.match(tape.text, tape.at)
    if braced:
        return _braced(tape, braced.group())
    for pattern, decimal, allowed in (
        (_SPACES, ".", not _follows_number(tape)),
        (_APOSTROPHES, ".", True),
        (_POINTS, ",", True),
        (_COMMAS, ".", tape.depth == 0),
    ):
        found = pattern.match(tape.text, tape.at) if allowed else None
        if found:
            return _Written(_digits(found.group(), decimal), len(found.group()))
    found = _PLAIN.match(tape.text, tape.at)
    return _Written(found.group(), len(found.group())) if found else None


def _follows_number(tape: Tape) -> bool:
    return tape.last is not None and tape.last.kind == "num" and tape.gap


def _digits(written: str, decimal: str) -> str:
    kept = re.sub(rf"\\.|[^\d{re.escape(decimal)}]", "", written)
    return kept.replace(decimal, ".")


def _braced(tape: Tape, written: str) -> _Written:
    """3{,}14 has a decimal comma; 1{,}234 has one in some countries and groups thousands in others."""
    parts = written.split("{,}")
    if len(parts) > 2:
        return _Written("".join(parts), len(written))
    if len(parts[1]) == 3 and len(parts[0]) <= 3 and parts[0] != "0":
        tape.doubt("a decimal comma or a group of thousands", even=True)
        return _Written("".join(parts) if tape.second else ".".join(parts), len(written))
    return _Written(".".join(parts), len(written))


def _foreign(tape: Tape) -> _Written | None:
    """Numbers of a stated notation; groups that do not have its sizes are not taken for groups."""
    assert tape.notation is not None
    decimal, between, sizes = _SIGNS[_ALIASES.get(tape.notation, tape.notation)]
    comma = re.escape(decimal) if decimal == "." else r"(?:,|\{,\})"
    whole = r"\d+"
    if between:
        sign = _THIN if between == " " else rf"(?:{re.escape(between)}|{_THIN})"
        inner = rf"(?:{sign}\d{{{sizes[-1]}}})*" if len(sizes) > 1 else ""
        start = rf"\d{{1,{sizes[-1]}}}"
        whole = (
            rf"{start}{inner}{sign}\d{{3}}(?!\d)|\d+" if len(sizes) > 1 else rf"\d{{1,3}}(?:{sign}\d{{3}})+(?!\d)|\d+"
        )
    found = re.compile(rf"(?:{whole})(?:{comma}\d+)?|{comma}\d+").match(tape.text, tape.at)
    if found is None:
        return _usual_plain(tape)
    written = found.group().replace("{,}", ",")
    if decimal == "," and re.match(r"\.\d", tape.text[found.end() :]):
        return _usual_plain(tape)
    return _Written(_digits(written, decimal), len(found.group()))


def _usual_plain(tape: Tape) -> _Written | None:
    found = _PLAIN.match(tape.text, tape.at)
    return _Written(found.group(), len(found.group())) if found else None


def _clock(tape: Tape) -> bool:
    """8:34 p.m.: minutes after midnight, as a value that is no number."""
    found = _CLOCK.match(tape.text, tape.at)
    if found is None:
        return False
    hours, minutes = int(found.group(1)), int(found.group(2))
    if not (1 <= hours <= 12 and minutes < 60):
        raise tape.fail("a time of day that no clock shows")
    value = Fraction(hours % 12 * 60 + minutes + (720 if found.group(3) in "pP" else 0))
    tape.put(Token("clock", found.group(), tape.place(), tape.gap, value), len(found.group()))
    return True


def _recurring(tape: Tape) -> bool:
    """0.\\dot{3}, 0.1\\overline{6}, 0.(3): the exact fraction."""
    found = _RECURRING.match(tape.text, tape.at)
    if found is None or (tape.last is not None and tape.last.text == "_"):
        return False
    whole, fixed = found.group("whole"), found.group("fixed")
    end = found.end()
    if found.group("round"):
        repeated = found.group("round")
        if fixed:
            tape.doubt("a recurring decimal or a product", even=True)
            if tape.second:
                return False
    elif found.group("marked"):
        repeated = re.sub(r"\D", "", found.group("marked"))
    else:
        repeated = (found.group("bar") or found.group("one")) + re.sub(r"\D", "", found.group("rest"))
    if len(whole) + len(fixed) + len(repeated) > limits.MAX_DIGITS:
        raise tape.fail("the number is too long")
    ten = Fraction(10)
    value = Fraction(int(whole or "0") * 10 ** len(fixed) + int(fixed or "0")) / ten ** len(fixed)
    value += Fraction(int(repeated), 10 ** len(repeated) - 1) / ten ** len(fixed)
    tape.put(Token("num", tape.text[tape.at : end], tape.place(), tape.gap, value), end - tape.at)
    return True


def _multiplied(tape: Tape, value: Fraction, places: int | None, end: int) -> tuple[Fraction, int | None, int]:
    """12万 is 120000; 3万5千 is 35000."""
    found = _MULTIPLIER.match(tape.text, end)
    if found is None:
        return value, places, end
    total = Fraction(0)
    while found:
        total += value * 10 ** _LARGE[found.group(1)]
        end = found.end()
        digits = re.compile(r"\d{1,4}(?=[万千百])").match(tape.text, end)
        if digits is None:
            return total, None, end
        value, found = Fraction(digits.group()), _MULTIPLIER.match(tape.text, digits.end())
    return total, None, end


def _is_scientific(tape: Tape, digits: str, exponent: str) -> bool:
    """Whether 2e5 is a power of ten; a lone digit before e and a sign, 2e+3, leaves it open."""
    if tape.last is not None and tape.last.text == "_":
        return False
    if exponent[0] == "E" or "." in digits or len(digits) > 1 or len(exponent) > 3:
        return True
    if exponent[1] in "+-":
        tape.doubt("a power of ten or the number e", even=True)
        return tape.second
    return True


def _notice(tape: Tape) -> None:
    """0,5 may be a decimal; 8:34 may be a time."""
    if len(tape.tokens) < 3 or tape.depth:
        return
    first, sign, second = tape.tokens[-3:]
    if first.kind == second.kind == "num" and not sign.gap and not second.gap:
        earlier = tape.tokens[-5:-3]
        listed = len(earlier) == 2 and earlier[0].kind == "num" and earlier[1].text == "," and not earlier[1].gap
        if sign.text == "," and first.places is None and second.places is None and not listed:
            tape.doubt("a decimal comma")
        elif sign.text == ":" and len(second.text) == 2:
            tape.doubt("a time")


# -- Chinese words ------------------------------------------------------------------------------------------------
CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHINESE = "零〇一二两三四五六七八九十百千万亿"
_WORDS = rf"[{_CHINESE}]{{1,20}}"
_PART = re.compile(rf"({_WORDS}|\d{{1,20}})分之(?:({_WORDS})(?:点({_WORDS}))?|(\d{{1,20}}(?:\.\d{{1,20}})?))")
_RUN = re.compile(rf"[{_CHINESE}]{{1,20}}(?![{_CHINESE}])")


def chinese_whole(words: str) -> int | None:
    """The whole number that Chinese words write; None where they write none.

    >>> chinese_whole("一百二十"), chinese_whole("十二"), chinese_whole("三万零五"), chinese_whole("百")
    (120, 12, 30005, None)
    """
    total = section = digit = 0
    fresh = False
    for place, char in enumerate(words):
        if char in CHINESE_DIGITS:
            if fresh and digit:
                return None
            digit, fresh = CHINESE_DIGITS[char], True
        elif char in _CHINESE_UNITS:
            if not fresh and not (char == "十" and place == 0):
                return None
            section, digit, fresh = section + (digit if fresh else 1) * _CHINESE_UNITS[char], 0, False
        elif section + digit:
            total, section, digit, fresh = (total + section + digit) * 10 ** _LARGE[char], 0, 0, False
        else:
            return None
    return total + section + digit


def read_chinese_number(tape: Tape) -> bool:
    """百分之五十, 五分之三, and a bare 十二 where a value is due; leaves the tape alone otherwise."""
    part = _PART.match(tape.text, tape.at)
    if part:
        below = _amount(part.group(1)) if part.group(1) != "百" else 100
        below = {"千": 1000, "万": 10000}.get(part.group(1), below or 0)
        above = _fraction_words(part)
        if below and above is not None:
            tape.put(Token("vulgar", part.group(), tape.place(), tape.gap, above / below), len(part.group()))
            return True
        return False
    run = _RUN.match(tape.text, tape.at)
    last = tape.last
    if run is None or not (last is None or last.kind == "rel"):
        return False
    after = tape.text[run.end() : run.end() + 1]
    value = chinese_whole(run.group())
    if value is None or (after and "\u3400" <= after <= "\u9fff"):
        return False
    tape.put(Token("num", run.group(), tape.place(), tape.gap, Fraction(value)), len(run.group()))
    return True


def _amount(words: str) -> int | None:
    return int(words) if words.isdigit() else chinese_whole(words)


def _fraction_words(part: re.Match[str]) -> Fraction | None:
    if part.group(4):
        return Fraction(part.group(4))
    whole = chinese_whole(part.group(2))
    if whole is None or not part.group(3):
        return None if whole is None else Fraction(whole)
    digits = "".join(str(CHINESE_DIGITS[char]) for char in part.group(3) if char in CHINESE_DIGITS)
    return Fraction(f"{whole}.{digits}") if len(digits) == len(part.group(3)) else None
