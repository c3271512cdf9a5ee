"""Files in: upright, without metadata, under their hashes; a bad file is named and the rest go on."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from config.foundation.canonical import sha256_hex
from config.foundation.models import Event, Job
from grading import transitions
from grading.intake import images, media
from grading.intake.images import UnusableImage, decode_page
from grading.models import Page, UploadedFile
from grading.tasks import decode_file
from tests.grading.marking_room import an_assessment, picture

FILES = Path(__file__).parent / "files"


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def is_red(image: Image.Image, x: int, y: int) -> bool:
    pixel = image.convert("RGB").getpixel((x, y))
    assert isinstance(pixel, tuple)
    red, green, _ = pixel
    return red > 200 and green < 60


def oriented(orientation: int, *, kind: str = "JPEG") -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "secret place"
    return picture(kind=kind, exif=exif)


# --- one image -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_usual_kinds_are_stored_as_jpeg_without_metadata(kind):
    decoded = decode_page(picture(kind=kind))
    image = opened(decoded.page)
    assert image.format == "JPEG"
    assert (image.width, image.height) == (decoded.width, decoded.height) == (400, 300)
    assert is_red(image, 10, 10)
    assert not image.getexif()


def test_exif_orientation_is_applied_and_removed():
    decoded = decode_page(oriented(6))
    assert (decoded.width, decoded.height) == (300, 400)
    assert decoded.metadata_removed
    for copy in (decoded.page, decoded.screen, decoded.thumbnail):
        image = opened(copy)
        assert not image.getexif()
        assert b"secret" not in copy
        assert is_red(image, image.width - 5, 5)


def test_a_comment_in_the_file_is_removed():
    decoded = decode_page(picture(comment=b"name of the pupil"))
    assert b"pupil" not in decoded.page
    assert decoded.metadata_removed


def test_a_heic_that_says_its_rotation_twice_is_turned_once():
    decoded = decode_page((FILES / "rotated-once.heic").read_bytes())
    assert (decoded.width, decoded.height) == (300, 400)
    assert is_red(opened(decoded.page), 290, 10)


def test_a_transparent_png_lies_on_white():
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    out = io.BytesIO()
    image.save(out, "PNG")
    assert opened(decode_page(out.getvalue()).page).getpixel((50, 50)) == (255, 255, 255)


def test_bytes_behind_the_image_are_not_kept():
    assert b"<script>" not in decode_page(picture() + b"<script>alert(1)</script>").page


def bomb() -> bytes:
    out = io.BytesIO()
    Image.new("1", (13_300, 13_300)).save(out, "PNG")
    return out.getvalue()


def animated() -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (100, 100), color) for color in ("red", "blue")]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    return out.getvalue()


def in_format(kind: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (100, 100)).save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "image.empty"),
        (b"no image at all", "image.not_an_image"),
        (picture()[:500], "image.not_an_image"),
        (in_format("GIF"), "image.not_an_image"),
        (in_format("BMP"), "image.not_an_image"),
        (in_format("TIFF"), "image.not_an_image"),
        (in_format("PDF"), "image.not_an_image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "image.not_an_image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "image.not_an_image"),
        (picture(size=(30, 30)), "image.too_small"),
        (animated(), "image.several_frames"),
        (bomb(), "image.too_many_pixels"),
    ],
    ids=["empty", "text", "cut", "gif", "bmp", "tiff", "pdf", "eps", "svg", "tiny", "animated", "bomb"],
)
def test_what_is_no_usable_image_is_refused_in_words(content, code):
    with pytest.raises(UnusableImage) as refused:
        decode_page(content)
    assert refused.value.code == code
    assert refused.value.zh
    assert refused.value.en


def test_a_file_over_the_limit_is_refused_before_it_is_opened(settings):
    settings.UPLOAD_MAX_BYTES = 1000
    with pytest.raises(UnusableImage, match=r"image\.too_large"):
        decode_page(picture())


def test_a_decoder_killed_from_outside_says_nothing_about_the_file(monkeypatch):
    script = FILES / "killed.sh"
    monkeypatch.setattr(subprocess, "run", ended_by(script, subprocess.run))
    with pytest.raises(images.DecoderLost):
        decode_page(picture())


def ended_by(script, run):
    """Runs a script that kills itself in place of the decoder, through the real ``subprocess.run``."""
    return lambda command, **options: run(["/bin/sh", str(script)], **options)


# --- a delivery ----------------------------------------------------------------------------------------------------


@pytest.fixture
def assessment(people, data_dir):
    return an_assessment(people.staff)


def decode_all() -> None:
    for job in Job.objects.filter(task="grading.tasks.decode_file"):
        decode_file(job.pk)


def test_good_files_become_pages_and_each_bad_one_says_why(assessment, people):
    files = [
        ("1001_1_1.jpg", picture("one")),
        ("1001_1_2.png", picture("two", kind="PNG")),
        ("1002_1.webp", picture("three", kind="WEBP")),
        ("holiday.jpg", picture()),
        ("9999_1.jpg", picture()),
        ("1003_7.jpg", picture()),
        ("1003_1.jpg", b"not an image"),
    ]
    upload = transitions.receive_upload(assessment, files, by=people.staff)
    decode_all()
    outcome = {file.name: (file.outcome, file.code) for file in upload.files.all()}
    assert outcome == {
        "1001_1_1.jpg": ("STORED", ""),
        "1001_1_2.png": ("STORED", ""),
        "1002_1.webp": ("STORED", ""),
        "holiday.jpg": ("REFUSED", "file.name"),
        "9999_1.jpg": ("REFUSED", "file.candidate"),
        "1003_7.jpg": ("REFUSED", "file.question"),
        "1003_1.jpg": ("REFUSED", "image.not_an_image"),
    }
    for file in upload.files.filter(outcome="REFUSED"):
        assert file.name in file.message_zh
        assert file.name in file.message_en
    assert [page.number for page in Page.objects.filter(response__candidate__number="1001")] == [1, 2]


def test_the_hashes_as_received_and_as_stored_are_kept(assessment, people):
    content = picture("one")
    transitions.receive_upload(assessment, [("1001_1.jpg", content)], by=people.staff)
    decode_all()
    page = Page.objects.get()
    assert page.received_sha256 == sha256_hex(content)
    assert sha256_hex(media.load(page.stored_sha256)) == page.stored_sha256
    assert media.load(page.received_sha256, area="received") == content
    event = Event.objects.get(verb="store_page")
    assert event.body["received_sha256"] == page.received_sha256
    assert event.body["stored_sha256"] == page.stored_sha256


def test_the_same_file_twice_is_taken_once(assessment, people):
    for _ in range(2):
        transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
        decode_all()
    assert Page.objects.count() == 1
    assert [file.outcome for file in UploadedFile.objects.order_by("pk")] == ["STORED", "DUPLICATE"]


def test_another_image_for_a_page_that_has_one_is_refused_and_the_first_stays(assessment, people):
    transitions.receive_upload(assessment, [("1001_1.jpg", picture("first"))], by=people.staff)
    decode_all()
    upload = transitions.receive_upload(assessment, [("1001_1.jpg", picture("second"))], by=people.staff)
    assert upload.files.get().code == "file.page_taken"
    assert Page.objects.count() == 1


def test_decoding_twice_makes_one_page(assessment, people):
    transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
    decode_all()
    decode_all()
    assert Page.objects.count() == 1
    assert Event.objects.filter(verb="store_page").count() == 1


@pytest.mark.parametrize(
    "name",
    [
        "1001_1_1.jpg",
        "1001-Q1-1.JPG",
        "1001 第1题 第1页.jpg",
        "高三/1001_1.jpg",
        "１００１_１.jpg",
        "C:\\scan\\1001_1.jpeg",
    ],
)
def test_names_as_people_write_them_find_their_answer(assessment, people, name):
    upload = transitions.receive_upload(assessment, [(name, picture())], by=people.staff)
    assert upload.files.get().outcome == "WAITING"


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "1001_1\u202egpj.exe", "\x00.jpg", "." * 300, "", "1001_1_99.jpg"]
)
def test_hostile_names_are_refused_and_shown_harmlessly(assessment, people, name):
    upload = transitions.receive_upload(assessment, [(name, picture())], by=people.staff)
    file = upload.files.get()
    assert file.outcome == "REFUSED"
    assert "/" not in file.name
    assert file.name.isprintable()


def test_damage_to_a_stored_file_is_noticed(assessment, people):
    digest = media.store(b"whole")
    next(path for path in Path(media._path(digest, "pages")).parent.iterdir()).write_bytes(b"other")
    with pytest.raises(media.DamagedMedia, match=r"media\.changed"):
        media.load(digest)
