"""The pictures are made by rule: the same hand, lines and seed give the same sheet. Needs the fonts of FONTS.md."""

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from grading.sample.hands import HANDS, FontFolders, MissingFont
from grading.sample.make import main, make

DEFAULT_FONTS = "/usr/share/fonts/truetype/lxgw-wenkai"


@pytest.fixture
def fonts() -> FontFolders:
    folders = tuple(Path(name) for name in os.environ.get("WENSHU_SAMPLE_FONTS", DEFAULT_FONTS).split(os.pathsep))
    found = FontFolders(folders)
    if HANDS["kai-neat"].fonts[0] not in found.paths:
        pytest.skip(
            "the fonts of grading/sample/FONTS.md are not installed; WENSHU_SAMPLE_FONTS may name their folders"
        )
    return found


def kai_writer(truths: list[dict[str, Any]]) -> str:
    return next(str(truth["candidate"]) for truth in truths if truth["hand"] == "kai-neat")


def test_making_a_candidate_twice_gives_the_same_bytes(
    fonts: FontFolders, truths: list[dict[str, Any]], tmp_path: Path
) -> None:
    number = kai_writer(truths)
    digests = []
    for name in ("one", "two"):
        make(fonts, tmp_path / name, [number])
        files = sorted((tmp_path / name / "images").iterdir())
        digests.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files})
    assert digests[0] == digests[1]
    assert len(digests[0]) >= 6


def test_a_missing_font_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fonts", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "FONTS.md" in capsys.readouterr().err
    with pytest.raises(MissingFont, match="LXGW"):
        FontFolders((tmp_path,)).load("LXGWWenKai-Regular.ttf", 20)


def test_limiting_the_making_leaves_the_lists_alone(
    fonts: FontFolders, truths: list[dict[str, Any]], tmp_path: Path
) -> None:
    make(fonts, tmp_path, [kai_writer(truths)])
    assert not (tmp_path / "truth.jsonl").exists()
