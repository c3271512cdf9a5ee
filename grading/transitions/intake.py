"""Taking files in: recorded as received, decoded in a worker, stored as pages. A bad file is named; the rest go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.canonical import sha256_hex
from config.foundation.errors import UnusableInput, WenshuError
from config.foundation.models import Job
from config.foundation.public_ids import anonymous_code

from ..chains import MACHINE, actor_of, assessment_chain, case_chain
from ..domain.file_names import FilePlace, clean_name, place_of
from ..intake import media
from ..intake.images import DecodedPage, check_size
from ..models import Assessment, Candidate, Case, FileOutcome, Owner, Page, Question, Response, Upload, UploadedFile
from .cases import open_case
from .judging import case_job_subject, judge_when_complete

DECODE_TASK = "grading.tasks.decode_file"


def receive_upload(assessment: Assessment, files: Iterable[tuple[str, bytes]], *, by: Any) -> Upload:
    """Take in named files; each is recorded in a transaction of its own, usable or not, and decoded by a worker.

    ``files`` may be lazy: one file is in memory at a time. Decoding starts when all are recorded: were it sooner, a quick
    worker could judge the first page of an answer before its second is known.
    """
    with transaction.atomic():
        upload = Upload.objects.create(assessment=assessment, by=by, created_at=timezone.now())
        trail.append(assessment_chain(assessment), "receive_upload", actor=actor_of(by), upload=upload.public_id)
    try:
        for name, content in files:
            _receive_file(upload, clean_name(name), content)
    finally:
        decode_waiting(upload)
    return upload


def decode_waiting(upload: Upload) -> int:
    """Enqueue the decoding of every waiting file of a delivery; twice is once. How many files wait."""
    waiting = list(upload.files.filter(outcome=FileOutcome.WAITING).order_by("pk"))
    for file in waiting:
        _enqueue_decoding(file)
    return len(waiting)


def _enqueue_decoding(file: UploadedFile) -> None:
    jobs.enqueue(
        DECODE_TASK, queue="cpu", subject=f"file:{file.public_id}", group=f"decode:{file.upload.public_id}",
        key=jobs.idempotency_key("decode", file.public_id), arguments={"file": file.pk},
    )  # fmt: skip


def _receive_file(upload: Upload, name: str, content: bytes) -> UploadedFile:
    file = UploadedFile(upload=upload, name=name, received_sha256=sha256_hex(content), bytes=len(content))
    try:
        check_size(len(content))
        if content[:5] == b"%PDF-":
            raise UnusableInput(
                "file.pdf", f"文件“{name}”是 PDF；目前还不能收取 PDF，请逐页另存为 JPEG 或 PNG。",
                f"File “{name}” is a PDF; PDF pages cannot be taken in yet. Save each page as JPEG or PNG.",
            )  # fmt: skip
        place = place_of(name)
        file.page_number = place.page
        media.store(content, area="received")
        with transaction.atomic():
            file.response = _response_at(upload.assessment, place, name)
            _check_room(file)
            file.save()
    except WenshuError as error:
        if error.code == "file.duplicate":
            _resume(file)
        file.response = None
        file.outcome = FileOutcome.DUPLICATE if error.code == "file.duplicate" else FileOutcome.REFUSED
        file.code, file.message_zh, file.message_en = error.code[:60], error.zh[:400], error.en[:400]
        file.save()
    return file


def _resume(file: UploadedFile) -> None:
    """The same file came before; should that delivery have died before its end, its decoding starts now."""
    waiting = UploadedFile.objects.filter(
        response=file.response, received_sha256=file.received_sha256, outcome=FileOutcome.WAITING
    )
    for earlier in waiting.select_related("upload"):
        _enqueue_decoding(earlier)


def _response_at(assessment: Assessment, place: FilePlace, name: str) -> Response:
    question = Question.objects.filter(assessment=assessment, number=place.question).first()
    if question is None:
        raise UnusableInput(
            "file.question", f"文件“{name}”：本次考试没有第 {place.question} 题。",
            f"File “{name}”: the assessment has no question {place.question}.",
        )  # fmt: skip
    # Locked, so that two deliveries at once give one candidate one answer and one anonymous code.
    sitting = Candidate.objects.select_for_update().filter(school_class__in=assessment.classes.values("pk"))
    candidate = sitting.filter(number=place.number).first()
    if candidate is None:
        # People type numbers in either case; where two candidates differ in nothing else, no guess is made.
        alike = list(sitting.filter(number__iexact=place.number)[:2])
        candidate = alike[0] if len(alike) == 1 else None
    if candidate is None:
        raise UnusableInput(
            "file.candidate", f"文件“{name}”：参加本次考试的名单里没有学号 {place.number}。",
            f"File “{name}”: no candidate with number {place.number} sits this assessment.",
        )  # fmt: skip
    response = Response.objects.filter(question=question, candidate=candidate).first()
    if response is None:
        response = Response.objects.create(
            question=question, candidate=candidate, code=_free_code(assessment, candidate), created_at=timezone.now()
        )
    open_case(response)
    return response


def _free_code(assessment: Assessment, candidate: Candidate) -> str:
    """The candidate's anonymous code in this assessment: the same on all their answers."""
    other = Response.objects.filter(question__assessment=assessment, candidate=candidate).first()
    if other is not None:
        return other.code
    taken = set(Response.objects.filter(question__assessment=assessment).values_list("code", flat=True))
    while (code := anonymous_code()) in taken:
        continue
    return code


