"""Units of measurement: names, sizes in SI and dimensions.

A dimension holds the exponents of metre, kilogram, second, ampere, kelvin, mole, yuan, and of what cannot be turned into
anything else: euro, pound, dollar, degree Celsius, and things that are counted in parts of a dozen kinds.
"""

from __future__ import annotations

import re
from fractions import Fraction

Dimension = tuple[int, ...]

_BASES = ("m", "kg", "s", "A", "K", "mol", "元", "€", "£", "$", "℃", "℉", "月")
NO_DIMENSION: Dimension = (0,) * len(_BASES)


def _dim(**exponents: int) -> Dimension:
    """The dimension with these exponents of metre, kilogram, second, ampere, kelvin and mole."""
    return tuple(exponents.get(base, 0) for base in _BASES)


def _base(name: str) -> Dimension:
    return tuple(int(base == name) for base in _BASES)


_ZERO, _M, _KG, _S, _YUAN = NO_DIMENSION, _base("m"), _base("kg"), _base("s"), _base("元")


def _f(text: str) -> Fraction:
    return Fraction(text)


_PREFIXABLE: dict[str, tuple[Fraction, Dimension]] = {
    "m": (_f("1"), _M),
    "g": (_f("1/1000"), _KG),
    "s": (_f("1"), _S),
    "A": (_f("1"), _dim(A=1)),
    "K": (_f("1"), _dim(K=1)),
    "mol": (_f("1"), _dim(mol=1)),
    "N": (_f("1"), _dim(m=1, kg=1, s=-2)),
    "J": (_f("1"), _dim(m=2, kg=1, s=-2)),
    "W": (_f("1"), _dim(m=2, kg=1, s=-3)),
    "V": (_f("1"), _dim(m=2, kg=1, s=-3, A=-1)),
    "C": (_f("1"), _dim(s=1, A=1)),
    "F": (_f("1"), _dim(m=-2, kg=-1, s=4, A=2)),
    "T": (_f("1"), _dim(kg=1, s=-2, A=-1)),
    "Ω": (_f("1"), _dim(m=2, kg=1, s=-3, A=-2)),
    "Pa": (_f("1"), _dim(m=-1, kg=1, s=-2)),
    "Hz": (_f("1"), _dim(s=-1)),
    "Wb": (_f("1"), _dim(m=2, kg=1, s=-2, A=-1)),
    "eV": (_f("1.602176634e-19"), _dim(m=2, kg=1, s=-2)),
    "Wh": (_f("3600"), _dim(m=2, kg=1, s=-2)),
    "L": (_f("1/1000"), _dim(m=3)),
    "l": (_f("1/1000"), _dim(m=3)),
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
    "lb": (_f("0.45359237"), _KG), "oz": (_f("0.028349523125"), _KG), "ha": (_f("10000"), _dim(m=2)),
    "meters": (_f("1"), _M), "meter": (_f("1"), _M), "metres": (_f("1"), _M), "metre": (_f("1"), _M),
    "yuan": (_f("1"), _YUAN), "jiao": (_f("1/10"), _YUAN), "fen": (_f("1/100"), _YUAN),
    "元": (_f("1"), _YUAN), "角": (_f("1/10"), _YUAN), "米": (_f("1"), _M), "厘米": (_f("1/100"), _M),
    "毫米": (_f("1/1000"), _M), "千米": (_f("1000"), _M), "公里": (_f("1000"), _M), "千克": (_f("1"), _KG),
    "克": (_f("1/1000"), _KG), "吨": (_f("1000"), _KG), "秒": (_f("1"), _S), "小时": (_f("3600"), _S),
    "分钟": (_f("60"), _S), "天": (_f("86400"), _S), "升": (_f("1/1000"), _dim(m=3)),
    "毫升": (_f("1/1000000"), _dim(m=3)), "平方米": (_f("1"), _dim(m=2)),
    "平方厘米": (_f("1/10000"), _dim(m=2)), "立方米": (_f("1"), _dim(m=3)),
    "分米": (_f("1/10"), _M), "微米": (_f("1/1000000"), _M), "纳米": (_f("1/1000000000"), _M), "里": (_f("500"), _M),
    "平方分米": (_f("1/100"), _dim(m=2)), "平方毫米": (_f("1/1000000"), _dim(m=2)),
    "平方千米": (_f("1000000"), _dim(m=2)), "平方公里": (_f("1000000"), _dim(m=2)), "公顷": (_f("10000"), _dim(m=2)),
    "亩": (_f("2000/3"), _dim(m=2)), "立方厘米": (_f("1/1000000"), _dim(m=3)), "立方分米": (_f("1/1000"), _dim(m=3)),
    "立方毫米": (_f("1/1000000000"), _dim(m=3)), "毫克": (_f("1/1000000"), _KG), "斤": (_f("1/2"), _KG),
    "公斤": (_f("1"), _KG), "日": (_f("86400"), _S), "周": (_f("604800"), _S), "星期": (_f("604800"), _S),
    "月": (_f("1"), _base("月")), "个月": (_f("1"), _base("月")), "年": (_f("12"), _base("月")),
    "刻钟": (_f("900"), _S), "分钱": (_f("1/100"), _YUAN), "块": (_f("1"), _YUAN), "万元": (_f("10000"), _YUAN),
    "亿元": (_f("100000000"), _YUAN), "元钱": (_f("1"), _YUAN), "牛": (_f("1"), _dim(m=1, kg=1, s=-2)),
    "牛顿": (_f("1"), _dim(m=1, kg=1, s=-2)), "焦": (_f("1"), _dim(m=2, kg=1, s=-2)),
    "焦耳": (_f("1"), _dim(m=2, kg=1, s=-2)), "千焦": (_f("1000"), _dim(m=2, kg=1, s=-2)),
    "瓦": (_f("1"), _dim(m=2, kg=1, s=-3)), "瓦特": (_f("1"), _dim(m=2, kg=1, s=-3)),
    "千瓦": (_f("1000"), _dim(m=2, kg=1, s=-3)), "千瓦时": (_f("3600000"), _dim(m=2, kg=1, s=-2)),
    "伏": (_f("1"), _dim(m=2, kg=1, s=-3, A=-1)), "伏特": (_f("1"), _dim(m=2, kg=1, s=-3, A=-1)),
    "安": (_f("1"), _dim(A=1)), "安培": (_f("1"), _dim(A=1)), "毫安": (_f("1/1000"), _dim(A=1)),
    "欧": (_f("1"), _dim(m=2, kg=1, s=-3, A=-2)), "欧姆": (_f("1"), _dim(m=2, kg=1, s=-3, A=-2)),
    "帕": (_f("1"), _dim(m=-1, kg=1, s=-2)), "帕斯卡": (_f("1"), _dim(m=-1, kg=1, s=-2)),
    "千帕": (_f("1000"), _dim(m=-1, kg=1, s=-2)), "赫兹": (_f("1"), _dim(s=-1)), "摩尔": (_f("1"), _dim(mol=1)),
    "摄氏度": (_f("1"), _base("℃")), "℃": (_f("1"), _base("℃")), "°C": (_f("1"), _base("℃")),
    "℉": (_f("1"), _base("℉")), "€": (_f("1"), _base("€")), "euro": (_f("1"), _base("€")),
    "euros": (_f("1"), _base("€")), "EUR": (_f("1"), _base("€")), "£": (_f("1"), _base("£")),
    "GBP": (_f("1"), _base("£")), "USD": (_f("1"), _base("$")), "dollar": (_f("1"), _base("$")),
    "dollars": (_f("1"), _base("$")), "cents": (_f("1/100"), _base("$")), "cent": (_f("1/100"), _base("$")),
    "RMB": (_f("1"), _YUAN), "CNY": (_f("1"), _YUAN), "hrs": (_f("3600"), _S), "secs": (_f("1"), _S),
    "minute": (_f("60"), _S), "second": (_f("1"), _S), "mins": (_f("60"), _S), "week": (_f("604800"), _S),
    "weeks": (_f("604800"), _S), "month": (_f("1"), _base("月")), "months": (_f("1"), _base("月")),
    "year": (_f("12"), _base("月")), "years": (_f("12"), _base("月")), "miles": (_f("1609.344"), _M),
    "mile": (_f("1609.344"), _M), "feet": (_f("0.3048"), _M), "foot": (_f("0.3048"), _M),
    "inches": (_f("0.0254"), _M), "inch": (_f("0.0254"), _M), "yards": (_f("0.9144"), _M), "yard": (_f("0.9144"), _M),
    "lbs": (_f("0.45359237"), _KG), "gram": (_f("1/1000"), _KG), "grams": (_f("1/1000"), _KG),
    "kilogram": (_f("1"), _KG), "kilograms": (_f("1"), _KG), "kilometers": (_f("1000"), _M),
    "kilometres": (_f("1000"), _M), "kilometer": (_f("1000"), _M), "kilometre": (_f("1000"), _M),
    "centimeters": (_f("1/100"), _M), "centimetres": (_f("1/100"), _M), "liter": (_f("1/1000"), _dim(m=3)),
    "liters": (_f("1/1000"), _dim(m=3)), "litre": (_f("1/1000"), _dim(m=3)), "litres": (_f("1/1000"), _dim(m=3)),
    "acres": (_f("4046.8564224"), _dim(m=2)), "mph": (_f("0.44704"), _dim(m=1, s=-1)), "kph": (_f("5/18"), _dim(m=1, s=-1)),
    "kmh": (_f("5/18"), _dim(m=1, s=-1)), "knots": (_f("1852/3600"), _dim(m=1, s=-1)),
    "ohm": (_f("1"), _dim(m=2, kg=1, s=-3, A=-2)), "ohms": (_f("1"), _dim(m=2, kg=1, s=-3, A=-2)),
    "Nm": (_f("1"), _dim(m=2, kg=1, s=-2)), "kcal": (_f("4184"), _dim(m=2, kg=1, s=-2)),
    "cal": (_f("4.184"), _dim(m=2, kg=1, s=-2)), "atm": (_f("101325"), _dim(m=-1, kg=1, s=-2)),
    "bar": (_f("100000"), _dim(m=-1, kg=1, s=-2)), "MB": (_f("1"), _ZERO), "rad": (_f("1"), _ZERO),
    "radians": (_f("1"), _ZERO), "弧度": (_f("1"), _ZERO), "sq": (_f("1"), _ZERO),
    "units": (_f("1"), _ZERO), "unit": (_f("1"), _ZERO), "单位": (_f("1"), _ZERO),
}  # fmt: skip
UNITS |= {"square " + name: (UNITS[name][0] ** 2, tuple(2 * exponent for exponent in UNITS[name][1]))
          for name in ("cm", "m", "km", "feet", "inches", "units", "unit", "meters", "metres", "miles")}  # fmt: skip
