"""``manage.py load_sample``: the sample assessment, its people and its answers; the second time changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

import grading.sample
from config.foundation import strict_json
from grading import transitions
from grading.domain.roster import read_roster
from grading.models import Assessment
from itembank.transitions import publish_rules

FOLDER = Path(grading.sample.__file__).parent
# Sample logins for a fresh checkout on one's own machine; production never loads the sample.
PASSWORD = "wenshu-sample"  # noqa: S105
PEOPLE = (
    ("staff", "李", "教务", "school_staff"),
    ("teacher", "王", "老师", "marker"),
    ("leader", "陈", "组长", "marking_leader"),
    ("auditor", "赵", "质检", "qa_auditor"),
)


def site_staff() -> Group:
    """The group of those who may set up assessments."""
    group, _ = Group.objects.get_or_create(name="school_staff")
    group.permissions.add(Permission.objects.get(codename="create_assessment", content_type__app_label="grading"))
    return group


def _people() -> dict[str, Any]:
    people = {}
    for username, last, first, _ in PEOPLE:
        person, made = get_user_model().objects.get_or_create(
            username=username, defaults={"last_name": last, "first_name": first}
        )
        if made:
            person.set_password(PASSWORD)
            person.save()
        people[username] = person
    people["staff"].groups.add(site_staff())
    return people


def _assessment(description: dict[str, Any], staff: Any) -> Assessment:
    known = Assessment.objects.filter(code=description["code"]).first()
    if known is not None:
        return known
    assessment = transitions.create_assessment(
        code=description["code"], title=description["title"], judge=description.get("judge", "embedded"),
        policy=description["policy"], by=staff,
    )  # fmt: skip
    for question in description["questions"]:
        content = strict_json.loads(
            (FOLDER / question["rules"]).read_bytes(), max_bytes=256 * 1024, allow_controls="\n"
        )
        rules = publish_rules(content, by=staff)
        transitions.add_question(
            assessment, number=question["number"], label=question.get("label", f"第{question['number']}题"), rules=rules,
            by=staff,
        )  # fmt: skip
    rows, _ = read_roster("roster.csv", (FOLDER / "roster.csv").read_bytes())
    transitions.import_roster(rows, by=staff, assessment=assessment)
    return assessment


def _images() -> Iterator[tuple[str, bytes]]:
    for path in sorted((FOLDER / "images").rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()


class Command(BaseCommand):
    help = "Load the sample assessment (idempotent)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-judging", action="store_true", help="leave the judging to be started in the browser")
        parser.add_argument("--only", type=int, default=None, help="take in only the first N images (for tests)")

    def handle(self, *args: Any, **options: Any) -> None:
        description = json.loads((FOLDER / "assessment.json").read_text(encoding="utf-8"), parse_float=str)
        with transaction.atomic():
            people = _people()
            assessment = _assessment(description, people["staff"])
            for username, _, _, role in PEOPLE:
                transitions.give_role(assessment, people[username], role, by=people["staff"])
        images = list(_images())[: options["only"]]
        for earlier in assessment.uploads.all():
            transitions.decode_waiting(earlier)
        if assessment.uploads.filter(files__isnull=False).count() == 0 or self._incomplete(assessment, len(images)):
            upload = transitions.receive_upload(assessment, images, by=people["staff"])
            self.stdout.write(f"{upload.files.count()} files taken in")
        if not options["no_judging"]:
            transitions.start_judging(assessment, by=people["staff"])
        self.stdout.write(f"sample assessment {assessment.code} is loaded")

    @staticmethod
    def _incomplete(assessment: Assessment, expected: int) -> bool:
        """A load killed half-way is finished by the next; files already taken are recognised and not taken twice."""
        known = assessment.uploads.filter(files__outcome__in=["WAITING", "STORED", "REFUSED"]).values("files__name")
        return known.distinct().count() < expected
