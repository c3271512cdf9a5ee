"""A verdict document proves itself: it replays byte for byte, and whatever is changed in it is named."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from config.foundation import strict_json
from config.foundation.canonical import canonical_json, document_hash, sha256_hex
from grading.domain.documents import schema_fault
from grading.domain.oracle import RecordedOracle
from grading.domain.verification import recompute_algebra, replay, verify
from itembank.domain.mathematics import algebra_for

from .cast import PROVENANCE, Answer, example_rules, li, wang

PAGE = b"\x89PNG page one"


def stored(answer: Answer) -> dict[str, Any]:
    """The document after a trip through a file, with one image."""
    hashes = [{"received_sha256": sha256_hex(PAGE), "stored_sha256": sha256_hex(PAGE + b"!")}]
    PROVENANCE["images"], before = hashes, PROVENANCE["images"]
    try:
        document = answer.decide()
    finally:
        PROVENANCE["images"] = before
    read: dict[str, Any] = strict_json.loads(canonical_json(document), max_bytes=10**7)
    return read


@pytest.fixture(scope="module", params=[wang, li], ids=["right", "carried"])
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return stored(request.param())


def parts_named(document: Any, images: list[bytes] | None = None) -> set[str]:
    found = verify(document, images)
    for one in found:
        assert one.zh
        assert one.en
    return {one.part for one in found}


def test_an_untouched_document_fits_its_replay_byte_for_byte(document: dict[str, Any]) -> None:
    assert verify(document, [PAGE]) == []
    again = replay(document, example_rules(), RecordedOracle(document["facts"]["algebra"]))
    assert canonical_json(again) == canonical_json(document)


def test_the_document_follows_its_schema(document: dict[str, Any]) -> None:
    assert schema_fault("verdict", document) is None


def test_the_image_as_received_or_as_stored_will_do(document: dict[str, Any]) -> None:
    assert verify(document, [PAGE + b"!"]) == []


def test_one_flipped_byte_of_the_image_is_named(document: dict[str, Any]) -> None:
    assert parts_named(document, [PAGE[:-1] + b"f"]) == {"images"}


def test_a_missing_image_is_named(document: dict[str, Any]) -> None:
    assert parts_named(document, []) == {"images"}


def reading_changed(document: dict[str, Any]) -> None:
    document["reading"]["lines"][0]["confidence"] = Decimal("0.96")


def observation_changed(document: dict[str, Any]) -> None:
    document["observation"]["comments"] = "."


def rules_changed(document: dict[str, Any]) -> None:
    document["rules"]["title"] += "。"


def policy_changed(document: dict[str, Any]) -> None:
    document["policy"]["alternatives_limit"] = 39


def ink_changed(document: dict[str, Any]) -> None:
    document["facts"]["ink"]["boxes"][0]["ink_fraction"] = "0.2"


def algebra_changed(document: dict[str, Any]) -> None:
    document["facts"]["algebra"][0]["answer"] = None


def score_changed(document: dict[str, Any]) -> None:
    document["verdict"]["step_details"][0]["score"] = 1


def total_changed(document: dict[str, Any]) -> None:
    document["verdict"]["total_score"] = 11


def status_changed(document: dict[str, Any]) -> None:
    document["verdict"]["step_details"][0]["status"] = "MISSING"


def decision_changed(document: dict[str, Any]) -> None:
    document["decision"] = "MANUAL_REVIEW" if document["decision"] == "ACCEPT" else "ACCEPT"


def outcome_changed(document: dict[str, Any]) -> None:
    document["gate"][3]["outcome"] = "fails"


def sentence_changed(document: dict[str, Any]) -> None:
    document["gate"][3]["message"]["zh"] += "。"


def evidence_changed(document: dict[str, Any]) -> None:
    document["evidence"][0]["quote"] = "d=2"


def image_hash_changed(document: dict[str, Any]) -> None:
    document["provenance"]["images"][0]["stored_sha256"] = "0" * 64


CHANGES: list[tuple[Callable[[dict[str, Any]], None], set[str]]] = [
    (reading_changed, {"reading"}),
    (observation_changed, {"observation"}),
    (rules_changed, {"rules"}),
    (policy_changed, {"policy"}),
    (ink_changed, {"ink"}),
    (algebra_changed, {"algebra"}),
    (score_changed, {"scores"}),
    (total_changed, {"scores"}),
    (status_changed, {"verdict"}),
    (decision_changed, {"decision"}),
    (outcome_changed, {"gate"}),
    (sentence_changed, {"gate"}),
    (evidence_changed, {"evidence"}),
]


@pytest.mark.parametrize(("change", "names"), CHANGES, ids=[change.__name__ for change, _ in CHANGES])
def test_a_changed_part_is_named(
    document: dict[str, Any], change: Callable[[dict[str, Any]], None], names: set[str]
) -> None:
    changed = copy.deepcopy(document)
    change(changed)
    assert names <= parts_named(changed)


def test_a_changed_image_hash_fails_the_identity_of_the_case() -> None:
    answer = wang()
    answer.identity = {
        "question_id": answer.rules.question_id,
        "rules_sha256": answer.rules.sha256,
        "images": [{"received_sha256": sha256_hex(PAGE), "stored_sha256": sha256_hex(PAGE + b"!")}],
    }
    changed = stored(answer)
    assert verify(changed) == []
    image_hash_changed(changed)
    assert "gate" in parts_named(changed)


@pytest.mark.parametrize("name", ["reading", "observation", "rules"])
def test_every_single_flipped_byte_is_noticed(document: dict[str, Any], name: str) -> None:
    """Every twentieth byte of a part, each with its lowest bit flipped."""
    text = canonical_json(document[name])
    before = document_hash(document[name])
    noticed = 0
    for place in range(0, len(text), 20):
        flipped = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        try:
            changed = strict_json.loads(flipped, max_bytes=10**6)
        except Exception:  # noqa: S112, BLE001, RUF100 - no longer JSON: the file is refused as a whole
            continue
        if document_hash(changed) == before:
            continue
        noticed += 1
        tampered = {**document, name: changed}
        assert parts_named(tampered) & {name, "document", "replay"}
        if noticed >= 12:
            break
    assert noticed >= 5


def test_a_made_up_proof_is_found_by_recomputing() -> None:
    """Consistent lies replay; asking algebra again finds them."""
    answer = wang()
    answer.rewrite(5, "S_{10}=126")
    honest = stored(answer)
    assert honest["decision"] == "MANUAL_REVIEW"
    record = copy.deepcopy(honest["facts"]["algebra"])
    for entry in record:
        if entry["op"] == "fulfils" and entry["args"][:2] == ["S_{10}=120", "S_{10}=126"]:
            entry["answer"] = {"result": "PROVED", "method": "normal-form", "witness": None}
    answer.oracle = RecordedOracle(record)
    forged = stored(answer)
    assert verify(forged) == []
    assert any("S_{10}=126" in one.en for one in recompute_algebra(forged, algebra_for(example_rules())))
    assert recompute_algebra(honest, algebra_for(example_rules())) == []


@pytest.mark.parametrize("nonsense", [None, 3, [], {}, {"verdict": {}}, {"decision": "ACCEPT"}])
def test_what_is_no_verdict_document_is_said_to_be_none(nonsense: object) -> None:
    assert parts_named(nonsense) == {"document"}
