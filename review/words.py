"""The words of the screens: statuses, gate rules, algebra's answers and events. Sentences, not codes."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.domain.confidence import Band
from grading.domain.likeness import Apart
from grading.domain.own_marks import Fixed
from grading.domain.schemes import Kind, Rounding
from grading.domain.statuses import Status

from .domain.appeals import Goal, Outcome

Words = str | Promise


@dataclass(frozen=True)
class StatusWords:
    """How a step's status is shown: a shape and a word (the colour comes from the class of the same name)."""

    status: Status
    shape: str
    word: Words
    meaning: Words

    @property
    def name(self) -> str:
        return self.status.value


STATUSES: dict[str, StatusWords] = {
    each.status.value: each
    for each in (
        StatusWords(Status.VALID, "✓", _("Valid"), _("right and shown: full points")),
        StatusWords(
            Status.JUMP_VALID, "↷", _("Valid jump"), _("not written, but the next step contains it: full points")
        ),
        StatusWords(
            Status.GAP_DEDUCTION, "◐", _("Reason missing"), _("the result is written, the needed reason is not")
        ),
        StatusWords(Status.ECF_GRANTED, "⇢", _("Carried error"), _("wrong only because of an earlier written value")),
        StatusWords(Status.INVALID, "✕", _("Invalid"), _("wrong: no points")),
        StatusWords(Status.MISSING, "–", _("Missing"), _("nothing written: no points")),
    )
}


@dataclass(frozen=True)
class RuleWords:
    """A gate rule: its name, what its failing means to a teacher, and the same in two or three words."""

    name: Words
    failing: Words
    tag: Words


GATE_RULES: dict[str, RuleWords] = {
    "schema": RuleWords(_("Form of the output"), _("The judge's output has a wrong form"), _("wrong form")),
    "identity": RuleWords(_("Identity"), _("Question, rules or images do not belong together"), _("mismatch")),
    "coverage": RuleWords(_("Coverage"), _("A step was not judged"), _("unjudged step")),
    "score-sum": RuleWords(_("Sum of scores"), _("Scores and rules do not add up"), _("wrong sum")),
    "best-path": RuleWords(_("Best path"), _("Another path may be better for the student"), _("better path?")),
    "evidence-quoted": RuleWords(_("True quotes"), _("A quote differs from the reading"), _("quote differs")),
    "evidence-inked": RuleWords(
        _("Ink under points"), _("No ink, or struck-out ink, where points are given"), _("no ink")
    ),
    "recognised": RuleWords(_("All ink read"), _("Some ink could not be read, or there is none"), _("unread or blank")),
    "reading-trusted": RuleWords(_("Trusted reading"), _("The reading is not certain enough"), _("doubtful reading")),
    "reading-stable": RuleWords(_("Stable reading"), _("A doubtful glyph would change the mark"), _("doubtful glyph")),
    "step-proved": RuleWords(_("Steps proved"), _("A credited step is not proved by algebra"), _("unproved step")),
    "line-sound": RuleWords(_("Sound lines"), _("An equality inside a line is not proved"), _("unsound line")),
    "no-rival": RuleWords(_("No rival value"), _("Two values stand for one quantity"), _("two values")),
    "follows": RuleWords(_("Follows"), _("A step does not follow from the student's own work"), _("does not follow")),
    "jump-supported": RuleWords(_("Supported jump"), _("A skipped step has no support"), _("unsupported jump")),
    "ecf-allowed": RuleWords(
        _("Carried error allowed"), _("Marks after an error are not allowed here"), _("no carried error")
    ),
    "ecf-shadow": RuleWords(
        _("Shadow computation"), _("The shadow computation does not support the carried error"), _("shadow fails")
    ),
    "ecf-not-trivial": RuleWords(_("Still as difficult"), _("The wrong value made the rest easier"), _("made easier")),
    "denial-proved": RuleWords(_("Proved denial"), _("A loss of points is not proved"), _("unproved denial")),
    "confidence": RuleWords(_("Confidence"), _("Confidence is below the threshold"), _("low confidence")),
    "second-judge": RuleWords(_("Second judge"), _("A second judge is missing or disagrees"), _("no second judge")),
    "certified": RuleWords(
        _("Certificate"), _("The question has no certificate for automatic acceptance"), _("no certificate")
    ),
    "no-instruction": RuleWords(_("No instruction"), _("The answer addresses the marker"), _("addresses the marker")),
    "current": RuleWords(_("Current owner"), _("The machine no longer owned this answer"), _("not current")),
    "judge-answered": RuleWords(_("Judge answered"), _("The judge gave no complete result"), _("no full result")),
}