UNITS |= {"cubic " + name: (UNITS[name][0] ** 3, tuple(3 * exponent for exponent in UNITS[name][1]))
          for name in ("cm", "m", "feet", "inches", "units", "unit", "meters", "metres")}  # fmt: skip
_LONG_NAMES = {"metre": "m", "meter": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
               "newton": "N", "joule": "J", "watt": "W", "volt": "V", "coulomb": "C", "farad": "F", "tesla": "T",
               "pascal": "Pa", "litre": "L", "liter": "L", "ohm": "Ω", "hertz": "Hz", "weber": "Wb"}  # fmt: skip
_LONG_PREFIXES = {"": "", "kilo": "k", "centi": "c", "deci": "d", "milli": "m", "mega": "M", "giga": "G", "micro": "μ",
                  "nano": "n"}  # fmt: skip
UNITS |= {long + name + plural: UNITS[short + symbol] for long, short in _LONG_PREFIXES.items()
          for name, symbol in _LONG_NAMES.items() for plural in ("", "s")}  # fmt: skip
UNITS |= {
    "gal": (_f("0.003785411784"), _dim(m=3)), "gallon": (_f("0.003785411784"), _dim(m=3)),
    "gallons": (_f("0.003785411784"), _dim(m=3)), "qt": (_f("0.000946352946"), _dim(m=3)),
    "pt": (_f("0.000473176473"), _dim(m=3)), "cup": (_f("0.0002365882365"), _dim(m=3)),
    "cups": (_f("0.0002365882365"), _dim(m=3)), "hp": (_f("745.69987158227"), _dim(m=2, kg=1, s=-3)),
    "psi": (_f("6894.757293168"), _dim(m=-1, kg=1, s=-2)), "torr": (_f("101325/760"), _dim(m=-1, kg=1, s=-2)),
    "mmHg": (_f("133.322387415"), _dim(m=-1, kg=1, s=-2)), "acre": (_f("4046.8564224"), _dim(m=2)),
    "hectare": (_f("10000"), _dim(m=2)), "hectares": (_f("10000"), _dim(m=2)), "tonne": (_f("1000"), _KG),
    "tonnes": (_f("1000"), _KG), "slug": (_f("14.59390294"), _KG), "stone": (_f("6.35029318"), _KG),
    "ounce": (_f("0.028349523125"), _KG), "ounces": (_f("0.028349523125"), _KG), "ton": (_f("907.18474"), _KG),
    "knot": (_f("1852/3600"), _dim(m=1, s=-1)), "kt": (_f("1852/3600"), _dim(m=1, s=-1)), "wk": (_f("604800"), _S),
    "yr": (_f("12"), _base("月")), "fortnight": (_f("1209600"), _S), "furlong": (_f("201.168"), _M),
    "nmi": (_f("1852"), _M), "ly": (_f("9460730472580800"), _M), "AU": (_f("149597870700"), _M),
    "rpm": (_f("1/60"), _dim(s=-1)), "degC": (_f("1"), _base("℃")), "degF": (_f("1"), _base("℉")),
    "erg": (_f("1e-7"), _dim(m=2, kg=1, s=-2)), "dyn": (_f("1e-5"), _dim(m=1, kg=1, s=-2)),
}  # fmt: skip
UNITS |= {name: (Fraction(1), _ZERO) for name in (
    *"个人件名种次项只本张台辆条棵箱排层页位盒袋支枝根对组班岁步圈座艘间头匹朵份批户家字题道局场架套颗粒枚瓶桶包篇句队堆串双副头", "倍",
    "种方法", "个单位", "people", "ways", "times", "students")}  # fmt: skip

