"""Letters and Chinese characters into tokens: functions, Greek names, units, words between statements, prose."""

from __future__ import annotations

import re

from itembank.algebra import lexicon
from itembank.algebra.numerals import read_chinese_number
from itembank.algebra.tape import Tape
from itembank.algebra.unitnames import is_unit

_LETTERS = re.compile(r"[A-Za-z]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]+")
_CJK = re.compile(r"[\u3007\u3400-\u9fff]+")
_PLAIN_UNIT = re.compile(
    r"(?:[A-Za-zΩμ]+)(?:\^?\{?-?[23]\}?)?(?:\s?[*·/]\s?(?:[A-Za-zΩμ]+|[\u3400-\u9fff]{1,2})(?:\^?\{?-?[123]\}?)?)*(?![A-Za-z(])"
)
_CHINESE_UNIT = re.compile(r"[\u3400-\u9fff]{1,4}/[\u3400-\u9fff]{1,3}")
_EVERYTHING = re.compile(r"(?:all|any|every) (?:the )?real(?:s| numbers?)?(?![A-Za-z])|reals(?![A-Za-z])")
_SUBSCRIPTED = re.compile(r"([abcSTx])n(?=\s*=(?!=))")


def read_letters(tape: Tape) -> None:
    """A run of Latin letters: the first of the meanings below that it has."""
    found = _LETTERS.match(tape.text, tape.at)
    assert found is not None
    run = found.group()
    if not any(reader(tape, run) for reader in (_nothing_or_all, _measure, _joint, _named, _extremes, _large)):
        _split(tape, run)


def _nothing_or_all(tape: Tape, run: str) -> bool:
    """No solution; all real numbers."""
    phrase = _nothing(tape)
    everything = _EVERYTHING.match(tape.text, tape.at)
    if phrase:
        tape.emit("none", phrase, len(phrase))
    elif everything:
        tape.emit("sym", "set_R", len(everything.group()))
    return bool(phrase or everything)


def _nothing(tape: Tape) -> str:
    """The phrase here that says that nothing solves it."""
    ahead = tape.text[tape.at : tape.at + 40].lower()
    return next((phrase for phrase in lexicon.NOTHING if ahead.startswith(phrase)), "")


def _measure(tape: Tape, run: str) -> bool:
    """A unit behind a number."""
    if not tape.follows_value():
        return False
    after = tape.text[tape.at + len(run) : tape.at + len(run) + 1]
    if run.lower() in ("deg", "degree", "degrees") and after != "(":
        tape.emit("word", "degree", len(run))
        return True
    unit = _unit(tape)
    if unit:
        tape.emit("text", unit, len(unit))
    return bool(unit)


def _joint(tape: Tape, run: str) -> bool:
    """A word between statements, or prose around them."""
    low = run.lower()
    if run in ("U", "u", "n") and _between_sets(tape, len(run)):
        tape.emit("op", "union" if run in "Uu" else "inter", len(run))
    elif low in lexicon.ENGLISH_WORDS and (len(run) > 2 or low in ("or", "so", "at", "if", "is")):
        _word(tape, lexicon.ENGLISH_WORDS[low], run)
    elif low in lexicon.OTHER_WORDS and _stands_free(tape, len(run)):
        tape.emit("word", lexicon.OTHER_WORDS[low], len(run))
    elif low in lexicon.PROSE and _is_prose(tape, len(run)):
        tape.emit("word", "prose", len(run))
    else:
        return False
    return True


def _named(tape: Tape, run: str) -> bool:
    """Names and commands without a backslash."""
    after = tape.text[tape.at + len(run) : tape.at + len(run) + 1]
    if run in lexicon.GREEK_NAMES:
        tape.emit("sym", lexicon.GREEK_ALIASES.get(run, run), len(run))
    elif run in ("infty", "infinity", "oo", "inf"):
        tape.emit("const", "oo", len(run))
    elif run == "mod":
        tape.emit("cmd", "bmod", 3)
    elif run == "lim" or (run in ("sum", "prod") and after in ("_", "^")):
        tape.emit("cmd", run, len(run))
    else:
        return False
    return True


def _extremes(tape: Tape, run: str) -> bool:
    """f(x)max and ymax: the largest value."""
    if run in ("max", "min") and tape.last is not None and tape.last.kind in ("close", "sym") and not tape.gap:
        _extreme(tape, run)
    elif len(run) == 4 and run[1:] in ("max", "min") and run[0] in "yfSLVTxdPFAWM":
        tape.emit("sym", run[0], 1)
        _extreme(tape, run[1:])
    else:
        return False
    return True


def _large(tape: Tape, run: str) -> bool:
    """AB and ABC name a line or a figure; Sn = … names a term."""
    named = _SUBSCRIPTED.match(tape.text, tape.at)
    if len(run) >= 2 and run.isupper():
        tape.emit("sym", run, len(run))
    elif named and _begins_statement(tape):
        _index(tape, named.group(1))
    else:
        return False
    return True


