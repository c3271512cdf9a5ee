"""A carried error in words: from which values of the student's own, through which formula, to which result."""

from __future__ import annotations

import re
from collections.abc import Mapping

from itembank.domain.formula_names import with_values

_OPERATION = re.compile(r"\s*(solve|roots|diff|replace|inverse|keep|nature|round)\((.*)\)\s*", re.DOTALL)
_SAID = {
    "solve": ("解 {0}", "solving {0}"),
    "roots": ("求 {0} 的根", "the roots of {0}"),
    "diff": ("对 {0} 求导", "differentiating {0}"),
    "replace": ("把 {1} = {2} 代入 {0}", "putting {1} = {2} into {0}"),
    "inverse": ("求 {0} 的反函数", "the inverse of {0}"),
    "keep": ("取 {0} 中满足 {2} 的值", "the values of {0} with {2}"),
    "nature": ("由 {0} 的符号判断", "by the signs of {0}"),
    "round": ("把 {0} 取 {1} 位小数", "{0} to {1} decimal places"),
}


def chain(
    quantity: str, formula: str, own: Mapping[str, str], wrong: Mapping[str, object], result: str
) -> tuple[str, str]:
    """The chain in Chinese and in English; the wrong values of the student's own come first in it.

    >>> chain("S_10", "10*a_1+45*d", {"a_1": "4", "d": "3/2"}, {"a_1": "", "d": ""}, "215/2")[1]
    'from your a_1 = 4 and d = 3/2: S_10 = 10·4+45·3/2 = 215/2'
    >>> chain("x", "solve(step_1, x)", {"step_1": "x^2+x-2=0"}, {"step_1": ""}, "{-2, 1}")[1]
    'from your x^2+x-2=0: solving x^2+x-2=0, x = {-2, 1}'
    """
    written = [f"{name} = {own[name]}" if _has_name(name) else own[name] for name in own if name in wrong]
    head_zh = f"由你写的 {'、'.join(written)}" if written else "由前面写的值"
    head_en = f"from your {' and '.join(written)}" if written else "from the values written before"
    target = f"{quantity} = " if _has_name(quantity) else ""
    said = _operation(formula, own)
    if said is not None:
        return f"{head_zh}：{said[0]}，得 {target}{result}", f"{head_en}: {said[1]}, {target}{result}"
    put_in = _tidy(with_values(formula, own))
    middle = "" if put_in.replace(" ", "") == result.replace(" ", "") else f"{put_in} = "
    return f"{head_zh}：{target}{middle}{result}", f"{head_en}: {target}{middle}{result}"


def _has_name(name: str) -> bool:
    """Results of steps have numbers, which tell a reader nothing."""
    return not name.startswith("step_")


def _operation(formula: str, own: Mapping[str, str]) -> tuple[str, str] | None:
    found = _OPERATION.fullmatch(formula)
    if found is None:
        return None
    parts = [part.strip() for part in re.split(r",(?![^()\[\]{}]*[)\]}])", found.group(2))]
    shown = [own.get(part, part) for part in parts]
    if len(shown) > 1:
        shown[1] = parts[1]
    zh, en = _SAID[found.group(1)]
    try:
        return zh.format(*shown), en.format(*shown)
    except IndexError:
        return None


def _tidy(text: str) -> str:
    """10*(4)+45*(3/2) as 10·4+45·3/2; brackets stay around what is negative or a sum."""
    text = re.sub(r"(?<![A-Za-z}])\((\d+(?:/\d+)?)\)(?!\^)", r"·\1", text)
    text = re.sub(r"\*?·", "·", text.replace("*", "·"))
    text = re.sub(r"·{2,}", "·", text)
    return re.sub(r"(^|[+\-/({,=])·", r"\1", text)
