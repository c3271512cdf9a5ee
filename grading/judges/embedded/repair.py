"""From recognised characters to LaTeX: one spelling for each sign, look-alikes put right where the context decides.

Every repair is recorded. A look-alike that context does not decide is left as read and named as an alternative, so
that the gate can ask whether it would change the mark.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grading.judges.embedded.recogniser import Candidate
from grading.judges.embedded.scripts import Place

DOUBT = 0.1
"""A runner-up at least this probable is named as an alternative reading."""

ONE_SPELLING = str.maketrans(
    {
        **{chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(94)},
        **dict.fromkeys("−–—‐‑‒―﹣－一", "-"),
        **dict.fromkeys("＇’‘′´`", "'"),
        **dict.fromkeys("〈‹く", "<"),
        **dict.fromkeys("〉›", ">"),
        "二": "=",
        "〓": "=",
        "十": "+",
        "✕": "×",
        "✖": "×",
        "∙": "·",
        "•": "·",
        "⋅": "·",
        "・": "·",
        "丨": "|",
        "﹦": "=",
        "º": "°",
        "⩽": "≤",
        "⩾": "≥",
        "≦": "≤",
        "≧": "≥",
        **dict.fromkeys("∆ΔᐃᎪ", "△"),
        "兀": "π",
        "Π": "π",
    }
)
IDEOGRAPHIC_NUMERALS = frozenset("一二十")
COMMANDS = {
    "×": r"\times",
    "÷": r"\div",
    "±": r"\pm",
    "∓": r"\mp",
    "·": r"\cdot",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "π": r"\pi",
    "α": r"\alpha",
    "β": r"\beta",
    "γ": r"\gamma",
    "θ": r"\theta",
    "φ": r"\varphi",
    "λ": r"\lambda",
    "ω": r"\omega",
    "∠": r"\angle",
    "△": r"\Delta",
    "°": r"^{\circ}",
    "∞": r"\infty",
    "∈": r"\in",
    "∵": r"\because",
    "∴": r"\therefore",
    "⊥": r"\perp",
    "∥": r"\parallel",
    "⇒": r"\Rightarrow",
    "→": r"\to",
    "%": r"\%",
    "{": r"\{",
    "}": r"\}",
}
SCRIPT_CHARACTERS = {
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", [("^", char) for char in "0123456789+-n"], strict=True)),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", [("_", char) for char in "0123456789+-"], strict=True)),
    "ₙ": ("_", "n"),
}
FUNCTIONS = ("arcsin", "arccos", "arctan", "sin", "cos", "tan", "cot", "log", "ln", "lg")
USUAL_ANGLES = frozenset(str(angle) for angle in (*range(15, 181, 15), 210, 225, 240, 270, 300, 315, 330, 360))
DEGREE_HEIGHT = 0.47
"""A ring lower than this share of a figure's height is a degree sign; a raised 0 is taller."""
SAME_SHAPE_CASES = frozenset("CKOPSUVWXZ")
OPERATORS = frozenset("+-=<>≤≥≠±×÷·/")
OPENING = frozenset("([{,;:，；：")
CLOSING = frozenset(")]},;，；。")
DANGEROUS = frozenset('#$&@\\^_~"')


@dataclass(frozen=True)
class Token:
    """One character of a line with its rivals and its geometry (shares of a figure's height, up from the baseline)."""

    char: str
    rivals: tuple[Candidate, ...]
    probability: float
    place: Place
    height: float
    foot: float
    """How far its lower edge is above the baseline."""
    raw: str


@dataclass(frozen=True)
class Repair:
    """A character that was changed, and why."""

    before: str
    after: str
    reason: str


def token(candidates: Sequence[Candidate], place: Place, height: float, foot: float) -> Token:
    """The token of a recognised character; equal spellings of one sign are taken together."""
    merged: dict[str, float] = {}
    for candidate in candidates:
        spelling = candidate.char.translate(ONE_SPELLING)
        merged[spelling] = merged.get(spelling, 0.0) + candidate.probability
    if candidates[0].char in SCRIPT_CHARACTERS:
        side, plain = SCRIPT_CHARACTERS[candidates[0].char]
        spelled = candidates[0].char.translate(ONE_SPELLING)
        merged[plain] = merged.get(plain, 0.0) + merged.pop(spelled)
        place = Place.SUPER if side == "^" else Place.SUB
    ranked = sorted(merged.items(), key=lambda item: -item[1])
    rivals = tuple(Candidate(char, share) for char, share in ranked[1:] if char.strip())
    best, share = ranked[0]
    return Token(best, rivals, min(1.0, share), place, height, foot, candidates[0].char)


