"""The vocabulary: how characters, LaTeX commands and words are read. Tables only."""

from __future__ import annotations

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙ", "0123456789n", strict=True))
VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅛": (1, 8)}

GREEK_LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "△": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
GREEK_NAMES = frozenset(GREEK_LETTERS.values()) | {"varepsilon", "vartheta", "varphi"}
GREEK_ALIASES = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi"}

CHARACTERS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "×": "*", "·": "*", "∙": "*", "⋅": "*", "•": "*", "÷": "/", "∕": "/",
    "⁄": "/", "∶": ":", "≤": "≤", "≦": "≤", "⩽": "≤", "≥": "≥", "≧": "≥", "⩾": "≥", "∣": "|", "❘": "|", "‖": "‖",
    "，": ",", "、": "、", "；": ";", "。": ";", "：": ":", "（": "(", "）": ")", "【": "[", "】": "]", "｛": "{",
    "｝": "}", "′": "'", "’": "'", "″": "''", "〈": "(", "〉": ")", "％": "%", "℃": "°", "º": "°", "˚": "°",
    "ˆ": "^", "∨": "∨", "∧": "∧", "～": "~", "∖": "\\setminus ", "ℝ": "R", "ℤ": "Z", "ℕ": "N", "ℚ": "Q",
}  # fmt: skip
RELATION_CHARACTERS = {
    "=": "=", "≠": "!=", "<": "<", ">": ">", "≤": "<=", "≥": ">=", "∈": "in", "∉": "notin", "≈": "~", "≡": "=",
    "⊆": "subset", "⊂": "subset", "~": "~", "∥": "parallel", "⊥": "perp", "∽": "~", "≌": "cong",
}  # fmt: skip
SET_CHARACTERS = {"∪": "union", "∩": "inter"}
THEN_CHARACTERS = "∴∵⇒→⇔⟹⟺↔"

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "sec": "sec", "csc": "csc",
    "cosec": "csc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "ln": "ln", "lg": "lg", "log": "log", "exp": "exp", "sqrt": "sqrt",
    "cbrt": "cbrt", "abs": "abs", "floor": "floor", "ceil": "ceil", "ceiling": "ceil", "factorial": "factorial",
    "binomial": "binomial", "max": "max", "min": "min", "gcd": "gcd", "lcm": "lcm", "sum": "sum", "root": "root",
    "asin": "asin", "acos": "acos", "atan": "atan", "sgn": "sign", "sign": "sign", "mod": "mod", "perm": "perm",
    "degree": "degree", "percent": "percent",
}  # fmt: skip
BRACKET_ONLY = frozenset(
    ("asin", "acos", "atan", "floor", "ceil", "ceiling", "factorial", "binomial", "sum", "root", "sign", "perm",
     "max", "min", "degree", "percent", "gcd", "lcm", "exp", "abs", "mod")
)  # fmt: skip
"""Plain-text words that are functions only directly before a bracket: "acosC" is a·cos C."""

COMMAND_RELATIONS = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "ne": "!=", "neq": "!=",
    "lt": "<", "gt": ">", "in": "in", "notin": "notin", "approx": "~", "sim": "~", "equiv": "=", "subset": "subset",
    "subseteq": "subset", "parallel": "parallel", "perp": "perp", "cong": "cong", "doteq": "~",
}  # fmt: skip
COMMAND_OPERATORS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "pm": "±", "mp": "∓", "plusmn": "±", "setminus": "minus",
    "backslash": "minus", "cup": "union", "cap": "inter", "bullet": "*",
}  # fmt: skip
COMMAND_WORDS = {
    "lor": "or", "vee": "or", "land": "and", "wedge": "and", "Rightarrow": "then", "rightarrow": "then", "to": "then",
    "Leftrightarrow": "then", "iff": "then", "implies": "then", "therefore": "then", "because": "then",
    "Longrightarrow": "then", "quad": "gap", "qquad": "gap", "leftrightarrow": "then", "longrightarrow": "then",
}  # fmt: skip
COMMAND_CONSTANTS = {"pi": "pi", "infty": "oo", "infin": "oo"}
COMMAND_NONE = frozenset(("varnothing", "emptyset", "empty"))
IGNORED_COMMANDS = frozenset(
    ("left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle",
     "limits", "nolimits", "hline", "middle", "boldsymbol", "mathstrut", "boxed")
)  # fmt: skip
JOINTS = frozenset(("then", "if", "when", "aim", "let", "end"))
"""Words between two clauses: so, if, when, in order that, let, and the 时 that ends a condition."""

RAW_TEXT_COMMANDS = frozenset(("text", "mathrm", "textrm", "operatorname", "mbox", "textbf", "rm", "textit", "mathit"))
ACCENT_COMMANDS = frozenset(
    ("vec", "overrightarrow", "bar", "overline", "hat", "widehat", "tilde", "mathbf", "bm", "mathbb", "dot")
)
NUMBER_SETS = frozenset("ZNRQC")

WORDS = {
    "或者": "or", "或": "or", "且": "and", "并且": "and", "和": "list", "与": "list", "所以": "then", "因为": "then",
    "因此": "then", "从而": "then", "于是": "then", "即": "then", "又": "then", "则": "then", "故": "then",
    "得到": "then", "解得": "then", "可得": "then", "可知": "then", "得": "then", "由": "then", "解": "then",
    "答": "then", "当": "when", "时": "end", "若": "if", "而": "then", "有": "then", "知": "then", "代入": "then",
    "其中": "then", "设": "let", "令": "let", "为": "then", "综上": "then",
    "如果": "if", "假设": "if", "错解": "if", "那么": "then", "要使": "aim", "欲使": "aim", "为使": "aim", "若干": "then", "当且仅当": "then",
    "同时": "then", "此时": "then", "这时": "then", "时间": "then", "时刻": "then",
    "无解": "none", "无实数根": "none", "无实数解": "none", "没有实数根": "none", "无实根": "none", "空集": "none",
    "方程无解": "none", "不存在": "none", "没有实数解": "none", "百分之": "percent-of", "度": "degree",
}  # fmt: skip
ENGLISH_WORDS = {
    "or": "or", "and": "and", "so": "then", "then": "then", "hence": "then", "thus": "then", "therefore": "then",
    "because": "then", "since": "then", "no solution": "none", "no real roots": "none", "at": "at", "when": "at",
    "pct": "percent", "percent": "percent", "where": "then", "if": "if", "suppose": "if", "assume": "if", "let": "let",
}  # fmt: skip

PLAIN_UNITS = frozenset(("cm", "mm", "km", "dm", "kg", "ml", "mL"))
"""Units read as such even without \\text, directly behind a number."""
