"""The vocabulary: how characters, LaTeX commands and words are read. Tables only."""

from __future__ import annotations

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣʸᵏᵐᵀᵗᵃᵇ"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₖₘᵢⱼₐₓₚ"
SUPERSCRIPTS = dict(zip(_RAISED, "0123456789+-()nixykmTtab", strict=True))
SUBSCRIPTS = dict(zip(_LOWERED, "0123456789+-()nkmijaxp", strict=True))
VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
          "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
          "⅑": (1, 9), "⅒": (1, 10)}  # fmt: skip

GREEK_LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "△": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ϑ": "theta",
    "ϵ": "epsilon", "∆": "Delta", "µ": "mu", "\u2126": "Omega",
}  # fmt: skip
GREEK_NAMES = frozenset(GREEK_LETTERS.values()) | {"varepsilon", "vartheta", "varphi", "varDelta", "varOmega"}
GREEK_ALIASES = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varDelta": "Delta",
                 "varOmega": "Omega"}  # fmt: skip
GREEK_INSIDE = ("theta", "alpha", "beta", "gamma", "delta", "lambda", "omega", "sigma", "phi", "pi")

CHARACTERS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "‒": "-", "×": "×", "·": "*", "∙": "*", "⋅": "*", "•": "*",
    "・": "*", "✕": "*", "÷": "/", "∕": "/", "⁄": "/", "∶": ":", "≤": "≤", "≦": "≤", "⩽": "≤", "≥": "≥", "≧": "≥",
    "⩾": "≥", "∣": "|", "❘": "|", "│": "|", "‖": "|", "∥": "∥", "，": ",", "、": "、", "；": ";", "。": ";", "：": ":",
    "（": "(", "）": ")", "【": "[", "】": "]", "〔": "[", "〕": "]", "［": "[", "］": "]", "｛": "{", "｝": "}", "′": "'",
    "’": "'", "‘": "'", "ʹ": "'", "″": "''", "‴": "'''", "〈": "⟨", "〉": "⟩", "\u2329": "⟨", "\u232a": "⟩", "％": "%",
    "º": "°", "˚": "°", "ˆ": "^", "∨": "∨", "∧": "∧", "～": "~", "∼": "~", "〜": "~", "∖": "\\setminus ",
    "⧵": "\\setminus ", "ℝ": "R", "ℤ": "Z", "ℕ": "N", "ℚ": "Q", "ℂ": "C", "ℯ": "e", "ⅇ": "e", "ⅈ": "i", "𝜋": "π",
    "𝛑": "π", "√": "√", "＋": "+", "﹣": "-", "﹢": "+", "﹦": "=", "＝": "=", "…": "…", "⋯": "…", "℃": "℃", "‚": ",",
    "．": ".", "｡": ";", "､": "、", "￥": "¥", "￡": "£",
}  # fmt: skip
RELATION_CHARACTERS = {
    "=": "=", "≠": "!=", "<": "<", ">": ">", "≤": "<=", "≥": ">=", "∈": "in", "∉": "notin", "≈": "~", "≡": "equiv",
    "⊆": "subset", "⊂": "subset", "⊊": "psubset", "⫋": "psubset", "⊇": "superset", "⊃": "superset",
    "⊄": "notsubset", "⊈": "notsubset", "~": "~", "∥": "parallel", "⊥": "perp", "∽": "similar", "≌": "cong",
    "≅": "cong", "≯": "<=", "≮": ">=", "≫": "gg", "≪": "ll", "≰": ">", "≱": "<", "∝": "proportional", "≃": "~",
    "≐": "~", "≜": "=", "≔": "=",
}  # fmt: skip
SET_CHARACTERS = {"∪": "union", "∩": "inter"}
THEN_CHARACTERS = "∴∵⇒→⇔⟹⟺↔⟶⟸"
SIGN_CHARACTERS = {
    "√": ("cmd", "√"), "∛": ("cmd", "cbrt"), "∜": ("cmd", "fourth-root"), "∅": ("none", "∅"), "π": ("const", "pi"),
    "∞": ("const", "oo"), "∠": ("cmd", "angle"), "∑": ("cmd", "sum"), "∏": ("cmd", "prod"), "∫": ("cmd", "int"),
    "∁": ("cmd", "complement"), "‰": ("op", "‰"), "℃": ("text", "℃"), "∘": ("op", "°"), "∂": ("sym", "d"),
    "∀": ("word", "prose"), "¬": ("word", "not"), "∬": ("cmd", "iint"), "∮": ("cmd", "oint"), "⊙": ("cmd", "circle"),
    "℉": ("text", "℉"),
}  # fmt: skip
CURRENCIES = {"€": "€", "£": "£", "¥": "元"}

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "cotg": "cot", "cotan": "cot",
    "sec": "sec", "csc": "csc", "cosec": "csc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan",
    "arccot": "acot", "arcctg": "acot", "arccotg": "acot", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "ln": "ln", "lg": "lg", "log": "log", "exp": "exp", "sqrt": "sqrt",
    "cbrt": "cbrt", "abs": "abs", "floor": "floor", "ceil": "ceil", "ceiling": "ceil", "factorial": "factorial",
    "binomial": "binomial", "binom": "binomial", "max": "max", "min": "min", "gcd": "gcd", "lcm": "lcm", "sum": "sum",
    "root": "root", "asin": "asin", "acos": "acos", "atan": "atan", "acot": "acot", "sgn": "sign", "sign": "sign",
    "mod": "mod", "perm": "perm", "degree": "degree", "percent": "percent", "Re": "re", "Im": "im", "arg": "arg",
    "conj": "conj", "det": "det", "limit": "limit", "ncr": "binomial", "nCr": "binomial", "nPr": "perm", "arsinh": "asinh",
    "arcosh": "acosh", "artanh": "atanh", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "arsh": "asinh",
    "diff": "diff", "int": "int", "integrate": "int", "product": "product", "matrix": "matrix", "choose": "binomial",
}  # fmt: skip
BRACKET_ONLY = frozenset(
    ("asin", "acos", "atan", "acot", "floor", "ceil", "ceiling", "factorial", "binomial", "binom", "sum", "root",
     "sign", "perm", "max", "min", "degree", "percent", "gcd", "lcm", "exp", "abs", "mod", "Re", "Im", "arg", "conj",
     "det", "limit", "ncr", "nCr", "nPr", "diff", "int", "integrate", "product", "matrix", "choose", "arsh")
)  # fmt: skip
"""Plain-text words that are functions only directly before a bracket: "acosC" is a·cos C."""

