"""A small assessment with real rows and real images, for tests of what happens to answers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

import grading.domain
import itembank.domain
from config.foundation import strict_json
from grading import transitions
from grading.domain.roster import RosterRow
from grading.models import Assessment, Case, Response
from grading.tasks import decode_file
from itembank.transitions import publish_rules

RULES = Path(itembank.domain.__file__).parent / "scoring_rules.example.json"
EXAMPLES = Path(grading.domain.__file__).parent / "examples"
POLICY: dict[str, Any] = {"allow_uncertified": True}


def rules_document() -> dict[str, Any]:
    document: dict[str, Any] = strict_json.loads(RULES.read_bytes(), max_bytes=2**18, allow_controls="\n")
    return document


def example(name: str) -> Any:
    return strict_json.loads((EXAMPLES / f"{name}.example.json").read_bytes(), max_bytes=2**18, allow_controls="\n")


def verdict_document(*, decision: str = "MANUAL_REVIEW", key: str = "run-1") -> dict[str, Any]:
    """The hand-worked verdict with its reading and observation, as if a judge had just produced it."""
    verdict = example("verdict")["verdict"]
    verdict["is_manual_review_needed"] = decision != "ACCEPT"
    failed = {
        "rule": "certified",
        "outcome": "fails",
        "step_id": None,
        "message": {"zh": "没有证书", "en": "No certificate"},
    }
    return {
        "verdict": verdict,
        "decision": decision,
        "gate": [] if decision == "ACCEPT" else [failed | {"facts": {}}],
        "evidence": [],
        "reading": example("reading"),
        "observation": example("observation"),
        "rules": rules_document(),
        "policy": POLICY,
        "facts": {"ink": None, "algebra": []},
        "provenance": {"judge": "scripted", "engine": "test", "images": [], "cost": 0, "idempotency_key": key},
    }


def picture(text: str = "d = 2", *, kind: str = "JPEG", size: tuple[int, int] = (400, 300), **options: Any) -> bytes:
    """An image with a red corner at the top left, so that its orientation can be seen."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0] // 4, size[1] // 4), fill="red")
    draw.text((size[0] // 3, size[1] // 2), text, fill="black")
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def an_assessment(staff: Any, *, code: str = "T-1", questions: int = 1) -> Assessment:
    """One class of three candidates (1001 to 1003) who sit questions marked by the example rules."""
    assessment = transitions.create_assessment(code=code, title="期中测验", judge="embedded", policy=POLICY, by=staff)
    for number in range(1, questions + 1):
        rules = publish_rules(rules_document(), by=staff)
        transitions.add_question(assessment, number=number, label=f"第{number}题", rules=rules, by=staff)
    rows = [RosterRow(i + 2, f"100{i + 1}", name, "高三1班") for i, name in enumerate(("陈一", "林二", "黄三"))]
    transitions.import_roster(rows, by=staff, assessment=assessment)
    return assessment


def an_answer(assessment: Assessment, staff: Any, *, candidate: str = "1001", question: int = 1) -> Response:
    """An answer with one stored page."""
    upload = transitions.receive_upload(assessment, [(f"{candidate}_{question}_1.jpg", picture(candidate))], by=staff)
    file = upload.files.get()
    from config.foundation.models import Job

    decode_file(Job.objects.get(subject=f"file:{file.public_id}").pk)
    file.refresh_from_db()
    assert file.outcome == "STORED", file.message_en
    assert file.response is not None
    return file.response


def a_queued_case(assessment: Assessment, staff: Any, *, candidate: str = "1001") -> Case:
    """An answer that the machine has handed to people."""
    case = an_answer(assessment, staff, candidate=candidate).case
    transitions.record_run(case, verdict_document(key=f"run-of-{case.public_id}"), epoch=case.owner_epoch)
    case.refresh_from_db()
    return case
