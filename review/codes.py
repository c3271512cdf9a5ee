"""Codes and names of quantities that stand in recorded sentences, in the words of the reader's language.

What the gate wrote is replayed byte for byte and stays as it is; people read it here. A code that is not known stays.
"""

from __future__ import annotations

import re

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from .words import STATUSES, Words

OWNERS: dict[str, Words] = {
    "AI": _("the machine"),
    "HANDOFF_PENDING": _("being handed to people"),
    "QUEUED_HUMAN": _("the review queue"),
    "HUMAN": _("a person"),
}
FAILURES: dict[str, Words] = {
    "low_confidence": _("read too uncertainly"),
    "unusable_image": _("unusable image"),
    "timeout": _("time ran out"),
    "reading_failed": _("the reader failed"),
    "no_text": _("no writing found"),
    "no_result": _("no result"),
}
WORDS: dict[str, Words] = {code: each.word for code, each in STATUSES.items()} | OWNERS | FAILURES
_CODE = re.compile(rf"(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])")
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "theta": "θ", "lambda": "λ", "mu": "μ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "phi": "φ", "omega": "ω",
}  # fmt: skip
_LETTER = re.compile(rf"\\?(?<![A-Za-z])({'|'.join(_GREEK)})(?![A-Za-z])")
_LOWERED = re.compile(r"(?<![A-Za-z0-9_\\])([A-Za-z])_\{?(\d+)\}?(?![\w{])")
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# Sentences that algebra and readers say in English alone: pattern and the Chinese for it.
_SAID = (
    (re.compile(r"\bdoes not hold\b"), "不成立"),
    (re.compile(r"\bholds\b"), "成立"),
    (
        re.compile(r"page (\d+) is read at ([\d.]+), ([\d.]+) is needed"),
        r"第 \1 页的识读置信度为 \2，至少要 \3",
    ),
)
# A carried value is told as to the student; a marker reads of the student.
_STUDENT = (("由你写的", "由学生写的"), ("from your ", "from the student's "))


def in_words(sentence: str) -> str:
    """A recorded sentence with its codes, letters and borrowed phrases in the language of the page."""
    said = _CODE.sub(lambda match: str(WORDS[match[0]]), sentence)
    said = _LETTER.sub(lambda match: _GREEK[match[1]], said)
    said = _LOWERED.sub(lambda match: match[1] + match[2].translate(_DIGITS), said)
    for before, after in _STUDENT:
        said = said.replace(before, after)
    said = said.replace(" side is does not hold", " side does not hold").replace(" side is holds", " side holds")
    if not (get_language() or "").startswith("en"):
        for pattern, chinese in _SAID:
            said = pattern.sub(chinese, said)
    return said
