"""A small marked assessment for pages: written pages drawn here, verdict documents worked by hand."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils import timezone
from PIL import Image, ImageDraw, ImageFont

from config.foundation import strict_json
from config.foundation.canonical import document_hash, sha256_hex
from grading import transitions
from grading.intake import media
from grading.models import Assessment, Candidate, Case, Page, Question, Response, SchoolClass, Upload, UploadedFile
from itembank.transitions import publish_rules

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "itembank" / "domain" / "scoring_rules.example.json"
EXAMPLES = ROOT / "grading" / "domain" / "examples"
WIDTH, HEIGHT = 1240, 1754
GATE_RULES = (
    "schema", "identity", "coverage", "score-sum", "best-path", "evidence-quoted", "evidence-inked", "recognised",
    "reading-trusted", "reading-stable", "step-proved", "line-sound", "no-rival", "follows", "jump-supported",
    "ecf-allowed", "ecf-shadow", "ecf-not-trivial", "denial-proved", "confidence", "second-judge", "certified",
    "no-instruction", "current", "judge-answered",
)  # fmt: skip


def example(name: str) -> Any:
    """A committed example document, with exact numbers."""
    return strict_json.loads((EXAMPLES / f"{name}.example.json").read_bytes())


def written_page(lines: Sequence[tuple[str, Sequence[float]]], *, tall: int = HEIGHT) -> bytes:
    """A ruled page with text at the given boxes (shares of the page), as PNG."""
    image = Image.new("RGB", (WIDTH, tall), "#fbfaf5")
    draw = ImageDraw.Draw(image)
    for y in range(90, tall, 62):
        draw.line([(60, y), (WIDTH - 60, y)], fill="#d9e2ea", width=2)
    for text, (left, top, _right, bottom) in lines:
        size = max(24, int((bottom - top) * tall * 0.72))
        draw.text((left * WIDTH + 6, top * tall + 2), text, font=ImageFont.load_default(size), fill="#20304f")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def hand_worked_document(
    *, failing: Sequence[str] = ("reading-stable", "certified"), key: str = "one"
) -> dict[str, Any]:
    """The committed carried-error example as a complete verdict document; the named gate rules fail."""
    reading, observation = example("reading"), example("observation")
    reading["lines"][2]["alternatives"] = [
        {"latex": "a_1=a_3-2d=7-2\\times 2=3", "confidence": strict_json.loads("0.14")}
    ]
    verdict = example("verdict")["verdict"]
    cited = {step["step_id"]: step for step in observation["paths"][0]["steps"]}
    lines = {line["line_id"]: line for line in reading["lines"]}
    gate = [
        {
            "rule": rule,
            "outcome": "fails" if rule in failing else "holds",
            "step_id": "A3" if rule == "reading-stable" else None,
            "message": _message(rule, rule in failing),
            "facts": {},
        }
        for rule in GATE_RULES
    ]
    evidence = []
    for step in verdict["step_details"]:
        line = lines[cited[step["step_id"]]["line_ids"][0]]
        evidence.append(
            {
                "step_id": step["step_id"], "line_ids": [line["line_id"]], "page": line["page"], "box": line["box"],
                "quote": step["student_segment"], "confidence": cited[step["step_id"]]["confidence"],
                "algebra": _algebra(step["status"]), "shadow": _shadow(step["step_id"]),
            }
        )  # fmt: skip
    return {
        "verdict": verdict, "decision": "MANUAL_REVIEW" if failing else "ACCEPT", "gate": gate, "evidence": evidence,
        "reading": reading, "observation": observation, "rules": strict_json.loads(RULES.read_bytes()),
        "policy": example("policy"), "facts": {"ink": None, "algebra": []},
        "provenance": {
            "images": [], "judge": "worked-by-hand", "model": None, "parameters": {}, "prompts": [], "tokens": 0,
            "cost": 0, "started_at": "2026-11-30T00:00:00Z", "ms": 1, "idempotency_key": key, "engine": "1", "sha256": {},
        },
    } | {}  # fmt: skip


def _message(rule: str, failed: bool) -> dict[str, str]:
    if rule == "reading-stable":
        return {
            "zh": "第 3 行末尾的“4”也可能是“3”（1/7 不确定），会把得分从 9 变为 12。",
            "en": "The last “4” of line 3 may be a “3”; that would change the mark from 9 to 12.",
        }
    if failed:
        return {"zh": "本题没有自动通过的认证。", "en": "The question holds no certificate."}
    return {"zh": "满足。", "en": "It holds."}


def _algebra(status: str) -> dict[str, Any]:
    if status == "INVALID":
        return {"result": "REFUTED", "method": "numeric", "witness": {"left": "3", "right": "4"}}
    return {"result": "PROVED", "method": "normal-form", "witness": None}


def _shadow(step_id: str) -> dict[str, Any] | None:
    if step_id != "A5":
        return None
    return {
        "quantity": "S_10", "formula": "10*a_1 + 45*d", "right_inputs": {"a_1": "3", "d": "2"},
        "own_inputs": {"a_1": "4", "d": "2"}, "right_value": "120", "own_value": "130", "student_value": "130",
        "right_agrees": "PROVED", "follows": "PROVED",
    }  # fmt: skip


def unread_document(*, key: str = "unread") -> dict[str, Any]:
    """An answer that could not be read: no path, nothing proposed."""
    document = hand_worked_document(failing=("recognised", "reading-trusted", "judge-answered"), key=key)
    document["verdict"] |= {"total_score": 0, "matched_path_id": "UNKNOWN", "step_details": []}
    document["verdict"]["diagnosis"] = {"error_codes": ["ERR_READING"], "comments": "", "recognition_failure": True}
    document["evidence"], document["observation"]["paths"] = [], []
    document["reading"]["lines"] = document["reading"]["lines"][:1]
    document["reading"]["lines"][0] |= {"unread_ink": True, "confidence": strict_json.loads("0.41")}
    return document


@dataclass
class Room:
    """One assessment with its question and cases."""

    assessment: Assessment
    question: Question
    cases: list[Case] = field(default_factory=list)

    def add(self, document: dict[str, Any] | None, *, pages: int = 1) -> Case:
        """A candidate's answer, judged with the given document (None: still with the machine)."""
        number = len(self.cases) + 1
        school_class, _ = SchoolClass.objects.get_or_create(name="高三(1)班")
        candidate, _ = Candidate.objects.get_or_create(
            number=f"2026{number:03}", defaults={"name": f"学生{number}", "school_class": school_class}
        )
        response = Response.objects.create(
            question=self.question, candidate=candidate, code=f"7F3K{number:02}", created_at=timezone.now()
        )
        reading = (document or hand_worked_document())["reading"]
        for page_number in range(1, pages + 1):
            lines = [(_plain(line), line["box"]) for line in reading["lines"] if line.get("page", 1) == page_number]
            _store_page(
                response, page_number, written_page([(text, [float(edge) for edge in box]) for text, box in lines])
            )
        case = transitions.open_case(response)
        if document is not None:
            own = copy.deepcopy(document)
            own["provenance"]["idempotency_key"] = f"{document['provenance']['idempotency_key']}-{number}"
            transitions.record_run(case, own, epoch=case.owner_epoch)
        case.refresh_from_db()
        self.cases.append(case)
        return case


