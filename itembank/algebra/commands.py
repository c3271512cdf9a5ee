"""LaTeX commands into tokens."""

from __future__ import annotations

import re

from itembank.algebra import lexicon
from itembank.algebra.tape import Tape

_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_REFUSED = re.compile(r"\s*(?:=|<|>|\\in(?![A-Za-z])|∈|\\subset(?:eq)?(?![A-Za-z])|\\leq?(?![a-z])|\\geq?(?![a-z]))")
_ENVIRONMENT = re.compile(r"\s*\{([A-Za-z]+)\*?\}(?:\[[a-z]\])?(?:\{[lcr|@{}.\s]*\})?")
_SIZED = re.compile(r"\s*(\\[{}|]|\\[lr](?:brace|vert|angle|floor|ceil)|\\[Vv]ert|[()\[\]|.])")
_NEGATED = {"=": "!=", "<": ">=", ">": "<=", "in": "notin", "∈": "notin", "subset": "notsubset",
            "subseteq": "notsubset", "le": ">", "leq": ">", "ge": "<", "geq": "<"}  # fmt: skip


def read_command(tape: Tape) -> None:
    """One command, with the text in its braces where the command is about text."""
    found = _COMMAND.match(tape.text, tape.at)
    if found is None:
        raise tape.fail("a lone backslash")
    name, length = found.group(1), len(found.group())
    if name in lexicon.RAW_TEXT_COMMANDS:
        _raw(tape, name, length)
    elif not (name.isalpha() and name.isascii()):
        _sign(tape, name, length)
    elif name in lexicon.COMMANDS:
        tape.emit(*lexicon.COMMANDS[name], length)
    elif name in lexicon.BRACKET_COMMANDS:
        _bracket(tape, *lexicon.BRACKET_COMMANDS[name], length)
    elif name in ("left", "right"):
        _sized(tape, name, length)
    elif name in lexicon.IGNORED_COMMANDS:
        tape.skip(length)
    elif name in lexicon.WRAPPERS:
        _wrapped(tape, length)
    elif name == "not" and (refused := _REFUSED.match(tape.text, tape.at + length)):
        sign = refused.group().strip().lstrip("\\")
        tape.emit("rel", _NEGATED[sign], length + len(refused.group()))
    elif name in ("begin", "end"):
        _environment(tape, name, length)
    elif name in lexicon.ACCENT_COMMANDS:
        tape.emit("accent", lexicon.ACCENT_COMMANDS[name], length)
    else:
        raise tape.fail(f"the command \\{name} is not known")


def _sign(tape: Tape, name: str, length: int) -> None:
    rest = tape.text[tape.at + length :].lstrip()
    if name == " " and rest[:1] in ("[", "(", "{", "\\") and _after_set(tape):
        tape.emit("op", "minus", length)
    elif name in ",;:! ()[]/":
        tape.skip(length)
    elif name == "{" and _after_set(tape) and _closes_plainly(tape.text, tape.at + length):
        tape.emit("op", "minus", 1)
        tape.open("{", 1)
    elif name == "{":
        tape.open("\\{", length)
    elif name == "}":
        tape.close("\\}", length)
    elif name in "%|&#":
        tape.emit("op", name, length)
    elif name == "\\":
        skipped = re.compile(r"\\\\(?:\[-?\d+(?:\.\d+)?(?:pt|em|ex|mm|cm)\])?").match(tape.text, tape.at)
        tape.emit("sep", "row", len(skipped.group()) if skipped else length)
    elif name == "$":
        tape.skip(length)
    else:
        raise tape.fail(f"the command \\{name} is not known")


def _after_set(tape: Tape) -> bool:
    """Whether a backslash stands between sets: R \\ [-1, 1]."""
    last = tape.last
    return last is not None and (
        last.text in ("R", "Z", "N", "Q", "set_R", "\\}") or (last.kind == "close" and last.text in ")]")
    )


