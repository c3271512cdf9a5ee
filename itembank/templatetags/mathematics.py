"""Template tags for mathematics: marked spans that a script typesets and that read well without it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from itembank.domain.plain_mathematics import plain_mathematics

register = template.Library()
_MARKED = re.compile(r"\$([^$\n]{1,2000})\$")


# A name with an index in running text: a_1, S_10, x_n. Nothing else of LaTeX is expected outside dollar signs.
_INDEXED = re.compile(r"(?<![A-Za-z\\\\])[A-Za-z]_(?:\d{1,3}|[a-z](?![A-Za-z0-9_]))")


def _lowered(text: str) -> str:
    return _INDEXED.sub(lambda match: plain_mathematics(re.sub(r"_(.+)", r"_{\1}", match[0])), text)


@register.filter
def formula(latex: object) -> SafeString:
    """One formula in LaTeX."""
    source = str(latex or "")
    if not source:
        return SafeString("")
    return format_html('<span class="math" data-latex="{}">{}</span>', source, plain_mathematics(source))


@register.filter
def plain_formula(latex: object) -> str:
    """A formula as one line of plain text, for names that are only read aloud."""
    return plain_mathematics(str(latex or ""))


@register.filter
def indexed_text(text: object) -> str:
    """Plain words of anybody's, in which a_1 and S_n are shown with their index lowered; nothing is typeset."""
    return _lowered(str(text or ""))


@register.filter
def marked_text(text: object) -> SafeString:
    """Text of scoring rules, where formulas stand between dollar signs. Never for text of students or comments."""
    source = str(text or "")
    pieces: list[str] = []
    end = 0
    for match in _MARKED.finditer(source):
        pieces += [format_html("{}", _lowered(source[end : match.start()])), formula(match[1])]
        end = match.end()
    pieces.append(format_html("{}", _lowered(source[end:])))
    return format_html_join("", "{}", ((piece,) for piece in pieces))


@register.filter
def points(value: Any) -> str:
    """A mark without needless decimals: 4, 2.5."""
    if value is None or value == "":
        return ""
    number = Decimal(str(value))
    return str(number.quantize(Decimal(1))) if number == number.to_integral_value() else str(number.normalize())
