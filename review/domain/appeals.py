"""Appeals as ledgers of claims: what each asks for, whether its condition is met, where it goes, and what is replied.

Tone decides the wording and the pace of the reply and nothing else; evidence decides where to look first and nothing
else; whether the rules cover a claim decides who answers it; a condition decides whether a claim is triggered at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from config.foundation.canonical import number_text
from config.foundation.errors import UnusableInput

LONGEST_WORDS = 1000
MOST_CLAIMS = 8


class Goal(StrEnum):
    """What a claim asks for."""

    STEP = "STEP"  # one step is to be marked again
    READING = "READING"  # something was misread
    METHOD = "METHOD"  # another method is to be recognised
    SUM = "SUM"  # the points were added wrongly


class Outcome(StrEnum):
    """What became of a claim."""

    UPHELD = "UPHELD"
    REJECTED = "REJECTED"
    NOT_TRIGGERED = "NOT_TRIGGERED"


class Tone(StrEnum):
    """How the appeal was put, as whoever took it in heard it."""

    CALM = "CALM"
    UPSET = "UPSET"


class Style(StrEnum):
    """The wording of the reply."""

    NORMAL = "NORMAL"
    STABILIZE = "STABILIZE"


class Route(StrEnum):
    """Who answers a claim: whoever decides the appeal by the rules, or first the marking leader where rules are silent."""

    BY_RULES = "BY_RULES"
    RULES_SILENT = "RULES_SILENT"


@dataclass(frozen=True)
class Claim:
    """One claim. ``after``: number of the claim that must be upheld before this one is triggered, None for none."""

    number: int
    goal: Goal
    step: tuple[str, str] | None  # path id and step id, for STEP
    words: str
    after: int | None = None
    evidence: str = ""  # where to look: a line, a place on the page
    covered: bool = True  # whether the pinned rules say how it is marked


@dataclass(frozen=True)
class Placement:
    """How one claim is dealt with before anybody decides it."""

    route: Route
    look_at: str  # the cited place, else the whole answer


def style_for(tone: Tone) -> Style:
    """An upset appeal is answered in steadying words."""
    return Style.STABILIZE if tone is Tone.UPSET else Style.NORMAL


def days_to_reply(tone: Tone) -> int:
    """Within how many days a reply is promised: sooner where somebody is upset."""
    return 2 if tone is Tone.UPSET else 5


def placed(claims: Iterable[Claim]) -> dict[int, Placement]:
    """Where each claim goes and where to look first, by number."""
    return {
        claim.number: Placement(
            Route.BY_RULES if claim.covered else Route.RULES_SILENT, claim.evidence.strip() or "the whole answer"
        )
        for claim in claims
    }


def _refuse(code: str, zh: str, en: str) -> UnusableInput:
    return UnusableInput(f"appeal.{code}", zh, en)


def check_claims(claims: Sequence[Claim]) -> None:
    """Raise UnusableInput unless the claims can stand: some, not too many, each with words, conditions that look back.

    A condition may name only a claim before it, so that conditions never run in a circle.
    """
    if not 1 <= len(claims) <= MOST_CLAIMS:
        raise _refuse(
            "count", f"申诉须有 1 到 {MOST_CLAIMS} 项诉求。", f"An appeal has between 1 and {MOST_CLAIMS} claims."
        )
    for claim in claims:
        number = claim.number
        if not claim.words.strip() or len(claim.words) > LONGEST_WORDS or len(claim.evidence) > LONGEST_WORDS:
            raise _refuse(
                "words", f"第 {number} 项诉求须写明要求，且不超过 {LONGEST_WORDS} 字。",
                f"Claim {number} must say what it asks for, in at most {LONGEST_WORDS} characters.",
            )  # fmt: skip
        if (claim.goal is Goal.STEP) != (claim.step is not None):
            raise _refuse(
                "step", f"第 {number} 项诉求须选定一个步骤。", f"Claim {number} must name the step it is about."
            )
        if claim.after is not None and not 1 <= claim.after < number:
            raise _refuse(
                "condition", f"第 {number} 项诉求的条件只能是它前面的诉求。",
                f"The condition of claim {number} must be one of the claims before it.",
            )  # fmt: skip


def outcomes_of(claims: Sequence[Claim], findings: Mapping[int, Outcome]) -> dict[int, Outcome | None]:
    """The outcome of each claim from what was found; None while nothing was.

    A claim whose condition is settled otherwise than UPHELD is NOT_TRIGGERED, whatever was found of it; while its
    condition is open, it is open too. What is triggered cannot be found NOT_TRIGGERED.
    """
    found: dict[int, Outcome | None] = {}
    for claim in sorted(claims, key=lambda each: each.number):
        finding = findings.get(claim.number)
        if finding is Outcome.NOT_TRIGGERED:
            finding = None
        if claim.after is None or found[claim.after] is Outcome.UPHELD:
            found[claim.number] = finding
        else:
            found[claim.number] = None if found[claim.after] is None else Outcome.NOT_TRIGGERED
    return found


Steps = Mapping[tuple[str, str], tuple[str, Decimal]]


def check_decision(
    claims: Sequence[Claim],
    outcomes: Mapping[int, Outcome | None],
    *,
    before: Decimal,
    after: Decimal,
    old_steps: Steps,
    new_steps: Steps,
) -> None:
    """Raise UnusableInput unless every claim has an outcome and the mark moves exactly where one was upheld.

    ``old_steps`` and ``new_steps``: status and score of each judged step; empty for a total given directly.
    """
    missing = [claim.number for claim in claims if outcomes.get(claim.number) is None]
    if missing:
        listed = ", ".join(map(str, missing))
        raise _refuse("open", f"第 {listed} 项诉求还没有结论。", f"Claim {listed} has no outcome yet.")
    upheld = [claim for claim in claims if outcomes[claim.number] is Outcome.UPHELD]
    if not upheld and (after != before or (old_steps and new_steps and old_steps != new_steps)):
        raise _refuse(
            "unmoved", "没有诉求成立，得分不能改动。", "No claim was upheld, so the mark must stay as it was."
        )
    if not old_steps or not new_steps:
        return
    for claim in upheld:
        if claim.step is not None and old_steps.get(claim.step) == new_steps.get(claim.step):
            raise _refuse(
                "step_unmoved", f"第 {claim.number} 项诉求成立，但步骤 {claim.step[1]} 的评分没有变化。",
                f"Claim {claim.number} was upheld, but step {claim.step[1]} is marked as before.",
            )  # fmt: skip


@dataclass(frozen=True)
class Settled:
    """What a reply tells of one claim."""

    number: int
    words: str
    outcome: Outcome
    reason: str
    after: int | None


OUTCOME_WORDS = {
    "zh": {Outcome.UPHELD: "成立", Outcome.REJECTED: "不成立", Outcome.NOT_TRIGGERED: "条件未满足，未触发"},
    "en": {
        Outcome.UPHELD: "upheld", Outcome.REJECTED: "not upheld", Outcome.NOT_TRIGGERED: "not triggered, its condition was not met",
    },
}  # fmt: skip
OPENINGS = {
    ("zh", Style.NORMAL): "您好，您对本题得分的申诉已由未接触过这份作答的老师重新审阅，结果如下。",
    ("zh", Style.STABILIZE): (
        "您好，我们理解您对这道题得分的在意，也谢谢您把理由写下来。您的每一项诉求都由未接触过这份作答的老师逐项重新审阅，结果如下。"
    ),
    ("en", Style.NORMAL): (
        "Your appeal was decided by a teacher who had not seen this answer before. The outcome is as follows."
    ),
    ("en", Style.STABILIZE): (
        "We understand that this mark matters to you, and thank you for writing down your reasons. Each of your claims "
        "was looked at anew by a teacher who had not seen this answer before. The outcome is as follows."
    ),
}
CLOSINGS = {
    ("zh", Style.NORMAL): "如有疑问，请联系教务。",
    ("zh", Style.STABILIZE): "如果还有不明白的地方，欢迎随时联系教务，我们愿意当面逐步说明。",
    ("en", Style.NORMAL): "Please ask the school office if anything is unclear.",
    ("en", Style.STABILIZE): (
        "If anything is still unclear, please come to the school office: we will gladly go through it step by step."
    ),
}


def facts_of_reply(settled: Sequence[Settled], *, before: Decimal, after: Decimal, language: str) -> list[str]:
    """The sentences of a reply that carry facts: the same in every style."""
    old, new = number_text(before), number_text(after)
    words = OUTCOME_WORDS[language]
    lines = []
    for claim in settled:
        reason = f" {claim.reason.strip()}" if claim.reason.strip() else ""
        if language == "zh":
            lines.append(f"{claim.number}. “{claim.words.strip()}”：{words[claim.outcome]}。{reason.strip()}")
        else:
            lines.append(f"{claim.number}. “{claim.words.strip()}”: {words[claim.outcome]}.{reason}")
    if language == "zh":
        lines.append(f"本题得分由 {old} 分改为 {new} 分。" if old != new else f"本题得分仍为 {new} 分。")
    else:
        lines.append(f"The mark changes from {old} to {new}." if old != new else f"The mark remains {new}.")
    return lines


def reply_draft(settled: Sequence[Settled], *, before: Decimal, after: Decimal, style: Style, language: str) -> str:
    """A reply to be read and sent by a person. ``language``: zh or en."""
    facts = facts_of_reply(settled, before=before, after=after, language=language)
    return "\n".join([OPENINGS[language, style], "", *facts, "", CLOSINGS[language, style]])