def _closes_plainly(text: str, start: int) -> bool:
    """Whether the brace that is opened here is closed without a backslash, so that R\\{1} means R without {1}."""
    end = text.find("}", start)
    return end > start and text[end - 1] != "\\"


def _bracket(tape: Tape, kind: str, sign: str, length: int) -> None:
    if kind == "open":
        tape.open(sign, length)
    elif kind == "close":
        tape.close(sign, length)
    else:
        tape.emit(kind, sign, length)


def _sized(tape: Tape, name: str, length: int) -> None:
    """\\left and \\right say which way a bracket looks; \\left. and \\right. stand for no bracket at all."""
    found = _SIZED.match(tape.text, tape.at + length)
    if found is None:
        tape.skip(length)
        return
    sign = found.group(1)
    length += len(found.group())
    if sign == ".":
        (tape.open if name == "left" else tape.close)(".", length)
    elif sign in "()[]":
        (tape.open if name == "left" else tape.close)(sign, length)
    else:
        tape.skip(length - len(sign))


def _wrapped(tape: Tape, length: int) -> None:
    """\\boxed{…}: the braces only hold the argument of the command."""
    start = tape.at + length
    while tape.text[start : start + 1] == " ":
        start += 1
    tape.skip(length)
    if tape.text[start : start + 1] == "{":
        tape.at = start
        tape.open("{", 1, closer="")


def _environment(tape: Tape, name: str, length: int) -> None:
    found = _ENVIRONMENT.match(tape.text, tape.at + length)
    if found is None:
        raise tape.fail("an environment without a name")
    tape.emit(name, found.group(1), length + len(found.group()))


def _raw(tape: Tape, name: str, length: int) -> None:
    start = tape.at + length
    while tape.text[start : start + 1] == " ":
        start += 1
    if tape.text[start : start + 1] != "{":
        tape.skip(length)
        return
    end = _closing_brace(tape, start)
    content = tape.text[start + 1 : end]
    plain = re.sub(r"\\[ ,;:!]|~", " ", content).strip(" ,.;，。")
    if "\\" in plain or "$" in plain:
        tape.at = start
        tape.open("{", 1, closer="")
        return
    _content(tape, name, plain, end + 1 - tape.at)


def _closing_brace(tape: Tape, start: int) -> int:
    level = 0
    for at in range(start, len(tape.text)):
        level += {"{": 1, "}": -1}.get(tape.text[at], 0)
        if level == 0:
            return at
    raise tape.fail("a brace is not closed", start)


def _content(tape: Tape, name: str, content: str, length: int) -> None:
    low = content.lower()
    word = lexicon.ENGLISH_WORDS.get(low) or lexicon.WORDS.get(content) or lexicon.OTHER_WORDS.get(low)
    if content in lexicon.FUNCTIONS and (name != "text" or content not in lexicon.BRACKET_ONLY):
        tape.emit("fn", lexicon.FUNCTIONS[content], length)
    elif low in lexicon.NOTHING or word == "none":
        tape.emit("none", "∅", length)
    elif word == "is":
        joins = tape.last is not None and tape.last.kind in ("sym", "close", "num", "const")
        tape.emit(*(("rel", "=") if joins else ("word", "prose")), length)
    elif word == "list":
        tape.emit("sep", ",", length)
    elif word is not None:
        tape.emit("word", word, length)
    elif low in lexicon.PROSE:
        tape.emit("word", "prose", length)
    elif len(content) == 1 and content.isascii() and content.isalpha() and (name != "text" or content in "ACPe"):
        tape.emit({"e": "const", "i": "const", "d": "sym"}.get(content, "roman"), content, length)
    elif re.fullmatch(r"d[a-z]", content) and name != "text":
        tape.emit("sym", "d", 0)
        tape.emit("sym", content[1], length)
    elif content:
        tape.emit("text", content, length)
    else:
        tape.skip(length)
