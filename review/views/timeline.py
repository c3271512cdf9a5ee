"""Events of a case as a time line: what happened in words, and each fact that was recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from config.foundation.models import Event
from config.foundation.templatetags.people import person_name
from grading.chains import MACHINE
from grading.models import Case
from grading.queries import trail_of

from ..words import Words, rule_failing, verb_words

HIDDEN = frozenset({"verb", "actor", "at"})


@dataclass(frozen=True)
class Moment:
    """One event as shown."""

    number: int
    at: datetime
    words: Words
    verb: str
    actor: str
    by_machine: bool
    summary: str
    reasons: tuple[Words, ...]
    facts: tuple[tuple[str, str], ...]
    hash: str
    previous_hash: str


def timeline_of(case: Case) -> list[Moment]:
    """All events of the case in order, with the names of people who still have an account."""
    events = trail_of(case)
    people = {event.actor.removeprefix("user:") for event in events if event.actor.startswith("user:")}
    known = get_user_model()._default_manager.filter(pk__in=[each for each in people if each.isdigit()])
    names = {f"user:{person.pk}": person_name(person) for person in known}
    return [_moment(event, names) for event in events]


def _moment(event: Event, names: Mapping[str, str]) -> Moment:
    body: dict[str, Any] = event.body
    machine = event.actor == MACHINE
    reasons = body.get("reasons") or ()
    return Moment(
        number=event.number,
        at=event.at,
        words=verb_words(event.verb),
        verb=event.verb,
        actor=_("Machine") if machine else names.get(event.actor, _("a person who has left")),
        by_machine=machine,
        summary=_summary(body),
        reasons=tuple(rule_failing(rule) for rule in reasons if isinstance(rule, str)),
        facts=tuple(
            (name, _text(value))
            for name, value in sorted(body.items())
            if name not in HIDDEN and value not in ("", None)
        ),
        hash=event.hash,
        previous_hash=event.previous_hash,
    )


def _summary(body: Mapping[str, Any]) -> str:
    """The mark that an event is about, where it is about one."""
    if body.get("after") is not None:
        if body.get("before") is None:
            return _("Mark %(after)s") % {"after": body["after"]}
        return _("Proposal %(before)s, mark %(after)s") % {"before": body["before"], "after": body["after"]}
    if body.get("audited") is not None:
        return _("Mark %(marked)s, audit %(audited)s") % {"marked": body["marked"], "audited": body["audited"]}
    if body.get("total") is not None:
        return _("Mark %(after)s") % {"after": body["total"]}
    if body.get("proposal") is not None:
        return _("Proposal %(proposal)s") % {"proposal": body["proposal"]}
    return ""


def _text(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