def repaired(
    tokens: Sequence[Token], *, more_follows: bool = False, between: bool = False
) -> tuple[list[Token], list[Repair]]:
    """The tokens with look-alikes put right, and what was changed.

    `more_follows`: a fraction or root comes next; `between`: one stands on either side.

    A rival that would be put right to the same character adds to its certainty instead of casting doubt on it.
    """
    if len(tokens) == 1 and between and tokens[0].char in "xX×":
        return _times_sign(tokens[0])
    line, repairs = _functions_lowered(tokens)
    for at in range(len(line)):
        better = _better(line, at, more_follows)
        if better is not None and better[0] != line[at].char:
            repairs.append(Repair(line[at].char, better[0], better[1]))
            line[at] = replace(line[at], char=better[0])
        line[at] = _with_allies(line, at, more_follows)
    return line, repairs


def _times_sign(one: Token) -> tuple[list[Token], list[Repair]]:
    """A lone cross between two fractions or roots: a product, for a letter is written before or after both."""
    share = one.probability + sum(rival.probability for rival in one.rivals if rival.char in "xX×")
    rivals = tuple(rival for rival in one.rivals if rival.char not in "xX×")
    repairs = [] if one.char == "×" else [Repair(one.char, "×", "it stands alone between two factors")]
    return [replace(one, char="×", rivals=rivals, probability=min(1.0, share))], repairs


def _with_allies(line: list[Token], at: int, more_follows: bool) -> Token:
    one = line[at]
    share, rivals = one.probability, []
    for rival in one.rivals:
        trial = [*line[:at], replace(one, char=rival.char, rivals=()), *line[at + 1 :]]
        better = _better(trial, at, more_follows)
        if (better[0] if better else rival.char) == one.char:
            share += rival.probability
        else:
            rivals.append(rival)
    return replace(one, probability=min(1.0, share), rivals=tuple(rivals))


def _functions_lowered(tokens: Sequence[Token]) -> tuple[list[Token], list[Repair]]:
    """Function names in small letters: C and S look like c and s, and no product of letters is spelt ``COs``."""
    line = list(tokens)
    repairs: list[Repair] = []
    text = "".join(one.char if len(one.char) == 1 and one.place is Place.MAIN else "\0" for one in line)
    for found in re.finditer("|".join(FUNCTIONS), text, re.IGNORECASE):
        capitals = found.group() == found.group().upper()
        if capitals and max(line[at].height for at in range(*found.span())) > 0.92:
            continue
        for at in range(*found.span()):
            small = line[at].char.lower()
            if small != line[at].char:
                repairs.append(Repair(line[at].char, small, "a function name"))
            allied = sum(rival.probability for rival in line[at].rivals if rival.char.lower() == small)
            rivals = tuple(rival for rival in line[at].rivals if rival.char.lower() != small)
            share = min(1.0, line[at].probability + allied)
            line[at] = replace(line[at], char=small, rivals=rivals, probability=share, height=0.5)
    return line, repairs


def _better(line: Sequence[Token], at: int, more_follows: bool) -> tuple[str, str] | None:
    return _by_size(line[at]) or _by_neighbours(line, at, more_follows)


def _by_size(one: Token) -> tuple[str, str] | None:
    """Letters whose two cases look alike, and degrees, are told apart by their height."""
    if one.place is Place.SUPER and one.char in "。oO0" and one.height < DEGREE_HEIGHT:
        return "°", "a ring too small for a figure"
    if one.place is not Place.MAIN or one.height <= 0:
        return None
    if one.char == "。" and one.foot > 0.4:
        return "°", "a ring above the line"
    if one.char in SAME_SHAPE_CASES and one.height < (0.9 if one.char == "X" else 0.76):
        return one.char.lower(), "too low for a capital"
    if one.char == "ρ":
        return ("P", "on the line") if one.foot > -0.1 else ("p", "below the line")
    if one.char in "ω" and one.height > 0.5:
        return "w", "a letter"
    return None


def doubt(char: str, rival: str) -> float:
    """How probable a rival must be to be named: figures are confused at high certainty, 1 and 7 above all."""
    if {char, rival} == {"1", "7"}:
        return 0.004
    if char.isdecimal() and (rival.isdecimal() or rival in "SszZobqgIl"):
        return 0.03
    return DOUBT


def other_case(one: Token) -> str | None:
    """The other case of a letter whose two cases look alike, where its height leaves both possible."""
    if one.char.upper() not in SAME_SHAPE_CASES or one.place is not Place.MAIN:
        return None
    if one.char != one.raw and one.char == one.raw.lower() and one.char != "x" and one.height > 0.55:
        return one.raw  # the size said small, the recogniser capital
    doubtful = one.height < 0.88 if one.char.isupper() else one.height > 0.88
    return one.char.swapcase() if doubtful else None


