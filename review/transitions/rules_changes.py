"""The only writer of changes of rules: proposed, approved, previewed, chosen, carried over answer by answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.canonical import document_hash
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries as grading_queries
from grading import transitions
from grading.chains import actor_of, assessment_chain
from grading.domain.rules_changes import Choice, Effect
from grading.models import Case, Question
from grading.rejudging import foreseen, judged_under
from itembank.domain.mathematics import mathematical_faults
from itembank.domain.rules import Rules, UnusableRules, read_rules
from itembank.models import ScoringRules
from itembank.transitions import publish_rules

from ..domain.rules_changes import ChangeState, with_path
from ..models import RulesChange, RulesChangeAnswer
from ..queries import cases_under

FORESEE = "review.tasks.foresee_answer"
CARRY = "review.tasks.carry_answer"
LONGEST_NOTE = 500
TRIES = 5


def foresight_group(change: RulesChange) -> str:
    """The group of the jobs that work out the preview."""
    return f"foresee:{change.public_id}:{change.old_id}"


def carrying_group(change: RulesChange) -> str:
    """The group of the jobs that carry answers over."""
    return f"carry:{change.public_id}"


def _enqueue(change: RulesChange, task: str, group: str, cases: QuerySet[Case]) -> None:
    for case in cases.values_list("pk", flat=True):
        jobs.enqueue(
            task, queue="cpu", subject=f"rules:{change.public_id}", group=group,
            key=jobs.idempotency_key(task, group, str(case)), arguments={"change": change.pk, "case": case},
        )  # fmt: skip


def _fits(question: Question, rules: Rules) -> None:
    """Raise UnusableInput for rules that are not a newer version of this question's."""
    pinned = question.rules
    if rules.question_id != pinned.question_id:
        raise UnusableInput(
            "rules.other_question", f"这份细则是题目 {rules.question_id} 的，本题是 {pinned.question_id}。",
            f"These rules are of question {rules.question_id}; this question is {pinned.question_id}.",
        )  # fmt: skip
    if rules.max_score != question.max_score:
        raise UnusableInput(
            "rules.full_mark", f"阅卷期间满分不能改动，本题满分为 {question.max_score}。",
            f"The full mark stays {question.max_score} while the question is being marked.",
        )  # fmt: skip
    if rules.sha256 == pinned.sha256:
        raise UnusableInput("rules.same", "这就是现行版本，没有改动。", "This is the present version; nothing differs.")


@transaction.atomic
def propose_rules(question: Question, document: object, *, by: Any) -> RulesChange:
    """Publish a newer version and work out its preview. Raises UnusableRules, UnusableInput, or NotAllowedNow while
    another version waits for its choice."""
    _fits(question, read_rules(document))
    rules = publish_rules(document, by=by)
    return _preview(
        RulesChange(
            question=question, state=ChangeState.PREVIEW.value, old=question.rules, rules=rules, author=by,
            document=rules.document, created_at=timezone.now(),
        )
    )  # fmt: skip


