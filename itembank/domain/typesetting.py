"""Would the product's typesetter (KaTeX, in the browser) set this formula? Told on the server, so that an author hears it first.

The commands and how many arguments each takes were asked of the vendored KaTeX itself (``bin/katex-commands.js``); a test
asks it again, and sets thousands of formulas to see that whatever passes here is set there. It is stricter than KaTeX: what
this grammar does not know is refused, as is an unescaped ``%``, which would silently hide the rest of the formula.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .latex_safety import FORBIDDEN

TABLE_FILE = Path(__file__).with_name("katex_commands.json")
MAX_FORMULA = 2_000
# Some commands are written out by several others in turn; the page allows 1000 such steps a formula.
MAX_COMMANDS = 150
_DEEPEST = 40
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\s+|.", re.DOTALL)
_UNFIT = (
    "TextOrMath bra braket Bra Braket ket Ket set Set color colorbox errmessage expandafter fcolorbox futurelet left let message"
    " middle noexpand right show textcolor"
)
_DENIED = FORBIDDEN.union(re.findall(r"\w+", _UNFIT))
_SYMBOLS = frozenset(
    ("\\,", "\\;", "\\:", "\\!", "\\>", "\\{", "\\}", "\\|", "\\%", "\\$", "\\&", "\\#", "\\_", "\\\\", "\\ ")
)
_TEXT_SYMBOLS = frozenset(("\\{", "\\}", "\\%", "\\$", "\\&", "\\#", "\\_", "\\ ", "\\,", "\\;"))
_MATH_ONLY = frozenset(("^", "_", "\\\\", "\\left", "\\begin"))
_FENCES = frozenset("()[]|./<>") | {"\\{", "\\}", "\\|"}


@dataclass(frozen=True)
class _Table:
    math: dict[str, int]
    text: dict[str, int]
    text_argument: frozenset[str]
    alone: frozenset[str]
    limits: frozenset[str]
    delimiters: frozenset[str]
    sized: frozenset[str]
    environments: frozenset[str]


@cache
def _table() -> _Table:
    raw = json.loads(TABLE_FILE.read_text("utf-8"))

    def arities(counted: dict[str, list[str]]) -> dict[str, int]:
        return {name: int(count) for count, names in counted.items() for name in names if name not in _DENIED}

    return _Table(
        math=arities(raw["math"]),
        text=arities(raw["text"]),
        text_argument=frozenset(raw["text_argument"]),
        alone=frozenset(raw["alone"]) - _DENIED,
        limits=frozenset(raw["limits"]) - _DENIED,
        delimiters=frozenset(raw["delimiters"]) - _DENIED,
        sized=frozenset(raw["sized"]) - _DENIED,
        environments=frozenset(raw["environments"]),
    )


class _Fault(Exception):
    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.sentences = zh, en


def typesetting_fault(latex: str) -> tuple[str, str] | None:
    r"""Why a formula (without dollar signs) could not be set, in Chinese and English; None where it can be.

    >>> typesetting_fault(r"\frac{1}{2}") is None
    True
    >>> typesetting_fault(r"\frac{1}")[1]
    '\\frac needs 2 arguments and has 1'
    >>> typesetting_fault("50%")[1]
    'an unescaped % hides the rest of the formula; write \\%'
    """
    if len(latex) > MAX_FORMULA:
        return f"公式超过 {MAX_FORMULA} 个字符", f"the formula is longer than {MAX_FORMULA} characters"
    tokens = _TOKEN.findall(latex)
    if sum(token.startswith("\\") for token in tokens) > MAX_COMMANDS:
        return f"公式中的命令超过 {MAX_COMMANDS} 个", f"the formula has more than {MAX_COMMANDS} commands"
    try:
        reader = _Reader(tokens)
        reader.sequence(end=None, mode="math", depth=0)
    except _Fault as stop:
        return stop.sentences
    return None


class _Reader:
    """Walks the tokens of one formula; raises _Fault at the first thing that KaTeX would refuse."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0
        self.table = _table()

    def peek(self) -> str | None:
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def sequence(self, *, end: str | None, mode: str, depth: int, rows: bool = False) -> None:
        """Atoms up to the sign ``end``, which is left for the caller; None is the end of the formula."""
        if depth > _DEEPEST:
            raise _Fault("公式嵌套过深", "the formula is nested too deeply")
        scripts: set[str] = set()
        before: str | None = None
        while (sign := self.peek()) != end or sign is None:
            if sign is None:
                if end is None:
                    return
                raise _unclosed(end)
            self.at += 1
            if mode == "math" and sign in ("^", "_", "'"):
                self.script(sign, scripts, depth)
            elif sign in ("\\limits", "\\nolimits"):
                if before is None or before.removeprefix("\\") not in self.table.limits:
                    raise _Fault(
                        f"{sign} 前面应是 \\sum、\\lim 一类的算符", f"{sign} must follow an operator like \\sum"
                    )
            else:
                scripts = set()
                self.atom(sign, mode, depth, rows=rows)
            before = sign

    def script(self, sign: str, scripts: set[str], depth: int) -> None:
        kind = "_" if sign == "_" else "^"
        if sign == "'" and scripts >= {"'"} and self.tokens[self.at - 2] == "'":
            return
        if kind in scripts or (sign == "'" and "'" in scripts):
            raise _Fault(f"{sign} 重复，需要用花括号分组", f"a second {sign} needs braces around what it stands on")
        if sign == "'":
            scripts.add("'")
            if "_" in scripts:
                scripts.add("^")
            return
        if sign == "^" and "'" in scripts and self.tokens[self.at - 2] != "'":
            raise _Fault("撇号之后的上标需要分组", "a superscript after a prime needs braces")
        scripts.add(kind)
        if "'" in scripts:
            scripts.add("^")
        self.argument(sign, "math", depth, of=sign)

    def atom(self, sign: str, mode: str, depth: int, *, rows: bool) -> None:
        if sign in ("#", "$") or (mode == "text" and sign in _MATH_ONLY):
            raise _Fault(f"此处不能出现 {sign}", f"{sign} cannot stand here")
        if sign == "{":
            self.group(mode, depth)
        elif sign == "}":
            raise _Fault("多出一个右花括号", "a closing brace has no partner")
        elif sign == "\\left":
            self.fenced(depth)
        elif sign == "\\begin":
            self.environment(depth)
        elif sign == "&":
            if not rows:
                raise _Fault("& 只能用在 cases、矩阵一类的环境里", "& belongs into an environment such as cases")
        elif sign == "%":
            raise _Fault(
                "未转义的 % 会把其后的内容隐藏，请写 \\%", "an unescaped % hides the rest of the formula; write \\%"
            )
        elif sign.startswith("\\"):
            self.command(sign, mode, depth)

    def group(self, mode: str, depth: int) -> None:
        self.sequence(end="}", mode=mode, depth=depth + 1)
        self.at += 1

    def command(self, sign: str, mode: str, depth: int) -> None:
        name = sign[1:]
        if len(sign) == 1 or not name[0].isalpha():
            if sign not in (_SYMBOLS if mode == "math" else _TEXT_SYMBOLS):
                raise _unknown(sign)
            if sign == "\\\\" and self.peek() == "[":
                raise _Fault("\\\\ 之后的 [ 会被当作行距", "a [ after \\\\ would be taken as a distance")
            return
        if name in _DENIED:
            raise _Fault(f"不允许使用 \\{name}", f"\\{name} is not allowed")
        if mode == "math" and name in self.table.sized:
            self.delimiter(sign)
            return
        count = (self.table.math if mode == "math" else self.table.text).get(name)
        if count is None:
            raise _unknown(sign)
        if name == "sqrt" or (name.startswith("x") and count == 1):
            self.optional(depth)
        inner = "text" if mode == "text" or name in self.table.text_argument else "math"
        for number in range(count):
            if self.peek() in (None, "}", "&", "\\right", "\\end"):
                raise _Fault(f"\\{name} 需要 {count} 个参数，只有 {number} 个",
                             f"\\{name} needs {count} argument{'s'[: count - 1]} and has {number}")  # fmt: skip
            self.argument(sign, inner, depth, of=sign)

    def optional(self, depth: int) -> None:
        if self.peek() == "[":
            self.at += 1
            self.sequence(end="]", mode="math", depth=depth + 1)
            self.at += 1

    def argument(self, owner: str, mode: str, depth: int, *, of: str) -> None:
        sign = self.peek()
        if sign is None or sign in ("}", "&", "^", "_", "'", "%", "#", "$"):
            raise _Fault(f"{owner} 之后缺少内容", f"something is missing after {owner}")
        self.at += 1
        if sign == "{":
            self.group(mode, depth)
        elif sign.startswith("\\"):
            known = sign[1:] in self.table.alone if sign[1:].isalpha() else sign in ("\\{", "\\}", "\\%", "\\$", "\\|")
            if not known or mode == "text":
                raise _Fault(
                    f"{of} 的参数 {sign} 需要用花括号括起", f"put braces around {sign}, which stands after {of}"
                )

    def delimiter(self, owner: str) -> None:
        sign = self.peek()
        if sign is None or not (sign in _FENCES or sign[1:] in self.table.delimiters):
            raise _Fault(f"{owner} 之后应是括号一类的定界符", f"{owner} needs a delimiter such as a bracket")
        self.at += 1

    def fenced(self, depth: int) -> None:
        self.delimiter("\\left")
        self.sequence(end="\\right", mode="math", depth=depth + 1)
        self.at += 1
        self.delimiter("\\right")

    def environment(self, depth: int) -> None:
        name = self._name("\\begin")
        if name == "array":
            if not re.fullmatch(r"[lcr|]{1,20}", self._braced()):
                raise _Fault("array 之后应写列格式，如 {lc}", "array needs a column format such as {lc}")
        elif name not in self.table.environments:
            raise _Fault(f"不能使用环境 {name}", f"the environment {name} cannot be used")
        elif self.peek() == "[":
            raise _Fault("环境名之后不能紧跟 [", "a [ may not follow the name of an environment")
        self.sequence(end="\\end", mode="math", depth=depth + 1, rows=True)
        self.at += 1
        closing = self._name("\\end")
        if closing != name:
            raise _Fault(
                f"\\begin{{{name}}} 由 \\end{{{closing}}} 结束", f"\\begin{{{name}}} is ended by \\end{{{closing}}}"
            )

    def _name(self, owner: str) -> str:
        name = self._braced()
        if not re.fullmatch(r"[A-Za-z]{1,20}\*?", name):
            raise _Fault(f"{owner} 之后缺少环境名", f"the name of the environment is missing after {owner}")
        return name

    def _braced(self) -> str:
        if self.peek() != "{" or "}" not in self.tokens[self.at :]:
            return ""
        end = self.tokens.index("}", self.at)
        inner = "".join(self.tokens[self.at + 1 : end])
        self.at = end + 1
        return inner


def _unknown(sign: str) -> _Fault:
    return _Fault(f"不认识命令 {sign}", f"{sign} is not a known command")


def _unclosed(end: str) -> _Fault:
    zh, en = {
        "}": ("花括号没有闭合", "a brace is not closed"),
        "]": ("方括号没有闭合", "a bracket is not closed"),
        "\\right": ("\\left 没有对应的 \\right", "\\left has no \\right"),
        "\\end": ("\\begin 没有对应的 \\end", "\\begin has no \\end"),
    }[end]
    return _Fault(zh, en)
