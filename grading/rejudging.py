"""What other rules would make of an answer, from what was read, seen and decided before: no model, nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils import timezone

from itembank.domain.rules import Rules, read_rules
from itembank.domain.rules_difference import same_demands

from . import rounds
from .domain.recomputing import Carried, carried_over
from .domain.rules_changes import Effect
from .domain.schemes import Agreed, Given, Kind, Place, next_need
from .judges.base import Judge
from .judges.registry import make_judge
from .judging import judge_answer
from .judging_cases import images_of, judge_settings
from .models import Case, GivenMark, Mark, Owner


class KeptObservation:
    """Gives a kept observation as it was: right for rules under which every verdict still means the same."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self.name = str(document["provenance"]["judge"])

    def read(self, images: Sequence[bytes]) -> dict[str, Any]:
        reading: dict[str, Any] = self._document["reading"]
        return reading

    def adjudicate(self, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> dict[str, Any]:
        observation: dict[str, Any] = self._document["observation"]
        return observation

    def provenance(self) -> dict[str, Any]:
        """Whose observation it is; it cost nothing this time."""
        names = ("judge", "version", "model", "parameters", "prompts")
        kept = {name: self._document["provenance"].get(name) for name in names}
        return kept | {"prompts": kept["prompts"] or [], "tokens": None, "cost": None}


def judged_under(case: Case, document: dict[str, Any]) -> dict[str, Any] | None:
    """The verdict document of an answer under the rules ``document``; None where nothing was ever read of it.

    The kept reading stays. The kept observation stays where points alone differ; else algebra matches the read lines to
    the new steps, as after a person's correction.
    """
    if case.run is None:
        return None
    kept: dict[str, Any] = case.run.document
    images, received = images_of(case)
    still_means = same_demands(read_rules(kept["rules"]), read_rules(document))
    judge: Judge = KeptObservation(kept) if still_means else make_judge("embedded", judge_settings())
    return judge_answer(
        rules=document,
        images=images,
        received_sha256=received,
        judge=judge,
        policy=case.response.question.assessment.policy,
        reading=kept["reading"],
        current={"owner": case.owner, "owner_epoch": case.owner_epoch, "started_epoch": case.owner_epoch},
        clock=timezone.now,
    )


@dataclass(frozen=True)
class CarriedRound:
    """The marks of a round under other points, and what its scheme makes of them."""

    agreed: Agreed
    used: tuple[GivenMark, ...]
    carried: tuple[Carried, ...]


def carried_round(case: Case, rules: Rules) -> CarriedRound | None:
    """People's marks of the present round carried over to ``rules``; None where that is not provable.

    AI+1 weighs the machine's proposal, which people's verdicts prove nothing about. A mark that its marker changed
    afterwards is no longer what the round came to.
    """
    standing = case.marks.order_by("edition").last()
    if standing is not None and "changed" in standing.basis:
        return None
    marks = rounds.given_marks(case)
    scheme = rounds.as_rule(rounds.scheme_of(case, marks))
    if not marks or scheme.kind is Kind.WITH_MACHINE:
        return None
    carried = [carried_over(mark.rules.read(), rules, mark.steps) for mark in marks]
    proved = [each for each in carried if each is not None]
    if len(proved) < len(marks):
        return None
    given = [Given(Place(mark.place), each.total) for mark, each in zip(marks, proved, strict=True)]
    outcome = next_need(scheme, given, machine=None, step=rules.mark_step)
    if not isinstance(outcome, Agreed):
        return None
    used = [(mark, each) for mark, each in zip(marks, proved, strict=True) if Place(mark.place) in outcome.of]
    return CarriedRound(outcome, tuple(mark for mark, _ in used), tuple(each for _, each in used))


@dataclass(frozen=True)
class Foreseen:
    """What is foreseen for an answer: totals are None where there is none, or none is provable."""

    effect: Effect
    before: Decimal | None
    after: Decimal | None


def foreseen(case: Case, rules: Rules, document: dict[str, Any] | None, standing: Mark | None) -> Foreseen:
    """What ``rules`` would make of an answer, as far as provable. ``document`` is that of ``judged_under``."""
    if case.closed_at is None or standing is None:
        effect = Effect.APPEAL if case.need == Place.APPEAL else Effect.OPEN
        proposed = document["verdict"]["total_score"] if document else None
        before = case.run.total if case.run else None
        return Foreseen(effect, before, None if proposed is None else Decimal(str(proposed)))
    if case.owner == Owner.AI:
        accepted = document is not None and document["decision"] == "ACCEPT"
        after = Decimal(str(document["verdict"]["total_score"])) if document and accepted else None
    else:
        own = carried_round(case, rules)
        after = own.agreed.total if own else None
    if after is None:
        return Foreseen(Effect.UNPROVEN, standing.total, None)
    return Foreseen(Effect.SAME if after == standing.total else Effect.CHANGES, standing.total, after)
