"""Where no model is configured: the few kinds of question that plain code reads without doubt, and else an honest exit."""

from __future__ import annotations

import re

from itembank.algebra import Algebra

from .claims import Claim, Reading, Why
from .stem import Stem

_FORMULA = re.compile(r"\$([^$]+)\$")
_CALCULATE = re.compile(r"^(请)?(计算|求值)[：:，, ]*F(的值|的结果)?(为|是|等于|=)?[ _＿（）()]*[。.]?$")
"""The whole of the question with its one formula as F: a word more could be a condition."""
_UNKNOWN_KIND = Why("固定的程序不认识这种题", "plain code does not know this kind of question")


class PlainSolver:
    """Knows one kind: "计算 $…$" with nothing else to it."""

    def solve(self, stem: Stem) -> Claim:
        """The exact value, or nothing."""
        kept = {"solver": "plain", "stem": stem.text}
        formulas = _FORMULA.findall(stem.text)
        if stem.asked_values == 1 and len(formulas) == 1:
            words = re.sub(r"\s", "", _FORMULA.sub("F", stem.text))
            formula = formulas[0].strip().removesuffix("=").strip()
            if _CALCULATE.match(words) and (value := Algebra().evaluate(formula, {})) is not None:
                return Claim((Reading((value,)),), artefacts=kept)
        return Claim((), _UNKNOWN_KIND, artefacts=kept)
