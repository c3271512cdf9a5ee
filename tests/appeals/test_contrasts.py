"""Change one thing about an appeal and see exactly those outputs change that may: tone, condition, evidence, coverage."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.foundation.errors import UnusableInput
from review.domain import appeals
from review.domain.appeals import Claim, Goal, Outcome, Route, Settled, Style, Tone

STEP = ("Path_A", "A3")
CLAIMS = (
    Claim(1, Goal.STEP, STEP, "第 3 步写的是 3", evidence="第 3 行"),
    Claim(2, Goal.STEP, ("Path_A", "A5"), "若第 3 步改判，第 5 步也应改", after=1),
    Claim(3, Goal.READING, None, "第 2 行被误读"),
)
FOUND = {1: Outcome.UPHELD, 2: Outcome.UPHELD, 3: Outcome.REJECTED}


def outputs(
    *, tone: Tone = Tone.CALM, claims: tuple[Claim, ...] = CLAIMS, found: dict[int, Outcome] | None = None
) -> dict[str, Any]:
    """Everything the rules say of an appeal, by name."""
    outcomes = appeals.outcomes_of(claims, FOUND if found is None else found)
    placed = appeals.placed(claims)
    settled = [
        Settled(claim.number, claim.words, outcomes[claim.number] or Outcome.REJECTED, "理由", claim.after)
        for claim in claims
    ]
    mark = {"before": Decimal(9), "after": Decimal(11)}
    style = appeals.style_for(tone)
    named: dict[str, Any] = {"style": style, "days": appeals.days_to_reply(tone)}
    for language in ("zh", "en"):
        named[f"facts {language}"] = appeals.facts_of_reply(settled, **mark, language=language)
        named[f"reply {language}"] = appeals.reply_draft(settled, **mark, style=style, language=language)
    for claim in claims:
        named[f"outcome {claim.number}"] = outcomes[claim.number]
        named[f"route {claim.number}"] = placed[claim.number].route
        named[f"look at {claim.number}"] = placed[claim.number].look_at
    return named


def changed(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    assert one.keys() == other.keys()
    return {name for name in one if one[name] != other[name]}


def test_only_the_tone_changes_wording_and_pace_and_neither_facts_routes_outcomes_nor_marks():
    assert changed(outputs(), outputs(tone=Tone.UPSET)) == {"style", "days", "reply zh", "reply en"}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_both_wordings_carry_the_same_facts_word_for_word(language):
    facts = outputs()[f"facts {language}"]
    for tone in Tone:
        assert "\n".join(facts) in outputs(tone=tone)[f"reply {language}"]


def test_only_the_condition_changes_whether_its_claim_is_triggered_and_what_is_told_of_it():
    moved = (CLAIMS[0], replace(CLAIMS[1], after=None), CLAIMS[2])
    refused = FOUND | {1: Outcome.REJECTED}
    assert outputs(found=refused)["outcome 2"] is Outcome.NOT_TRIGGERED
    assert changed(outputs(found=refused), outputs(claims=moved, found=refused)) == {
        "outcome 2", "facts zh", "facts en", "reply zh", "reply en",
    }  # fmt: skip
    assert changed(outputs(), outputs(claims=moved)) == set()


def test_only_the_evidence_changes_where_to_look_first():
    shown = (CLAIMS[0], CLAIMS[1], replace(CLAIMS[2], evidence="第 2 行中间"))
    assert changed(outputs(), outputs(claims=shown)) == {"look at 3"}


def test_only_the_coverage_of_the_rules_changes_who_answers():
    silent = (replace(CLAIMS[0], covered=False), CLAIMS[1], CLAIMS[2])
    assert changed(outputs(), outputs(claims=silent)) == {"route 1"}
    assert outputs(claims=silent)["route 1"] is Route.RULES_SILENT


# --- conditions ---------------------------------------------------------------------------------------------------


def test_a_claim_stays_open_while_its_condition_is_open():
    assert appeals.outcomes_of(CLAIMS, {2: Outcome.UPHELD, 3: Outcome.REJECTED}) == {
        1: None, 2: None, 3: Outcome.REJECTED,
    }  # fmt: skip


def test_a_condition_that_is_not_met_is_told_and_never_lost_down_a_whole_chain():
    chain = tuple(Claim(n, Goal.READING, None, f"第 {n} 项", after=n - 1 if n > 1 else None) for n in range(1, 5))
    found = appeals.outcomes_of(chain, {1: Outcome.REJECTED, 3: Outcome.UPHELD})
    assert found == {1: Outcome.REJECTED, 2: Outcome.NOT_TRIGGERED, 3: Outcome.NOT_TRIGGERED, 4: Outcome.NOT_TRIGGERED}


def test_nobody_can_find_a_triggered_claim_not_triggered():
    assert appeals.outcomes_of(CLAIMS, {1: Outcome.NOT_TRIGGERED})[1] is None


@given(st.dictionaries(st.integers(1, 3), st.sampled_from(Outcome)))
def test_every_claim_has_an_entry_and_an_outcome_only_where_one_was_found_or_a_condition_failed(found):
    outcomes = appeals.outcomes_of(CLAIMS, found)
    assert set(outcomes) == {1, 2, 3}
    for claim in CLAIMS:
        if outcomes[claim.number] in (Outcome.UPHELD, Outcome.REJECTED):
            assert outcomes[claim.number] == found[claim.number]


BAD = [
    ((), "count"),
    (tuple(Claim(n, Goal.READING, None, "x") for n in range(1, 10)), "count"),
    ((Claim(1, Goal.READING, None, "  "),), "words"),
    ((Claim(1, Goal.READING, None, "x" * 1001),), "words"),
    ((Claim(1, Goal.STEP, None, "x"),), "step"),
    ((Claim(1, Goal.SUM, STEP, "x"),), "step"),
    ((Claim(1, Goal.READING, None, "x", after=1),), "condition"),
    ((Claim(1, Goal.READING, None, "x", after=2), Claim(2, Goal.READING, None, "x")), "condition"),
    ((Claim(1, Goal.READING, None, "x", after=0),), "condition"),
]


@pytest.mark.parametrize(("claims", "code"), BAD)
def test_claims_that_cannot_stand_are_refused(claims, code):
    with pytest.raises(UnusableInput, match=rf"appeal\.{code}"):
        appeals.check_claims(claims)


# --- the mark follows the claims ----------------------------------------------------------------------------------

OLD = {STEP: ("INVALID", Decimal(0)), ("Path_A", "A5"): ("ECF_GRANTED", Decimal(2))}
NEW = OLD | {STEP: ("VALID", Decimal(2))}


def check(found: dict[int, Outcome], *, after: int, new: Any = NEW, claims: Any = CLAIMS) -> None:
    outcomes = appeals.outcomes_of(claims, found)
    appeals.check_decision(claims, outcomes, before=Decimal(9), after=Decimal(after), old_steps=OLD, new_steps=new)


def test_nothing_is_decided_while_a_claim_is_open():
    with pytest.raises(UnusableInput, match=r"appeal\.open"):
        check({1: Outcome.REJECTED}, after=9, new=OLD)


def test_where_no_claim_is_upheld_neither_the_mark_nor_a_step_moves():
    rejected = {1: Outcome.REJECTED, 3: Outcome.REJECTED}
    check(rejected, after=9, new=OLD)
    for after, new in ((11, NEW), (9, NEW)):
        with pytest.raises(UnusableInput, match=r"appeal\.unmoved"):
            check(rejected, after=after, new=new)


def test_a_step_whose_claim_was_upheld_must_be_marked_differently():
    with pytest.raises(UnusableInput, match=r"appeal\.step_unmoved"):
        check(FOUND, after=11)
    check(FOUND, after=12, new=NEW | {("Path_A", "A5"): ("VALID", Decimal(3))})


@pytest.mark.parametrize(("style", "opening"), [(Style.NORMAL, "您好，您对本题"), (Style.STABILIZE, "您好，我们理解")])
def test_a_reply_names_every_claim_its_outcome_and_both_marks(style, opening):
    settled = [
        Settled(1, "重评第 3 步", Outcome.UPHELD, "识读有误", None),
        Settled(2, "第 5 步随之改", Outcome.NOT_TRIGGERED, "", 1),
    ]
    reply = appeals.reply_draft(settled, before=Decimal(9), after=Decimal(11), style=style, language="zh")
    assert reply.startswith(opening)
    for words in ("1. “重评第 3 步”：成立。识读有误", "2. “第 5 步随之改”：条件未满足，未触发。", "由 9 分改为 11 分"):
        assert words in reply
