"""Template filters for the words of the review screens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.utils.translation import gettext as _

from grading import queries

from ..forms import field
from ..queries import keys_of
from ..words import ACTIONS, AGREED_BY, Words, rule_failing, rule_name
from ..words import judge_words as _judge_words

register = template.Library()


@register.filter
def failing_words(rule: str) -> Words:
    """What the failing of a gate rule means."""
    return rule_failing(rule)


@register.filter
def rule_words(rule: str) -> Words:
    """The name of a gate rule."""
    return rule_name(rule)


@register.filter
def judge_words(name: str) -> Words:
    """What a judge is called."""
    return _judge_words(name)


@register.filter
def is_chinese(text: object) -> bool:
    """Whether a text that no page translates is Chinese, so that the page can say so."""
    return any("\u4e00" <= character <= "\u9fff" for character in str(text))


@register.filter
def minutes(span: timedelta) -> int:
    """Whole minutes, at least one."""
    return max(1, round(span.total_seconds() / 60))


@register.filter
def age(span: timedelta) -> str:
    """A span in its largest unit: 3 days, 2 h, 5 min."""
    whole = int(span.total_seconds()) // 60
    if whole >= 48 * 60:
        return _("%(count)s days") % {"count": whole // (24 * 60)}
    if whole >= 60:
        return _("%(count)s h") % {"count": whole // 60}
    return _("%(count)s min") % {"count": whole}


@register.filter
def per_cent(share: Any) -> str:
    """A confidence from 0 to 1 as a whole number of per cent, rounded down: 99.9 is not 100."""
    return "" if share is None else str(int(Decimal(str(share)) * 100))


@register.filter
def rate(share: Any, places: int = 0) -> str:
    """A share as per cent, rounded half up: 0.625 is 63, with one place 62.5; a dash where there is none."""
    if share is None:
        return "–"
    unit = Decimal(1).scaleb(-int(places))
    return str((Decimal(str(share)) * 100).quantize(unit, rounding="ROUND_HALF_UP")).replace("-", "−")


@register.inclusion_tag("review/_rate_of.html")
def rate_of(part: int, whole: int) -> dict[str, Any]:
    """A rate beside its denominator, without which it says nothing; a dash where there is none."""
    return {"part": part, "whole": whole, "rate": rate(Decimal(part) / whole) if whole else ""}


@register.filter
def signed_rate(share: Any) -> str:
    """A difference of shares in per cent with its sign, one place."""
    text = rate(share, 1)
    return text if text == "–" or text.startswith("−") else f"+{text}"


@register.filter
def status_field(row: Any) -> str:
    """Name of the form field with the status of a step."""
    return field("status", row.key)


@register.filter
def was_field(row: Any) -> str:
    """Name of the form field with the status that the shown score stands beside."""
    return field("was", row.key)


@register.filter
def score_field(row: Any) -> str:
    """Name of the form field with the score of a step."""
    return field("score", row.key)


@register.simple_tag
def returned_reason(case: Any) -> str:
    """Why the answer was returned to be marked again in its present life cycle; "" where it was not."""
    if case.life_cycle == 1:
        return ""
    packet = case.packets.filter(life_cycle=case.life_cycle).first()
    disputes = packet.document.get("disputes", []) if packet else []
    changed = next((each for each in disputes if each.get("kind") == "rules_changed"), None)
    if changed is not None:
        return _("the scoring rules changed; it is marked under version %(version)s now") % {
            "version": changed["rules_version"]
        }
    return next((str(each.get("reason", "")) for each in disputes if each.get("kind") == "returned"), "")


@register.simple_tag
def passed_on_note(case: Any) -> Any:
    """Who passed the answer on in its present life cycle, and the note they wrote; None where nobody did."""
    return queries.passed_on_note(case)


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """One value of a mapping."""
    return mapping.get(key)


@register.filter
def agreed_by(rule: str) -> Words:
    """The rule that made an edition of a mark."""
    return AGREED_BY.get(rule, rule)


@register.filter
def share(value: Decimal | None) -> str:
    """A share from 0 to 1 in per cent to one place: 37.5 %."""
    return "–" if value is None else f"{(value * 100).quantize(Decimal('0.1'))} %"


@register.filter
def plain(value: Decimal | None) -> str:
    """A decimal with its point, whatever the language: for drawings and exact figures."""
    return "" if value is None else f"{value:f}"


@register.filter
def width(interval: Any) -> str:
    """How far an interval reaches, for drawings."""
    return f"{interval.upper - interval.lower:f}"


@dataclass(frozen=True)
class KeyShown:
    """One action of the desk with the key that a person has for it; an empty key is switched off."""

    action: str
    key: str
    words: Words


@dataclass(frozen=True)
class KeysShown:
    """All keys of a person."""

    single: bool
    rows: list[KeyShown]

    @property
    def as_json(self) -> str:
        return json.dumps({row.key: row.action for row in self.rows if row.key})


@register.simple_tag
def desk_keys(person: Any) -> KeysShown:
    """The keys a person works with at the desk."""
    single, keys = keys_of(person)
    return KeysShown(single, [KeyShown(action, keys[action], words) for action, words in ACTIONS.items()])