OUTCOMES: dict[str, tuple[str, Words]] = {
    "holds": ("✓", _("Holds")),
    "fails": ("✕", _("Fails")),
    "not_evaluated": ("?", _("Not evaluated")),
    "not_applicable": ("–", _("Not applicable")),
}

ALGEBRA: dict[str, tuple[str, Words]] = {
    "PROVED": ("✓", _("proved")),
    "REFUTED": ("✕", _("refuted")),
    "UNDECIDED": ("?", _("undecided")),
    "UNREADABLE": ("–", _("cannot be parsed")),
}


# Why a mark is not for a person to change.
FIXED: dict[Fixed | None, Words] = {
    Fixed.OPEN: _("not decided yet"),
    Fixed.NOT_OWN: _("decided by somebody else since"),
    Fixed.SHARED: _("agreed from several marks"),
    Fixed.RELEASED: _("results are released"),
}


# Bands of the machine's confidence: a name and the range in words.
BANDS: dict[Band, tuple[Words, Words]] = {
    Band.LOW: (_("Unsure"), _("below 70 %")),
    Band.MIDDLE: (_("Fairly sure"), _("70 to 90 %")),
    Band.HIGH: (_("Sure"), _("90 % and more")),
    Band.UNKNOWN: (_("Nothing recognised"), _("no confidence to go by")),
}


ACTIONS: dict[str, Words] = {
    "full": _("full points"),
    "accept": _("accept the proposal and go on"),
    "reading": _("edit the reading"),
    "reason": _("write the reason"),
    "problem": _("problem paper"),
    "skip": _("skip for now"),
    "transfer": _("pass on with a note"),
    "release": _("put back for others"),
    "undo": _("undo the last change"),
    "previous": _("previous page"),
    "next": _("next page"),
    "rotate": _("rotate"),
    "in": _("zoom in"),
    "out": _("zoom out"),
    "tick": _("draw a tick"),
    "cross": _("draw a cross"),
    "box": _("draw a box"),
    "text": _("write on the image"),
    "arrow": _("draw an arrow"),
    "eraser": _("erase a mark on the image"),
}


# What may be drawn on the image, by grading.domain.annotations.AnnotationKind.
DRAWN: dict[str, Words] = {
    "tick": _("Tick"),
    "cross": _("Cross"),
    "box": _("Box"),
    "text": _("Words"),
    "arrow": _("Arrow"),
}


@dataclass(frozen=True)
class ProblemWords:
    """A kind of problem paper: its name, when to use it, whose desk it goes to, and what becomes of the answer."""

    kind: str
    name: Words
    meaning: Words
    desk: Words


_STAFF, _LEADER = _("School staff"), _("Marking leader")
PROBLEMS: dict[str, ProblemWords] = {
    each.kind: each
    for each in (
        ProblemWords("UNREADABLE", _("Unclear image"), _("the image cannot be read; put aside"), _STAFF),
        ProblemWords(
            "WRONG_QUESTION", _("Wrong question"), _("written in another question's area; put aside"), _LEADER
        ),
        ProblemWords(
            "OFF_PAGE", _("Off the page"), _("the work runs off the image or a page is missing; put aside"), _STAFF
        ),
        ProblemWords(
            "BLANK", _("Blank, to be confirmed"), _("nothing written; a second person confirms it; put aside"), _LEADER
        ),
        ProblemWords("COPYING", _("Suspected copying"), _("reported, and still marked by you"), _LEADER),
        ProblemWords("INSTRUCTION", _("Addresses the marker"), _("reported, and still marked on its content"), _LEADER),
    )
}
FINDINGS: dict[str, Words] = {"CONFIRMED": _("It is so"), "UNFOUNDED": _("It is not so")}

