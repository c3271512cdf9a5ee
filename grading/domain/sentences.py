"""Facts as sentences a teacher can check, in Chinese and English."""

from __future__ import annotations

from itembank.algebra.results import Comparison, Result

from .reading import Line, Reading

MAX_SHOWN = 80


def shown(text: str) -> str:
    """A piece of an answer, shortened for a sentence."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_SHOWN else flat[: MAX_SHOWN - 1] + "…"


def line_zh(line: Line, reading: Reading) -> str:
    """第 3 行“d=2”."""
    return f"第 {reading.position[line.line_id] + 1} 行“{shown(line.content)}”"


def line_en(line: Line, reading: Reading) -> str:
    """line 3 “d=2”."""
    return f"line {reading.position[line.line_id] + 1} “{shown(line.content)}”"


def witness_zh(answer: Comparison) -> str:
    """What algebra found, as a clause: 左边 3/2，右边 2."""
    witness = answer.witness or {}
    if answer.result is Result.UNREADABLE:
        return "无法解析为数学式"
    if answer.result is Result.UNDECIDED:
        return "代数无法判定"
    if "left" in witness and "right" in witness:
        at = f"当 {witness['at']} 时" if witness.get("at") else ""
        return f"{at}左边 {shown(witness['left'])}，右边 {shown(witness['right'])}"
    if "missing" in witness:
        return f"缺少 {shown(witness['missing'])}"
    if "extra" in witness:
        return f"多出 {shown(witness['extra'])}"
    return "，".join(f"{key} = {shown(value)}" for key, value in sorted(witness.items()))


def witness_en(answer: Comparison) -> str:
    """What algebra found, as a clause: left side 3/2, right side 2."""
    witness = answer.witness or {}
    if answer.result is Result.UNREADABLE:
        return "it cannot be parsed as mathematics"
    if answer.result is Result.UNDECIDED:
        return "algebra cannot decide"
    if "left" in witness and "right" in witness:
        at = f"at {witness['at']} " if witness.get("at") else ""
        return f"{at}the left side is {shown(witness['left'])}, the right side {shown(witness['right'])}"
    if "missing" in witness:
        return f"{shown(witness['missing'])} is missing"
    if "extra" in witness:
        return f"{shown(witness['extra'])} is too much"
    return ", ".join(f"{key} = {shown(value)}" for key, value in sorted(witness.items()))
