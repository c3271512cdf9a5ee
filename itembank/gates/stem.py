"""What the first call of a gate may see of an item: the question, and nothing that tells the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from itembank.domain.item_model import Item, Part


@dataclass(frozen=True)
class Stem:
    """One question as a student reads it. A solver takes a `Stem` and nothing else, so no key can reach it."""

    text: str
    asked_values: int
    has_options: bool

    @classmethod
    def of(cls, item: Item, part: Part) -> Self:
        """The stem shared by the parts, the part's own, its options, and the words under the figures."""
        pieces = [item.stem] if item.kind == "composite" else []
        pieces += [part.stem, *(f"{option.label}. {option.content}" for option in part.options)]
        pieces += [f"[{figure.figure_id}] {figure.alt}" for figure in item.figures]
        # The number of blanks is printed in the question; of a choice it is not known how many values it takes.
        return cls("\n".join(pieces), 0 if part.options else len(part.values), bool(part.options))