_RELATIONS = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "leqq": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "geqq": ">=",
    "ne": "!=", "neq": "!=", "lt": "<", "gt": ">", "in": "in", "notin": "notin", "approx": "~", "sim": "~",
    "thickapprox": "~", "simeq": "~", "backsim": "similar", "equiv": "equiv", "subset": "subset", "subseteq": "subset",
    "subseteqq": "subset", "subsetneq": "psubset", "subsetneqq": "psubset", "supset": "superset",
    "supseteq": "superset", "supseteqq": "superset", "nsubseteq": "notsubset", "parallel": "parallel",
    "perp": "perp", "bot": "perp", "cong": "cong", "doteq": "~", "ngtr": "<=", "nless": ">=", "nleq": ">",
    "ngeq": "<", "gg": "gg", "ll": "ll", "propto": "proportional", "coloneqq": "=", "triangleq": "=", "nmid": "notdivides",
}  # fmt: skip
_OPERATORS = {
    "cdot": "*", "times": "×", "ast": "*", "div": "/", "pm": "±", "mp": "∓", "plusmn": "±", "setminus": "minus",
    "backslash": "minus", "cup": "union", "cap": "inter", "bullet": "*", "bigcup": "union", "bigcap": "inter",
    "circ": "°", "degree": "°", "prime": "'", "colon": ":", "permil": "‰", "textdegree": "°", "star": "*",
    "lvert": "|", "rvert": "|", "vert": "|", "Vert": "|", "lVert": "|", "rVert": "|", "mid": "mid",
}  # fmt: skip
_WORDS = {
    "lor": "or", "vee": "or", "land": "and", "wedge": "and", "Rightarrow": "then", "rightarrow": "then", "to": "then",
    "Leftrightarrow": "then", "iff": "then", "implies": "then", "therefore": "then", "because": "then",
    "Longrightarrow": "then", "leftrightarrow": "then", "longrightarrow": "then", "And": "and",
    "Longleftrightarrow": "then", "Leftarrow": "then", "forall": "prose", "neg": "not", "lnot": "not",
}  # fmt: skip
_STRUCTURES = {
    "frac": "frac", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "binom": "binom", "dbinom": "binom",
    "tbinom": "binom", "sqrt": "sqrt", "sum": "sum", "prod": "prod", "int": "int", "lim": "lim", "angle": "angle",
    "triangle": "triangle", "bigtriangleup": "triangle", "bmod": "bmod", "mod": "bmod", "pmod": "pmod",
    "choose": "choose", "iint": "iint", "iiint": "iint", "oint": "oint", "complement": "complement", "odot": "circle",
    "overset": "overset", "stackrel": "overset", "underset": "underset", "mapsto": "mapsto",
}  # fmt: skip
COMMANDS: dict[str, tuple[str, str]] = (
    {name: ("sym", GREEK_ALIASES.get(name, name)) for name in GREEK_NAMES}
    | {name: ("fn", meaning) for name, meaning in FUNCTIONS.items()
       if name not in ("sqrt", "sum", "mod", "binom", "limit", "int", "choose", "matrix", "product")}
    | {name: ("rel", sign) for name, sign in _RELATIONS.items()}
    | {name: ("op", sign) for name, sign in _OPERATORS.items()}
    | {name: ("word", word) for name, word in _WORDS.items()}
    | {name: ("cmd", kind) for name, kind in _STRUCTURES.items()}
    | {"pi": ("const", "pi"), "infty": ("const", "oo"), "infin": ("const", "oo"), "quad": ("sep", "gap"),
       "qquad": ("sep", "gap"), "varnothing": ("none", "∅"), "emptyset": ("none", "∅"), "empty": ("none", "∅"),
       "ldots": ("dots", "…"), "cdots": ("dots", "…"), "dots": ("dots", "…"), "dotsb": ("dots", "…"),
       "dotsc": ("dots", "…"), "vdots": ("dots", "…"), "Re": ("fn", "re"), "Im": ("fn", "im"), "sh": ("fn", "sinh"),
       "ch": ("fn", "cosh"), "th": ("fn", "tanh"), "partial": ("sym", "d"), "imath": ("sym", "i"),
       "jmath": ("sym", "j"), "top": ("sym", "T"), "intercal": ("sym", "T"), "ell": ("sym", "l"), "R": ("sym", "set_R"),
       "N": ("sym", "set_N"), "Z": ("sym", "set_Z"), "Q": ("sym", "set_Q"), "Omega": ("sym", "Omega"),
       "celsius": ("text", "℃"), "exponentialE": ("const", "e"), "imaginaryI": ("const", "i"), "differentialD": ("sym", "d"),
       "euro": ("text", "€"), "pounds": ("text", "£"), "yen": ("text", "元")}
)  # fmt: skip
BRACKET_COMMANDS = {
    "lfloor": ("open", "⌊"), "rfloor": ("close", "⌋"), "lceil": ("open", "⌈"), "rceil": ("close", "⌉"),
    "lbrace": ("open", "\\{"), "rbrace": ("close", "\\}"), "langle": ("open", "⟨"), "rangle": ("close", "⟩"),
    "lbrack": ("open", "["), "rbrack": ("close", "]"), "lparen": ("open", "("), "rparen": ("close", ")"),
}  # fmt: skip
IGNORED_COMMANDS = frozenset(
    ("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "displaystyle",
     "textstyle", "scriptstyle", "limits", "nolimits", "hline", "middle", "mathstrut", "strut", "hfill", "enspace",
     "thinspace", "par", "newline", "noindent", "bigm", "allowbreak", "nonumber", "null", "space", "hspace")
)  # fmt: skip
WRAPPERS = frozenset(("boxed", "fbox", "underline", "mathop", "mathrel", "mathbin", "mathord", "ensuremath", "displaylines",
                      "phantom", "underbrace"))  # fmt: skip
