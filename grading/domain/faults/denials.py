"""Faults of denial: points that are taken without proof."""

from __future__ import annotations

from random import Random

from ..statuses import CREDITED, Status
from .base import Base, Credited, Mutant, call_missing
from .run import Kind
from .targets import at_one, at_proved, denying, saying


def _all_denied(base: Base, rng: Random) -> Mutant | None:
    """Everything is called missing but one step, so that the answer is still recognised."""
    mutant = base.mutant()
    if len(base.proved) < 2:
        return None
    kept = rng.choice(base.proved)
    for step in base.credited:
        if not set(map(id, mutant.alike(*step.where))) & set(map(id, mutant.alike(*kept.where))):
            mutant.deny(step.where)
    for _, proposal in mutant.all_steps():
        if proposal["status"] in CREDITED and proposal not in mutant.alike(*kept.where):
            call_missing(proposal)
    return mutant


_FULL_WIDTH = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code) not in "\\{}_^"})


def _full_width_called_missing(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """The result stands there in full-width signs, and is called missing."""
    content = step.lines[0].translate(_FULL_WIDTH)
    if "\\" in content or not base.proves(step.step, content):
        return False
    mutant.rewrite(step.line_ids[0], content)
    for _, proposal in mutant.all_steps():
        if proposal.get("line_ids") == list(step.line_ids):
            call_missing(proposal)
    return True


def _gap_under_certificate(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """With a certificate nothing but another judge can say whether a reason is missing."""
    mutant.certificate = {"id": "C", "valid": True, "reader": True}
    mutant.second = None
    mutant.say(step.where, status="GAP_DEDUCTION")
    return True


def _reduced_to_gap(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    mutant.say(step.where, status="GAP_DEDUCTION")
    return mutant.certificate is None


DENIED: tuple[Kind, ...] = (
    Kind(
        "right-called-invalid",
        "denial-proved",
        at_proved(denying("INVALID")),
        "对的判为错",
        "a right step called INVALID",
    ),
    Kind(
        "present-called-missing",
        "denial-proved",
        at_proved(denying("MISSING")),
        "写了的判为没写",
        "a present step called MISSING",
    ),
    Kind("all-denied", "denial-proved", _all_denied, "几乎全部判为没写", "nearly everything called MISSING"),
    Kind(
        "missing-but-cited",
        "denial-proved",
        at_proved(saying(status="MISSING", quote="")),
        "判为没写却引用了行",
        "MISSING with a line cited",
    ),
    Kind("reduced-to-gap", "certified", at_proved(_reduced_to_gap), "无故扣为缺理由", "full work reduced to a gap"),
    Kind(
        "jump-called-missing",
        "denial-proved",
        at_one(lambda base: base.of(Status.JUMP_VALID), denying("MISSING")),
        "有据的跳步判为没写",
        "a supported jump called MISSING",
    ),
    Kind(
        "full-width-called-missing",
        "denial-proved",
        at_proved(_full_width_called_missing),
        "全角书写的结果判为没写",
        "a result in full-width signs called MISSING",
    ),
    Kind(
        "gap-under-certificate",
        "second-judge",
        at_proved(_gap_under_certificate),
        "有证书时无故扣为缺理由",
        "full work reduced to a gap where a certificate is held",
    ),
)