def _is_prose(tape: Tape, length: int) -> bool:
    """Whether a word stands apart from what is before and behind it, as no product of names does."""
    after = tape.text[tape.at + length : tape.at + length + 2]
    return (tape.gap or not tape.tokens) and after[:1] in ("", " ", ":", ",", ".", "\n") and (
        length > 2 or after[1:].isalpha()
    )  # fmt: skip


def _word(tape: Tape, meaning: str, run: str) -> None:
    if meaning == "is":
        joins = tape.last is not None and tape.last.kind in ("sym", "close", "num", "const")
        tape.emit(*(("rel", "=") if joins else ("word", "prose")), len(run))
    else:
        tape.emit("none" if meaning == "none" else "word", meaning, len(run))


def _unit(tape: Tape) -> str:
    """A unit in plain letters directly behind a number: 60km/h, 5 kg, 9.8m/s². Lone letters such as m stay names."""
    found = _PLAIN_UNIT.match(tape.text, tape.at)
    if found is None:
        return ""
    written = found.group()
    hours = re.compile(r"h(?=\s*\d+\s*min)").match(tape.text, tape.at)
    if hours or (written == "in" and any(token.text in ("ft", "feet", "foot") for token in tape.tokens)):
        return "h" if hours else "in"
    first = _LETTERS.match(written)
    if first is not None and len(first.group()) == 1 and _beside_units(tape, first.group()):
        return first.group()
    last = tape.last
    assert last is not None
    if first is None or (last.kind in ("const", "sym") and last.text != "pi"):
        return ""
    word = first.group()
    if len(word) > 4 and is_unit(word):
        return _worded_unit(tape, written if is_unit(written) else word)
    if word in lexicon.PLAIN_UNITS:
        return written if is_unit(written) else (first.group() if is_unit(first.group()) else "")
    bare = re.sub(r"[\s{}^]", "", written).replace("·", "*")
    return written if bare in lexicon.COMPOUND_UNITS and (last.kind != "close" or last.text == "}") else ""


def _beside_units(tape: Tape, letter: str) -> bool:
    """Whether a lone letter is a unit because the number before reckons with units already: 120km÷2h."""
    after = tape.text[tape.at + 1 : tape.at + 2]
    ends = after in ("", "=", "+", "-", "*", "×", "/", ",", ";", ")", " ")
    reckoned = any(token.kind == "text" and token.text.isascii() and is_unit(token.text) for token in tape.tokens)
    return ends and reckoned and letter in "hsmgtLNJWVA" and tape.last is not None and tape.last.kind == "num"


def _worded_unit(tape: Tape, written: str) -> str:
    """newton metres, kilogram metres per … : further units in words behind the first."""
    while True:
        found = re.compile(r" [a-z]{4,}(?![A-Za-z])").match(tape.text, tape.at + len(written))
        if found is None or not is_unit(found.group().strip()):
            return written
        written += found.group()


def _between_sets(tape: Tape, length: int) -> bool:
    """Whether a lone U stands between two intervals or sets, as a sign of union."""
    rest = tape.text[tape.at + length :].lstrip()
    before = tape.last is not None and tape.last.kind == "close" and tape.last.text in ("]", ")", "\\}", "}", "[")
    spoken = any(token.text in ("in", "oo") for token in tape.tokens) or (
        tape.last is not None and tape.last.text != ")"
    )
    return before and spoken and rest[:1] in ("(", "[", "{", "\\", "]")


def _stands_free(tape: Tape, length: int) -> bool:
    """Whether a word of another language stands alone between two statements: x=1 oder x=2."""
    before = any(token.kind in ("rel", "close", "num") for token in tape.tokens)
    after = tape.text[tape.at + length :]
    return before and tape.gap and after[:1].isspace()


def _begins_statement(tape: Tape) -> bool:
    return tape.last is None or tape.last.kind in ("sep", "word", "text")


def _index(tape: Tape, letter: str) -> None:
    """Sn = … is commonly written for S_n; a product of S and n begins no equation in school, but might."""
    tape.doubt(f"{letter}n as {letter} with the index n or as a product", even=True)
    if tape.second:
        tape.emit("sym", letter, 1)
        tape.emit("sym", "n", 1)
        return
    tape.emit("sym", letter, 1)
    tape.emit("op", "_", 0)
    tape.emit("sym", "n", 1)


def _extreme(tape: Tape, word: str) -> None:
    tape.emit("op", "_", 0)
    tape.emit("roman", word, len(word))


def _split(tape: Tape, run: str) -> None:
    """A run of letters: functions and Greek names where they stand, an unknown long word whole, else letters."""
    pieces: list[tuple[str, str, int]] = []
    place = 0
    after = tape.text[tape.at + len(run) : tape.at + len(run) + 1]
    while place < len(run):
        kind, name, length = _longest(run, place, after)
        pieces.append((kind, name, length))
        place += length
    if len(run) >= 4 and all(kind in ("sym", "const") and length == 1 for kind, _, length in pieces):
        tape.emit("sym", run, len(run))
        return
    for kind, name, length in pieces:
        tape.emit(kind, name, length)


