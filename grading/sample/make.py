"""Makes the sample assessment: the pictures, the truth about each of them, the class list and the description.

bin/make-sample --fonts FOLDER [--fonts FOLDER …] [--out FOLDER] [--only NUMBER …] [--seed TEXT]

With a seed it makes a held-out set instead (see `held_out`), which needs an `--out` of its own.
"""

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from grading.sample import held_out
from grading.sample.answers import (
    EMPTY_KINDS,
    HERE,
    MARGIN,
    QUESTIONS,
    STRUCK,
    Answer,
    Pupil,
    Sheet,
    pupils,
    rules_document,
)
from grading.sample.hands import HANDS as SAMPLE_HANDS
from grading.sample.hands import FontFolders
from grading.sample.render import (
    DrawnPage,
    Look,
    PageStyle,
    Rect,
    WrittenLine,
    draw_blank,
    draw_page,
    draw_scribble,
)
from grading.sample.truth import step_truths, total_of

CODE = "SAMPLE-2026"
TITLE = "高三数学样例测验"
EXTENSIONS = {"jpeg": "jpg", "png": "png", "webp": "webp"}
ORIENTATION_TAG = 0x0112
HANDS = SAMPLE_HANDS | held_out.HANDS
UNDONE_BY = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
"""How stored pixels must be turned so that a viewer who obeys the EXIF orientation sees them upright."""
SCRIBBLED_ROWS = 5


