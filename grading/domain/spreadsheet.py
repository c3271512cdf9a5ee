"""Cells that a spreadsheet shows as written and never runs, and the two file kinds built of them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from config.foundation.canonical import number_text

Cell = str | Decimal | int | None
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
# First characters after which Excel, LibreOffice or WPS read a cell as a formula (OWASP, CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def safe_text(value: str) -> str:
    """Text that opens as text: a quote in front of what would run. A plain number such as ``-3`` stays as it is."""
    cleaned = _CONTROL.sub("", value)
    if cleaned.lstrip().startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cleaned):
        return "'" + cleaned
    return cleaned


def _csv_cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return number_text(value)
    return safe_text(value) if isinstance(value, str) else str(value)


def csv_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV in UTF-8 with a byte-order mark, so that Excel on a Chinese Windows shows Chinese on a double click."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        writer.writerow([_csv_cell(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def xlsx_bytes(rows: Iterable[Sequence[Cell]], *, sheet: str) -> bytes:
    """A workbook with one sheet: numbers as numbers, everything else as text that cannot be a formula."""
    import openpyxl
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    page = book.worksheets[0]
    page.title = re.sub(r"[\[\]:*?/\\]", " ", sheet)[:31] or "marks"
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row, start=1):
            cell = page.cell(row=number, column=place)
            if isinstance(value, str):
                # An explicit text type; the quote is not needed where the type says that it is no formula.
                cell.value = _CONTROL.sub("", value)
                cell.data_type = "s"
            else:
                cell.value = value
            if number == 1:
                cell.font = Font(bold=True)
    page.freeze_panes = "A2"
    for place in range(1, (page.max_column or 1) + 1):
        page.column_dimensions[get_column_letter(place)].width = 14
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
