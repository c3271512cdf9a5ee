"""Is a piece of LaTeX fit to be typeset in a browser and in print: balanced, and free of commands that do more."""

from __future__ import annotations

import re

# Commands that define, read, write, link, load or stretch the page; none belongs in a question or a mark point.
_FORBIDDEN_WORDS = """
catcode char csname def directlua edef endcsname endinput expandafter everymath fontfamily futurelet gdef global
href html htmlClass htmlData htmlId htmlStyle immediate include includegraphics input jobname kern let loop
lowercase mathchoice mkern mskip newcommand newenvironment openin openout providecommand raisebox read renewcommand
renewenvironment repeat require rule scantokens special toks uppercase url usepackage verb write xdef hskip hspace
vspace vskip
"""
FORBIDDEN = frozenset(_FORBIDDEN_WORDS.split())
_COMMAND = re.compile(r"\\([A-Za-z@]+)")
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([A-Za-z]{1,20}\*?)\}")


def latex_fault(text: str, *, prose: bool) -> tuple[str, str] | None:
    """What is wrong in Chinese and English, or None. With `prose`, mathematics stands between dollar signs.

    >>> latex_fault(r"\\frac{1}{2}", prose=False) is None
    True
    >>> latex_fault(r"\\frac{1}{2", prose=False)[1]
    'a brace is not closed'
    """
    for command in _COMMAND.findall(text):
        if command in FORBIDDEN or "@" in command:
            return f"不允许使用 \\{command}", f"\\{command} is not allowed"
    plain = re.sub(r"\\.", "", text, flags=re.DOTALL)
    if prose and plain.count("$") % 2:
        return "美元符号不成对", "a dollar sign has no partner"
    if not prose and "$" in plain:
        return "此处不写美元符号", "dollar signs do not belong here"
    pieces = re.split(r"\$", re.sub(r"\\[\\{}$]", "", text))[1::2] if prose else [re.sub(r"\\[\\{}$]", "", text)]
    for piece in pieces:
        problem = _unbalanced(piece)
        if problem is not None:
            return problem
    return None


def _unbalanced(piece: str) -> tuple[str, str] | None:
    depth = 0
    for character in piece:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return "多出一个右花括号", "a closing brace has no partner"
    if depth:
        return "花括号没有闭合", "a brace is not closed"
    if len(re.findall(r"\\left(?![a-z])", piece)) != len(re.findall(r"\\right(?![a-z])", piece)):
        return "\\left 与 \\right 不成对", "\\left and \\right do not pair"
    open_environments: list[str] = []
    for verb, name in _ENVIRONMENT.findall(piece):
        if verb == "begin":
            open_environments.append(name)
        elif not open_environments or open_environments.pop() != name:
            return f"\\end{{{name}}} 没有对应的 \\begin", f"\\end{{{name}}} has no \\begin"
    if open_environments:
        return f"\\begin{{{open_environments[-1]}}} 没有闭合", f"\\begin{{{open_environments[-1]}}} is not closed"
    return None
