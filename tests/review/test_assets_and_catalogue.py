"""Committed browser libraries agree with their lock; the Chinese catalogue is complete and compiled."""

from __future__ import annotations

import ast
import gettext
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENDOR = ROOT / "static" / "vendor"
LOCALE = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES"


def locked() -> dict[str, str]:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    direct = packages[""]["dependencies"]
    return {name: packages[f"node_modules/{name}"]["version"] for name in direct}


def test_each_library_is_listed_with_the_locked_version_and_its_licence():
    listed = {line.split()[0]: line.split() for line in (VENDOR / "LICENCES.txt").read_text().splitlines()[2:] if line}
    assert {name: words[1] for name, words in listed.items()} == locked()
    for words in listed.values():
        assert (VENDOR / words[-1]).stat().st_size > 200


def test_the_lock_names_no_registry():
    assert "resolved" not in (ROOT / "package-lock.json").read_text()


def test_vendored_files_are_small_and_ask_for_nothing_from_outside():
    assert sum(path.stat().st_size for path in VENDOR.rglob("*") if path.is_file()) < 1_500_000
    styles = (VENDOR / "katex" / "katex.min.css").read_text()
    for name in re.findall(r"url\(([^)]*)\)", styles):
        assert (VENDOR / "katex" / name).exists()


def test_every_stylesheet_and_script_that_a_template_names_exists():
    for template in (ROOT / "templates").rglob("*.html"):
        for name in re.findall(r"\{% static ['\"]([^'\"]+)['\"] %\}", template.read_text()):
            assert (ROOT / "static" / name).exists(), (template.name, name)


def test_colours_are_named_in_one_place_only():
    allowed = {"review.css"}  # boxes lie on white paper in both schemes
    for sheet in (ROOT / "static" / "css").glob("*.css"):
        if sheet.name != "tokens.css" and sheet.name not in allowed:
            colours = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", sheet.read_text())) - {"#ffffff"}
            assert not colours, (sheet.name, colours)


def entries() -> list[tuple[str, str, bool]]:
    """(msgid, first msgstr, fuzzy) of every entry of the catalogue but its header."""
    found = []
    for block in (LOCALE / "django.po").read_text().split("\n\n"):
        if "#~" in block or "msgid " not in block:
            continue
        parts: dict[str, str] = {}
        current = ""
        for line in block.splitlines():
            match = re.match(r'(msgid|msgid_plural|msgstr(?:\[\d\])?|msgctxt) (".*")$', line)
            if match:
                current = match[1]
                parts[current] = ast.literal_eval(match[2])
            elif line.startswith('"'):
                parts[current] += ast.literal_eval(line)
        if parts.get("msgid"):
            text = parts.get("msgstr", parts.get("msgstr[0]", ""))
            found.append((parts["msgid"], text, "#, fuzzy" in block))
    return found


def test_nothing_is_left_untranslated():
    left = [msgid for msgid, text, fuzzy in entries() if fuzzy or not text.strip()]
    assert not left
    assert len(entries()) > 300


def test_the_compiled_catalogue_is_the_written_one():
    with (LOCALE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for msgid, text, _ in entries():
        catalogue = compiled._catalog  # type: ignore[attr-defined]
        assert catalogue.get(msgid, catalogue.get((msgid, 0))) == text


def test_placeholders_survive_translation():
    for msgid, text, _ in entries():
        names = set(re.findall(r"%\((\w+)\)s", msgid))
        assert names >= set(re.findall(r"%\((\w+)\)s", text)), msgid
        if names - set(re.findall(r"%\((\w+)\)s", text)):
            raise AssertionError((msgid, text))
