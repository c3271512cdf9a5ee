"""Every kind of fault, on accepted answers of several questions: harmful ones are stopped by the rule that must see them."""

from __future__ import annotations

from functools import cache

import pytest

from grading.domain.faults import KINDS, Base, Injected, Injection
from grading.domain.gate import RULES

from .bases import cast_base, sample_bases
from .measured import cone

# One answer of each question; among them jumps, a step not written, errors, and an error carried on.
WRITTEN = {(1, "skipped-1"), (2, "arithmetic-1"), (3, "right-1"), (4, "skipped-2"), (5, "right-1"), (6, "carried-1")}


@cache
def bases() -> dict[str, Base]:
    """Answers of each question of the sample, and the cast's two students with and without a certificate."""
    found = {
        f"cast {name} {certified}": cast_base(name, certified=certified)
        for name in ("right", "carried")
        for certified in (False, True)
    }
    found["measured"] = cone()
    found.update(sample_bases(WRITTEN))
    return found


@cache
def outcomes() -> tuple[tuple[str, Injected], ...]:
    return tuple((name, each) for name, base in bases().items() for each in Injection(base).outcomes(KINDS))


def test_the_catalogue_is_large_and_every_name_is_used_once() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert sum(kind.harmful for kind in KINDS) >= 60
    for kind in KINDS:
        assert kind.zh
        assert kind.en


def test_each_expected_rule_is_one_of_the_gate_or_a_part_that_verify_names() -> None:
    rules = {entry.rule for entry in RULES}
    expected = {kind.rule for kind in KINDS if kind.rule is not None}
    assert {rule for rule in expected if not rule.startswith("verify:")} == rules


def test_the_bases_are_of_every_question_and_hold_every_status() -> None:
    statuses = {step.status.value for base in bases().values() for step in base.steps}
    assert statuses >= {"VALID", "JUMP_VALID", "ECF_GRANTED", "INVALID", "MISSING"}
    assert len({base.rules.question_id for base in bases().values()}) == 8


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.harmful], ids=lambda kind: kind.name)
def test_a_harmful_mutant_is_stopped_by_the_rule_that_must_see_it(kind: object) -> None:
    mine = [(name, each) for name, each in outcomes() if each.kind is kind]
    assert [(name, each.mutant, each.decision, each.failed) for name, each in mine if not each.as_expected] == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.harmful], ids=lambda kind: kind.name)
def test_a_harmless_mutant_is_still_accepted(kind: object) -> None:
    mine = [(name, each) for name, each in outcomes() if each.kind is kind]
    assert [(name, each.mutant, each.failed) for name, each in mine if not each.as_expected] == []


def test_nearly_every_kind_applies_somewhere() -> None:
    tried = {each.kind.name for _, each in outcomes()}
    assert {kind.name for kind in KINDS} - tried <= NEEDS_PICTURES_OR_LUCK


# Two pages, LaTeX with braces, or a question whose lines happen to fit; all of them occur in docs/fault-injection.md.
NEEDS_PICTURES_OR_LUCK = {
    "pages-exchanged",
    "fewer-braces-in-quote",
    "lines-cited-backwards",
    "one-expression-paid-twice",
}


def test_the_same_seed_gives_the_same_mutants_and_another_seed_others() -> None:
    base = cast_base("right")
    kinds = [kind for kind in KINDS if kind.rule == "evidence-quoted"]

    def documents(seed: int) -> list[object]:
        return [each.document() for each in Injection(base).outcomes(kinds, seed=seed, count=30)]

    assert documents(3) == documents(3)
    assert len(documents(3)) == 30


def test_only_an_accepted_answer_can_be_spoilt() -> None:
    base = cast_base("right")
    refused = {**base.document, "decision": "MANUAL_REVIEW"}
    with pytest.raises(ValueError, match="not accepted"):
        Base(refused, base.rules, base.algebra)
