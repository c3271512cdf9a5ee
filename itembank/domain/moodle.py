"""Moodle XML: choice, short-answer and essay questions out and in.

Moodle has no place for parts, relations of comparison or declarations: they are named as losses. Where an item belongs (stage,
points of knowledge, difficulty, source, licence) travels in tags, and scoring rules as JSON in a block of the notes for graders;
Moodle keeps both. Formulas stand between `\\(` and `\\)`, pictures in `<file>` elements.
"""

from __future__ import annotations

import base64
import html
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from html.parser import HTMLParser
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import canonical_text, number_text
from config.foundation.errors import UnusableInput

from .exchange import Loss, Written, read_items
from .item_model import Figure, Item, Part
from .rules import MAX_RULES_BYTES
from .safe_xml import read_xml

_PIECE = re.compile(r"(?<!\\)\$((?:[^$\\]|\\.)*)(?<!\\)\$", re.DOTALL)
_BELONGING = ("stage", "difficulty", "source", "licence", "kind")
_PREFIX = "wenshu:"
_BLOCK = "\x00"
_PLUGIN = "@@PLUGINFILE@@/"
_UNKNOWN = {"stage": "senior", "difficulty": "0.5", "source": "Moodle", "licence": "unknown"}


def write_moodle(items: Sequence[Item]) -> Written:
    """The items as one `<quiz>`, with everything that it could not hold."""
    quiz = ElementTree.Element("quiz")
    losses: list[Loss] = []
    for item in items:
        if item.kind == "composite":
            losses.append(
                _loss(
                    item,
                    "parts",
                    "分小问的题无法写入，整题略去。",
                    "Moodle has no question with parts; left out.",
                    whole=True,
                )
            )
            continue
        losses += _losses(item)
        quiz.append(_question(item))
    ElementTree.indent(quiz)
    content = ElementTree.tostring(quiz, encoding="unicode")
    return Written(f'<?xml version="1.0" encoding="UTF-8"?>\n{content}\n', tuple(losses))


def _loss(item: Item, field: str, zh: str, en: str, *, whole: bool = False) -> Loss:
    return Loss(item.item_id, field, zh, en, whole)


def _losses(item: Item) -> Iterator[Loss]:
    part = item.parts[0]
    if item.declares.functions or item.declares.assume:
        yield _loss(
            item,
            "declares",
            "函数名与假设没有位置，略去。",
            "Names of functions and assumptions have no place; left out.",
        )
    held = 0 if part.kind != "fill_in" else 1
    if len(part.values) > held:
        yield _loss(item, "answer.values", "只有填空题的第一个空能写入，其余略去。",
                    "Only the first blank of a fill-in has a place; the rest is left out.")  # fmt: skip
    if part.kind == "fill_in" and any(set(one) - {"accepted"} for one in item.document["answer"]["values"][:1]):
        yield _loss(
            item,
            "answer.values[0]",
            "比较方式与要求没有位置，略去。",
            "How answers are compared has no place; left out.",
        )
    if part.kind != "full_solution" and part.solution:
        yield _loss(item, "solution", "参考解答没有位置，略去。", "The reference solution has no place; left out.")


_TYPES = {
    "single_choice": "multichoice",
    "multiple_choice": "multichoice",
    "fill_in": "shortanswer",
    "full_solution": "essay",
}


def _question(item: Item) -> ElementTree.Element:
    part = item.parts[0]
    question = ElementTree.Element("question", type=_TYPES[part.kind])
    _text(question, "name", item.title)
    figures = "".join(
        f'<p><img src="{_PLUGIN}{html.escape(_file_name(one))}" alt="{html.escape(one.alt)}"/></p>'
        for one in item.figures
    )
    asked = _text(question, "questiontext", _html(part.stem) + figures, markup=True)
    for figure in item.figures:
        file = ElementTree.SubElement(asked, "file", name=_file_name(figure), path="/", encoding="base64")
        file.text = base64.b64encode(figure.content).decode()
    _text(question, "generalfeedback", _html(part.explanation) if part.explanation else "", markup=True)
    ElementTree.SubElement(question, "defaultgrade").text = number_text(part.points)
    ElementTree.SubElement(question, "idnumber").text = item.item_id
    _answers(question, part)
    tags = ElementTree.SubElement(question, "tags")
    for name in _BELONGING:
        _text(tags, "tag", f"{_PREFIX}{name}={item.document[name]}")
    for point in item.knowledge_points:
        _text(tags, "tag", f"{_PREFIX}point={point}")
    for tag in item.tags:
        _text(tags, "tag", tag)
    return question


