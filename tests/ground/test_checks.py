"""The checks of ``bin/check`` fail when they should: each guard is seen to catch one planted fault."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import checks

ROOT = Path(__file__).resolve().parent.parent.parent
FAULTS = [
    ("itembank/domain/planted.py", "import django\n", "Rules and algebra are plain Python"),
    ("grading/domain/planted.py", "from review import models\n", "Apps know only what stands below them"),
    ("config/foundation/planted.py", "from itembank import models\n", "Apps know only what stands below them"),
    ("grading/planted.py", "", "Inside grading"),
    ("config/planted.py", "", "The wiring is known to nobody"),
    ("review/queries.py", "from config import settings\n", "Apps do not reach into the wiring"),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four packages and the contracts, to plant faults in."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("config", "itembank", "grading", "review"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "images", "*.onnx")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize(("path", "code", "contract"), FAULTS, ids=[path for path, _, _ in FAULTS])
def test_a_module_without_a_place_or_an_import_upwards_breaks_a_contract(
    copy: Path, path: str, code: str, contract: str
) -> None:
    planted = copy / path
    before = planted.read_text() if planted.exists() else None
    planted.write_text(code)
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], cwd=copy, capture_output=True, text=True)
    if before is None:
        planted.unlink()
    else:
        planted.write_text(before)
    assert done.returncode == 1
    broken = [line for line in done.stdout.splitlines() if line.endswith("BROKEN")]
    assert any(line.startswith(contract) for line in broken), done.stdout


def compiled(folder: Path, catalogue: str) -> tuple[int, str, Path]:
    (folder / "fresh.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n' + catalogue)
    command = ["msgfmt", "--check", "--statistics", "-o", str(folder / "fresh.mo"), str(folder / "fresh.po")]
    done = subprocess.run(command, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    return done.returncode, done.stderr, folder / "fresh.mo"


@pytest.mark.parametrize(
    ("catalogue", "problem"),
    [
        ('msgid "Open"\nmsgstr ""\n', "not complete"),
        ('#, fuzzy\nmsgid "Open"\nmsgstr "打开"\n', "not complete"),
        ('msgid "Open"\nmsgstr "打开"\n', "is not there"),
        ('#, python-format\nmsgid "%(n)s open"\nmsgstr "打开 %(m)s"\n', "fresh.po"),
    ],
)
@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed; bin/check installs or names it")
def test_a_catalogue_with_a_gap_a_guess_or_an_error_is_refused(tmp_path: Path, catalogue: str, problem: str) -> None:
    code, words, fresh = compiled(tmp_path, catalogue)
    assert problem in checks.translation_problem(code, words, tmp_path / "committed.mo", fresh)


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed; bin/check installs or names it")
def test_an_outdated_mo_file_is_refused_and_the_right_one_is_not(tmp_path: Path) -> None:
    code, words, fresh = compiled(tmp_path, 'msgid "Open"\nmsgstr "打开"\n')
    committed = tmp_path / "committed.mo"
    committed.write_bytes(b"older")
    assert "out of date" in checks.translation_problem(code, words, committed, fresh)
    committed.write_bytes(fresh.read_bytes())
    assert checks.translation_problem(code, words, committed, fresh) == ""


def test_message_ids_are_read_whole_and_obsolete_ones_left_out() -> None:
    catalogue = 'msgid ""\nmsgstr "x"\n\nmsgid ""\n"one "\n"two"\nmsgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\nmsgid "a"\nmsgstr ""\n'
    assert checks.message_ids(catalogue) == {"one two", "a"}


@pytest.mark.parametrize("word", checks.FORBIDDEN)
def test_a_forbidden_word_in_a_file_is_found(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"fine\nsee {word} for more\n")
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(checks, "tracked", lambda: [page])
    assert not checks.words()
    assert "page.md:2" in capsys.readouterr().out
    page.write_text("fine\n")
    assert checks.words()


def test_an_unknown_check_is_named() -> None:
    assert checks.main(["spelling"]) == 2
