"""How people are named on pages."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.filter
def person_name(person: Any) -> str:
    """A person's name in the order of its own script: 王老师, Mary Jones; the login where no name is known."""
    if person is None:
        return ""
    last, first = str(person.last_name).strip(), str(person.first_name).strip()
    if any("\u4e00" <= character <= "\u9fff" for character in last + first):
        return last + first
    return f"{first} {last}".strip() or str(person.get_username())
