"""What `judge`, `gate` and `verify` share: reading their documents, refusing with 2, writing the verdict."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from config.foundation import strict_json
from config.foundation.canonical import canonical_text, sha256_hex
from config.foundation.errors import UnusableInput, WenshuError
from grading.domain.documents import exact, refused_json
from grading.domain.reading import read_reading
from grading.intake.images import decode_page
from grading.judging import gate_observation
from itembank.algebra import warm
from itembank.domain.rules import Rules, read_rules, rules_document

MAX_DOCUMENT = 16 * 1024 * 1024
MAX_JUDGED = 1024 * 1024


def add_gated_answer(parser: ArgumentParser) -> None:
    """The arguments that name an answer with what is proposed for it: what the gate decides on."""
    parser.add_argument("--rules", required=True, help="scoring rules (JSON)")
    parser.add_argument("--reading", required=True, metavar="FILE", help="reading (JSON)")
    parser.add_argument("--observation", required=True, metavar="FILE", help="what a judge proposes (JSON)")
    parser.add_argument("--second-observation", metavar="FILE", help="what a second judge proposes (JSON)")
    parser.add_argument("--image", action="extend", nargs="+", metavar="FILE", help="a page, in order; may be repeated")
    parser.add_argument("--policy", metavar="FILE", help="policy of the gate (JSON)")


def refuse(error: WenshuError) -> NoReturn:
    """One readable sentence in each language on standard error, exit code 2."""
    sys.stderr.write(f"{error.en} {error.zh}\n")
    sys.exit(2)


def content_of(name: str) -> bytes:
    """Bytes of a file, or of standard input for `-`; raises UnusableInput."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UnusableInput(
            "file", f"无法读取 {name}：{error.strerror}。", f"{name} cannot be read: {error.strerror}."
        ) from None


def images_of(names: list[str] | None) -> list[bytes]:
    """Bytes of the named images, in order."""
    return [content_of(name) for name in names or []]


def document_of(name: str, *, max_bytes: int = MAX_JUDGED) -> Any:
    """Strict JSON of a file; raises UnusableInput with the name of the file in the sentence."""
    try:
        return exact(strict_json.loads(content_of(name), max_bytes=max_bytes, allow_controls="\n\t"))
    except UnusableInput as error:
        if error.code == "file":
            raise
        raise UnusableInput(error.code, f"{name}：{error.zh}", f"{name}: {error.en}") from None


def judged_document_of(name: str) -> Any:
    """What a judge said. JSON that is not strict is kept as a note of why, for the gate's `schema` rule to refuse.

    Raises UnusableInput where it is no JSON at all.
    """
    content = content_of(name)
    try:
        return exact(strict_json.loads(content, max_bytes=MAX_JUDGED, allow_controls="\n\t"))
    except UnusableInput as error:
        if error.code in {"json.syntax", "json.encoding", "json.too_large"}:
            raise UnusableInput(error.code, f"{name}：{error.zh}", f"{name}: {error.en}") from None
        return refused_json(error, content.decode("utf-8", "replace"))


def pages_of(names: list[str] | None) -> tuple[list[bytes], list[str]]:
    """The upright, re-encoded pages that are judged, and the hashes of the files as they came.

    Raises UnusableInput with the name of the file in the sentence.
    """
    pages, hashes = [], []
    for name in names or []:
        content = content_of(name)
        try:
            pages.append(decode_page(content).page)
        except UnusableInput as error:
            raise UnusableInput(error.code, f"{name}：{error.zh}", f"{name}: {error.en}") from None
        hashes.append(sha256_hex(content))
    return pages, hashes


def checked_reading(name: str | None) -> Any:
    """The reading of a file, or None; raises UnusableInput naming line and field."""
    if name is None:
        return None
    document = document_of(name)
    read_reading(document)
    return document


def rules_of(name: str) -> Rules:
    """The scoring rules of a file; raises UnusableRules."""
    return read_rules(rules_document(content_of(name)))


def policy_of(name: str | None) -> Any:
    """The policy of a file; the careful default where none is named."""
    return {} if name is None else document_of(name)


def write_document(document: dict[str, Any], out: str | None) -> str:
    """The document as one line of canonical JSON; also kept in `out`/verdict.json where a folder is named."""
    text = canonical_text(document)
    if out is not None:
        folder = Path(out)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "verdict.json").write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UnusableInput(
                "out", f"无法写入 {out}：{error.strerror}。", f"{out} cannot be written: {error.strerror}."
            ) from None
    return text


def gated_answer(options: Mapping[str, Any]) -> tuple[dict[str, Any], Rules, list[bytes]]:
    """The verdict document of the answer that `add_gated_answer` names, with its rules and pages; raises UnusableInput."""
    rules = rules_of(options["rules"])
    pages, hashes = pages_of(options["image"])
    second = options["second_observation"]
    warm()  # a time-out while the child starts would change the facts
    document = gate_observation(
        rules=rules,
        reading=checked_reading(options["reading"]),
        observation=judged_document_of(options["observation"]),
        second_observation=None if second is None else judged_document_of(second),
        policy=policy_of(options["policy"]),
        images=pages,
        received_sha256=hashes,
    )
    return document, rules, pages
