"""XML from outside: no document type, no entities of its own, bounded in size and depth."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

from config.foundation.errors import UnusableInput

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 60


def read_xml(data: bytes) -> ElementTree.Element:
    """The root element of UTF-8 XML; raises UnusableInput for anything else and for what expands or points elsewhere.

    Entities can only be made in a document type, so a text without one cannot expand; the text is decoded first, because
    the search would not see one in another encoding.
    """
    if len(data) > MAX_BYTES:
        raise _unusable(f"文件超过 {MAX_BYTES} 字节", f"the file is larger than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable("不是 UTF-8 编码", f"it is not UTF-8 (byte {error.start})") from None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise _unusable("不接受文档类型声明", "a document type is not accepted")
    parser: Any = ElementTree.XMLPullParser(events=("start", "end"))
    depth = 0
    root: ElementTree.Element | None = None
    try:
        for at in range(0, len(text), 65536):
            parser.feed(text[at : at + 65536])
            for event, element in parser.read_events():
                root = element if root is None else root
                depth += 1 if event == "start" else -1
                if depth > MAX_DEPTH:
                    raise _unusable("嵌套过深", "it is nested too deeply")
        parser.close()
    except ElementTree.ParseError as error:
        line, column = error.position
        raise _unusable(
            f"第 {line} 行第 {column} 列有语法错误", f"syntax error in line {line}, column {column}"
        ) from None
    if root is None:
        raise _unusable("没有内容", "it is empty")
    return root


def _unusable(zh: str, en: str) -> UnusableInput:
    return UnusableInput("unusable-xml", f"XML 不可用：{zh}。", f"The XML cannot be used: {en}.")