def _check_room(file: UploadedFile) -> None:
    """Refuse a file seen before, a page that already has an image, and an answer whose judging has begun."""
    case = Case.objects.select_for_update().get(response=file.response)
    earlier = UploadedFile.objects.filter(response=file.response, outcome__in=[FileOutcome.WAITING, FileOutcome.STORED])
    if earlier.filter(received_sha256=file.received_sha256).exists():
        raise UnusableInput(
            "file.duplicate", f"文件“{file.name}”与已收到的图像完全相同，未重复收取。",
            f"File “{file.name}” is identical to one already received and was not taken twice.",
        )  # fmt: skip
    if earlier.filter(page_number=file.page_number).exists():
        raise UnusableInput(
            "file.page_taken", f"文件“{file.name}”：这份作答的第 {file.page_number} 页已有另一张图像。",
            f"File “{file.name}”: page {file.page_number} of this answer already has another image.",
        )  # fmt: skip
    # A judging that is only queued counts too: it was asked for with the pages that were there.
    if case.owner != Owner.AI or case.decision or Job.objects.filter(subject=case_job_subject(case)).exists():
        raise UnusableInput(
            "file.late", f"文件“{file.name}”：这份作答已经开始评阅，不能再加页。",
            f"File “{file.name}”: this answer is already being marked; no page can be added.",
        )  # fmt: skip


def store_page(file: UploadedFile, decoded: DecodedPage, *, lease: jobs.Lease | None = None) -> Page | None:
    """Keep a decoded file as a page of its answer. None, and nothing changed, when it was already settled."""
    digests = [media.store(content) for content in (decoded.page, decoded.screen, decoded.thumbnail)]
    with transaction.atomic():
        if not _settle(file, FileOutcome.STORED, lease):
            return None
        response = file.response
        assert response is not None
        page = Page.objects.create(
            response=response, number=file.page_number, file=file, received_sha256=file.received_sha256,
            stored_sha256=digests[0], screen_sha256=digests[1], thumbnail_sha256=digests[2],
            width=decoded.width, height=decoded.height, metadata_removed=decoded.metadata_removed,
        )  # fmt: skip
        trail.append(
            case_chain(response.case), "store_page", actor=MACHINE, page=page.number,
            received_sha256=page.received_sha256, stored_sha256=page.stored_sha256, upload=file.upload.public_id,
            metadata_removed=page.metadata_removed,
        )  # fmt: skip
        judge_when_complete(response)
    return page


def refuse_file(file: UploadedFile, error: WenshuError, *, lease: jobs.Lease | None = None) -> bool:
    """Record that a file cannot be used, and why; its neighbours go on. False when it was already settled."""
    with transaction.atomic():
        if not _settle(file, FileOutcome.REFUSED, lease, code=error.code[:60], message_zh=f"文件“{file.name}”：{error.zh}"[:400],
                       message_en=f"File “{file.name}”: {error.en}"[:400]):  # fmt: skip
            return False
        response = file.response
        if response is not None:
            trail.append(
                case_chain(response.case), "refuse_file", actor=MACHINE, code=error.code,
                received_sha256=file.received_sha256,
            )  # fmt: skip
            judge_when_complete(response)
    return True


def _settle(file: UploadedFile, outcome: FileOutcome, lease: jobs.Lease | None, **changes: Any) -> bool:
    if lease is not None and not jobs.finish(lease):
        return False
    waiting = UploadedFile.objects.filter(pk=file.pk, outcome=FileOutcome.WAITING)
    return waiting.update(outcome=outcome, **changes) == 1