_PART = re.compile(r"\s*([*/·⋅ ]?)\s*([A-Za-zΩμ\u4e00-\u9fff€£$℃℉°]+)\s*(?:(?:\^|\*\*)?\s*[{(]?\s*(-?\d)\s*[)}]?)?")


def measure(text: str) -> tuple[Fraction, Dimension] | None:
    """Size in SI and dimension of a unit such as "km/h", "m/s^2", "kg m/s^2"; None when it is no unit."""
    size, dimension, at, dividing = Fraction(1), list(_ZERO), 0, False
    text = text.strip()
    whole = UNITS.get(text)
    if whole is not None:
        return whole
    if not text or len(text) > 60:
        return None
    while at < len(text):
        found = _PART.match(text, at)
        if found is None or (at == 0 and found.group(1)):
            return None
        known = UNITS.get(found.group(2)) or (UNITS["小时"] if found.group(2) == "时" and found.group(1) else None)
        if known is None:
            return None
        dividing = found.group(1) == "/"
        exponent = int(found.group(3) or 1) * (-1 if dividing else 1)
        size *= known[0] ** exponent
        dimension = [old + exponent * new for old, new in zip(dimension, known[1], strict=True)]
        at = found.end()
    return size, tuple(dimension)


def is_unit(text: str) -> bool:
    """Whether the text names a unit."""
    return measure(text) is not None