def _answers(question: ElementTree.Element, part: Part) -> None:
    if part.options:
        ElementTree.SubElement(question, "single").text = "true" if part.kind == "single_choice" else "false"
        ElementTree.SubElement(question, "shuffleanswers").text = "false"
        ElementTree.SubElement(question, "answernumbering").text = "ABCD"
        share = number_text((Decimal(100) / max(1, len(part.choices))).quantize(Decimal("0.00001")))
        for option in part.options:
            answer = _text(question, "answer", _html(option.content), markup=True)
            answer.set("fraction", share if option.label in part.choices else "0")
    elif part.kind == "fill_in":
        for text in part.values[0].accepted:
            _text(question, "answer", text).set("fraction", "100")
    else:
        rules = html.escape(canonical_text(part.scoring_rules), quote=False)
        _text(question, "graderinfo", f"{_html(part.solution)}<pre>{rules}</pre>", markup=True)


def _text(parent: ElementTree.Element, name: str, text: str, *, markup: bool = False) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name, format="html") if markup else ElementTree.SubElement(parent, name)
    ElementTree.SubElement(element, "text").text = text
    return element


def _file_name(figure: Figure) -> str:
    return f"{figure.figure_id}.{'png' if figure.media_type == 'image/png' else 'jpg'}"


def _html(prose: str) -> str:
    pieces = _PIECE.split(prose)
    marked = [
        html.escape(text, quote=False) if at % 2 == 0 else f"\\({html.escape(text, quote=False)}\\)"
        for at, text in enumerate(pieces)
    ]
    return "".join(marked).replace("\n", "<br/>")


def read_moodle(data: bytes) -> list[Item]:
    """The items of a Moodle XML file; categories are passed over. Raises UnusableInput, also for kinds it does not know.

    What Moodle does not say (stage, difficulty, source, licence) is taken from our tags, else it is senior, 0.5, Moodle and
    unknown; without a tag for it the knowledge point is `moodle`, which sends the item to a person.
    """
    root = read_xml(data)
    if root.tag != "quiz":
        raise UnusableInput(
            "not-moodle", "这不是 Moodle XML（根元素应为 quiz）。", "This is no Moodle XML (its root must be quiz)."
        )
    questions = [one for one in root.iter("question") if one.get("type") != "category"]
    if not questions:
        raise UnusableInput("no-items", "文件里没有试题。", "The file holds no item.")
    return read_items([_document(one, number) for number, one in enumerate(questions, start=1)])


def _document(question: ElementTree.Element, number: int) -> dict[str, Any]:
    kind = question.get("type", "")
    if kind not in ("multichoice", "shortanswer", "essay"):
        raise UnusableInput(
            "moodle-type",
            f"第 {number} 题的类型 {kind[:40]} 不能导入，只接受 multichoice、shortanswer、essay。",
            f"Question {number} is of type {kind[:40]}; only multichoice, shortanswer and essay can be imported.",
        )
    tags = [(one.findtext("text") or "").strip() for one in question.findall("tags/tag")]
    own = dict(tag.removeprefix(_PREFIX).partition("=")[::2] for tag in tags if tag.startswith(_PREFIX) and "=" in tag)
    belonging = {**_UNKNOWN, **{name: own[name] for name in _UNKNOWN if name in own}}
    shown = question.find("questiontext")
    stem, alts = _prose(shown)
    document: dict[str, Any] = {
        "item_id": (question.findtext("idnumber") or "").strip() or f"moodle-{number}",
        "title": question.findtext("name/text") or "",
        "kind": own.get("kind") if kind == "essay" and own.get("kind") else _kind(question, kind),
        "stem": stem,
        "points": _number(question.findtext("defaultgrade") or "1"),
        **belonging,
        "difficulty": _number(belonging["difficulty"]),
        "knowledge_points": [tag.removeprefix(f"{_PREFIX}point=") for tag in tags if tag.startswith(f"{_PREFIX}point=")]
        or ["moodle"],
    }
    figures = [_figure(file, alts) for file in (shown.findall("file") if shown is not None else ())]
    words = [tag for tag in tags if tag and not tag.startswith(_PREFIX)]
    explanation, _ = _prose(question.find("generalfeedback"))
    document |= {
        name: value for name, value in (("figures", figures), ("tags", words), ("explanation", explanation)) if value
    }
    return document | _answered(question, document["kind"])