"""Commands that change the look of their argument and nothing of its meaning."""

JOINTS = frozenset(("then", "if", "when", "aim", "let", "end", "prose"))
"""Words between two clauses: so, if, when, in order that, let, the 时 that ends a condition, and mere prose."""

RAW_TEXT_COMMANDS = frozenset(
    ("text", "mathrm", "textrm", "operatorname", "mbox", "textbf", "rm", "textit", "mathit", "textsf", "mathsf", "hbox",
     "textnormal", "bf", "it", "tt", "texttt", "unit", "si")
)  # fmt: skip
ACCENT_COMMANDS = {
    "vec": "vec", "overrightarrow": "vec", "bar": "bar", "overline": "bar", "hat": "hat", "widehat": "hat",
    "tilde": "tilde", "widetilde": "tilde", "mathbf": "vec", "bm": "vec", "boldsymbol": "vec", "pmb": "vec",
    "mathbb": "mathbb", "mathcal": "mathcal", "dot": "dot", "ddot": "ddot", "overarc": "arc", "wideparen": "arc",
    "mathscr": "mathcal", "Bbb": "mathbb",
}  # fmt: skip

WORDS = {
    "或者": "or", "或": "or", "且": "and", "并且": "and", "和": "list", "与": "list", "及": "list", "以及": "list",
    "所以": "then", "因为": "then", "因此": "then", "从而": "then", "于是": "then", "即": "then", "又": "then",
    "则": "then", "故": "then", "得到": "then", "解得": "then", "可得": "then", "可知": "then", "得": "then",
    "由": "then", "解": "then", "答": "then", "当": "when", "时": "end", "若": "if", "而": "then", "有": "then",
    "知": "then", "代入": "then", "其中": "then", "设": "let", "令": "let", "为": "then", "综上": "then",
    "如果": "if", "假设": "if", "错解": "if", "那么": "then", "要使": "aim", "欲使": "aim", "为使": "aim", "若干": "then",
    "当且仅当": "then", "同时": "then", "此时": "then", "这时": "then", "时间": "then", "时刻": "then",
    "无解": "none", "无实数根": "none", "无实数解": "none", "没有实数根": "none", "无实根": "none", "空集": "none",
    "方程无解": "none", "不存在": "none", "没有实数解": "none", "度": "degree",
}  # fmt: skip
ENGLISH_WORDS = {
    "or": "or", "and": "and", "so": "then", "then": "then", "hence": "then", "thus": "then", "therefore": "then",
    "because": "then", "since": "then", "at": "at", "when": "at", "pct": "percent", "percent": "percent",
    "where": "then", "if": "if", "suppose": "if", "assume": "if", "let": "let", "is": "is", "equals": "is",
    "not": "not", "isn": "not", "never": "not", "with": "prose", "for": "prose",
}  # fmt: skip
OTHER_WORDS = {
    "oder": "or", "ou": "or", "o": "or", "lub": "or", "eller": "or", "или": "or", "либо": "or",
    "und": "and", "et": "and", "oraz": "and", "och": "and", "и": "and", "sowie": "and", "also": "then",
    "donc": "then", "alors": "then", "luego": "then", "entonces": "then", "quindi": "then", "daher": "then",
    "folglich": "then", "значит": "then", "следовательно": "then", "ответ": "prose", "решение": "prose", "при": "prose",
    "antwort": "prose", "réponse": "prose", "где": "prose", "если": "if", "wenn": "if", "тогда": "then", "пусть": "let",
    "nicht": "not", "не": "not",
}  # fmt: skip
"""Words of other languages, read where they stand alone between statements."""

