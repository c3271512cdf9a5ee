r"""Rules with formulas for the worked solutions from outside, written here from the problems as they are set.

The solutions themselves are read from the folder of outside cases and are not copied. A row is (expected result, quantity,
its formula, steps it builds on); the right value is the right side of the expected result unless a fifth entry gives it.
Labels there say what follows from what. `EARNED` holds the statuses that our rules give where credit is another question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Problem:
    """One problem: given values and the rows of its only path."""

    rows: tuple[Row, ...]
    givens: dict[str, str]
    kinds: dict[int, str]


def problem(*rows: Row, kinds: dict[int, str] | None = None, **givens: str) -> Problem:
    return Problem(rows, givens, kinds or {})


def circle(h: str, k: str, square: str, r: str, a: str, b: str, c: str) -> Problem:
    return problem(
        (rf"\text{{centre}} = ({h}, {k})", "centre", "(-a/2,-b/2)", [], f"({h}, {k})"),
        (f"r^2 = {square}", "r_sq", "a^2/4+b^2/4-c", []),
        (f"r = {r}", "r", "sqrt(r_sq)", [2]),
        a=a, b=b, c=c,
    )  # fmt: skip


def square(b: str, c: str, p: str, q: str, x: str) -> Problem:
    return problem(
        (f"p = {p}", "p", "b/2", []),
        (f"q = {q}", "q", "c-p^2", [1]),
        (rf"x_{{\min}} = {x}", "x_min", "-p", [1]),
        (rf"(x,y)_{{\min}} = ({x}, {q})", "point", "(x_min,q)", [2, 3]),
        b=b, c=c,
    )  # fmt: skip


def triangle(a: str, b: str, cosine: str, c2: str, c: str, area: str, sine: str) -> Problem:
    return problem(
        (rf"\cos C = {cosine}", "cos(C)", "", []),
        (f"c^2 = {c2}", "c_sq", "a^2+b^2-2*a*b*cos(C)", [1]),
        (f"c = {c}", "c", "sqrt(c_sq)", [2]),
        (rf"\text{{area}} = {area}", "area", "a*b*s/2", []),
        a=a, b=b, s=sine,
    )  # fmt: skip


def binomial(n: str, k: str, p: str, ways: str, rest: str, result: str) -> Problem:
    return problem(
        (rf"\binom{{{n}}}{{{k}}} = {ways}", "ways", "binomial(n,k)", []),
        (f"1-p = {rest}", "rest", "1-p", []),
        (f"P(X={k}) = {result}", "P_k", "ways*p^k*rest^(n-k)", [1, 2]),
        n=n, k=k, p=p,
    )  # fmt: skip


def geometric(u_2: str, u_4: str, r2: str, r: str, a: str, total: str) -> Problem:
    return problem(
        (f"r^2 = {r2}", "r_sq", "u_4/u_2", []),
        (f"r = {r}", "r", "sqrt(r_sq)", [1]),
        (f"a = {a}", "a", "u_2/r", [2]),
        (rf"S_\infty = {total}", "S", "a/(1-r)", [2, 3]),
        u_2=u_2, u_4=u_4,
    )  # fmt: skip


def simultaneous(k: str, right: str, x: str, y: str, **givens: str) -> Problem:
    rows: tuple[Row, ...] = (
        (rf"\text{{coefficient of }}x\text{{ after eliminating }}y = {k}", "k", "a*q-b*p", []),
        (rf"\text{{right side}} = {right}", "R", "c*q-b*r", []),
        (f"x = {x}", "x", "R/k", [1, 2]),
        (f"y = {y}", "y", "(c-a*x)/b", [3]),
        (f"(x,y) = ({x}, {y})", "pair", "(x,y)", [3, 4]),
    )
    return Problem(rows, givens, {})


def integral(f: str, primitive: str, upper: str, lower: str, value: str, a: str, b: str) -> Problem:
    return problem(
        (f"F(x) = {primitive}", "F(x)", "", []),
        (f"F(b) = {upper}", "F(b)", "replace(F(x),x,b)", [1]),
        (f"F(a) = {lower}", "F(a)", "replace(F(x),x,a)", [1]),
        (f"I = {value}", "I", "F(b)-F(a)", [2, 3]),
        a=a, b=b, f=f,
    )  # fmt: skip


def tangent(f: str, slope: str, at: str, m: str, y_0: str, line: str) -> Problem:
    return problem(
        (rf"\frac{{dy}}{{dx}} = {slope}", "slope", "diff(f,x)", []),
        (f"m = {m}", "m", "replace(slope,x,x_0)", [1]),
        (f"y_0 = {y_0}", "y_0", "replace(f,x,x_0)", []),
        (f"y = {line}", "line", r"x \mapsto y_0+m*(x-x_0)", [2, 3]),
        f=f, x_0=at,
    )  # fmt: skip


INVERSE = problem(
    (r"f^{-1}(x) = \frac{x+3}{x-2}", "g", "inverse(f,x)", []),
    (r"f^{-1}(3) = 6", "g_3", "replace(g,x,3)", [1]),
    f="(2x+3)/(x-1)",
)
KINEMATICS = problem(
    (r"v = 3t^2-12t+9", "v", "diff(s,t)", []),
    (r"t\text{ at rest} = \{1, 3\}", "rest", "roots(v,t)", [1], "{1, 3}"),
    (r"s(1) = 4", "s_1", "replace(s,t,1)", []),
    (r"s(3) = 0", "s_3", "replace(s,t,3)", []),
    (r"\text{distance} = 8", "distance", "2*s_1-s_3", [3, 4]),
    s="t^3-6t^2+9t",
)
CHORD = problem(
    (r"x^2-x-2=0", "quadratic", "q", [], "x^2-x-2=0"),
    (r"x = \{-1, 2\}", "x", "solve(quadratic,x)", [1], "{-1, 2}"),
    (r"|x_A-x_B| = 3", "gap", "spread(x)", [2]),
    (r"|AB| = 3\sqrt{2}", "AB", "gap*sqrt(2)", [3]),
    q="x^2-x-2=0",
)
LOGARITHM = problem(
    (r"x(x-2) = 8", "product", "", []),
    (r"x^2-2x-8=0", "quadratic", "q", [1], "x^2-2x-8=0"),
    (r"x = \{-2, 4\}", "found", "solve(quadratic,x)", [2], "{-2, 4}"),
    (r"x = \{4\}", "kept", "keep(found,x,x>2)", [3], "{4}"),
    q="x^2-2x-8=0",
)
MATRIX = problem(
    (r"\det = 1", "determinant", "a*d-b*c", []),
    (
        r"\text{adjugate} = \begin{pmatrix}3&-1\\-5&2\end{pmatrix}",
        "adjugate",
        "[[d,-b],[-c,a]]",
        [],
        r"\begin{pmatrix}3&-1\\-5&2\end{pmatrix}",
    ),
    (
        r"M^{-1} = \begin{pmatrix}3&-1\\-5&2\end{pmatrix}",
        "inverted",
        "adjugate/determinant",
        [1, 2],
        r"\begin{pmatrix}3&-1\\-5&2\end{pmatrix}",
    ),
    (
        r"M^{-1}v = \begin{pmatrix}1\\2\end{pmatrix}",
        "image",
        "times(inverted,v)",
        [3],
        r"\begin{pmatrix}1\\2\end{pmatrix}",
    ),
    a="2", b="1", c="5", d="3", v=r"\begin{pmatrix}4\\11\end{pmatrix}",
)  # fmt: skip
VARIANCE = problem(
    (r"E(X) = \frac{19}{10}", "E(X)", "x_1*p_1+x_2*p_2+x_3*p_3", []),
    (r"E(X^2) = \frac{49}{10}", "second", "x_1^2*p_1+x_2^2*p_2+x_3^2*p_3", []),
    (r"\operatorname{Var}(X) = \frac{129}{100}", "Var(X)", "second-E(X)^2", [1, 2]),
    x_1="1", x_2="2", x_3="4", p_1="1/2", p_2="3/10", p_3="1/5",
)  # fmt: skip
VOLUME = problem(
    (r"V = 12x^2-x^3", "V", r"x \mapsto x^2*(h-x)", []),
    (r"V' = 24x-3x^2", "V'", "diff(V,x)", [1]),
    (r"x = 8", "x_0", "keep(solve(V',x),x,x>0)", [2]),
    (r"V_{\max} = 256", "V_max", "replace(V,x,x_0)", [1, 3]),
    h="12",
)
FRACTIONS = problem(
    (r"A = 2", "A", "replace((5x-1)/(x+1),x,1)", []),
    (r"B = 3", "B", "replace((5x-1)/(x-1),x,-1)", []),
    (r"\text{sum} = \frac{2}{x-1}+\frac{3}{x+1}", "total", r"x \mapsto A/(x-1)+B/(x+1)", [1, 2]),
)
HEARTS = problem(
    (r"\frac{13}{52}", "first", "13/52", []),
    (r"\frac{12}{51}", "second", "12/51", []),
    (r"\frac{13}{52}\cdot\frac{12}{51}=\frac{1}{17}", "both", "first*second", [1, 2]),
)
ROOTS = problem(
    (r"D = 49", "D", "b^2-4*a*c", []),
    (r"x_1 = \frac{5}{2}", "x_1", "(-b+sqrt(D))/(2*a)", [1]),
    (r"x_2 = -1", "x_2", "(-b-sqrt(D))/(2*a)", [1]),
    (r"x = \{-1, \frac{5}{2}\}", "x", "{x_1,x_2}", [2, 3], "{-1, 5/2}"),
    a="2", b="-3", c="-5",
)  # fmt: skip
OUTSIDE = problem(
    (r"\text{roots} = \{-3, 4\}", "r", "solve(x^2-x-12,x)", [], "{-3, 4}"),
    (r"\text{solution} = x<-3\text{ or }x>4", "solution", "solve(factors(r,x)>0,x)", [1], "x<-3 or x>4"),
)
RADICAL = problem(
    (r"x+6=x^2", "", "", []),
    (r"x^2-x-6=0", "", "", [1]),
    (r"x=3,\ x=-2", "", "", [2]),
    (r"x=3", "", "", [3]),
    kinds={4: "conclusion"},
)
RATIONAL = problem(
    (r"x^2-1=2(x-1)", "", "", []),
    (r"x^2-2x+1=0", "", "", [1]),
    (r"x\in\varnothing", "", "", [2]),
    kinds={3: "conclusion"},
)
STATIONARY = problem(
    (r"y' = 3x^2-12x+9", "y'", "diff(y,x)", []),
    (r"x = \{1, 3\}", "X", "solve(y',x)", [1], "{1, 3}"),
    (r"y'' = 6x-12", "y''", "diff(y',x)", [1]),
    (r"y''\text{ at the points} = (-6, 6)", "second", "replace(y'',x,X)", [2, 3], "(-6, 6)"),
    (r"\text{nature} = max, min", "kind", "nature(second)", [4], "max, min"),
    y="x^3-6x^2+9x+2",
)
SURD = problem(
    (r"4(3+\sqrt5) = 4\sqrt{5}+12", "n", "4*(3+sqrt(5))", []),
    (r"(3-\sqrt5)(3+\sqrt5) = 4", "m", "(3-sqrt(5))*(3+sqrt(5))", []),
    (r"\text{value} = \sqrt{5}+3", "w", "n/m", [1, 2]),
)
TRIGONOMETRIC = problem(
    (r"\sin x = \{-\frac{1}{2}, 1\}", "S", "solve(2*s^2-s-1,s)", [], "{-1/2, 1}"),
    (
        r"x = \{\frac{\pi}{2}, \frac{7\pi}{6}, \frac{11\pi}{6}\}",
        "x",
        r"solve(sin(x)=S,x,[0,2\pi))",
        [1],
        r"\{\frac{\pi}{2}, \frac{7\pi}{6}, \frac{11\pi}{6}\}",
    ),
)
OBTUSE = problem(
    (r"\cos\theta = -\frac{4}{5}", "cos(theta)", "-sqrt(1-s^2)", []),
    (r"\tan\theta = -\frac{3}{4}", "tan(theta)", "s/cos(theta)", [1]),
    (r"\sin2\theta = -\frac{24}{25}", "double", "2*s*cos(theta)", [1]),
    s="3/5",
)
ANGLE = problem(
    (r"\mathbf a\cdot\mathbf b = 1", "dot", "a_1*b_1+a_2*b_2+a_3*b_3", []),
    (r"|\mathbf a| = \sqrt{2}", "n_a", "sqrt(a_1^2+a_2^2+a_3^2)", []),
    (r"|\mathbf b| = \sqrt{2}", "n_b", "sqrt(b_1^2+b_2^2+b_3^2)", []),
    (r"\cos\theta = \frac{1}{2}", "cos(theta)", "dot/(n_a*n_b)", [1, 2, 3]),
    (r"\theta = \frac{\pi}{3}", "theta", "acos(cos(theta))", [4]),
    a_1="1", a_2="0", a_3="1", b_1="1", b_2="1", b_3="0",
)  # fmt: skip
SEQUENCE = problem(
    (r"d = 4", "d", "(u_8-u_3)/5", []),
    (r"u_1 = 3", "u_1", "u_3-2*d", [1]),
    (r"S_{20} = 820", "S_20", "20*u_1+190*d", [1, 2]),
    u_3="11", u_8="31",
)  # fmt: skip
INTEREST = problem(
    (r"\text{factor} = \frac{103}{100}", "factor", "1+p/100", []),
    (r"\text{factor}^4 = \frac{112550881}{100000000}", "grown", "factor^4", [1]),
    (r"\text{value} = 2251.02", "worth", "round(K*grown,2)", [2]),
    p="3",
    K="2000",
)
ELLIPSE = problem(
    (r"a = 5", "a", "sqrt(A)", []),
    (r"b = 3", "b", "sqrt(B)", []),
    (r"c = 4", "c", "sqrt(a^2-b^2)", [1, 2]),
    (r"e = \frac{4}{5}", "e", "c/a", [1, 3]),
    A="25", B="9",
)  # fmt: skip
EXPONENTIAL = problem(
    (r"t^2-10t+9=0", "quadratic", "q", [], "t^2-10t+9=0"),
    (r"t = \{1, 9\}", "t", "solve(quadratic,t)", [1], "{1, 9}"),
    (r"x = \{0, 2\}", "x", "solve(3^x=t,x)", [2], "{0, 2}"),
    q="t^2-10t+9=0",
)
PARALLEL = problem(
    (r"\frac{DE}{BC}=\frac{AD}{AB}=\frac{4}{10}", "ratio", "AD/(AD+DB)", []),
    (r"BC = 12.5", "BC", "DE/ratio", [1]),
    kinds={1: "concept"},
    AD="4", DB="6", DE="5",
)  # fmt: skip
IMPLICIT = problem(
    (r"\frac{dy}{dx} = \frac{-2x-y}{x+2y}", "slope", "-diff(F,x)/diff(F,y)", []),
    (r"m = -\frac{4}{5}", "m", "replace(slope,(x,y),(1,2))", [1]),
    (r"y = \frac{14}{5}-\frac{4x}{5}", "line", r"x \mapsto 2+m*(x-1)", [2]),
    F="x^2+x*y+y^2-7",
)
PRIMITIVE = problem((r"2x^3-4x", "", "", []), (r"2x^3-4x+C", "", "", [1]), kinds={2: "conclusion"})
INDUCTION = problem(
    (r"\frac{1\cdot(1+1)}{2}=1", "", "", []),
    (r"\text{assume }\sum_{i=1}^{k}i=\frac{k(k+1)}{2}", "", "", []),
    (r"\frac{k(k+1)}{2}+(k+1)=\frac{(k+1)(k+2)}{2}", "", "", [2]),
    ("", "", "", [1, 2, 3]),
    kinds={1: "concept", 4: "conclusion"},
)
RECIPROCAL = problem((r"x(2x-1)>0", "", "", []), (r"x<0\text{ or }x>\frac{1}{2}", "", "", [1]), kinds={2: "conclusion"})
DIVIDED = problem((r"x=0\text{ or }x=5", "", "", []))
IDENTITY = problem(
    (r"\frac{2\sin x\cos x}{1+2\cos^2x-1}", "", "", []),
    (r"\frac{2\sin x\cos x}{2\cos^2x}", "", "", [1]),
    (r"\tan x", "", "", [2]),
)
SPEED = problem(
    (r"1.25\text{ h}", "t", "h+m/60", [], "5/4"),
    (r"90/1.25=72\text{ km/h}", "v", "s/t", [1], "72"),
    (r"72/3.6=20\text{ m/s}", "w", "v/3.6", [2], "20"),
    s="90", h="1", m="15",
)  # fmt: skip

CASES: dict[str, Problem] = {
    **dict.fromkeys(("st-0076", "st-0074"), ANGLE),
    **dict.fromkeys(("st-0045", "st-0048"), SEQUENCE),
    "st-0086": binomial("6", "1", r"\frac{1}{4}", "6", r"\frac{3}{4}", r"\frac{729}{2048}"),
    "st-0084": binomial("5", "2", r"\frac{1}{3}", "10", r"\frac{2}{3}", r"\frac{80}{243}"),
    "st-0079": circle("2", "-3", "16", "4", "-4", "6", "-3"),
    "st-0081": circle("-5", "1", "25", "5", "10", "-2", "1"),
    "st-0013": square("5", "1", r"\frac{5}{2}", r"-\frac{21}{4}", r"-\frac{5}{2}"),
    "st-0011": square("-8", "3", "-4", "-13", "4"),
    **dict.fromkeys(("st-0097", "st-0096"), INTEREST),
    "st-0069": triangle("7", "3", r"-\frac{1}{2}", "79", r"\sqrt{79}", r"\frac{21\sqrt{3}}{4}", r"\frac{\sqrt{3}}{2}"),
    "st-0067": triangle("5", "8", r"\frac{1}{2}", "49", "7", r"10\sqrt{3}", r"\frac{\sqrt{3}}{2}"),
    "st-0034": integral("3x^2-2x+1", "x^3-x^2+x", "21", "1", "20", "1", "3"),
    "st-0040": integral(r"\frac{1}{x}", r"\ln x", "2", "0", "2", "1", "e^2"),
    **dict.fromkeys(("st-0133", "st-0131"), ELLIPSE),
    **dict.fromkeys(("st-0064", "st-0063"), EXPONENTIAL),
    "st-0054": geometric("12", "3", r"\frac{1}{4}", r"\frac{1}{2}", "24", "48"),
    "st-0056": geometric("18", "2", r"\frac{1}{9}", r"\frac{1}{3}", "54", "81"),
    **dict.fromkeys(("st-0222", "st-0221"), PARALLEL),
    **dict.fromkeys(("st-0122", "st-0120"), IMPLICIT),
    "st-0217": PRIMITIVE,
    "st-0212": INDUCTION,
    "st-0214": RECIPROCAL,
    **dict.fromkeys(("st-0112", "st-0111"), INVERSE),
    **dict.fromkeys(("st-0099", "st-0100"), KINEMATICS),
    **dict.fromkeys(("st-0124", "st-0123"), CHORD),
    **dict.fromkeys(("st-0057", "st-0061"), LOGARITHM),
    **dict.fromkeys(("st-0108", "st-0107"), MATRIX),
    **dict.fromkeys(("st-0135", "st-0136"), VARIANCE),
    **dict.fromkeys(("st-0114", "st-0117"), VOLUME),
    **dict.fromkeys(("st-0092", "st-0093"), FRACTIONS),
    "st-0220": HEARTS,
    "st-0003": ROOTS,
    "st-0216": DIVIDED,
    **dict.fromkeys(("st-0104", "st-0105"), OUTSIDE),
    "st-0210": RADICAL,
    "st-0213": RATIONAL,
    "st-0019": simultaneous("-26", "-104", "4", "-2", a="4", b="3", c="10", p="2", q="-5", r="18"),
    "st-0015": simultaneous("-13", "-26", "2", "5", a="3", b="2", c="16", p="5", q="-1", r="5"),
    **dict.fromkeys(("st-0031", "st-0030"), STATIONARY),
    **dict.fromkeys(("st-0090", "st-0088"), SURD),
    "st-0027": tangent(r"x+\frac{4}{x}", r"1-\frac{4}{x^2}", "4", r"\frac{3}{4}", "5", r"\frac{3x}{4}+2"),
    "st-0026": tangent("x+e^{2x}", "2e^{2x}+1", "0", "3", "1", "3x+1"),
    **dict.fromkeys(("st-0139", "st-0142"), TRIGONOMETRIC),
    "st-0218": IDENTITY,
    **dict.fromkeys(("st-0128", "st-0127"), OBTUSE),
    "st-0223": SPEED,
}

# Where the status that earns credit is not the label, with the reason.
EARNED: dict[str, list[str]] = {
    # The discriminant and the roots are not shown and nothing later shows them: not a jump in our sense, not credited.
    "st-0003": ["MISSING", "VALID", "VALID", "VALID"],
    "st-0061": ["VALID", "VALID", "MISSING", "VALID"],
    # A bare answer is an answer only.
    "st-0222": ["MISSING", "VALID"],
    # The false proportion is written in letters: an error of principle, after which nothing is carried.
    "st-0221": ["INVALID", "INVALID"],
    # The base case is missing; the conclusion stands without it.
    "st-0212": ["MISSING", "VALID", "VALID", "GAP_DEDUCTION"],
}


def rules_document(case: str) -> dict[str, Any]:
    """The scoring rules of one case as a document: two points a step, one path."""
    given = CASES[case]
    steps, quantities = [], {}
    for number, (expected, name, formula, before, *value) in enumerate(given.rows, 1):
        if name:
            quantities[name] = value[0] if value else expected.rpartition("=")[2].strip()
        steps.append(
            {
                "step_id": f"s{number}",
                "desc": expected or "true for all n, from the base case and the step",
                "points": 2,
                "kind": given.kinds.get(number, "computation"),
                "expects": [expected] if expected else [],
                "yields": {name: formula} if formula else {},
                "depends_on": [f"s{one}" for one in before],
            }
        )
    return {
        "question_id": case,
        "title": case,
        "stem": case,
        "max_score": 2 * len(steps),
        "mark_step": 1,
        "givens": given.givens,
        "quantities": quantities,
        "valid_paths": [{"path_id": "P", "name": case, "steps": steps}],
    }
