"""Items that are like each other: the same, the same with other numbers, or nearly the same wording.

Two views of what a student reads are compared. In both, each number is a hash sign; in the second each letter of a formula is
one sign too, so that only the shape of the mathematics is left. A view is the set of its runs of three characters, kept as 64
least hash values (MinHash); the share of equal values estimates the share of common runs, in one pass over all items.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .item_model import Item

ENGINE_VERSION = "1"
RUN = 3
HASHES = 64
SIGNATURE_BYTES = HASHES * 4 * 2
NEAR = 0.8
LIKELY = 0.55

_PIECE = re.compile(r"\$([^$]*)\$")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SPACING = re.compile(r"\\(?:[,;:! ]|q?quad(?![a-z])|displaystyle|left|right(?![a-z])|d(?=frac)|t(?=frac))|\s")
_LETTER = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
_UNSAID = re.compile(r"[\s，。．；：、？！,.;:?!（）()“”\"'　_]+")

_odd = np.array(
    [int.from_bytes(blake2b(b"a%d" % n, digest_size=8).digest()) | 1 for n in range(HASHES)], dtype=np.uint64
)
_shift = np.array([int.from_bytes(blake2b(b"b%d" % n, digest_size=8).digest()) for n in range(HASHES)], dtype=np.uint64)


@dataclass(frozen=True)
class Print:
    """What is kept of an item for comparing: hashes of its exact and masked text, and the two signatures."""

    exact: str
    masked: str
    signature: bytes


@dataclass(frozen=True)
class Alike:
    """An item of the collection that is like the one asked about; `at` is its place in the collection."""

    at: int
    kind: str
    text: float
    shape: float


def print_of(item: Item) -> Print:
    """The print of an item: a pure function of what a student reads."""
    question = _plain(item.question_text)
    masked = _masked(question)
    signature = np.concatenate([_signature(masked), _signature(_shape(question))])
    return Print(_hash(question), _hash(masked), signature.tobytes())


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _plain(text: str) -> str:
    """The text without what changes nothing: width of characters, spacing, punctuation between words.

    >>> _plain("求 $\\\\dfrac{1}{2}x$ 的值．") == _plain("求$\\\\frac{1}{2} x$的值")
    True
    """
    text = unicodedata.normalize("NFKC", text)
    pieces = _PIECE.split(text)
    words = [_UNSAID.sub("", piece) for piece in pieces[::2]]
    formulas = [f"${_SPACING.sub('', piece)}$" for piece in pieces[1::2]]
    return "".join(word + formula for word, formula in zip(words, [*formulas, ""], strict=False))


def _masked(question: str) -> str:
    return _NUMBER.sub("#", question)


def _shape(question: str) -> str:
    """Numbers and names of a formula as one sign each; words as they are."""
    return _PIECE.sub(lambda piece: f"${_LETTER.sub('v', piece[1])}$", _masked(question))


def _signature(text: str) -> NDArray[np.uint32]:
    padded = f"^{text}$".encode("utf-32-le")
    runs = {crc32(padded[at : at + 4 * RUN]) for at in range(0, max(4, len(padded) - 4 * RUN + 4), 4)}
    values = np.fromiter(runs, dtype=np.uint64, count=len(runs))
    mixed = (values[:, None] * _odd[None, :] + _shift[None, :]) >> np.uint64(32)
    return mixed.min(axis=0).astype(np.uint32)


class Collection:
    """Prints of many items, searched together: 100 000 take some 50 MB and tens of milliseconds a search."""

    def __init__(self, prints: Sequence[Print] = ()) -> None:
        self._exact: dict[str, list[int]] = {}
        self._masked: dict[str, list[int]] = {}
        rows = np.frombuffer(b"".join(one.signature for one in prints), dtype=np.uint32).reshape(-1, 2 * HASHES)
        self._rows: NDArray[np.uint32] = np.concatenate([rows, np.empty((16, 2 * HASHES), dtype=np.uint32)])
        self._count = len(prints)
        for at, one in enumerate(prints):
            self._name(at, one)

    def _name(self, at: int, one: Print) -> None:
        self._exact.setdefault(one.exact, []).append(at)
        self._masked.setdefault(one.masked, []).append(at)

    def __len__(self) -> int:
        return self._count

    def add(self, one: Print) -> int:
        """Take a print in; gives its place."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[self._count] = np.frombuffer(one.signature, dtype=np.uint32)
        self._name(self._count, one)
        self._count += 1
        return self._count - 1

    def alike(self, one: Print, *, least: float = LIKELY, most: int = 20) -> list[Alike]:
        """What is like this print, likest first: `exact`, `other-numbers`, `near` (0.8 and above) or `likely`."""
        text, shape = self._shares(one)
        exact, masked = set(self._exact.get(one.exact, ())), set(self._masked.get(one.masked, ()))
        near = np.nonzero(np.maximum(text, shape) >= least)[0]
        if len(near) > most:
            # What is exact or differs in numbers only has both shares at one, so that it is among the likest.
            near = near[np.argsort(-(text + shape)[near], kind="stable")[:most]]
        found = {int(at) for at in near}
        rows = [
            Alike(at, _kind(at, exact, masked, text[at], shape[at]), float(text[at]), float(shape[at])) for at in found
        ]
        return sorted(rows, key=lambda row: (_ORDER.index(row.kind), -row.text - row.shape, row.at))[:most]

    def _shares(self, one: Print) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        wanted = np.frombuffer(one.signature, dtype=np.uint32)
        text = np.empty(self._count)
        shape = np.empty(self._count)
        for start, rows in self._blocks():
            same = rows == wanted
            text[start : start + len(rows)] = np.count_nonzero(same[:, :HASHES], axis=1) / HASHES
            shape[start : start + len(rows)] = np.count_nonzero(same[:, HASHES:], axis=1) / HASHES
        return text, shape

    def _blocks(self, size: int = 8192) -> Iterator[tuple[int, NDArray[np.uint32]]]:
        """The rows in pieces that fit a processor's cache."""
        for start in range(0, self._count, size):
            yield start, self._rows[start : min(start + size, self._count)]


_ORDER = ("exact", "other-numbers", "near", "likely")


def _kind(at: int, exact: set[int], masked: set[int], text: float, shape: float) -> str:
    if at in exact:
        return "exact"
    if at in masked:
        return "other-numbers"
    return "near" if max(text, shape) >= NEAR else "likely"