PROSE = frozenset(
    ("we", "get", "the", "answer", "answers", "solution", "solutions", "are", "of", "value", "values", "root",
     "roots", "which", "that", "gives", "give", "have", "has", "obtain", "equation", "find", "finally",
     "required", "result", "both", "either", "from", "this", "there", "final", "must", "these", "here", "now", "using", "given", "function")
)  # fmt: skip
"""English words between formulas that say nothing by themselves."""

NOTHING = (
    "no solutions", "no solution", "no real solutions", "no real solution", "no real roots", "no real root", "no roots",
    "does not exist", "empty set", "has no solution", "keine lösung", "keine lösungen", "aucune solution",
    "pas de solution", "sin solución", "no hay solución", "nessuna soluzione", "brak rozwiązań", "нет решений",
    "нет корней", "решений нет", "корней нет", "пустое множество",
)  # fmt: skip
"""Ways to say that nothing solves it."""

SINGLE_WORDS = {"yes": "text", "no": "text", "true": "text", "false": "text", "undefined": "text", "even": "text",
                "odd": "text", "dne": "none", "none": "none", "nothing": "none"}  # fmt: skip
"""Answers of one word."""

PLAIN_UNITS = frozenset(
    ("cm", "mm", "km", "dm", "kg", "ml", "mL", "min", "Hz", "kHz", "MHz", "kPa", "MPa", "kJ", "MJ", "kW", "MW", "kWh",
     "mol", "mph", "ohm", "ohms", "rad", "hours", "hour", "hrs", "hr", "minutes", "minute", "seconds",
     "sec", "days", "day", "weeks", "week", "years", "year", "months", "month", "meters", "meter", "metres", "metre",
     "miles", "mile", "feet", "foot", "ft", "inches", "inch", "yards", "yd", "lb", "lbs", "grams", "gram", "dollars",
     "dollar", "cents", "cent", "euros", "euro", "yuan", "jiao", "fen", "units", "unit", "liters", "liter",
     "litres", "litre", "kilometers", "kilometres", "centimeters", "centimetres", "kilograms", "knots", "people",
     "Pa", "kN", "kV", "mA", "mV", "GHz", "MB", "GB", "cL", "dL", "mmol", "nm",
     "ways", "times", "students", "Nm", "kcal", "eV", "acres", "radians")
)  # fmt: skip
"""Units read as such even without \\text, directly behind a number."""

COMPOUND_UNITS = frozenset(
    ("m/s", "m/s2", "m/s-2", "m*s-1", "m*s-2", "m/min", "g/cm3", "g/mL", "g/ml", "g/L", "g/l", "g/mol", "mol/L", "N/m",
     "N/m2", "N/kg", "N/C", "V/m", "J/kg", "J/s", "L/min", "L/h", "L/s", "A/m", "W/m2", "t/h", "m3/s", "m3/h",
     "cm3/s", "N*m", "N*s", "kW*h", "m2/s", "mol*L-1", "g*mol-1", "g*cm-3")
)  # fmt: skip
"""Units made of single letters that are read as units behind a number, since no product of names looks like them."""
