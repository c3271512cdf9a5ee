"""Faults of what rules demand beside the value: a unit, a form, a rounding, a left side, each left out or changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from ..expressions import sides
from .base import Base, Credited, Mutant
from .run import Kind
from .targets import Change, at_proved

Spoilt = Callable[[str, Random], str | None]
"""What a line says instead; None where there is nothing to change in it."""

_UNIT = re.compile(r"(?:\\text|\\mathrm)\{\s*(?P<name>[A-Za-z]+)\s*\}(?:\^\{?\d\}?)?$")
_DECIMAL = re.compile(r"\d+\.\d+")
_FRACTION = re.compile(r"\\frac\{(\d+)\}\{(\d+)\}$")


def _rewriting(demand: str, spoilt: Spoilt) -> Change:
    """The line of a step that demands something says something else."""

    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        content = spoilt(step.lines[0], rng) if demand in step.step.demands else None
        if content is None or content == step.lines[0]:
            return False
        mutant.rewrite(step.line_ids[0], content)
        return True

    return change


def _without_unit(content: str, rng: Random) -> str | None:
    return _UNIT.sub("", content).rstrip() if _UNIT.search(content) else None


def _smaller_unit(content: str, rng: Random) -> str | None:
    """The same figure in a unit of the same kind and another size."""
    found = _UNIT.search(content)
    other = {"cm": "mm", "m": "cm", "km": "m", "kg": "g", "min": "s", "h": "min"}.get(found["name"]) if found else None
    if found is None or other is None:
        return None
    return content[: found.start("name")] + other + content[found.end("name") :]


def _unit_of_another_power(content: str, rng: Random) -> str | None:
    """A length for an area, an area for a length or a volume."""
    found = _UNIT.search(content)
    if found is None:
        return None
    unit = found.group()
    return content[: found.start()] + (unit[: unit.rindex("}") + 1] if "^" in unit else unit + "^2")


def _rounded_less(content: str, rng: Random) -> str | None:
    found = list(_DECIMAL.finditer(content))
    return content[: found[-1].end() - 1] + content[found[-1].end() :] if found else None


def _rounded_more(content: str, rng: Random) -> str | None:
    found = list(_DECIMAL.finditer(content))
    return content[: found[-1].end()] + "0" + content[found[-1].end() :] if found else None


def _unreduced(content: str, rng: Random) -> str | None:
    found = _FRACTION.search(content)
    if found is None:
        return None
    factor = rng.choice((2, 3, 10))
    return rf"{content[: found.start()]}\frac{{{factor * int(found[1])}}}{{{factor * int(found[2])}}}"


def _without_left_side(content: str, rng: Random) -> str | None:
    parts = sides(content)
    return "=".join(parts[1:]) if len(parts) > 1 else None


def _in_other_words(content: str, rng: Random) -> str | None:
    found = _UNIT.search(content)
    names = {"cm": "厘米", "m": "米", "kg": "千克", "min": "分钟"}
    if found is None or "^" in found.group() or found["name"] not in names:
        return None
    return content[: found.start()] + rf"\text{{{names[found['name']]}}}"


def _upright_unit(content: str, rng: Random) -> str | None:
    found = _UNIT.search(content)
    return content[: found.start()] + found.group().replace(r"\text{ ", r"\mathrm{") if found else None


DEMANDED: tuple[Kind, ...] = (
    Kind(
        "demanded-unit-left-out",
        "step-proved",
        at_proved(_rewriting("unit", _without_unit)),
        "要求写的单位没有写",
        "a demanded unit left out",
    ),
    Kind(
        "smaller-unit",
        "step-proved",
        at_proved(_rewriting("unit", _smaller_unit)),
        "同一个数配了另一个单位",
        "the same figure in a smaller unit",
    ),
    Kind(
        "unit-of-another-power",
        "step-proved",
        at_proved(_rewriting("unit", _unit_of_another_power)),
        "长度、面积、体积单位混淆",
        "a unit of length for one of area, or the like",
    ),
    Kind(
        "rounded-too-far",
        "step-proved",
        at_proved(_rewriting("sf", _rounded_less)),
        "少写一位有效数字",
        "a figure less than demanded",
    ),
    Kind(
        "rounded-too-little",
        "step-proved",
        at_proved(_rewriting("sf", _rounded_more)),
        "多写一位有效数字",
        "a figure more than demanded",
    ),
    Kind(
        "fraction-not-reduced",
        "step-proved",
        at_proved(_rewriting("form", _unreduced)),
        "没有化成要求的形式",
        "an equal value that is not in the demanded form",
    ),
    Kind(
        "demanded-left-side-left-out",
        "step-proved",
        at_proved(_rewriting("left_side", _without_left_side)),
        "要求写的等号左边没有写",
        "a demanded left side left out",
    ),
)

SPELT: tuple[Kind, ...] = (
    Kind(
        "unit-in-chinese",
        None,
        at_proved(_rewriting("unit", _in_other_words)),
        "单位写成中文",
        "the unit written in Chinese",
    ),
    Kind(
        "unit-upright",
        None,
        at_proved(_rewriting("unit", _upright_unit)),
        "单位换一种排法",
        "the unit set in another way",
    ),
)
