"""Rules and answers as other schools write them: no formulas, half marks, several parts, words around the mathematics."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command


def step(step_id: str, points: float, *expects: str, kind: str = "computation", **parts: Any) -> dict[str, Any]:
    return {
        "step_id": step_id,
        "desc": parts.pop("desc", step_id),
        "points": points,
        "kind": kind,
        "expects": list(expects),
        **parts,
    }


def rules(
    *paths: list[dict[str, Any]], parts: tuple[int, ...] = (), mark_step: float = 1, **more: Any
) -> dict[str, Any]:
    numbers = parts or (1,) * len(paths)
    listed = [
        {"path_id": f"P{n}", "name": f"解法{n}", "part": part, "steps": steps}
        for n, (part, steps) in enumerate(zip(numbers, paths, strict=True), 1)
    ]
    first = {
        part: sum(each["points"] for each in steps) for part, steps in reversed(list(zip(numbers, paths, strict=True)))
    }
    return {
        "question_id": "school",
        "title": "学校自己的细则",
        "stem": "解答题",
        "max_score": sum(first.values()),
        "mark_step": mark_step,
        "valid_paths": listed,
        **more,
    }


QUADRATIC = rules([step("S1", 2, "(x-1)(x-2)=0"), step("S2", 2, "x=1或x=2", kind="conclusion", depends_on=["S1"])])
MAXIMUM = rules(
    [step("S1", 3, "f'(x)=3-3x^2"), step("S2", 3, "x=±1"), step("S3", 4, "f(x)_{max}=4", kind="conclusion")]
)
RANGE = rules([step("S1", 2, r"f'(x)\ge 0", kind="concept"), step("S2", 3, "a∈(-∞,1]", kind="conclusion")])
SLOPE = rules([step("S1", 2.5, "d=1"), step("S2", 1.5, "k=±1", kind="conclusion")], mark_step=0.5)
VECTOR = rules(
    [
        step("S1", 2, r"\overrightarrow{AB}=(1,2)"),
        step("S2", 2, r"\overrightarrow{AB}\cdot\overrightarrow{AC}=5"),
        step("S3", 2, r"|\overrightarrow{AB}|=\sqrt{5}", kind="conclusion"),
    ]
)
SEQUENCE = rules(
    [step("S1", 2, "d=2"), step("S2", 2, "a_n=2n+1", kind="conclusion", depends_on=["S1"])],
    [step("S1", 3, "S_n=n^2+2n"), step("S2", 2, "S_{10}=120", kind="conclusion", depends_on=["S1"])],
    [step("S1", 1, "a_1=3"), step("S2", 3, "S_n=n(n+2)"), step("S3", 1, "S_{10}=120", kind="conclusion")],
    parts=(1, 2, 2),
)
PROOF = rules(
    [
        step("S1", 2, desc="说明 AB 平行于平面 PCD 的理由", kind="concept"),
        step("S2", 2, r"AB\parallel CD"),
        step("S3", 2, desc="由线面平行判定定理得结论", kind="conclusion"),
    ]
)
UNITS = rules([step("S1", 2, "v=60 km/h"), step("S2", 2, r"t=3\text{小时}", kind="conclusion")])
SYSTEM = rules([step("S1", 2, "x+y=3"), step("S2", 2, "x=1,y=2", kind="conclusion")])
NO_EXPECTS = rules([step("S1", 5, desc="言之有理即可", kind="conclusion")])

F, Z = "VALID", "INVALID"
CASES: dict[str, tuple[dict[str, Any], list[str], str | None, list[str] | None]] = {
    "two roots": (QUADRATIC, ["解：(x-1)(x-2)=0", "∴ x_1=1，x_2=2."], "4", [F, F]),
    "two roots in words": (QUADRATIC, ["解：由题意得 (x-1)(x-2)=0", "所以 x=1或x=2"], "4", [F, F]),
    "one root of two": (QUADRATIC, ["(x-1)(x-2)=0", "x=1"], "2", None),
    "one root thrown away": (QUADRATIC, ["(x-1)(x-2)=0", "x=1或x=2（舍去）"], "2", None),
    "a greatest value": (MAXIMUM, ["f'(x)=3-3x^2", "令f'(x)=0，得x=1或x=-1", r"f(x)_{\max}=f(1)=4"], "10", [F, F, F]),
    "a greatest value in words": (MAXIMUM, ["f'(x)=3-3x^2", "x=±1", "答：f(x)的最大值为4"], "6", None),
    "a range": (RANGE, [r"由f'(x)\ge0恒成立", r"得 a\le 1"], "5", [F, F]),
    "a range without its end": (RANGE, [r"f'(x)\ge0", "a<1"], "2", None),
    "half marks": (SLOPE, ["∵ d=1", "∴ k=1或k=-1"], "4", [F, F]),
    "one slope of two": (SLOPE, ["d=1", "k=1"], "2.5", None),
    "vectors": (
        VECTOR,
        [
            r"\overrightarrow{AB}=(1,2)",
            r"\overrightarrow{AB}\cdot\overrightarrow{AC}=1\times1+2\times2=5",
            r"|\overrightarrow{AB}|=\sqrt{1+4}=\sqrt{5}",
        ],
        "6",
        [F, F, F],
    ),
    "another vector": (
        VECTOR,
        [r"\vec{AB}=(1,3)", r"\overrightarrow{AB}\cdot\overrightarrow{AC}=5", r"|\vec{AB}|=\sqrt{5}"],
        "4",
        [Z, F, F],
    ),
    "two parts": (
        SEQUENCE,
        ["（1）解：由题意得 d=2", "∴ a_n=2n+1", "（2）S_n=n^2+2n", "∴ S_{10}=120."],
        "9",
        [F, F, F, F],
    ),
    "second part wrong": (SEQUENCE, ["d=2", "a_n=2n+1", "S_n=n^2+2n", "S_{10}=130"], "7", [F, F, F, Z]),
    "a supposed value": (SEQUENCE, ["假设d=2", "a_n=2n+1"], "2", None),
    "words alone": (
        PROOF,
        ["因为底面是矩形，所以 AB\\parallel CD", "又 AB 不在平面内，由线面平行判定定理得证"],
        None,
        None,
    ),
    "units": (UNITS, ["v=60km/h", "答：t=3小时"], "4", None),
    "a system": (
        SYSTEM,
        [r"\begin{cases}x+y=3\\x-y=-1\end{cases}", r"解得\begin{cases}x=1\\y=2\end{cases}"],
        "4",
        None,
    ),
    "an ellipse": (
        rules([step("S1", 2, "c=1"), step("S2", 2, "a^2=4"), step("S3", 4, r"\frac{x^2}{4}+\frac{y^2}{3}=1")]),
        [
            "解：由题意知 c=1",
            r"又 e=\frac{c}{a}=\frac{1}{2}，所以 a=2，a^2=4",
            r"故椭圆方程为 \frac{x^2}{4}+\frac{y^2}{3}=1",
        ],
        "8",
        [F, F, F],
    ),
    "a line": (
        rules([step("S1", 2, "k=2"), step("S2", 2, "y=2x+1")]),
        [r"斜率 k=\frac{5-1}{2-0}=2", "直线方程为 2x-y+1=0"],
        "4",
        [F, F],
    ),
    "an expectation": (
        rules([step("S1", 2, r"P(A)=\frac{1}{3}"), step("S2", 2, r"E(X)=\frac{3}{2}")]),
        [r"P(A)=\frac{C_4^1}{12}=\frac13", r"E(X)=0\times\frac14+1\times\frac14+2\times\frac12=\frac{5}{4}"],
        "2",
        [F, Z],
    ),
    "a solution set": (
        rules([step("S1", 2, "x>2 或 x<-1"), step("S2", 2, r"\{x|x>2或x<-1\}")]),
        ["(x-2)(x+1)>0", "x>2或x<-1", "所以解集为 {x|x>2或x<-1}"],
        "4",
        [F, F],
    ),
    "units in letters": (
        rules([step("S1", 2, r"AB=10\text{m}"), step("S2", 2, r"S=50\text{m}^2")]),
        ["AB=10m", "答：面积 S=50m^2"],
        "4",
        [F, F],
    ),
    "a percentage": (rules([step("S1", 2, r"p=50\%")]), ["p=0.5"], "2", [F]),
    "a complex number": (
        rules([step("S1", 3, "z=1+2i"), step("S2", 2, r"|z|=\sqrt5")]),
        [r"z=\frac{5}{1-2i}=1+2i", r"|z|=\sqrt{1+4}=\sqrt5"],
        "5",
        [F, F],
    ),
    "a common part": (rules([step("S1", 3, r"A\cap B=\{1,2\}")]), ["A∩B={1,2}"], "3", [F]),
    "cases of n": (
        rules([step("S1", 3, "a_n=2^{n-1}"), step("S2", 3, "S_n=2^n-1")]),
        ["当n≥2时，a_n=S_n-S_{n-1}=2^{n-1}", "n=1时也适合，所以a_n=2^{n-1}", r"S_n=\frac{1-2^n}{1-2}=2^n-1"],
        "6",
        [F, F],
    ),
    "expects in words": (rules([step("S1", 3, "答案正确即可")]), ["答案"], "0", []),
    "many lines": (rules([step("S1", 3, "x=1")]), ["x=1"] * 120, "3", [F]),
    "a very long line": (rules([step("S1", 3, "x=1")]), ["x=" + "1+" * 400 + "1"], "0", None),
    "empty lines": (rules([step("S1", 3, "x=1")]), ["", " ", "$", "{}"], "0", None),
    "free text": (NO_EXPECTS, ["我认为这个结论是对的，因为两边相等"], None, None),
    "nothing but words": (QUADRATIC, ["不会做"], "0", []),
    "noise": (QUADRATIC, ["@@##", r"\frac{1}{", "x==", "🙂", "(((("], "0", None),
}


def judged(tmp_path, document: dict[str, Any], lines: list[str], kind: str) -> Any:
    rules_file, reading_file, out = tmp_path / "rules.json", tmp_path / "reading.json", io.StringIO()
    rules_file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    given = [
        {"line_id": f"L{n}", kind: text, "confidence": 0.95, "struck_out": False} for n, text in enumerate(lines, 1)
    ]
    reading_file.write_text(
        json.dumps({"pages": [], "lines": given, "instructions_seen": []}, ensure_ascii=False), encoding="utf-8"
    )
    call_command("judge", rules=str(rules_file), reading=str(reading_file), stdout=out)
    return json.loads(out.getvalue(), parse_float=Decimal)


@pytest.mark.parametrize("kind", ["latex", "text"])
@pytest.mark.parametrize("case", CASES)
def test_other_rules_are_judged_sensibly(case, kind, tmp_path):
    document, lines, total, statuses = CASES[case]
    found = judged(tmp_path, document, lines, kind)
    verdict = found["verdict"]
    told = [(each["step_id"], each["status"], str(each["score"])) for each in verdict["step_details"]]
    assert found["decision"] == "MANUAL_REVIEW"
    if total is not None:
        assert Decimal(str(verdict["total_score"])) == Decimal(total), told
    if statuses is not None:
        assert [status for _, status, _ in told] == statuses
