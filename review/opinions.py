"""What several markers and the machine made of one answer, laid side by side for whoever decides between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from grading.domain.credited import details_of
from grading.domain.schemes import Place
from grading.models import Case, GivenMark, Mark
from itembank.domain.rules import Rules

from .domain.marking_sheet import Key, MarkingSheet, chosen_paths, make_sheet
from .presentation import EvidenceShown, LineShown, evidence_shown
from .words import STATUSES, StatusWords, Words

PLACES: dict[str, Words] = {
    Place.FIRST: _("First mark"),
    Place.SECOND: _("Second mark"),
    Place.THIRD: _("Third mark"),
    Place.REVIEW: _("Leader's review"),
    Place.ARBITER: _("Arbitration"),
    Place.APPEAL: _("Appeal"),
}


@dataclass(frozen=True)
class Opinion:
    """One view of one step, with the evidence it has."""

    label: Words
    status: StatusWords | None
    score: Decimal | None
    machine: bool = False
    evidence: EvidenceShown | None = None

    @property
    def quotes(self) -> list[str]:
        return self.evidence.quotes if self.evidence else []

    @property
    def lines(self) -> tuple[LineShown, ...]:
        return self.evidence.lines if self.evidence else ()

    @property
    def said(self) -> tuple[str, ...]:
        """Why it earned less, which may be in the judge's own language, and what algebra found, in the page's."""
        found = (self.evidence.reason, self.evidence.witness) if self.evidence else ()
        return tuple(filter(None, found))


def _by_key(steps: Sequence[Mapping[str, Any]]) -> dict[Key, Mapping[str, Any]]:
    return {(each["path_id"], each["step_id"]): each for each in steps}


def opinions_of(
    rules: Rules, marks: Sequence[GivenMark], document: Mapping[str, Any] | None, lines: Sequence[LineShown]
) -> dict[Key, list[Opinion]]:
    """For each step of every path: each marker's opinion, then the machine's. Markers are places, never names."""
    judged = [(PLACES[mark.place], _by_key(mark.steps)) for mark in marks]
    details = details_of(document) if document else {}
    found: dict[Key, list[Opinion]] = {}
    for path in rules.paths:
        for step in path.steps:
            key = (path.path_id, step.step_id)
            own = [
                Opinion(label, STATUSES.get(steps[key]["status"]), Decimal(str(steps[key]["score"])))
                if key in steps
                else Opinion(label, None, None)
                for label, steps in judged
            ]
            if document is not None:
                machine, evidence = details.get(key), evidence_shown(document, lines, *key)
                own.append(
                    Opinion(
                        _("Machine"),
                        STATUSES.get(str(machine["status"])) if machine else None,
                        Decimal(str(machine["score"])) if machine else None,
                        machine=True,
                        evidence=evidence if machine else None,
                    )
                )
            found[key] = own
    return found


def sheet_between(rules: Rules, marks: Sequence[GivenMark | Mark], wanted: Mapping[int, str]) -> MarkingSheet:
    """A sheet filled in where all the markers agree in status and score and open where they do not."""
    judged = [_by_key(mark.steps) for mark in marks if mark.steps]
    used = [path_id for steps in judged for path_id, _ in steps]
    own = {rules.path(path_id).part: path_id for path_id in reversed(used)}
    chosen = chosen_paths(rules, {**own, **wanted})
    statuses: dict[Key, Any] = {}
    scores: dict[Key, Decimal | None] = {}
    for path_id in chosen.values():
        for step in rules.path(path_id).steps:
            key = (path_id, step.step_id)
            views = {(steps[key]["status"], Decimal(str(steps[key]["score"]))) for steps in judged if key in steps}
            if len(views) == 1 and all(key in steps for steps in judged):
                status, score = views.pop()
                statuses[key], scores[key] = STATUSES[status].status, score
    return make_sheet(rules, chosen, statuses, given=scores)


def largest_difference(marks: Sequence[GivenMark], case: Case) -> Decimal | None:
    """The largest difference between two totals, the machine's among them where one person stands beside it."""
    totals = [mark.total for mark in marks]
    if len(totals) == 1 and case.run is not None:
        totals.append(case.run.total)
    return max(totals) - min(totals) if len(totals) > 1 else None