def _kind(question: ElementTree.Element, kind: str) -> str:
    if kind == "multichoice":
        return (
            "single_choice" if (question.findtext("single") or "true").strip() in ("true", "1") else "multiple_choice"
        )
    return "fill_in" if kind == "shortanswer" else "full_solution"


def _answered(question: ElementTree.Element, kind: str) -> dict[str, Any]:
    answers = question.findall("answer")
    if kind in ("single_choice", "multiple_choice"):
        options = [{"label": label, "content": _prose(one)[0]} for label, one in zip("ABCDEFGH", answers, strict=False)]
        right = [label for label, one in zip("ABCDEFGH", answers, strict=False) if _positive(one.get("fraction", "0"))]
        return {"options": options, "answer": {"choices": right}}
    if kind == "fill_in":
        accepted = [one.findtext("text") or "" for one in answers if (one.get("fraction") or "0").strip() == "100"]
        return {"answer": {"values": [{"accepted": accepted}]}}
    notes = question.find("graderinfo")
    solution, _ = _prose(notes)
    kept = _reader(notes).kept if notes is not None else ""
    found: dict[str, Any] = {"solution": solution} if solution else {}
    if kept:
        found["scoring_rules"] = strict_json.loads(kept, max_bytes=MAX_RULES_BYTES, allow_controls="\n")
    return found


def _positive(text: str) -> bool:
    number = _number(text)
    return isinstance(number, int | Decimal) and number > 0


def _number(text: str) -> int | Decimal | str:
    """The number in a text; the text itself where it is none, so that the item's form names it."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return text
    if not value.is_finite() or abs(value.adjusted()) > 12:
        return text
    return int(value) if value == value.to_integral_value() else value.normalize()


def _figure(file: ElementTree.Element, alts: dict[str, str]) -> dict[str, Any]:
    name = file.get("name", "")
    return {
        "figure_id": name.rpartition(".")[0] or name,
        "alt": alts.get(name) or name,
        "media_type": "image/png" if name.lower().endswith(".png") else "image/jpeg",
        "data": "".join((file.text or "").split()),
    }


def _prose(element: ElementTree.Element | None) -> tuple[str, dict[str, str]]:
    """The text of an element with formulas between dollar signs, and the words beside each picture, by file name."""
    text = (element.findtext("text") or "") if element is not None else ""
    if element is None or element.get("format", "html") not in ("html", "moodle_auto_format"):
        return text.strip(), {}
    reader = _reader(element)
    joined = "".join(reader.pieces).strip(_BLOCK)
    prose = re.sub(r"\\\(|\\\)|\$\$|\\\[|\\\]", "$", re.sub(rf"\s*{_BLOCK}\s*", "\n", joined))
    return (prose.strip() if text.lstrip().startswith("<p") else prose), reader.alts


def _reader(element: ElementTree.Element) -> _Reader:
    reader = _Reader()
    reader.feed(element.findtext("text") or "")
    reader.close()
    return reader


class _Reader(HTMLParser):
    """Keeps text and line breaks; markup is dropped, scripts with what is in them. What stands in `<pre>` is kept apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.alts: dict[str, str] = {}
        self.silent = 0
        self.kept = ""
        self.inside_pre = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "p", "div", "li"):
            self.pieces.append("\n" if tag == "br" else _BLOCK)
        elif tag in ("script", "style"):
            self.silent += 1
        elif tag == "pre":
            self.inside_pre = True
        elif tag == "img":
            held = dict(attrs)
            self.alts[(held.get("src") or "").removeprefix(_PLUGIN)] = held.get("alt") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.silent = max(0, self.silent - 1)
        elif tag == "pre":
            self.inside_pre = False

    def handle_data(self, data: str) -> None:
        if self.inside_pre and data.startswith("{"):
            self.kept += data
        elif not self.silent:
            self.pieces.append(data)