def _by_neighbours(line: Sequence[Token], at: int, more_follows: bool) -> tuple[str, str] | None:
    before = line[at - 1].char if at > 0 else ""
    after = line[at + 1].char if at + 1 < len(line) else ("(" if more_follows else "")
    char = line[at].char
    if char in "1lI|" and _is_prime(line, at):
        return "'", "no letter of a function has the exponent 1"
    if char == "α" and at + 1 < len(line) and line[at + 1].place is Place.SUB:
        return "a", "a letter with an index"
    if char in "0oO" and _ends_an_angle(line, at):
        return "°", "raised after an angle"
    if char in "×xX" and line[at].place is Place.MAIN:
        factor = _is_factor(before, after, line, at)
        if char in "×" and not factor:
            return "x", "no product can stand here"
        if char in "xX" and factor and before.isdigit() and (after.isdigit() or after == "(") and line[at].foot > 0.07:
            return "×", "it stands above the line, between factors"
    elif char == "×":
        return ("x", "no product in a script") if not (before.isdigit() and after.isdigit()) else None
    if char in "lI|" and line[at].place is Place.SUB:
        return "1", "an index"
    if char in "lI|" and (before.isdigit() or after.isdigit() or (_open(before) and _shut(after))):
        return "1", "a figure among figures"
    if char in "Oo〇" and (
        before.isdigit() or before == "." or (before in OPERATORS and _shut(after) and before != "")
    ):
        return "0", "a figure among figures"
    return None


def _ends_an_angle(line: Sequence[Token], at: int) -> bool:
    """True for a lone raised ring after a number that is a usual angle, whose zeroth power nobody writes."""
    if line[at].place is not Place.SUPER or (at + 1 < len(line) and line[at + 1].place is not Place.MAIN):
        return False
    start = at
    while start > 0 and line[start - 1].place is Place.MAIN and line[start - 1].char.isdecimal():
        start -= 1
    digits = "".join(one.char for one in line[start:at])
    return digits in USUAL_ANGLES


def _is_prime(line: Sequence[Token], at: int) -> bool:
    """True for a lone raised stroke after the letter of a function."""
    alone = at + 1 == len(line) or line[at + 1].place is Place.MAIN
    return alone and at > 0 and line[at].place is Place.SUPER and line[at - 1].char in "fghyFS"


def _is_factor(before: str, after: str, line: Sequence[Token], at: int) -> bool:
    """True when a times sign can stand between these two characters."""
    if at + 1 < len(line) and line[at + 1].place is not line[at].place:
        return False
    ends = before.isalnum() or (before != "" and before in ")]}π°")
    starts = after.isalnum() or (after != "" and after in "([{√π")
    return ends and starts


def _open(before: str) -> bool:
    return before == "" or before in OPERATORS or before in OPENING


def _shut(after: str) -> bool:
    return after == "" or after in OPERATORS or after in CLOSING


def latex(tokens: Sequence[Token]) -> str:
    """The LaTeX of a run: scripts in braces, signs as commands, function names as commands, Chinese as it is."""
    pieces: list[str] = []
    at = 0
    while at < len(tokens):
        main = tokens[at].place is Place.MAIN
        end = at
        while end < len(tokens) and (tokens[end].place is Place.MAIN) is main:
            end += 1
        stretch = tokens[at:end]
        if main or all(one.char == "'" for one in stretch):
            pieces.append(_plain([one.char for one in stretch]))
            at = end
            continue
        for place, sign in ((Place.SUB, "_"), (Place.SUPER, "^")):
            body = _plain([one.char for one in stretch if one.place is place])
            if body:
                pieces.append(body if body == r"^{\circ}" else sign + "{" + body + "}")
        at = end
    return join(pieces)


def _plain(characters: Sequence[str]) -> str:
    text: list[str] = []
    open_script = ""
    for char in characters:
        script = SCRIPT_CHARACTERS.get(char)
        if open_script and (script is None or script[0] != open_script):
            text.append("}")
            open_script = ""
        if script is not None:
            text.append(script[1] if open_script else script[0] + "{" + script[1])
            open_script = script[0]
        elif char in COMMANDS:
            text.append(COMMANDS[char])
        elif char not in DANGEROUS:
            text.append(char)
    if open_script:
        text.append("}")
    # A triangle is one only before the names of its corners; alone it is the discriminant.
    named = re.sub(r"\\Delta ?(?=[A-Z]{3}(?![A-Z]))", r"\\triangle ", join(text))
    return _with_functions(named)


def _with_functions(text: str) -> str:
    names = "|".join(FUNCTIONS)
    return re.sub(rf"(?<!\\)({names})", _function, text)


def _function(found: re.Match[str]) -> str:
    following = found.string[found.end() : found.end() + 1]
    return "\\" + found.group(1) + (" " if following.isalpha() and following.isascii() else "")


def join(pieces: Sequence[str]) -> str:
    """The pieces in a row, with a space where a command would otherwise swallow the next letter."""
    line = ""
    for piece in pieces:
        if re.search(r"\\[A-Za-z]+$", line) and re.match(r"[A-Za-z]", piece):
            line += " "
        line += piece
    return line
