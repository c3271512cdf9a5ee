"""Text into tokens: LaTeX, plain text, Unicode and full-width writing mixed as students and readers write them."""

from __future__ import annotations

import re
from fractions import Fraction

from itembank.algebra import lexicon
from itembank.algebra.commands import read_command
from itembank.algebra.numerals import read_number
from itembank.algebra.tape import Doubt, Tape, Token
from itembank.algebra.words import read_chinese, read_cyrillic, read_letters

_SIGNS = ("+/-", "=/=", "<=>", "...", "……", "<=", ">=", "!=", "==", "=<", "=>", "<>", "**", "->", "//")

_FIRST_SIGNS = frozenset(sign[0] for sign in _SIGNS)


def tokenized(text: str, notation: str | None = None, *, second: bool = False) -> tuple[list[Token], list[Doubt]]:
    """The tokens and what is doubtful in them; raises Unreadable with the place in the given text."""
    tape = Tape(text, notation, second=second)
    while tape.at < len(tape.text):
        _one(tape, tape.text[tape.at])
    return tape.tokens, tape.doubts


def _one(tape: Tape, here: str) -> None:
    if here.isspace() or here == "$":
        tape.skip(1)
    elif "①" <= here <= "⑳":
        tape.emit("word", "then", 1)
    elif here.isdigit() or (here == "." and tape.text[tape.at + 1 : tape.at + 2].isdigit()):
        read_number(tape)
    elif here == "\\":
        read_command(tape)
    elif here.isascii() and here.isalpha():
        read_letters(tape)
    elif here in lexicon.GREEK_LETTERS:
        _greek(tape, here)
    elif "\u3400" <= here <= "\u9fff" or here == "〇":
        read_chinese(tape)
    elif "\u0400" <= here <= "\u04ff":
        read_cyrillic(tape)
    else:
        _sign(tape, here)


def _greek(tape: Tape, here: str) -> None:
    after = tape.text[tape.at + 1 : tape.at + 2]
    if here == "Σ" and after in ("_", "^"):
        tape.emit("cmd", "sum", 1)
    elif here == "△" and after.isascii() and after.isupper():
        tape.emit("cmd", "triangle", 1)
    elif here == "Ω" and tape.follows_value() and tape.last is not None and tape.last.kind == "num":
        tape.emit("text", "Ω", 1)
    else:
        tape.emit("sym", lexicon.GREEK_LETTERS[here], 1)


def _sign(tape: Tape, here: str) -> None:
    long = next((sign for sign in _SIGNS if tape.ahead(sign)), "") if here in _FIRST_SIGNS else ""
    if long:
        _long_sign(tape, long)
    elif here == "~" and "\\" in tape.text:
        tape.skip(1)
    elif here in lexicon.RELATION_CHARACTERS:
        tape.emit("rel", lexicon.RELATION_CHARACTERS[here], 1)
    elif here in lexicon.SET_CHARACTERS:
        tape.emit("op", lexicon.SET_CHARACTERS[here], 1)
    elif here in lexicon.THEN_CHARACTERS:
        tape.emit("word", "then", 1)
    elif here in "∨∧":
        tape.emit("word", "or" if here == "∨" else "and", 1)
    elif here in "([{⌊⌈⟨":
        tape.open(here, 1)
    elif here in ")]}⌋⌉⟩":
        tape.close(here, 1)
    else:
        _rest(tape, here)


def _long_sign(tape: Tape, sign: str) -> None:
    if sign in ("...", "……"):
        tape.emit("dots", "…", len(sign))
    elif sign == "!=":
        last = tape.last
        if last is not None and not tape.gap and last.kind in ("num", "sym", "close"):
            tape.doubt("factorial or not equal", even=True)
            if tape.second:
                tape.emit("op", "!", 1)
                tape.emit("rel", "=", 1)
                return
        tape.emit("rel", "!=", 2)
    elif sign == "=>":
        already = any(token.kind == "rel" for token in tape.tokens)
        tape.emit(*(("word", "then") if already or not tape.tokens else ("rel", ">=")), 2)
    elif sign == "//":
        tape.emit("rel", "parallel", 2)
    else:
        meaning = {"=<": "<=", "<>": "!=", "=/=": "!=", "==": "="}.get(sign, sign)
        kind = {"+/-": "op", "**": "op", "<=>": "word", "->": "word"}.get(sign, "rel")
        text = {"+/-": "±", "**": "^", "<=>": "then", "->": "then"}.get(sign, meaning)
        tape.emit(kind, text, len(sign))


def _rest(tape: Tape, here: str) -> None:
    if here == "…":
        tape.emit("dots", here, 1)
    elif here in "+-*×/^_!'%°±∓:|&":
        tape.emit("op", here, 1)
    elif here in ",;、":
        tape.one_of_many()
        tape.emit("sep", here, 1)
    elif here in lexicon.SIGN_CHARACTERS:
        tape.emit(*lexicon.SIGN_CHARACTERS[here], 1)
    elif here == "." and re.fullmatch(r"\.[ .$)\]}]*|\.\\[)\]]", tape.text[tape.at :]):
        tape.skip(1)
    elif here in lexicon.VULGAR:
        tape.put(_vulgar(tape, here), 1)
    elif here in lexicon.CURRENCIES:
        _currency(tape, here)
    elif here == ".":
        raise tape.fail("a point between other things than digits")
    else:
        raise tape.fail(f"the character U+{ord(here):04X} has no meaning here")


def _vulgar(tape: Tape, here: str) -> Token:
    return Token("vulgar", here, tape.place(), tape.gap, Fraction(*lexicon.VULGAR[here]))


def _currency(tape: Tape, here: str) -> None:
    """€5 and 5 €: the sign behind the number is the unit, the one before it is kept for the number that follows."""
    if tape.follows_value():
        tape.emit("text", lexicon.CURRENCIES[here], 1)
    else:
        tape.emit("cmd", "currency " + lexicon.CURRENCIES[here], 1)