def _plain(line: dict[str, Any]) -> str:
    from itembank.domain.plain_mathematics import plain_mathematics

    return plain_mathematics(line["latex"]).translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))


def _store_page(response: Response, number: int, content: bytes) -> Page:
    digest = media.store(content)
    upload, _ = Upload.objects.get_or_create(
        assessment=response.question.assessment, by=None, defaults={"created_at": timezone.now()}
    )
    file = UploadedFile.objects.create(
        upload=upload, name=f"{response.code}-{number}.png", received_sha256=sha256_hex(content), bytes=len(content),
        page_number=number, response=response, outcome="STORED",
    )  # fmt: skip
    return Page.objects.create(
        response=response, number=number, file=file, received_sha256=file.received_sha256, stored_sha256=digest,
        screen_sha256=digest, thumbnail_sha256=digest, width=WIDTH, height=HEIGHT,
    )  # fmt: skip


def make_room(people: Any, *, code: str = "MOCK-2026", title: str = "2026 高三一模 · 数学") -> Room:
    """The assessment with the cast in their roles: a marker, a leader, staff and an auditor."""
    assessment = transitions.create_assessment(
        code=code, title=title, judge="embedded", policy=example("policy"), by=people.staff
    )
    for person, role in ((people.teacher, "marker"), (people.leader, "marking_leader"), (people.auditor, "qa_auditor")):
        transitions.give_role(assessment, person, role, by=people.staff)
    rules = publish_rules(json.loads(RULES.read_text()), by=people.staff)
    question = transitions.add_question(assessment, number=17, label="第 17 题", rules=rules, by=people.staff)
    return Room(assessment, question)


def document_sha256(document: dict[str, Any]) -> str:
    """Hash of a document as runs record it."""
    return document_hash(document)