VERBS: dict[str, Words] = {
    "open_case": _("Case opened"),
    "store_page": _("Page stored"),
    "refuse_file": _("File refused"),
    "accept": _("Accepted by the gate"),
    "hand_off": _("Handed to people"),
    "queue_for_people": _("Put into the review queue"),
    "claim": _("Taken in hand"),
    "release": _("Put back"),
    "annotate": _("Mark put on the image"),
    "erase_annotation": _("Mark on the image erased"),
    "pass_on": _("Passed on with a note"),
    "skip": _("Skipped for now"),
    "end_claim": _("Time in hand ran out"),
    "decide": _("Decided by a person"),
    "give_mark": _("Marked under the scheme"),
    "agree": _("Agreed by the scheme's rule"),
    "reopen": _("Opened again by an appeal"),
    "file_appeal": _("Appeal filed"),
    "close_appeal": _("Appeal decided"),
    "judge_again": _("Judged again with a corrected reading"),
    "change_mark": _("Own mark changed"),
    "return_mark": _("Returned for re-marking"),
    "mark_in_group": _("Marked together with like answers"),
    "name_exemplar": _("Named an exemplar"),
    "withdraw_exemplar": _("Withdrawn as an exemplar"),
    "take_back": _("Taken back by the marker"),
    "refuse_late_run": _("Late result kept, not used"),
    "audit": _("Audited"),
    "report_problem": _("Reported as a problem paper"),
    "settle_problem": _("Problem settled"),
    "rules_changed": _("Brought under a newer version of the rules"),
    "restart_round": _("Round begun again under a newer version of the rules"),
    "requeue_for_rules": _("To be marked again under a newer version of the rules"),
    "recompute": _("Mark recomputed under a newer version of the rules"),
}


# Why a waiting answer stands in no group of like answers.
APART: dict[str, Words] = {
    Apart.NO_RESULT: _("the machine has no complete result"),
    Apart.NO_PATH: _("blank, a bare answer or no path recognised"),
    Apart.READING: _("something is unread or doubtful"),
    Apart.REASON: _("stopped for a reason that has to be looked at on its own page"),
    Apart.WORDS: _("a step rests on words"),
    Apart.RESULT: _("a result that algebra cannot compare"),
    Apart.OTHER_RULES: _("judged by another version of the rules"),
    Apart.BOUND: _("not compared yet, there are too many"),
    "single": _("like no other answer"),
    "later": _("not looked at yet; open this page again"),
    "held": _("in somebody's hand, skipped, marked blind, reported, passed on, returned or begun by you"),
}


# What made the mark of an answer, by the rule that an edition names.
AGREED_BY: dict[str, Words] = {
    "": _("Accepted with a proof"),
    "sole": _("One marker's mark"),
    "leader": _("The leader's review"),
    "mean-of-two": _("Mean of two blind marks"),
    "mean-with-nearer": _("Mean of the third mark and the nearer one"),
    "person-near-machine": _("A blind mark near the machine's"),
    "arbiter": _("Arbitration"),
    "appeal": _("Decision of an appeal"),
    "recomputed": _("Recomputed under changed rules"),
}


# Each scheme: its name in the marking room and what it means.
SCHEMES: dict[str, tuple[Words, Words]] = {
    Kind.SINGLE: (_("single marking"), _("One mark is final.")),
    Kind.REVIEWED: (_("mark and review"), _("A marker marks; a leader sees the mark and decides.")),
    Kind.DOUBLE: (
        _("double marking"),
        _("Two blind marks; within the tolerance their mean, beyond it an arbiter who sees both decides."),
    ),
    Kind.TRIPLE: (
        _("double marking with a third mark"),
        _(
            "Two blind marks; beyond the tolerance a third. Within the tolerance of the nearer one their mean counts "
            "(as near to both: the higher one), else an arbiter decides."
        ),
    ),
    Kind.WITH_MACHINE: (
        _("machine and one blind mark"),
        _(
            "One blind mark stands where the machine's proposal is within the tolerance, else an arbiter decides. "
            "Where the machine has no proposal, a second person marks."
        ),
    ),
}
ROUNDINGS: dict[str, Words] = {
    Rounding.HALF_UP: _("half up"),
    Rounding.UP: _("up, in the candidate's favour"),
    Rounding.DOWN: _("down"),
    Rounding.EXACT: _("not rounded, the exact mean"),
}


