"""Which formats items can be written in and read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .exchange import Written, read_json, write_json
from .item_model import Item
from .moodle import read_moodle, write_moodle

WRITERS: Mapping[str, Callable[[Sequence[Item]], Written]] = {"json": write_json, "moodle-xml": write_moodle}


def read_file(data: bytes) -> list[Item]:
    """The items of a file whose first sign tells its format: JSON, else Moodle XML. Raises UnusableInput."""
    return read_moodle(data) if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else read_json(data)