def make(fonts: FontFolders, out: Path, only: Sequence[str] = (), seed: str = "") -> None:
    """Write everything below `out`; `only` limits the pictures to some candidates and then leaves the lists alone.

    A `seed` makes a held-out set in other hands.
    """
    (out / "images").mkdir(parents=True, exist_ok=True)
    people = held_out.dealt_anew(pupils(), _random(seed, "dealt")) if seed else pupils()
    truths = []
    for pupil in people:
        if only and pupil.number not in only:
            continue
        truths += [make_answer(pupil, number, fonts, out, seed) for number in range(1, len(QUESTIONS) + 1)]
    if not only:
        rows = (json.dumps(truth, ensure_ascii=False) for truth in truths)
        (out / "truth.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
        _write_roster(people, out / "roster.csv")
        description = json.dumps(_assessment(people), ensure_ascii=False, indent=2)
        (out / "assessment.json").write_text(description + "\n", "utf-8")


def make_answer(pupil: Pupil, question: int, fonts: FontFolders, out: Path, seed: str = "") -> dict[str, Any]:
    """Draw and store one candidate's answer to one question; returns its line of the truth file."""
    sheet = pupil.sheets[question - 1]
    lines: list[dict[str, Any]] = []
    files, sizes = [], []
    for page_number, page in enumerate(sheet.answer.pages, start=1):
        random = _random(*filter(None, [seed]), pupil.number, question, page_number)
        drawn = _draw(pupil, sheet.answer, page, fonts, random)
        image, boxes = _turn(drawn, sheet.turned)
        name = f"{pupil.number}_{question}_{page_number}.{EXTENSIONS[pupil.file_format]}"
        _save(image, out / "images" / name, pupil.file_format, sheet.exif)
        files.append(f"images/{name}")
        sizes.append({"width": image.width, "height": image.height})
        lines += [
            _line_truth(len(lines) + k, page_number, *row) for k, row in enumerate(zip(page, boxes, strict=False), 1)
        ]
    rules = rules_document(question)
    steps = step_truths(rules, sheet.answer)
    return {
        "candidate": pupil.number,
        "question": question,
        "question_id": rules["question_id"],
        "version": sheet.answer.id,
        "kind": "sideways" if sheet.turned else sheet.answer.kind,
        "hand": pupil.hand,
        "neat": HANDS[pupil.hand].neat,
        "files": files,
        "pages": sizes,
        "lines": lines,
        "total_score": str(total_of(rules, sheet.answer, steps)),
        "max_score": str(rules["max_score"]),
        "matched_path": sheet.answer.path,
        "steps": steps,
        "flags": _flags(sheet),
        "note": sheet.answer.note,
    }


def _draw(
    pupil: Pupil, answer: Answer, page: Sequence[str], fonts: FontFolders, random: np.random.Generator
) -> DrawnPage:
    hand = HANDS[pupil.hand]
    look: Look = "scan" if pupil.file_format == "png" else "photo"
    skew = 0.0 if look == "scan" else float(random.uniform(-0.9, 0.9))
    style = PageStyle(ruled=pupil.paper == "ruled", look=look, skew=skew)
    if answer.kind == "blank":
        return draw_blank(hand, style, random)
    if answer.kind == "unreadable":
        return draw_scribble(SCRIBBLED_ROWS, hand, fonts, style, random)
    return draw_page([_written(line) for line in page], hand, fonts, style, random)


def _written(line: str) -> WrittenLine:
    struck, margin = line.startswith(STRUCK), line.startswith(MARGIN)
    return WrittenLine(line.removeprefix(STRUCK).removeprefix(MARGIN), struck, margin)


def _line_truth(number: int, page: int, line: str, box: Rect) -> dict[str, Any]:
    written = _written(line)
    return {
        "line_id": f"L{number}",
        "latex": written.source,
        "page": page,
        "box": [round(edge, 4) for edge in box],
        "struck_out": written.struck,
        "margin": written.margin,
    }


def _turn(drawn: DrawnPage, degrees: int) -> tuple[Image.Image, list[Rect]]:
    """Turn the picture counter-clockwise by a quarter or three quarters, as a phone held wrongly would store it."""
    if degrees == 0:
        return drawn.image, drawn.boxes
    if degrees == 90:
        turned = drawn.image.transpose(Image.Transpose.ROTATE_90)
        return turned, [(y0, 1 - x1, y1, 1 - x0) for x0, y0, x1, y1 in drawn.boxes]
    turned = drawn.image.transpose(Image.Transpose.ROTATE_270)
    return turned, [(1 - y1, x0, 1 - y0, x1) for x0, y0, x1, y1 in drawn.boxes]


def _save(image: Image.Image, path: Path, file_format: str, orientation: int) -> None:
    if file_format == "png":
        image.quantize(16).save(path, optimize=True)
        return
    if file_format == "webp":
        image.save(path, quality=76, method=6)
        return
    if orientation == 1:
        image.save(path, quality=76, optimize=True)
        return
    exif = Image.Exif()
    exif[ORIENTATION_TAG] = orientation
    image.transpose(UNDONE_BY[orientation]).save(path, quality=76, optimize=True, exif=exif)


def _flags(sheet: Sheet) -> list[str]:
    """What a teacher has to be told about, whatever the score."""
    told = {
        "instruction": "instruction",
        "rival": "rival",
        "answer_only": "answer_only",
        "blank": "blank",
        "unreadable": "unreadable",
    }
    flags = [told[sheet.answer.kind]] if sheet.answer.kind in told else []
    flags += ["sideways"] if sheet.turned else []
    flags += ["exif_orientation"] if sheet.exif != 1 else []
    flags += ["two_pages"] if len(sheet.answer.pages) > 1 else []
    unlisted = sheet.answer.path == "UNKNOWN" and sheet.answer.kind not in EMPTY_KINDS
    return flags + (["another_method"] if unlisted else [])


def _random(*parts: object) -> np.random.Generator:
    digest = hashlib.sha256("/".join(["wenshu sample", *map(str, parts)]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def _write_roster(people: Sequence[Pupil], path: Path) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["学号", "姓名", "班级"])
        rows.writerows([pupil.number, pupil.name, pupil.school_class] for pupil in people)


def _assessment(people: Sequence[Pupil]) -> dict[str, Any]:
    questions = []
    for number, name in enumerate(QUESTIONS, start=1):
        rules = rules_document(number)
        questions.append(
            {
                "number": number,
                "label": f"第 {number} 题",
                "question_id": rules["question_id"],
                "rules": f"rules/{name}.json",
                "max_score": rules["max_score"],
            }
        )
    return {
        "code": CODE,
        "title": TITLE,
        "judge": "embedded",
        "policy": {"allow_uncertified": True},
        "questions": questions,
        "classes": sorted({pupil.school_class for pupil in people}),
        "candidates": [{"number": pupil.number, "name": pupil.name, "class": pupil.school_class} for pupil in people],
        "roster": "roster.csv",
        "images": "images",
        "truth": "truth.jsonl",
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="make-sample", description="Makes the sample assessment's pictures and lists."
    )
    parser.add_argument("--fonts", type=Path, action="append", required=True, help="folder with fonts of FONTS.md")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--only", action="append", default=[], help="candidate's number; may be given again")
    parser.add_argument("--seed", default="", help="makes a held-out set with this seed; needs --out")
    chosen = parser.parse_args(arguments)
    if chosen.seed and chosen.out == HERE:
        parser.error("--seed needs --out: a held-out set never replaces the sample")
    try:
        make(FontFolders(tuple(chosen.fonts)), chosen.out, chosen.only, chosen.seed)
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"make-sample: {problem}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
