"""The texts of a page as it is sent, each with the language it is said to be in."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
# What is typed, formulas and code have no language.
SILENT_TAGS = frozenset(["code", "kbd", "script", "style", "svg", "noscript", "textarea"])
SILENT_CLASSES = frozenset(["katex", "math", "code", "anonymous"])
SPOKEN = ("title", "aria-label", "placeholder", "alt")


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self.open: list[tuple[str, str, bool]] = []  # tag, language, silent

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        language, silent = self.open[-1][1:] if self.open else ("", False)
        language = given.get("lang", language)
        classes = set(given.get("class", "").split())
        silent = silent or tag in SILENT_TAGS or bool(classes & SILENT_CLASSES) or given.get("lang") == "zxx"
        if not silent:
            self.found += [(given[name].strip(), language) for name in SPOKEN if given.get(name, "").strip()]
        if tag not in VOID:
            self.open.append((tag, language, silent))

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag in {each[0] for each in self.open}:
            if self.open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open and not self.open[-1][2]:
            self.found.append((data.strip(), self.open[-1][1]))


def texts_of(html: str) -> list[tuple[str, str]]:
    """(text, language) of every text and label, in the order of the page.

    >>> texts_of('<p lang="en">Mark <code>x</code> <b title="why" lang="zh">分</b></p>')
    [('Mark', 'en'), ('why', 'zh'), ('分', 'zh')]
    """
    parser = _Texts()
    parser.feed(html)
    return parser.found
