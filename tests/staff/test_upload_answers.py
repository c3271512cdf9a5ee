"""Deliveries: every file is recorded, bad ones are named and the rest goes on."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from grading.models import Upload, UploadedFile
from tests.grading.marking_room import an_answer, picture
from tests.staff.conftest import at


def image(name: str, content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture(name) if content is None else content, content_type="image/jpeg")


def send(client, assessment, *files: SimpleUploadedFile):
    return client.post(at("uploads", assessment), {"images": list(files)}, follow=True)


def test_good_and_bad_files_come_together_and_each_is_named(assessment, people, as_person):
    answer = send(
        as_person(people.staff), assessment,
        image("1001_1_1.jpg"), image("1002_Q1.jpg"), image("封面.jpg"), image("1009_1.jpg"), image("1001_7.jpg"),
    )  # fmt: skip
    body = answer.content.decode()
    assert answer.redirect_chain[0][0] == reverse("grading:delivery", args=[Upload.objects.get().public_id])
    assert sorted(UploadedFile.objects.values_list("name", "outcome")) == [
        ("1001_1_1.jpg", "WAITING"), ("1001_7.jpg", "REFUSED"), ("1002_Q1.jpg", "WAITING"), ("1009_1.jpg", "REFUSED"),
        ("封面.jpg", "REFUSED"),
    ]  # fmt: skip
    assert "“封面.jpg”看不出是谁的哪一题" in body
    assert "没有学号 1009" in body
    assert "没有第 7 题" in body
    assert "3 个文件未被收取" in body
    assert "还有 2 / 5 个文件正在打开" in body
    assert 'hx-trigger="every 2s"' in body


def test_the_delivery_speaks_english_too_and_gives_its_part_to_htmx(assessment, people, as_person):
    client = as_person(people.staff, "en")
    send(client, assessment, image("cover.jpg"))
    address = reverse("grading:delivery", args=[Upload.objects.get().public_id])
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div id="delivery-files"')
    assert "does not tell whose answer it is" in part
    assert "1 file was refused" in part
    assert "hx-get" not in part


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=alert(1)>_1.jpg", "&lt;img"),
        ("..\\..\\1001_1_1.jpg", "1001_1_1.jpg"),
        ("answers.zip", "answers.zip"),
        ("1001_1_1.jpg.exe", "1001_1_1.jpg.exe"),
        ("=cmd|' /C calc'!A0.jpg", "C calc"),
        ("x" * 300 + ".jpg", "x.jpg"),
        ("1001\u202egpj_1.jpg", "1001gpj_1.jpg"),
    ],
)
def test_hostile_names_do_no_harm(name, shown, assessment, people, as_person):
    answer = send(as_person(people.staff), assessment, image(name))
    body = answer.content.decode()
    assert answer.status_code == 200
    assert shown in body
    assert "<img src=x" not in body
    assert "\u202e" not in body


def test_an_archive_under_an_image_s_name_is_taken_as_a_file_and_refused_by_the_worker(assessment, people, as_person):
    from config.foundation.models import Job
    from grading.tasks import decode_file

    send(as_person(people.staff), assessment, image("1001_1_1.jpg", b"PK\x03\x04" + b"\0" * 400))
    file = UploadedFile.objects.get()
    decode_file(Job.objects.get(subject=f"file:{file.public_id}").pk)
    file.refresh_from_db()
    assert file.outcome == "REFUSED"
    assert "1001_1_1.jpg" in file.message_zh


def test_too_many_files_at_once_are_refused_with_what_to_do(assessment, people, as_person, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    files = [image(f"100{n}_1_1.jpg") for n in (1, 2, 3)]
    for language, words in (("zh-hans", "一次上传超过 2 个文件"), ("en", "More than 2 files came at once")):
        answer = send(as_person(people.staff, language), assessment, *files)
        assert answer.status_code == 422
        assert words in answer.content.decode()
    assert not Upload.objects.exists()
    assert send(as_person(people.staff), assessment, *[image(f"100{n}_1_1.jpg") for n in (1, 2)]).status_code == 200


def test_too_many_files_do_not_get_round_the_token(assessment, people, as_person, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    client = as_person(people.staff, enforce_csrf_checks=True)
    assert send(client, assessment, image("1001_1_1.jpg")).status_code == 403
    assert not Upload.objects.exists()


def test_a_file_over_the_bound_is_named_and_not_kept(assessment, people, as_person, settings):
    settings.UPLOAD_MAX_BYTES = 2000
    answer = send(as_person(people.staff), assessment, image("1001_1_1.jpg", b"x" * 5000))
    assert UploadedFile.objects.get().outcome == "REFUSED"
    assert "1001_1_1.jpg" in answer.content.decode()


def test_the_same_file_twice_is_said_to_be_a_duplicate(assessment, people, as_person):
    client = as_person(people.staff)
    content = picture()
    send(client, assessment, image("1001_1_1.jpg", content))
    body = send(client, assessment, image("1001_1_1.jpg", content)).content.decode()
    assert "完全相同，未重复收取" in body


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "没有选择文件"), ("en", "No file was chosen")])
def test_nothing_chosen_is_said(language, words, assessment, people, as_person):
    answer = as_person(people.staff, language).post(at("uploads", assessment))
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_deliveries_and_their_files_cost_the_same_for_one_and_for_twenty(assessment, people, as_person):
    client = as_person(people.staff)
    an_answer(assessment, people.staff)

    def cost(address: str) -> int:
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    one_delivery = cost(at("uploads", assessment))
    one_file = cost(reverse("grading:delivery", args=[Upload.objects.get().public_id]))
    for _ in range(19):
        transitions.receive_upload(assessment, [("no.jpg", b"x")], by=people.staff)
    assert cost(at("uploads", assessment)) == one_delivery
    files = [(f"1002_1_{page}.jpg", picture(str(page))) for page in range(1, 21)]
    many = transitions.receive_upload(assessment, files, by=people.staff)
    assert cost(reverse("grading:delivery", args=[many.public_id])) == one_file


def test_a_long_delivery_is_shown_in_pages(assessment, people, as_person):
    files = [(f"bad-{number:03}.jpg", b"x") for number in range(130)]
    upload = transitions.receive_upload(assessment, files, by=people.staff)
    address = reverse("grading:delivery", args=[upload.public_id])
    client = as_person(people.staff)
    first, second = client.get(address).content.decode(), client.get(address, {"page": "2"}).content.decode()
    assert "1 / 2" in first
    assert ("bad-001.jpg" in first, "bad-001.jpg" in second) == (True, False)
    assert "bad-129.jpg" in second
    assert client.get(address, {"page": "zzz"}).status_code == 200