GOALS: dict[str, Words] = {
    Goal.STEP: _("mark a step again"),
    Goal.READING: _("something was misread"),
    Goal.METHOD: _("recognise another method"),
    Goal.SUM: _("points added wrongly"),
}
# A claim's outcome: state class, shape and word.
CLAIM_OUTCOMES: dict[str, tuple[str, str, Words]] = {
    Outcome.UPHELD: ("good-state", "✓", _("upheld")),
    Outcome.REJECTED: ("INVALID", "✕", _("not upheld")),
    Outcome.NOT_TRIGGERED: ("MISSING", "–", _("not triggered")),
    "": ("warning-state", "…", _("not settled")),
}


def rule_name(rule: str) -> Words:
    """The name of a gate rule; an unknown one is shown by its key."""
    return GATE_RULES[rule].name if rule in GATE_RULES else rule


def rule_failing(rule: str) -> Words:
    """What the failing of a gate rule means, as a clause."""
    return GATE_RULES[rule].failing if rule in GATE_RULES else rule


def rule_tag(rule: str) -> Words:
    """The failing of a gate rule in two or three words, for lists."""
    return GATE_RULES[rule].tag if rule in GATE_RULES else rule


JUDGES: dict[str, Words] = {
    "embedded": _("Embedded reader (offline)"),
    "openai": _("Model service"),
    "replay": _("Stored observations"),
}


def judge_words(name: str) -> Words:
    """What a judge is called; one that somebody added has its own name."""
    return JUDGES.get(name, name)


def verb_words(verb: str) -> Words:
    """What an event says happened; an unknown verb is shown as it is."""
    return VERBS.get(verb, verb.replace("_", " "))


# A change of rules: where it stands, what a leader may choose, what is foreseen for an answer and what became of it.
CHANGE_STATES: dict[str, Words] = {
    "DRAFT": _("Draft path, invisible to judging"),
    "PREVIEW": _("Waits for the leader's choice"),
    "CHOSEN": _("In force"),
    "REFUSED": _("Dropped"),
}
CHOICES: dict[str, tuple[Words, Words]] = {
    "RECOMPUTE": (
        _("Recompute what is provable"),
        _(
            "A new edition where the gate accepts the answer under the newer version, or where the same verdicts on the "
            "same steps prove the new mark. All other answers are marked again."
        ),
    ),
    "REQUEUE": (
        _("Mark all of them again"),
        _("Every decided answer goes back into the queue; its old mark stands beside until the new one is given."),
    ),
    "LEAVE": (
        _("Leave them as they are"),
        _("Marks keep naming the version they were made under; only answers not marked yet get the newer one."),
    ),
}
EFFECTS: dict[str, Words] = {
    "SAME": _("provably the same mark"),
    "CHANGES": _("provably another mark"),
    "UNPROVEN": _("not provable, to be looked at"),
    "OPEN": _("not marked yet, to be looked at"),
    "APPEAL": _("under appeal, left alone"),
}
CARRIED: dict[str, Words] = {
    "RECOMPUTED": _("recomputed, new edition"),
    "UNPROVEN": _("not provable, marked again"),
    "REQUEUED": _("marked again"),
    "RESTARTED": _("round begun again"),
    "RENEWED": _("proposal renewed"),
    "TO_JUDGE": _("judged under the newer version"),
    "LEFT": _("left under the older version"),
    "RELEASED": _("released: only an appeal changes it"),
    "APPEAL": _("under appeal, left alone"),
    "CURRENT": _("under the newer version already"),
    "OVERTAKEN": _("left to a version chosen later"),
}
RULES_FIELDS: dict[str, Words] = {
    "title": _("title"),
    "stem": _("question text"),
    "mark_step": _("mark step"),
    "givens": _("given values"),
    "quantities": _("quantities"),
    "functions": _("functions"),
    "assume": _("assumptions"),
    "answer_only_points": _("points for a bare answer"),
    "ecf_after_principle": _("carried error after an error of principle"),
    "required_method": _("required method"),
    "desc": _("mark point"),
    "points": _("points"),
    "kind": _("kind"),
    "expects": _("fulfilled by"),
    "working": _("working"),
    "demands": _("demands"),
    "yields": _("formulas"),
    "depends_on": _("builds on"),
    "shared_id": _("shared step"),
    "must_show": _("must be shown"),
    "ecf_allow": _("marks after an error"),
    "gap_points": _("points without the reason"),
    "ecf_points": _("points for a carried error"),
}
