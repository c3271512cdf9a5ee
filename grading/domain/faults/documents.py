"""Faults of form: replies that are no strict JSON of the agreed shape, and proposals that do not cover the rules."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from random import Random
from typing import Any

from config.foundation.canonical import canonical_text

from .base import Base, Make, Mutant, call_missing
from .run import Kind
from .targets import pick

_EATEN = re.compile(r'\\\\([a-zA-Z])(?=[^"]*")')
_ESCAPES = "bfnrt"


def _text_of_observation(change: Callable[[str, Random], str | None]) -> Make:
    """The observation's JSON text, changed as a text."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        text = canonical_text(mutant.observation)
        mutant.observation_text = change(text, rng)
        return None if mutant.observation_text in (None, text) else mutant

    return make


def _step_changed(**changes: Any) -> Make:
    """One proposal gets other fields."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        _, step = rng.choice(mutant.all_steps())
        step.update(copy.deepcopy(changes))
        return mutant

    return make


def _document_changed(**changes: Any) -> Make:
    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        mutant.observation.update(copy.deepcopy(changes))
        return mutant

    return make


def _confidence(text: str) -> Make:
    return _text_of_observation(
        lambda whole, _: re.sub(r'"confidence":[0-9.]+', f'"confidence":{text}', whole, count=1)
    )


def _confidence_left_out(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    del rng.choice(mutant.all_steps())[1]["confidence"]
    return mutant


def _backslash_eaten(name: str) -> Make:
    """A command such as \\frac written with one backslash only, which JSON takes for a form feed and `rac`."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        text = canonical_text(getattr(mutant, name))
        escapes = _ESCAPES if name == "reading" else _ESCAPES.replace("n", "")
        found = pick(rng, [place for place in _EATEN.finditer(text) if place.group(1) in escapes])
        if found is None:
            return None
        setattr(mutant, f"{name}_text", text[: found.start()] + text[found.start() + 1 :])
        return mutant

    return make


