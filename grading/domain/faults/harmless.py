"""Changes that alter no fact: an accepted answer stays accepted."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from random import Random
from typing import Any

from config.foundation.canonical import canonical_text

from .base import Base, Make, Mutant, content_of
from .run import Kind

Rewrite = Callable[[str], str]


def _quotes(rewrite: Rewrite) -> Make:
    """Every quote written a little otherwise; not applicable where none changes."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        before = copy.deepcopy(mutant.observation)
        for _, step in mutant.all_steps():
            if step.get("quote"):
                step["quote"] = rewrite(step["quote"])
        return mutant if mutant.observation != before else None

    return make


def _lines(rewrite: Rewrite) -> Make:
    """Every line, with the quotes that cite it, written a little otherwise."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        before = copy.deepcopy(mutant.reading)
        for line in mutant.reading["lines"]:
            name = "latex" if "latex" in line else "text"
            line[name] = rewrite(content_of(line))
        for line in mutant.reading["lines"]:
            mutant.quote_truly(line["line_id"])
        return mutant if mutant.reading != before else None

    return make


def _thin_spaces(text: str) -> str:
    return re.sub(r"(?<=[=0-9])(?=[=+])", r"\\,", text)


def _spaces(text: str) -> str:
    return " " + re.sub(r"\s*=\s*", "  =  ", text) + " "


def _dfrac(text: str) -> str:
    return text.replace("\\frac", "\\dfrac")


def _left_right(text: str) -> str:
    return re.sub(r"\(([^()]*)\)", r"\\left(\1\\right)", text)


def _single_braces(text: str) -> str:
    return re.sub(r"([_^])\{(\w)\}", r"\1\2", text)


def _more_braces(text: str) -> str:
    return re.sub(r"([_^])([0-9a-z])", r"\1{\2}", text)


def _printed_times(text: str) -> str:
    return text.replace("\\times ", "×").replace("\\times", "×")


def _dollars(text: str) -> str:
    return f"${text}$"


def _as_text(rewrite: Callable[[Any], str]) -> Make:
    """The same observation in another JSON text."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        mutant.observation_text = rewrite(mutant.observation)
        return mutant

    return make


def _spread_out(value: Any) -> str:
    """JSON with line breaks and tabs between its parts."""
    text = canonical_text(value)
    return "\n\t" + re.sub(r'(?<=[}\]]),(?=[{"])', " ,\n\t ", text) + "\n"


def _turned(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.reading, mutant.observation = _turned_round_keys(mutant.reading), _turned_round_keys(mutant.observation)
    return mutant


def _turned_round_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned_round_keys(value[key]) for key in reversed(list(value))}
    return [_turned_round_keys(item) for item in value] if isinstance(value, list) else value


def _paths_in_another_order(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    paths = mutant.observation["paths"]
    paths.reverse()
    return mutant if len(paths) > 1 else None


def _steps_in_another_order(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    for path in mutant.observation["paths"]:
        path["steps"].reverse()
    return mutant


def _other_comments(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.observation["comments"] = "字迹工整，步骤清楚。 Neat work."
    return mutant


def _other_reasons(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    for _, step in mutant.all_steps():
        step["reason"] = "见所引的行。"
    return mutant


def _lines_renamed(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    for line in mutant.reading["lines"]:
        line["line_id"] = f"page-{line['line_id']}"
    for _, step in mutant.all_steps():
        step["line_ids"] = [f"page-{line_id}" for line_id in step.get("line_ids", ())]
    return mutant


def _surer(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    for _, step in mutant.all_steps():
        step["confidence"] = 1
    return mutant


def _other_name(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.observation["judge"] += " (second run)"
    return mutant


def _same_reading_again(base: Base, rng: Random) -> Mutant | None:
    """Another way to write the same line, offered as an alternative."""
    mutant = base.mutant()
    line = rng.choice(mutant.reading["lines"])
    line.setdefault("alternatives", []).append({"latex": content_of(line) + " ", "confidence": 0})
    return mutant


def _words_added(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    return mutant if mutant.add_line(base, "解：", first=True) else None


def _lines_cited_backwards(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    several = [step for _, step in mutant.all_steps() if len(step.get("line_ids", ())) > 1]
    for step in several:
        step["line_ids"].reverse()
    return mutant if several else None


HARMLESS: tuple[Kind, ...] = (
    Kind("spaces-in-quote", None, _quotes(_spaces), "引文里多了空格", "spaces in the quotes"),
    Kind("spaces-in-lines", None, _lines(_spaces), "识读里多了空格", "spaces in the lines"),
    Kind("dfrac-in-quote", None, _quotes(_dfrac), "引文用 \\dfrac", "\\dfrac for \\frac in the quotes"),
    Kind("dfrac-in-lines", None, _lines(_dfrac), "识读用 \\dfrac", "\\dfrac for \\frac in the lines"),
    Kind("thin-spaces-in-quote", None, _quotes(_thin_spaces), "引文里有 \\,", "\\, in the quotes"),
    Kind("thin-spaces-in-lines", None, _lines(_thin_spaces), "识读里有 \\,", "\\, in the lines"),
    Kind(
        "sized-brackets-in-quote",
        None,
        _quotes(_left_right),
        "引文用 \\left \\right",
        "\\left and \\right in the quotes",
    ),
    Kind(
        "sized-brackets-in-lines", None, _lines(_left_right), "识读用 \\left \\right", "\\left and \\right in the lines"
    ),
    Kind("fewer-braces-in-quote", None, _quotes(_single_braces), "引文省去花括号", "x^2 for x^{2} in the quotes"),
    Kind("more-braces-in-quote", None, _quotes(_more_braces), "引文加上花括号", "x_{1} for x_1 in the quotes"),
    Kind("printed-times-in-quote", None, _quotes(_printed_times), "引文用 ×", "× for \\times in the quotes"),
    Kind("dollars-in-quote", None, _quotes(_dollars), "引文加 $", "dollar signs around the quotes"),
    Kind("keys-in-another-order", None, _turned, "键的次序不同", "keys in another order"),
    Kind("paths-in-another-order", None, _paths_in_another_order, "路径次序不同", "paths in another order"),
    Kind("steps-in-another-order", None, _steps_in_another_order, "步骤次序不同", "steps in another order"),
    Kind("json-spread-out", None, _as_text(_spread_out), "JSON 有换行缩进", "JSON with line breaks and tabs"),
    Kind("other-comments", None, _other_comments, "评语不同", "other comments"),
    Kind("other-reasons", None, _other_reasons, "说明不同", "other reasons"),
    Kind("lines-renamed", None, _lines_renamed, "行号换名", "other line ids"),
    Kind("lines-cited-backwards", None, _lines_cited_backwards, "引用行的次序颠倒", "lines cited in another order"),
    Kind("surer-judge", None, _surer, "置信度更高", "higher confidence"),
    Kind("other-name", None, _other_name, "判读的名字不同", "another name of the judge"),
    Kind("same-reading-again", None, _same_reading_again, "别读只差空格", "an alternative that differs in a space"),
    Kind("words-added", None, _words_added, "多一行“解：”", "one more line: 解："),
)