@contextmanager
def _only_one_waits() -> Iterator[None]:
    """The database keeps a second version of a question's rules from waiting for its choice; said as NotAllowedNow."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise NotAllowedNow(
            "rules.waiting", "本题已有一个新版本在等待选择，请先处理它。",
            "Another version of these rules waits for its choice; settle that one first.",
        ) from None  # fmt: skip


def _work_out(change: RulesChange) -> None:
    """The preview, answer by answer in the background."""
    _enqueue(change, FORESEE, foresight_group(change), cases_under(change))


def _preview(change: RulesChange) -> RulesChange:
    with _only_one_waits():
        change.save()
    assert change.rules is not None
    _tell(change, "preview_rules", change.author, rules_sha256=change.rules.sha256, rules_version=change.rules.version)
    _work_out(change)
    return change


def _tell(change: RulesChange, verb: str, by: Any, **facts: Any) -> None:
    trail.append(
        assessment_chain(change.question.assessment), verb, actor=actor_of(by), change=change.public_id,
        question=change.question.public_id, old_sha256=change.old.sha256, **facts,
    )  # fmt: skip


@transaction.atomic
def propose_path(question: Question, path: dict[str, Any], *, by: Any, note: str, case: Case | None) -> RulesChange:
    """A path that somebody found, kept beside the rules until somebody else approves it. Raises as ``propose_rules``."""
    if len(note) > LONGEST_NOTE:
        raise UnusableInput(
            "path.note", f"说明不能超过 {LONGEST_NOTE} 字。", f"The note may have at most {LONGEST_NOTE} characters."
        )
    rules = read_rules(with_path(question.rules.document, path))
    faults = mathematical_faults(rules)
    if faults:
        raise UnusableRules(faults)
    _fits(question, rules)
    change = RulesChange.objects.create(
        question=question, state=ChangeState.DRAFT.value, old=question.rules, document=rules.document,
        path_id=rules.paths[-1].path_id, note=note.strip(), case=case, author=by, created_at=timezone.now(),
    )  # fmt: skip
    _tell(change, "propose_path", by, rules_sha256=rules.sha256, path=change.path_id)
    _work_out(change)
    return change


@transaction.atomic
def approve_path(change: RulesChange, *, by: Any) -> RulesChange:
    """Somebody other than the author makes the proposed path part of a newer version, which is then previewed.

    Raises NotAllowedNow for the author and where the rules have moved on so that the path no longer fits them.
    """
    if change.author_id == by.pk:
        raise NotAllowedNow(
            "path.own", "自己提出的解法须由另一位组长批准。", "Somebody else must approve a path that you proposed."
        )
    question = change.question
    path = next(path for path in change.document["valid_paths"] if path["path_id"] == change.path_id)
    document = with_path(question.rules.document, path)
    read_rules(document)
    rules = publish_rules(document, by=by)
    with _only_one_waits():
        row = RulesChange.objects.filter(pk=change.pk, state=ChangeState.DRAFT.value)
        moved = row.update(
            state=ChangeState.PREVIEW.value, approver=by, rules=rules, document=rules.document, old=question.rules
        )
    if moved != 1:
        raise _settled(change)
    change.refresh_from_db()
    _tell(change, "approve_path", by, rules_sha256=rules.sha256, rules_version=rules.version, path=change.path_id)
    _work_out(change)
    return change


def _settled(change: RulesChange) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "rules.settled", "这次细则更改刚被别人处理，请查看最新情况。",
        "Someone else has just settled this change of rules; see its present state.", change=change.public_id,
    )  # fmt: skip


@transaction.atomic
def refuse_change(change: RulesChange, *, by: Any) -> RulesChange:
    """Drop a proposed path or a version that waits for its choice; the question keeps its rules. Raises SomeoneWasFaster."""
    open_ = [ChangeState.DRAFT.value, ChangeState.PREVIEW.value]
    if RulesChange.objects.filter(pk=change.pk, state__in=open_).update(state=ChangeState.REFUSED.value) != 1:
        raise _settled(change)
    # What was worked out for nothing holds readings of pupils' work.
    change.answers.update(document=None)
    change.refresh_from_db()
    _tell(change, "refuse_rules", by)
    return change


@transaction.atomic
def choose(change: RulesChange, *, by: Any, choice: Choice) -> RulesChange:
    """The question gets the newer version, and its answers are carried over in the background as chosen. Once.

    Raises SomeoneWasFaster for whoever comes second, and where the question has other rules than those compared.
    """
    row = RulesChange.objects.filter(pk=change.pk, state=ChangeState.PREVIEW.value)
    chosen = {"choice": choice.value, "chosen_by": by, "chosen_at": timezone.now()}
    if row.update(state=ChangeState.CHOSEN.value, **chosen) != 1:
        raise _settled(change)
    change.refresh_from_db()
    assert change.rules is not None
    transitions.pin_rules(change.question, old=change.old, new=change.rules, choice=choice, by=by)
    # Answers in somebody's hand first: until theirs is carried over, a marker works under the older version.
    in_hand_first = F("claimed_by").asc(nulls_last=True)
    _enqueue(change, CARRY, carrying_group(change), cases_under(change).order_by(in_hand_first, "pk"))
    return change


def foresee(change: RulesChange, case: Case, *, lease: jobs.Lease | None = None) -> None:
    """Work out what the newer rules would make of one answer, and keep it. Twice is once."""
    rules = read_rules(change.document)
    document = judged_under(case, change.document)
    seen = foreseen(case, rules, document, grading_queries.standing_mark(case))
    with transaction.atomic():
        RulesChangeAnswer.objects.update_or_create(
            change=change,
            case=case,
            defaults={
                "version": case.version, "effect": seen.effect.value, "before": seen.before, "after": seen.after,
                "document": document, "affected": _affected(change, case, document),
            },
        )  # fmt: skip
        if lease is not None:
            jobs.finish(lease)


def _affected(change: RulesChange, case: Case, document: dict[str, Any] | None) -> bool:
    """Whether a proposed path bears on an answer: no path was recognised so far, or it would count."""
    if not change.path_id or case.run is None:
        return bool(change.path_id)
    if case.run.document["verdict"]["matched_path_id"] == "UNKNOWN":
        return True
    matched = document["verdict"]["matched_path_id"].split(";") if document else []
    return any(each.partition(":")[2] == change.path_id for each in matched)


def carry(change: RulesChange, case: Case, *, lease: jobs.Lease | None = None) -> None:
    """Carry one answer over as chosen and note what became of it. Whoever marks it meanwhile comes first."""
    assert change.rules is not None
    for _ in range(TRIES):
        known = RulesChangeAnswer.objects.filter(change=change, case=case).first()
        if known is not None and known.outcome:
            if lease is not None:
                jobs.finish(lease)
            return
        kept = known.document if known is not None and known.version == case.version else None
        # What was worked out for a proposed path may have been under rules that have moved on since.
        usable = kept is not None and document_hash(kept["rules"]) == document_hash(change.rules.document)
        document = kept if usable else judged_under(case, change.rules.document)
        try:
            with transaction.atomic():
                _carry(change, change.rules, case, document)
                if lease is not None:
                    jobs.finish(lease)
        except SomeoneWasFaster:
            case = cases_under(change).get(pk=case.pk)
        else:
            return
    raise SomeoneWasFaster(
        "rules.busy", "这份作答一直有人在改动。", "This answer keeps being changed by others.", case=case.public_id
    )


def _carry(change: RulesChange, rules: ScoringRules, case: Case, document: dict[str, Any] | None) -> None:
    standing = grading_queries.standing_mark(case)
    version = case.version
    outcome = transitions.carry_over(case, rules, choice=Choice(change.choice), document=document, by=change.chosen_by)
    row, _ = RulesChangeAnswer.objects.get_or_create(
        change=change, case=case,
        defaults={"version": version, "effect": Effect.OPEN.value, "before": standing.total if standing else None},
    )  # fmt: skip
    ended = {"outcome": outcome.value, "ended_at": timezone.now(), "document": None}
    RulesChangeAnswer.objects.filter(pk=row.pk, outcome="").update(**ended)
