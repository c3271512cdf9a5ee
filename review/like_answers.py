"""The groups of like answers of one question, as one marker may see them, from the verdicts that wait for people.

In a group stand only answers that wait in the queue for a first mark that this person may give with the verdict in sight: not
skipped, in nobody's hand, drawn blind, reported as a problem, passed on with a note, returned by a leader or begun by the person themself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch

from config.foundation.canonical import sha256_hex
from grading import queries, rounds
from grading.domain.groups import Grouping, grouped, odd_ones_first
from grading.domain.likeness import Likeness, likeness
from grading.domain.schemes import Place
from grading.models import Case, JudgeRun, Owner, Packet, Page, Question
from grading.transitions.taking_back import TAKEN_BACK
from itembank.algebra.kept import Kept
from itembank.algebra.results import ENGINE_VERSION
from itembank.domain.mathematics import algebra_for

from .domain.group_marks import Shown
from .models import Draft

MOST_READ = 600
"""How many verdicts not seen before one request reads; the rest come with the next one."""
MOST_ON_A_SHEET = 24
"""How many answers a contact sheet shows; only what is on a screen can be marked from it."""
MOST_KEPT = 20_000
COMPARE_MS = 250


_seen: Kept[tuple[str, str], Likeness] = Kept(MOST_KEPT)
"""Likenesses by verdict document and version of the algebra; neither changes."""


@dataclass(frozen=True)
class LikeAnswers:
    """One group with its cases. The total is what the machine proposes for each."""

    like: Likeness
    cases: tuple[Case, ...]
    odd: frozenset[int]  # keys of the cases whose lines are written otherwise than most

    @property
    def total(self) -> Decimal:
        """The proposed total of each member."""
        return sum((step.score for step in self.like.steps), Decimal(0))

    @property
    def anchor(self) -> Case:
        """The member by which the group is addressed."""
        return min(self.cases, key=lambda case: case.pk)


@dataclass(frozen=True)
class QuestionGroups:
    """The groups of a question, how many answers wait in all, and why the others are marked one by one."""

    groups: tuple[LikeAnswers, ...]
    waiting: int
    alone: tuple[tuple[str, int], ...]  # why → how many; the words are in review.words

    @property
    def covered(self) -> int:
        """Answers that stand in a group."""
        return sum(len(group.cases) for group in self.groups)

    def group_of(self, case: Case) -> LikeAnswers | None:
        """The group in which an answer stands."""
        return next((group for group in self.groups if any(each.pk == case.pk for each in group.cases)), None)


def groups_of(question: Question, person: Any) -> QuestionGroups:
    """Group the waiting answers of a question; the same answers give the same groups."""
    waiting = queries.open_cases(question.assessment, question=question).count()
    cases = _groupable(question, person)
    likes = _likenesses(cases, question)
    algebra = algebra_for(question.rules.read(), timeout_ms=COMPARE_MS)
    found: Grouping[int] = grouped([(case.pk, likes[case.pk]) for case in cases if case.pk in likes], algebra)
    by_key = {case.pk: case for case in cases}
    groups = []
    for group in found.groups:
        ordered = odd_ones_first([(key, likes[key]) for key in group.members])
        groups.append(
            LikeAnswers(
                group.like, tuple(by_key[key] for key, _ in ordered), frozenset(key for key, odd in ordered if odd)
            )
        )
    why = Counter(each.value for each in found.apart.values())
    why.update(single=len(found.single), later=len(cases) - len(likes), held=waiting - len(cases))
    return QuestionGroups(tuple(groups), waiting, tuple((name, count) for name, count in why.most_common() if count))


def _groupable(question: Question, person: Any) -> list[Case]:
    cases = (
        queries.free_cases(question.assessment, question=question, person=person)
        .filter(owner=Owner.QUEUED_HUMAN, need=Place.FIRST, run__isnull=False, run__reading_by__isnull=True)
        .filter(problems__isnull=True, passed_on__isnull=True, rules=question.rules)
        .exclude(pk__in=Draft.objects.filter(person=person).values("case"))
        .defer("run__document")
        .order_by("pk")
    )
    found = list(cases)
    blind = rounds.blind_to_each(found, person)
    disputed = returned([case for case in found if case.life_cycle > 1])
    return [case for case in found if case.pk not in blind and case.pk not in disputed]


def returned(cases: Sequence[Case]) -> frozenset[int]:
    """Keys of the cases that were opened again for another reason than that a marker took their own mark back."""
    found = set()
    for packet in Packet.objects.filter(case__in=cases).select_related("case"):
        disputes = packet.document.get("disputes", [])
        if packet.life_cycle == packet.case.life_cycle and any(each.get("kind") != TAKEN_BACK for each in disputes):
            found.add(packet.case_id)
    return frozenset(found)


def _likenesses(cases: Iterable[Case], question: Question) -> dict[int, Likeness]:
    """How each case is compared; those for which there was no time in this request are left out."""
    found: dict[int, Likeness] = {}
    fresh: dict[int, Case] = {}
    for case in cases:
        assert case.run is not None
        known = _seen.get((case.run.document_sha256, ENGINE_VERSION))
        if known is not None:
            found[case.pk] = known
        elif len(fresh) < MOST_READ:
            fresh[case.run.pk] = case
    rules = question.rules.read()
    oracle = algebra_for(rules, timeout_ms=COMPARE_MS)
    for run in JudgeRun.objects.filter(pk__in=fresh).iterator(chunk_size=50):
        like = likeness(run.document, oracle)
        _seen.put((run.document_sha256, ENGINE_VERSION), like)
        found[fresh[run.pk].pk] = like
    return {key: like.under(rules.sha256) for key, like in found.items()}


def pages_seen(pages: Iterable[Page]) -> str:
    """What a screen shows of an answer: the hash of its pages in their order."""
    return sha256_hex("\n".join(f"{page.number} {page.stored_sha256}" for page in pages).encode())[:32]


@dataclass(frozen=True)
class ContactSheet:
    """The members of a group that one screen shows, with their pages and verdicts."""

    group: LikeAnswers
    cases: tuple[Case, ...]
    pages: dict[int, list[Page]]
    documents: dict[int, dict[str, Any]]

    @property
    def shown(self) -> list[Shown]:
        """What is signed: who stood on the screen, and as what."""
        return [Shown(case.public_id, case.version, pages_seen(self.pages[case.pk])) for case in self.cases]

    @property
    def more(self) -> int:
        """Members for which there was no room; they make the next sheet."""
        return len(self.group.cases) - len(self.cases)


def sheet_of(group: LikeAnswers) -> ContactSheet:
    """The first members of a group, odd ones first, with everything to look at; three queries whatever the number."""
    chosen = [case.pk for case in group.cases[:MOST_ON_A_SHEET]]
    rows = Case.objects.filter(pk__in=chosen).select_related("run", "response")
    found = {
        case.pk: case for case in rows.prefetch_related(Prefetch("response__pages", Page.objects.order_by("number")))
    }
    cases = tuple(found[key] for key in chosen if key in found)
    return ContactSheet(
        group,
        cases,
        {case.pk: list(case.response.pages.all()) for case in cases},
        {case.pk: case.run.document for case in cases if case.run},
    )
