"""Units of measurement: names, sizes in SI and dimensions (metre, kilogram, second, ampere, kelvin, mole, currency)."""

from __future__ import annotations

import re
from fractions import Fraction

Dimension = tuple[int, int, int, int, int, int, int]

_ZERO: Dimension = (0, 0, 0, 0, 0, 0, 0)
_M: Dimension = (1, 0, 0, 0, 0, 0, 0)
_KG: Dimension = (0, 1, 0, 0, 0, 0, 0)
_S: Dimension = (0, 0, 1, 0, 0, 0, 0)
_YUAN: Dimension = (0, 0, 0, 0, 0, 0, 1)


def _f(text: str) -> Fraction:
    return Fraction(text)


_PREFIXABLE: dict[str, tuple[Fraction, Dimension]] = {
    "m": (_f("1"), _M),
    "g": (_f("1/1000"), _KG),
    "s": (_f("1"), _S),
    "A": (_f("1"), (0, 0, 0, 1, 0, 0, 0)),
    "K": (_f("1"), (0, 0, 0, 0, 1, 0, 0)),
    "mol": (_f("1"), (0, 0, 0, 0, 0, 1, 0)),
    "N": (_f("1"), (1, 1, -2, 0, 0, 0, 0)),
    "J": (_f("1"), (2, 1, -2, 0, 0, 0, 0)),
    "W": (_f("1"), (2, 1, -3, 0, 0, 0, 0)),
    "V": (_f("1"), (2, 1, -3, -1, 0, 0, 0)),
    "C": (_f("1"), (0, 0, 1, 1, 0, 0, 0)),
    "F": (_f("1"), (-2, -1, 4, 2, 0, 0, 0)),
    "T": (_f("1"), (0, 1, -2, -1, 0, 0, 0)),
    "Ω": (_f("1"), (2, 1, -3, -2, 0, 0, 0)),
    "Pa": (_f("1"), (-1, 1, -2, 0, 0, 0, 0)),
    "Hz": (_f("1"), (0, 0, -1, 0, 0, 0, 0)),
    "L": (_f("1/1000"), (3, 0, 0, 0, 0, 0, 0)),
    "l": (_f("1/1000"), (3, 0, 0, 0, 0, 0, 0)),
}
_PREFIXES = {"": _f("1"), "k": _f("1000"), "c": _f("1/100"), "d": _f("1/10"), "m": _f("1/1000"), "M": _f("1000000"),
             "G": _f("1000000000"), "μ": _f("1/1000000"), "n": _f("1/1000000000")}  # fmt: skip

UNITS: dict[str, tuple[Fraction, Dimension]] = {
    prefix + name: (size * factor, dimension)
    for name, (size, dimension) in _PREFIXABLE.items()
    for prefix, factor in _PREFIXES.items()
}
UNITS |= {
    "min": (_f("60"), _S), "h": (_f("3600"), _S), "hr": (_f("3600"), _S), "hour": (_f("3600"), _S),
    "hours": (_f("3600"), _S), "minutes": (_f("60"), _S), "seconds": (_f("1"), _S), "sec": (_f("1"), _S),
    "d": (_f("86400"), _S), "day": (_f("86400"), _S), "days": (_f("86400"), _S), "t": (_f("1000"), _KG),
    "mi": (_f("1609.344"), _M), "ft": (_f("0.3048"), _M), "in": (_f("0.0254"), _M), "yd": (_f("0.9144"), _M),
    "lb": (_f("0.45359237"), _KG), "oz": (_f("0.028349523125"), _KG), "ha": (_f("10000"), (2, 0, 0, 0, 0, 0, 0)),
    "meters": (_f("1"), _M), "meter": (_f("1"), _M), "metres": (_f("1"), _M), "metre": (_f("1"), _M),
    "yuan": (_f("1"), _YUAN), "jiao": (_f("1/10"), _YUAN), "fen": (_f("1/100"), _YUAN),
    "元": (_f("1"), _YUAN), "角": (_f("1/10"), _YUAN), "米": (_f("1"), _M), "厘米": (_f("1/100"), _M),
    "毫米": (_f("1/1000"), _M), "千米": (_f("1000"), _M), "公里": (_f("1000"), _M), "千克": (_f("1"), _KG),
    "克": (_f("1/1000"), _KG), "吨": (_f("1000"), _KG), "秒": (_f("1"), _S), "小时": (_f("3600"), _S),
    "分钟": (_f("60"), _S), "天": (_f("86400"), _S), "升": (_f("1/1000"), (3, 0, 0, 0, 0, 0, 0)),
    "毫升": (_f("1/1000000"), (3, 0, 0, 0, 0, 0, 0)), "平方米": (_f("1"), (2, 0, 0, 0, 0, 0, 0)),
    "平方厘米": (_f("1/10000"), (2, 0, 0, 0, 0, 0, 0)), "立方米": (_f("1"), (3, 0, 0, 0, 0, 0, 0)),
    "units": (_f("1"), _ZERO), "unit": (_f("1"), _ZERO), "个": (_f("1"), _ZERO), "人": (_f("1"), _ZERO),
    "件": (_f("1"), _ZERO), "名": (_f("1"), _ZERO), "种": (_f("1"), _ZERO), "次": (_f("1"), _ZERO),
    "项": (_f("1"), _ZERO), "只": (_f("1"), _ZERO), "本": (_f("1"), _ZERO), "张": (_f("1"), _ZERO),
}  # fmt: skip

_PART = re.compile(r"\s*([*/·⋅ ]?)\s*([A-Za-zΩμ\u4e00-\u9fff]+)\s*(?:\^?\s*\{?\s*(-?\d)\s*\}?)?")


def measure(text: str) -> tuple[Fraction, Dimension] | None:
    """Size in SI and dimension of a unit such as "km/h", "m/s^2", "kg m/s^2"; None when it is no unit."""
    size, dimension, at, dividing = Fraction(1), list(_ZERO), 0, False
    text = text.strip()
    if not text or len(text) > 60:
        return None
    while at < len(text):
        found = _PART.match(text, at)
        if found is None or (at == 0 and found.group(1)):
            return None
        known = UNITS.get(found.group(2))
        if known is None:
            return None
        dividing = found.group(1) == "/"
        exponent = int(found.group(3) or 1) * (-1 if dividing else 1)
        size *= known[0] ** exponent
        dimension = [old + exponent * new for old, new in zip(dimension, known[1], strict=True)]
        at = found.end()
    a, b, c, d, e, f, g = dimension
    return size, (a, b, c, d, e, f, g)


def is_unit(text: str) -> bool:
    """Whether the text names a unit."""
    return measure(text) is not None