def _control_character(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    found = pick(rng, [step for _, step in mutant.all_steps() if step.get("quote")])
    if found is None:
        return None
    found["quote"] = rng.choice("\x00\x01\x07\x0b\x0c\x1b\x7f") + found["quote"]
    return mutant


def _half_a_character(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.reading["lines"][0]["latex"] = mutant.reading["lines"][0].get("latex", "") + "\ud800"
    return mutant


def _line_id_twice(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.reading["lines"].append(copy.deepcopy(rng.choice(mutant.reading["lines"])))
    return mutant


def _line_in_two_ways(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    line = rng.choice(mutant.reading["lines"])
    line["text"], line["latex"] = "1", line.get("latex", "1")
    return mutant


def _observation_is_a_list(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.observation = [mutant.observation]
    return mutant


def _step_left_out(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    path = rng.choice(mutant.observation["paths"])
    if not path["steps"]:
        return None
    path["steps"].pop(rng.randrange(len(path["steps"])))
    return mutant


def _step_twice(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    path = rng.choice(mutant.observation["paths"])
    path["steps"].append(copy.deepcopy(rng.choice(path["steps"])))
    return mutant


def _step_twice_and_differently(base: Base, rng: Random) -> Mutant | None:
    """First the status that pays, then another one."""
    mutant = base.mutant()
    found = pick(rng, base.credited)
    if found is None:
        return None
    path_id, step_id = found.where
    steps = mutant.steps_of(path_id)
    twin = copy.deepcopy(next(step for step in steps if step["step_id"] == step_id))
    call_missing(twin)
    steps.append(twin)
    return mutant


def _unknown_step(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    path = rng.choice(mutant.observation["paths"])
    path["steps"].append({**copy.deepcopy(path["steps"][0]), "step_id": "BONUS"})
    return mutant


def _unknown_path(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    paths = mutant.observation["paths"]
    paths.append({**copy.deepcopy(rng.choice(paths)), "path_id": "Path_of_the_judge"})
    return mutant


def _path_renamed(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    rng.choice(mutant.observation["paths"])["path_id"] += "_"
    return mutant


def _path_left_out(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.observation["paths"].pop(rng.randrange(len(mutant.observation["paths"])))
    return mutant


def _path_twice(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    paths = mutant.observation["paths"]
    paths.insert(0, copy.deepcopy(rng.choice(paths)))
    return mutant


def _step_from_another_path(base: Base, rng: Random) -> Mutant | None:
    """A step of one path is judged among the steps of another."""
    mutant = base.mutant()
    paths = mutant.observation["paths"]
    known = {path.path_id: {step.step_id for step in path.steps} for path in base.rules.paths}
    moves = [
        (one, other, step)
        for one in paths
        for other in paths
        for step in one["steps"]
        if one is not other and step["step_id"] not in known.get(other["path_id"], {step["step_id"]})
    ]
    move = pick(rng, moves)
    if move is None:
        return None
    one, other, step = move
    one["steps"].remove(step)
    other["steps"].append(step)
    return mutant


def _shared_step_judged_apart(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    twins = [
        (step, alike)
        for step in base.credited
        if step.step.shared_id
        for alike in [mutant.alike(*step.where)]
        if len(alike) > 1 and all(one["status"] == step.status for one in alike)
    ]
    found = pick(rng, twins)
    if found is None:
        return None
    step, alike = found
    own = next(one for one in mutant.steps_of(step.path.path_id) if one["step_id"] == step.step_id)
    other = next(one for one in alike if one is not own)
    other["status"] = "INVALID"
    return mutant


def _observation_of_another_question(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    for path in mutant.observation["paths"]:
        path["path_id"] = f"Other_{path['path_id']}"
        for step in path["steps"]:
            step["step_id"] = f"X{step['step_id']}"
    return mutant


_DEEP = "[" * 70 + "]" * 70

FORM: tuple[Kind, ...] = (
    Kind("nan", "schema", _confidence("NaN"), "置信度写成 NaN", "NaN as a confidence"),
    Kind("infinity", "schema", _confidence("Infinity"), "置信度写成 Infinity", "Infinity as a confidence"),
    Kind("huge-number", "schema", _confidence("9" * 60), "六十位的数字", "a number of sixty digits"),
    Kind("huge-exponent", "schema", _confidence("1e999999"), "指数极大的数字", "a number with a huge exponent"),
    Kind("confidence-above-one", "schema", _confidence("1.5"), "置信度 1.5", "a confidence of 1.5"),
    Kind("confidence-negative", "schema", _confidence("-0.9"), "置信度为负", "a negative confidence"),
    Kind(
        "confidence-in-quotes", "schema", _confidence('"0.9"'), '置信度写成文字 "0.9"', 'the text "0.9" as a confidence'
    ),
    Kind("confidence-boolean", "schema", _confidence("true"), "置信度写成 true", "true as a confidence"),
    Kind("confidence-null", "schema", _confidence("null"), "置信度写成 null", "null as a confidence"),
    Kind("confidence-left-out", "schema", _confidence_left_out, "没有置信度", "no confidence at all"),
    Kind(
        "duplicate-key",
        "schema",
        _text_of_observation(lambda text, _: text.replace('"status":', '"status":"VALID","status":', 1)),
        "同一对象里有两个 status",
        "two keys status in one object",
    ),
    Kind(
        "text-after-json",
        "schema",
        _text_of_observation(lambda text, _: text + " Hope this helps!"),
        "JSON 之后还有话",
        "words after the JSON",
    ),
    Kind(
        "text-before-json",
        "schema",
        _text_of_observation(lambda text, _: "Here is the JSON:\n" + text),
        "JSON 之前还有话",
        "words before the JSON",
    ),
    Kind(
        "truncated-reply",
        "schema",
        _text_of_observation(lambda text, rng: text[: rng.randrange(1, len(text) - 1)]),
        "答复只有一半",
        "a reply cut short",
    ),
    Kind(
        "deep-nesting",
        "schema",
        _text_of_observation(lambda text, _: text.replace('"quote":"', f'"formula":{_DEEP},"quote":"', 1)),
        "七十层括号",
        "brackets nested seventy deep",
    ),
    Kind(
        "backslash-eaten",
        "schema",
        _backslash_eaten("observation"),
        "引文里 \\frac 的反斜杠被吃掉",
        "the backslash of \\frac eaten in a quote",
    ),
    Kind(
        "backslash-eaten-in-reading",
        "schema",
        _backslash_eaten("reading"),
        "识读里 \\frac 的反斜杠被吃掉",
        "the backslash of \\frac eaten in the reading",
    ),
    Kind("control-character", "schema", _control_character, "引文里有控制字符", "a control character in a quote"),
    Kind("half-a-character", "schema", _half_a_character, "识读里有半个字符", "half a character in the reading"),
    Kind("step-carries-score", "schema", _step_changed(score=99), "步骤自带分数", "a step brings its own score"),
    Kind(
        "observation-carries-total",
        "schema",
        _document_changed(total_score=99),
        "判读意见自带总分",
        "the observation brings its own total",
    ),
    Kind(
        "observation-carries-decision",
        "schema",
        _document_changed(decision="ACCEPT", is_manual_review_needed=False),
        "判读意见自称放行",
        "the observation declares itself accepted",
    ),
    Kind("unknown-status", "schema", _step_changed(status="CORRECT"), "不认识的状态", "an unknown status"),
    Kind("lower-case-status", "schema", _step_changed(status="valid"), "小写的状态", "a status in lower case"),
    Kind("full-width-status", "schema", _step_changed(status="ＶＡＬＩＤ"), "全角的状态", "a full-width status"),
    Kind("spaced-status", "schema", _step_changed(status="VALID "), "状态后有空格", "a status with a space"),
    Kind("status-is-a-list", "schema", _step_changed(status=["VALID"]), "状态写成列表", "a list as a status"),
    Kind(
        "unknown-error-code", "schema", _step_changed(error_codes=["ERR_NONE"]), "不认识的错误代码", "an unknown code"
    ),
    Kind("lines-as-text", "schema", _step_changed(line_ids="L1"), "行号写成文字", "a text in place of a list of lines"),
    Kind("line-number", "schema", _step_changed(line_ids=[1]), "行号写成数字", "a number as a line id"),
    Kind("flag-as-text", "schema", _document_changed(another_method="false"), "布尔值写成文字", "a text as a flag"),
    Kind("flag-as-number", "schema", _document_changed(another_method=0), "布尔值写成数字", "a number as a flag"),
    Kind("observation-is-a-list", "schema", _observation_is_a_list, "判读意见是列表", "the observation is a list"),
    Kind("line-id-twice", "schema", _line_id_twice, "识读里行号重复", "a line id twice in the reading"),
    Kind(
        "line-in-two-ways", "schema", _line_in_two_ways, "一行既有 latex 又有 text", "a line with both latex and text"
    ),
)

COVER: tuple[Kind, ...] = (
    Kind("step-left-out", "coverage", _step_left_out, "漏判一步", "a step is not judged"),
    Kind("step-twice", "coverage", _step_twice, "一步判了两次", "a step is judged twice"),
    Kind(
        "step-twice-and-differently",
        "coverage",
        _step_twice_and_differently,
        "一步判了两次且不同",
        "a step is judged twice, differently",
    ),
    Kind("unknown-step", "coverage", _unknown_step, "细则里没有的步骤", "a step that the rules do not have"),
    Kind("unknown-path", "coverage", _unknown_path, "细则里没有的路径", "a path that the rules do not have"),
    Kind("path-renamed", "coverage", _path_renamed, "路径换了名字", "a path under another name"),
    Kind("path-left-out", "coverage", _path_left_out, "漏判一条路径", "a path is not judged"),
    Kind("path-twice", "coverage", _path_twice, "一条路径判了两次", "a path is judged twice"),
    Kind(
        "step-from-another-path",
        "coverage",
        _step_from_another_path,
        "别的路径的步骤混进来",
        "a step of another path among the steps of this one",
    ),
    Kind(
        "shared-step-judged-apart",
        "coverage",
        _shared_step_judged_apart,
        "共用步骤在两条路径上判得不同",
        "a shared step judged differently on two paths",
    ),
    Kind(
        "observation-of-another-question",
        "coverage",
        _observation_of_another_question,
        "别的题的判读意见",
        "the observation of another question",
    ),
)