def _longest(run: str, place: int, after: str) -> tuple[str, str, int]:
    for length in range(min(9, len(run) - place), 1, -1):
        word = run[place : place + length]
        ends = place + length == len(run)
        if word in lexicon.FUNCTIONS and (word not in lexicon.BRACKET_ONLY or (ends and after in ("(", "{"))):
            return "fn", lexicon.FUNCTIONS[word], length
        if word in lexicon.GREEK_INSIDE:
            return ("const", "pi", 2) if word == "pi" else ("sym", word, length)
    letter = run[place]
    return ("const" if letter in "ei" else "sym"), letter, 1


def read_cyrillic(tape: Tape) -> None:
    """или, и, нет решений; Cyrillic letters are no names, since they only look like Latin ones."""
    found = _CYRILLIC.match(tape.text, tape.at)
    assert found is not None
    phrase = _nothing(tape)
    word = lexicon.OTHER_WORDS.get(found.group().lower())
    if phrase:
        tape.emit("none", phrase, len(phrase))
    elif word is None:
        raise tape.fail(f"the Cyrillic letters {found.group()[:12]} are no names here")
    else:
        tape.emit("word", word, len(found.group()))


def read_chinese(tape: Tape) -> None:
    """A run of Chinese characters: joints, units, numbers in words, and prose."""
    found = _CJK.match(tape.text, tape.at)
    assert found is not None
    run = found.group()
    if read_chinese_number(tape):
        return
    for phrase in ("任意实数", "全体实数", "一切实数", "所有实数"):
        if run.startswith(phrase):
            tape.emit("sym", "set_R", len(phrase))
            return
    if run[0] in "为是等" and _equates(tape, run):
        return
    if tape.follows_value() and (unit := _chinese_unit(tape, run)):
        tape.emit("text", unit, len(unit))
        return
    if (
        run.startswith(("最大", "最小"))
        and tape.last is not None
        and tape.last.kind in ("sym", "close")
        and not tape.gap
    ):
        length = 3 if run[2:3] == "值" else 2
        if tape.text[tape.at + length : tape.at + length + 1] in ("=", " ") or run[length : length + 1] in ("为", "是"):
            tape.emit("op", "_", 0)
            tape.emit("roman", "max" if run[1] == "大" else "min", length)
            return
    if tape.last is not None and tape.last.kind == "num" and _clock_words(tape, run):
        return
    for length in range(min(5, len(run)), 0, -1):
        word = lexicon.WORDS.get(run[:length])
        if word is not None:
            kind = {"none": "none", "list": "sep"}.get(word, "word")
            tape.emit(kind, "," if word == "list" else word, length)
            return
    end = 1
    while end < len(run) and not any(run[end:].startswith(word) for word in lexicon.WORDS) and not run.startswith(
        ("任意实数", "全体实数"), end
    ):  # fmt: skip
        end += 1
    tape.emit("text", run[:end], end)


def _clock_words(tape: Tape, run: str) -> bool:
    """2时30分: hours and minutes, where each stands between the numbers of the other."""
    hours = re.compile(r"时(?=\s*\d+\s*分(?!之))").match(tape.text, tape.at)
    earlier = tape.tokens[-2] if len(tape.tokens) > 1 else None
    if hours:
        tape.emit("text", "小时", 1)
    elif run[0] == "分" and earlier is not None and earlier.text == "小时":
        tape.emit("text", "分钟", 1)
    else:
        return False
    return True


def _equates(tape: Tape, run: str) -> bool:
    """x为2, d等于3: an equality where a name stands before and a value begins behind."""
    word = next((one for one in ("等于", "为", "是") if run.startswith(one)), "")
    after = tape.text[tape.at + len(word) :].lstrip()[:1]
    value = (
        after.isdigit() or after in ("-", "\\", "√", "±", "π", "(", "[", "$") or (after.isascii() and after.isalpha())
    )
    whole = run == word or any(run[len(word) :].startswith(one) for one in ("任意实数", "全体实数"))
    before = (
        tape.last is not None and tape.last.kind in ("sym", "close") and (len(tape.tokens) < 2 or not _in_prose(tape))
    )
    if not (word and before and whole and (value or run != word)):
        return False
    tape.emit("rel", "=" if run == word else "in", len(word))
    return True


def _in_prose(tape: Tape) -> bool:
    """Whether the value before belongs to a phrase such as 函数f(x)的最大值, so that 为 says nothing of it."""
    return tape.tokens[-1].kind == "text"


def _chinese_unit(tape: Tape, run: str) -> str:
    """千米/小时, 平方厘米, 元: the longest unit that begins here."""
    compound = _CHINESE_UNIT.match(tape.text, tape.at)
    if compound:
        for end in range(compound.end(), tape.at + 2, -1):
            if is_unit(tape.text[tape.at : end]):
                return tape.text[tape.at : end]
    for length in range(min(5, len(run)), 0, -1):
        if is_unit(run[:length]) and run[:length] not in lexicon.WORDS:
            return run[:length]
    return ""
