"""The operator's commands: exit codes, one readable sentence for each error, and nothing half done."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.foundation.models import Event, Job
from grading import transitions
from grading.models import Assessment, Candidate, Upload, UploadedFile
from tests.conftest import append_only_lifted
from tests.grading.marking_room import a_queued_case, an_answer, an_assessment, picture

ROSTER = "学号,姓名,班级\n0429,王小明,高三1班\n0430,李华,高三2班\n"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def assessment(people, data_dir):
    return an_assessment(people.staff)


@pytest.fixture
def run(capsys: Any) -> Run:
    """``run(name, *arguments)`` as a shell would: exit code, output and errors."""

    def command(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = 0
        try:
            call_command(*map(str, arguments))
        except SystemExit as end:
            code = int(end.code or 0)
        except CommandError as error:  # what manage.py itself writes for an unusable argument, with exit code 2
            code = 2
            print(error)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


# --- what cannot be used -------------------------------------------------------------------------------------------


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["import_roster", "{tmp}/none.csv"], "none.csv cannot be read"),
        (["import_roster", "{tmp}"], "cannot be read"),
        (["import_roster", "{tmp}/heads.csv"], "学号"),
        (["import_roster", "{tmp}/rows.csv"], "No row could be used"),
        (["import_roster", "{tmp}/broken.xlsx"], "not a readable XLSX"),
        (["import_roster", "--assessment", "NONE", "{tmp}/good.csv"], "no assessment with the code NONE"),
        (["import_scripts", "--assessment", "NONE", "{tmp}"], "no assessment with the code NONE"),
        (["import_scripts", "--assessment", "T-1", "{tmp}/none.jpg"], "There is no file or folder"),
        (
            ["import_scripts", "--assessment", "T-1", "{tmp}/1001_1.jpg", "{tmp}/1002_1.pdf"],
            "PDF pages cannot be taken",
        ),
        (
            ["import_scripts", "--assessment", "T-1", "{tmp}/1001_1.jpg", "{tmp}/hidden.jpg"],
            "PDF pages cannot be taken",
        ),
        (["import_scripts", "--assessment", "T-1", "{tmp}/broken.zip"], "not a readable ZIP"),
        (["import_scripts", "--assessment", "T-1", "{tmp}/heads.csv"], "No file could be used"),
        (["judge_assessment", "NONE"], "no assessment with the code NONE"),
        (["export_marks", "NONE", "--format", "csv"], "no assessment with the code NONE"),
        (["export_marks", "T-1", "--format", "csv", "--out", "{tmp}/no/such/folder.csv"], "cannot be written"),
        (["verify_trail", "--assessment", "NONE"], "no assessment with the code NONE"),
    ],
    ids=lambda value: "-".join(value).replace("{tmp}", "") if isinstance(value, list) else "",
)
def test_what_cannot_be_used_ends_with_2_and_one_sentence_in_each_language(assessment, run, tmp_path, arguments, words):
    written(tmp_path, "good.csv", ROSTER)
    written(tmp_path, "heads.csv", "a,b\n1,2\n")
    written(tmp_path, "rows.csv", "学号,姓名,班级\n,,高三1班\n")
    written(tmp_path, "broken.xlsx", b"PK\x03\x04 not a workbook")
    written(tmp_path, "broken.zip", b"PK\x03\x04 not an archive")
    written(tmp_path, "1001_1.jpg", picture())
    written(tmp_path, "1002_1.pdf", b"%PDF-1.7")
    written(tmp_path, "hidden.jpg", b"%PDF-1.7")
    events = Event.objects.count()
    code, out, err = run(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert code == 2, (out, err)
    assert words in err
    assert "Traceback" not in err
    assert any("\u4e00" <= letter <= "\u9fff" for letter in err)
    assert not Job.objects.exists()
    assert Candidate.objects.count() == 3
    if "heads.csv" not in arguments[-1] or arguments[0] == "import_roster":
        assert (Event.objects.count(), Upload.objects.count()) == (events, 0)


@pytest.mark.parametrize("arguments", [["export_marks", "T-1", "--format", "exe"], ["export_marks", "T-1"]])
def test_a_wrong_argument_is_refused(assessment, run, arguments):
    assert run(*arguments)[0] == 2


# --- class lists ---------------------------------------------------------------------------------------------------


def test_a_class_list_is_imported_and_the_second_time_changes_nothing(assessment, run, tmp_path):
    path = written(tmp_path, "list.csv", ROSTER + ",无号,高三1班\n")
    code, out, err = run("import_roster", path, "--assessment", "T-1")
    assert (code, out) == (0, "2 created, 0 moved, 0 unchanged, 1 rows left out\n")
    assert "Row 4 has no number" in err
    assert run("import_roster", path)[:2] == (0, "0 created, 0 moved, 2 unchanged, 1 rows left out\n")


# --- scripts -------------------------------------------------------------------------------------------------------


def test_folders_archives_and_files_go_in_together_and_each_bad_one_is_named(assessment, run, tmp_path):
    folder = tmp_path / "scans"
    (folder / "inner").mkdir(parents=True)
    written(folder, "1001_1.jpg", picture("one"))
    written(folder / "inner", "1002_1.jpg", picture("two"))
    written(folder, ".hidden", b"x")
    written(folder, "holiday.jpg", picture())
    packed = archive(tmp_path / "more.zip", {"../../etc/1003_1.jpg": picture("three"), "__MACOSX/._1003_1.jpg": b"x"})
    code, out, err = run("import_scripts", "--assessment", "T-1", folder, packed)
    assert code == 0
    assert out == "3 waiting, 0 stored, 0 duplicate, 1 refused\n"
    assert "holiday.jpg" in err
    assert sorted(UploadedFile.objects.filter(outcome="WAITING").values_list("name", flat=True)) == [
        "1001_1.jpg", "1002_1.jpg", "1003_1.jpg",
    ]  # fmt: skip


def test_the_same_import_twice_takes_nothing_twice_and_is_no_error(assessment, run, tmp_path):
    path = written(tmp_path, "1001_1.jpg", picture())
    run("import_scripts", "--assessment", "T-1", path)
    code, out, _ = run("import_scripts", "--assessment", "T-1", path)
    assert (code, out) == (0, "0 waiting, 0 stored, 1 duplicate, 0 refused\n")


def test_a_bomb_in_an_archive_is_refused_by_name_and_never_unpacked_whole(assessment, run, tmp_path, settings):
    settings.UPLOAD_MAX_BYTES = 10_000
    packed = tmp_path / "bomb.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("1001_1.jpg", b"\0" * 50_000_000)
    code, _, err = run("import_scripts", "--assessment", "T-1", packed)
    assert code == 2
    assert "larger than" in err
    assert UploadedFile.objects.get().bytes == 10_001


def test_an_encrypted_or_damaged_member_is_named_and_the_rest_goes_on(assessment, run, tmp_path):
    packed = archive(tmp_path / "mixed.zip", {"1001_1.jpg": picture("one"), "1002_1.jpg": picture("two")})
    content = bytearray(packed.read_bytes())
    with zipfile.ZipFile(packed) as file:
        start = file.getinfo("1001_1.jpg").header_offset
    content[start + 200] ^= 0xFF
    packed.write_bytes(content)
    code, out, err = run("import_scripts", "--assessment", "T-1", packed)
    assert (code, out) == (0, "1 waiting, 0 stored, 0 duplicate, 0 refused\n")
    assert "1001_1.jpg cannot be read" in err


def test_names_in_an_archive_from_a_chinese_windows_are_understood(assessment, run, tmp_path):
    packed = tmp_path / "gbk.zip"
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as file:
        info = zipfile.ZipInfo("1001_" + "X" * 5 + ".jpg")
        file.writestr(info, picture())
    packed.write_bytes(plain.getvalue().replace(b"1001_XXXXX.jpg", "1001_第1题".encode("gb18030") + b".jpg"))
    assert run("import_scripts", "--assessment", "T-1", packed)[1].startswith("1 waiting")


# --- judging, marks, trail -------------------------------------------------------------------------------------------


def test_judging_that_waits_ends_when_nothing_is_left(assessment, run):
    assert run("judge_assessment", "T-1", "--wait")[:2] == (
        0, "0 answers to judge\n0 of 0 judged, 0 accepted, 0 for people, 0 files waiting\n",
    )  # fmt: skip


def test_judging_that_waits_hands_over_what_no_worker_could_judge(assessment, people, run):
    response = an_answer(assessment, people.staff)
    transitions.start_judging(assessment, by=people.staff)
    Job.objects.filter(subject=f"case:{response.case.public_id}").update(state="DEAD", ended_at=response.created_at)
    code, out, _ = run("judge_assessment", "T-1", "--wait")
    assert code == 0
    assert out.endswith("1 of 1 judged, 0 accepted, 1 for people, 0 files waiting\n")


def test_a_judge_that_is_not_set_up_is_said_in_one_sentence(assessment, run, settings):
    settings.MODEL_BASE_URL = settings.MODEL_NAME = ""
    Assessment.objects.update(judge="openai")
    code, _, err = run("judge_assessment", "T-1")
    assert code == 2
    assert "WENSHU_MODEL_BASE_URL" in err


@pytest.mark.parametrize(("kind", "start"), [("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK"), ("json", b"{")])
def test_marks_are_written_to_a_file(assessment, people, run, tmp_path, kind, start):
    a_queued_case(assessment, people.staff)
    path = tmp_path / f"marks.{kind}"
    assert run("export_marks", "T-1", "--format", kind, "--out", path)[0] == 0
    assert path.read_bytes().startswith(start)
    if kind == "json":
        assert json.loads(path.read_text("utf-8"))["assessment"] == "T-1"


@pytest.mark.django_db(transaction=True)
def test_a_whole_trail_ends_with_0_and_a_broken_one_with_1_and_its_first_broken_link(assessment, people, run):
    case = a_queued_case(assessment, people.staff)
    code, out, _ = run("verify_trail", "--assessment", "T-1")
    assert (code, out.rpartition(", ")[2]) == (0, "0 broken\n")
    with append_only_lifted():
        Event.objects.filter(chain=f"case:{case.public_id}", number=2).update(hash="0" * 64)
    for arguments in (["verify_trail"], ["verify_trail", "--assessment", "T-1"]):
        code, out, err = run(*arguments)
        assert (code, out.rpartition(", ")[2]) == (1, "1 broken\n")
        assert err.startswith(f"case:{case.public_id}, event 2: ")


def test_the_sweep_says_what_it_did(assessment, people, run):
    transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
    code, out, _ = run("sweep")
    assert code == 0
    assert out.endswith("0 cases and files ended\n")


def test_the_sample_loaded_twice_is_there_once(people, data_dir, run):
    from django.contrib.auth import get_user_model

    get_user_model().objects.all().delete()
    assert run("load_sample", "--only", "3", "--no-judging")[0] == 0
    before = [model.objects.count() for model in (Assessment, Candidate, UploadedFile, Job, Event)]
    code, out, _ = run("load_sample", "--only", "3", "--no-judging")
    assert code == 0
    assert "taken in" not in out
    assert [model.objects.count() for model in (Assessment, Candidate, UploadedFile, Job, Event)] == before
