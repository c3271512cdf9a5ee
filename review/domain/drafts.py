"""What may be kept of a half-finished marking sheet, with the claims of an appeal: the fields of its forms, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from config.foundation.errors import UnusableInput

Fields = dict[str, list[str]]

SHEET = ("status:", "was:", "score:", "path:", "reason", "direct", "direct_total", "outcome:", "reason:")
READING = ("line:", "struck:", "sure:", "new_line")
MOST_FIELDS = 600
LONGEST = 2000
MOST_CHARACTERS = 60_000


def _is(name: str, names: tuple[str, ...]) -> bool:
    """Whether a field belongs to one of the two forms: names that end in a colon are prefixes."""
    return any(name.startswith(each) if each.endswith(":") else name == each for each in names)


def merged(old: Fields, new: Fields) -> Fields:
    """The draft after one of its forms was sent alone: that form's fields are replaced, the other's stay."""
    sent = [form for form in (SHEET, READING) if any(_is(name, form) for name in new)]
    return {name: values for name, values in old.items() if not any(_is(name, form) for form in sent)} | new


def kept_fields(sent: Iterable[tuple[str, list[str]]]) -> Fields:
    """The fields worth keeping, by name. Raises UnusableInput when they exceed what the forms can hold."""
    kept = {
        name: [value.replace("\x00", "") for value in values]
        for name, values in sent
        if _is(name, SHEET) or _is(name, READING)
    }
    values = [value for each in kept.values() for value in each]
    size = sum(map(len, kept)) + sum(map(len, values))
    if len(values) > MOST_FIELDS or size > MOST_CHARACTERS or any(len(value) > LONGEST for value in (*kept, *values)):
        raise UnusableInput(
            "draft.too_large",
            f"草稿过大：每栏最多 {LONGEST} 字。请缩短后再试。",
            f"The draft is too large: each field holds at most {LONGEST} characters. Shorten it and try again.",
        )
    return kept
