"""Text into tokens: LaTeX, plain text, Unicode and full-width writing mixed as students and readers write them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra import lexicon, limits
from itembank.algebra.results import Unreadable

_NUMBER = re.compile(r"(?:\d+\.\d+|\d+|\.\d+)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?")
_SPACED = re.compile(r"\d{1,3}(?:(?:[ \u00a0\u2009\u202f]|\\,)\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}\.\d{3} \d{3}(?!\d)")
_EXPONENT = re.compile(r"[eE][+-]?\d{1,3}(?![\d.])")
_LETTERS = re.compile(r"[A-Za-z]+")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_REFUSED = re.compile(r"\s*(?:=|\\in(?![A-Za-z])|∈)")
_CJK = re.compile(r"[\u3400-\u9fff]+")
_GREEK_INSIDE = ("theta", "alpha", "beta", "gamma", "delta", "lambda", "omega", "sigma", "phi", "pi")


@dataclass(slots=True)
class Token:
    """`kind`: num sym const fn op rel open close sep word text none cmd accent; `gap`: white space stands before it."""

    kind: str
    text: str
    at: int
    gap: bool = False
    value: Fraction | None = None
    places: int | None = None


class Tokenizer:
    """One pass over one text; `ambiguous` collects what may also be read otherwise."""

    def __init__(self, text: str, notation: str | None = None) -> None:
        if len(text) > limits.MAX_CHARACTERS:
            raise Unreadable("the text is too long", limits.MAX_CHARACTERS)
        self.text = _characters(_notated(text, notation))
        self.at = 0
        self.tokens: list[Token] = []
        self.gap = False
        self.depth = 0
        self.ambiguous: list[str] = []

    def run(self) -> list[Token]:
        while self.at < len(self.text):
            here = self.text[self.at]
            if here.isspace() or here == "$":
                self.gap, self.at = True, self.at + 1
                continue
            self._one(here)
            self.gap = False
            if len(self.tokens) > limits.MAX_TOKENS:
                raise Unreadable("the text has too many parts", self.at)
        return self.tokens

    def _emit(self, kind: str, text: str, length: int) -> None:
        self.tokens.append(Token(kind, text, self.at, self.gap))
        self.at += length

    def _one(self, here: str) -> None:
        if "①" <= here <= "⑳":
            self._emit("word", "then", 1)
        elif here.isdigit() or (here == "." and self.text[self.at + 1 : self.at + 2].isdigit()):
            self._number()
        elif here == "\\":
            self._command()
        elif here.isascii() and here.isalpha():
            self._letters()
        elif here in lexicon.GREEK_LETTERS:
            self._emit("sym", lexicon.GREEK_LETTERS[here], 1)
        elif _CJK.match(here):
            self._chinese()
        else:
            self._sign(here)

    def _sign(self, here: str) -> None:
        two = self.text[self.at : self.at + 2]
        if two in ("<=", ">=", "!=", "=="):
            if two == "!=" and self.tokens and not self.gap and self.tokens[-1].kind in ("num", "sym", "close"):
                self.ambiguous.append("factorial or not equal")
            self._emit("rel", "=" if two == "==" else two, 2)
        elif two == "**":
            self._emit("op", "^", 2)
        elif here in lexicon.RELATION_CHARACTERS:
            self._emit("rel", lexicon.RELATION_CHARACTERS[here], 1)
        elif here in lexicon.SET_CHARACTERS:
            self._emit("op", lexicon.SET_CHARACTERS[here], 1)
        elif here in lexicon.THEN_CHARACTERS:
            self._emit("word", "then", 1)
        elif here in "∨∧":
            self._emit("word", "or" if here == "∨" else "and", 1)
        elif here in "([{":
            self.depth += 1
            self._emit("open", here, 1)
        elif here in ")]}":
            self.depth = max(0, self.depth - 1)
            self._emit("close", here, 1)
        else:
            self._rest(here)

    def _rest(self, here: str) -> None:
        if here in "+-*/^_!'%°±∓:|&":
            self._emit("op", here, 1)
        elif here in ",;、":
            self._emit("sep", here, 1)
        elif here in "√∛":
            self._emit("cmd", "sqrt" if here == "√" else "cbrt", 1)
        elif here == "∅":
            self._emit("none", here, 1)
        elif here in "π∞":
            self._emit("const", "pi" if here == "π" else "oo", 1)
        elif here == "∠":
            self._emit("cmd", "angle", 1)
        elif here in "∑∫":
            self._emit("cmd", "sum" if here == "∑" else "int", 1)
        elif here == "." and not self.text[self.at + 1 :].strip(" .$"):
            self.at += 1
        elif here in lexicon.VULGAR:
            self.tokens.append(Token("num", here, self.at, self.gap, Fraction(*lexicon.VULGAR[here])))
            self.tokens[-1].kind = "vulgar"
            self.at += 1
        else:
            raise Unreadable(f"the character U+{ord(here):04X} has no meaning here", self.at)

    def _number(self) -> None:
        found = _SPACED.match(self.text, self.at)
        if found is None and self.depth == 0:
            found = _GROUPED.match(self.text, self.at)
        found = found or _NUMBER.match(self.text, self.at)
        if found is None:
            raise Unreadable("a digit of another script", self.at)
        written, end = found.group(), found.end()
        if self.tokens and self.tokens[-1].text == "_" and len(written) > 1 and "." not in written:
            end = found.end()
        digits = re.sub(r"[^\d.]", "", written)
        scale = 0
        exponent = _EXPONENT.match(self.text, end)
        if exponent and self._is_scientific(digits, exponent.group()):
            scale, end = int(exponent.group()[1:]), exponent.end()
        if len(digits) > limits.MAX_DIGITS or abs(scale) > limits.MAX_CONSTANT_EXPONENT:
            raise Unreadable("the number is too long", self.at)
        places = len(digits.partition(".")[2]) if "." in digits else None
        value = Fraction(digits) * Fraction(10) ** scale
        self.tokens.append(Token("num", self.text[self.at : end], self.at, self.gap, value, places))
        self.at = end
        self._notice()

    def _notice(self) -> None:
        """0,5 may be a decimal; 8:34 may be a time."""
        if len(self.tokens) < 3:
            return
        first, sign, second = self.tokens[-3:]
        if first.kind == "num" and not sign.gap and not second.gap and self.depth == 0:
            if sign.text == ",":
                self.ambiguous.append("a decimal comma")
            elif sign.text == ":" and len(second.text) == 2:
                self.ambiguous.append("a time")

    def _is_scientific(self, digits: str, exponent: str) -> bool:
        if exponent[0] == "E" or "." in digits or len(digits) > 1 or len(exponent) > 3:
            return True
        if exponent[1] in "+-":
            self.ambiguous.append("power of ten or the number e")
            return False
        return len(exponent) == 3

    def _letters(self) -> None:
        found = _LETTERS.match(self.text, self.at)
        assert found is not None
        run = found.group()
        low = run.lower()
        phrase = next(
            (key for key in ("no solution", "no real roots") if self.text.lower().startswith(key, self.at)), ""
        )
        if phrase:
            self._emit("none", phrase, len(phrase))
        elif run in lexicon.PLAIN_UNITS and self.tokens and self.tokens[-1].kind in ("num", "close"):
            self._emit("text", run, len(run))
        elif low in lexicon.ENGLISH_WORDS:
            self._emit("word", lexicon.ENGLISH_WORDS[low], len(run))
        elif run in lexicon.GREEK_NAMES:
            self._emit("sym", lexicon.GREEK_ALIASES.get(run, run), len(run))
        elif run in ("infty", "infinity", "oo", "inf"):
            self._emit("const", "oo", len(run))
        elif len(run) >= 2 and run.isupper():
            self._emit("sym", run, len(run))
        else:
            self._split(run)

    def _split(self, run: str) -> None:
        """A run of letters: functions and Greek names where they stand, an unknown long word whole, else letters."""
        pieces: list[tuple[str, str]] = []
        place = 0
        after = self.text[self.at + len(run) : self.at + len(run) + 1]
        while place < len(run):
            kind, name, length = self._longest(run, place, after)
            pieces.append((kind, name))
            place += length
        whole_word = len(run) >= 4 and all(kind in ("sym", "const") and len(name) == 1 for kind, name in pieces)
        if whole_word:
            self._emit("sym", run, len(run))
            return
        for kind, name in pieces:
            self.tokens.append(Token(kind, name, self.at, self.gap))
            self.gap = False
        self.at += len(run)

    def _longest(self, run: str, place: int, after: str) -> tuple[str, str, int]:
        for length in range(min(9, len(run) - place), 1, -1):
            word = run[place : place + length]
            ends = place + length == len(run)
            if word in lexicon.FUNCTIONS and (word not in lexicon.BRACKET_ONLY or (ends and after == "(")):
                return "fn", lexicon.FUNCTIONS[word], length
            if word in _GREEK_INSIDE:
                return ("const", "pi", 2) if word == "pi" else ("sym", word, length)
        letter = run[place]
        return ("const" if letter in "ei" else "sym"), letter, 1

    def _chinese(self) -> None:
        found = _CJK.match(self.text, self.at)
        assert found is not None
        run = found.group()
        for length in range(min(5, len(run)), 0, -1):
            word = lexicon.WORDS.get(run[:length])
            if word is not None:
                kind = {"none": "none", "list": "sep"}.get(word, "word")
                self._emit(kind, "," if word == "list" else word, length)
                return
        end = 1
        while end < len(run) and not any(run[end:].startswith(word) for word in lexicon.WORDS):
            end += 1
        self._emit("text", run[:end], end)

    def _command(self) -> None:
        found = _COMMAND.match(self.text, self.at)
        if found is None:
            raise Unreadable("a lone backslash", self.at)
        name, length = found.group(1), len(found.group())
        if name in lexicon.RAW_TEXT_COMMANDS:
            self._raw(name, length)
        elif not name.isalpha() or not name.isascii():
            self._symbol_command(name, length)
        else:
            self._named(name, length)

    def _symbol_command(self, name: str, length: int) -> None:
        rest = self.text[self.at + length :].lstrip()
        if name == " " and rest[:1] in ("[", "(", "{", "\\") and self._after_set():
            self._emit("op", "minus", length)
        elif name in ",;:! ":
            self.at += length
            self.gap = True
        elif name in "{}":
            self.depth = self.depth + 1 if name == "{" else max(0, self.depth - 1)
            self._emit("open" if name == "{" else "close", "\\" + name, length)
        elif name == "%":
            self._emit("op", "%", length)
        elif name == "|":
            self._emit("op", "|", length)
        elif name == "\\":
            self._emit("sep", "row", length)
        elif name == "$":
            self.at += length
        else:
            raise Unreadable(f"the command \\{name} is not known", self.at)

    def _after_set(self) -> bool:
        """Whether a backslash and a space stand between sets: R \\ [-1, 1]."""
        last = self.tokens[-1] if self.tokens else None
        return last is not None and (
            last.text in ("R", "Z", "N", "Q", "\\}") or (last.kind == "close" and last.text in ")]")
        )

    def _named(self, name: str, length: int) -> None:
        if name in lexicon.COMMAND_RELATIONS:
            self._emit("rel", lexicon.COMMAND_RELATIONS[name], length)
        elif name in lexicon.COMMAND_OPERATORS:
            self._emit("op", lexicon.COMMAND_OPERATORS[name], length)
        elif name in lexicon.COMMAND_WORDS:
            word = lexicon.COMMAND_WORDS[name]
            self._emit("sep" if word == "gap" else "word", word, length)
        elif name in lexicon.COMMAND_CONSTANTS:
            self._emit("const", lexicon.COMMAND_CONSTANTS[name], length)
        elif name in lexicon.GREEK_NAMES:
            self._emit("sym", lexicon.GREEK_ALIASES.get(name, name), length)
        elif name in lexicon.FUNCTIONS and name not in ("sqrt", "sum", "mod"):
            self._emit("fn", lexicon.FUNCTIONS[name], length)
        elif name == "not" and (refused := _REFUSED.match(self.text, self.at + length)):
            self._emit(
                "rel",
                "notin" if "in" in refused.group() or "∈" in refused.group() else "!=",
                length + len(refused.group()),
            )
        elif name == "det":
            self._emit("text", name, length)
        elif name in lexicon.COMMAND_NONE:
            self._emit("none", "∅", length)
        elif name in lexicon.IGNORED_COMMANDS:
            self._ignored(name, length)
        else:
            self._structure(name, length)

    def _ignored(self, name: str, length: int) -> None:
        self.at += length
        if name in ("left", "right") and self.text[self.at : self.at + 1] == ".":
            self.at += 1

    def _structure(self, name: str, length: int) -> None:
        alias = {
            "mod": "bmod",
            "dfrac": "frac",
            "tfrac": "frac",
            "cfrac": "frac",
            "dbinom": "binom",
            "tbinom": "binom",
            "iint": "",
        }
        name = alias.get(name, name)
        brackets = {"lfloor": ("open", "⌊"), "rfloor": ("close", "⌋"), "lceil": ("open", "⌈"), "rceil": ("close", "⌉"),
                    "lvert": ("op", "|"), "rvert": ("op", "|"), "vert": ("op", "|"), "mid": ("op", "|"),
                    "lbrace": ("open", "\\{"), "rbrace": ("close", "\\}"), "circ": ("op", "°"), "degree": ("op", "°"),
                    "prime": ("op", "'"), "And": ("word", "and"), "colon": ("op", ":")}  # fmt: skip
        if name in brackets:
            self._emit(*brackets[name], length)
        elif name in ("begin", "end"):
            found = re.compile(r"\s*\{([a-z]+)\*?\}(?:\{[lcr|]*\})?").match(self.text, self.at + length)
            if found is None:
                raise Unreadable("an environment without a name", self.at)
            self._emit(name, found.group(1), length + len(found.group()))
        elif name in lexicon.ACCENT_COMMANDS:
            self._emit("accent", name, length)
        elif name in (
            "frac",
            "binom",
            "sqrt",
            "sum",
            "prod",
            "int",
            "angle",
            "triangle",
            "bmod",
            "pmod",
            "ldots",
            "cdots",
            "dots",
        ):
            self._emit("cmd", name, length)
        else:
            raise Unreadable(f"the command \\{name} is not known", self.at)

    def _raw(self, name: str, length: int) -> None:
        start = self.at + length
        while self.text[start : start + 1] == " ":
            start += 1
        if self.text[start : start + 1] != "{":
            self.at += length
            return
        end = self.text.find("}", start)
        if end < 0:
            raise Unreadable("a brace is not closed", start)
        content = self.text[start + 1 : end].replace("\\ ", " ").replace("~", " ").replace("\\,", " ").strip(" ,.，。")
        length = end + 1 - self.at
        word = lexicon.ENGLISH_WORDS.get(content.lower()) or lexicon.WORDS.get(content)
        if content in lexicon.FUNCTIONS and name != "text":
            self._emit("fn", lexicon.FUNCTIONS[content], length)
        elif word is not None:
            self._emit("none" if word == "none" else "word", word, length)
        elif len(content) == 1 and content.isascii() and content.isalpha() and name != "text":
            self._emit("const" if content in "ei" else "roman", content, length)
        elif content:
            self._emit("text", content, length)
        else:
            self.at += length


def _characters(text: str) -> str:
    """Full-width, superscript and look-alike characters in their plain form; invisible ones are refused."""
    out: list[str] = []
    raised = lowered = False
    for at, char in enumerate(text):
        if (char in lexicon.SUPERSCRIPTS) != raised:
            out.append("}" if raised else "^{")
            raised = not raised
        if (char in lexicon.SUBSCRIPTS) != lowered:
            out.append("}" if lowered else "_{")
            lowered = not lowered
        if char in lexicon.SUPERSCRIPTS or char in lexicon.SUBSCRIPTS:
            out.append(lexicon.SUPERSCRIPTS.get(char) or lexicon.SUBSCRIPTS[char])
        elif char in lexicon.CHARACTERS:
            out.append(lexicon.CHARACTERS[char])
        elif "\uff01" <= char <= "\uff5e":
            out.append(chr(ord(char) - 0xFEE0))
        elif unicodedata.category(char) in ("Cf", "Cc", "Co", "Cs", "Cn") and char not in "\n\t\r":
            raise Unreadable(f"the invisible character U+{ord(char):04X}", at)
        else:
            out.append(char)
    return "".join(out) + ("}" if raised or lowered else "")


def _notated(text: str, notation: str | None) -> str:
    """Numbers written the European (1.234,5) or Indian (12,34,567.8) way in the usual way."""
    if notation == "eu":
        return re.sub(r"\d{1,3}(?:\.\d{3})*(?:,\d+)?", lambda m: m.group().replace(".", "").replace(",", "."), text)
    if notation == "in":
        return re.sub(r"\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?", lambda m: m.group().replace(",", ""), text)
    return text
