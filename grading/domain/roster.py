"""Class lists as people keep them: CSV or XLSX with a head row, checked row by row before anything is written."""

from __future__ import annotations

import csv
import io
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from config.foundation.errors import UnusableInput

MAX_BYTES = 5 * 1024 * 1024
MAX_ROWS = 20_000
MAX_COLUMNS = 100
HEADS = {
    "number": {"学号", "考号", "准考证号", "number", "id", "student id", "candidate"},
    "name": {"姓名", "名字", "name"},
    "school_class": {"班级", "class", "group"},
}
# Control characters, marks that turn the direction of writing, line separators: they falsify what a screen shows.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
LONGEST = {"number": 40, "name": 80, "school_class": 60}


@dataclass(frozen=True)
class RosterRow:
    """One candidate of a class list; ``row`` is the line in the file, counted from 1 with the head."""

    row: int
    number: str
    name: str
    school_class: str


@dataclass(frozen=True)
class RowFault:
    """A row that was left out, and why."""

    row: int
    zh: str
    en: str


def _refuse(code: str, zh: str, en: str) -> UnusableInput:
    return UnusableInput(f"roster.{code}", zh, en)


def _decode(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise _refuse(
        "encoding",
        "名单不是 UTF-8 或 GB18030 编码，请另存为 CSV UTF-8。",
        "The list is neither UTF-8 nor GB18030; save it as CSV UTF-8.",
    )


def _csv_cells(content: bytes) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(_decode(content), newline=""))
    except csv.Error:
        raise _refuse(
            "not_csv", "名单不是可读的 CSV；请在表格软件中另存为 CSV UTF-8。",
            "The list is not readable CSV; save it as CSV UTF-8 from the spreadsheet.",
        ) from None  # fmt: skip


def _cell_text(value: object) -> str:
    # A spreadsheet turns 0429 into 429.0; whole floats come back without their ".0", lost zeros cannot be known.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _xlsx_cells(content: bytes) -> Iterator[list[str]]:
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(item.file_size for item in archive.infolist()) > 20 * MAX_BYTES:
                raise _refuse("too_large", "表格解压后过大。", "The workbook is too large when unpacked.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except UnusableInput:
        raise
    except Exception:
        raise _refuse("not_xlsx", "文件不是可读的 XLSX 表格。", "The file is not a readable XLSX workbook.") from None
    try:
        # Damage inside shows itself only while reading, in as many kinds of exception as the reader has parts.
        for row in book.worksheets[0].iter_rows(values_only=True, max_col=MAX_COLUMNS):
            yield [_cell_text(value) for value in row]
    except Exception:
        raise _refuse("not_xlsx", "文件不是可读的 XLSX 表格。", "The file is not a readable XLSX workbook.") from None
    finally:
        book.close()


def _columns(head: list[str]) -> dict[str, int]:
    wanted = [cell.strip().lower() for cell in head]
    found: dict[str, int] = {}
    for field, names in HEADS.items():
        place = next((position for position, cell in enumerate(wanted) if cell in names), None)
        if place is None:
            label = {"number": "学号", "name": "姓名", "school_class": "班级"}[field]
            raise _refuse(
                "column", f"第 1 行缺少“{label}”一栏；需要 学号、姓名、班级 三栏。",
                f"Row 1 has no column “{label}”; the columns 学号, 姓名, 班级 (number, name, class) are needed.",
            )  # fmt: skip
        found[field] = place
    return found


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\u200b", "").replace("\ufeff", "").strip()


def _row_fault(row: RosterRow, seen: dict[str, int]) -> RowFault | None:
    labels = (("number", "学号"), ("name", "姓名"), ("school_class", "班级"))
    for field, label in labels:
        value = getattr(row, field)
        if not value:
            return RowFault(
                row.row, f"第 {row.row} 行没有{label}。", f"Row {row.row} has no {field.replace('school_', '')}."
            )
        if len(value) > LONGEST[field] or any(unicodedata.category(c) in _INVISIBLE for c in value):
            return RowFault(
                row.row, f"第 {row.row} 行的{label}过长或含控制字符。",
                f"Row {row.row}: the {field.replace('school_', '')} is too long or holds control characters.",
            )  # fmt: skip
    if row.number in seen:
        first = seen[row.number]
        return RowFault(
            row.row, f"第 {row.row} 行的学号 {row.number} 与第 {first} 行重复，两行都请核对。",
            f"Row {row.row} repeats number {row.number} of row {first}; check both.",
        )  # fmt: skip
    return None


def read_roster(file_name: str, content: bytes) -> tuple[list[RosterRow], list[RowFault]]:
    """Rows that can be used and rows that cannot.

    Raises UnusableInput when the whole file is unusable: too large, unknown kind, encoding, missing column, no row.
    Numbers stay text: ``0429`` is not ``429``.
    """
    if len(content) > MAX_BYTES:
        raise _refuse("too_large", "名单文件超过 5 MB。", "The list is larger than 5 MB.")
    cells = _xlsx_cells(content) if content[:2] == b"PK" or file_name.lower().endswith(".xlsx") else _csv_cells(content)
    rows: list[RosterRow] = []
    faults: list[RowFault] = []
    seen: dict[str, int] = {}
    columns: dict[str, int] | None = None
    for position, row in enumerate(cells, start=1):
        if position > MAX_ROWS:
            raise _refuse(
                "too_long",
                f"名单超过 {MAX_ROWS} 行，请分开导入。",
                f"The list has more than {MAX_ROWS} rows; split it.",
            )
        if columns is None:
            columns = _columns(row)
            continue
        if not any(cell.strip() for cell in row):
            continue
        values = {field: _clean(row[place]) if place < len(row) else "" for field, place in columns.items()}
        candidate = RosterRow(position, **values)
        fault = _row_fault(candidate, seen)
        if fault:
            faults.append(fault)
        else:
            seen[candidate.number] = position
            rows.append(candidate)
    if columns is None or not (rows or faults):
        raise _refuse("empty", "名单里没有考生。", "The list holds no candidates.")
    return rows, faults
