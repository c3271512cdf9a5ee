"""The page of the documentation that shows every screen."""

from __future__ import annotations

from .screens import SCREENS

HEAD = """# Screens

Every page of the product as people see it in the middle of marking the sample: in Chinese on a laptop (1366×768), in Chinese on
a tablet (1024×768) and in English on a laptop. Long pages are shown down to their second screen. The pictures are taken by
`.venv/bin/python -m tests.pictures`, which also looks at each page for words of the other language, horizontal scrolling,
formulas that are not typeset, what axe finds and what the keyboard does not reach. A test compares this list with the product's
addresses; names of pupils are made up.
"""


def index_page() -> str:
    """The page as text: one heading a screen, its address, and its pictures."""
    parts = [HEAD]
    for screen in SCREENS:
        parts.append(f"## {screen.zh} · {screen.en}\n")
        parts.append(f"`{screen.url}`\n")
        for language, size, words in (
            ("zh", "1366", f"{screen.zh}，1366×768"), ("en", "1366", f"{screen.en}, 1366×768"),
            ("zh", "1024", f"{screen.zh}，1024×768"),
        ):  # fmt: skip
            parts.append(f"![{words}](images/screens/{screen.name}-{language}-{size}.webp)\n")
    return "\n".join(parts)
