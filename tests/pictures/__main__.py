"""Pictures of every screen, and what is wrong with any: ``.venv/bin/python -m tests.pictures --out docs/images/screens``.

The sample is loaded into a product of its own in a temporary folder, brought into the middle of its marking and served;
then each screen is photographed at a laptop's and a tablet's size in Chinese and at a laptop's in English, and looked at
for faults: too wide, words of the other language, formulas not typeset, axe, and whatever the keyboard does not reach.
``--documents`` takes what ``sample_decisions --documents`` wrote instead of judging; ``--data`` keeps the furnished room
for the next run; ``--only NAME…`` photographs some; ``--no-faults`` only photographs. Writes docs/screens.md too.
Exits with 1 when there are faults.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "screens.md"
TAKEN = (("zh", "1366"), ("zh", "1024"), ("en", "1366"))


def furnished(documents: Path | None, folder: Path) -> dict[str, Any]:
    """The sample in the middle of its marking: ids of its pages and the words that people wrote."""
    import django

    django.setup()
    from django.core.management import call_command

    from grading.management.commands.load_sample import PASSWORD

    call_command("migrate", verbosity=0)
    from . import room
    from .sample import Sample

    if documents is None:
        documents = folder / "documents"
        command = [sys.executable, "-m", "tests.bench.sample_decisions", "--documents", str(documents)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    made = room.furnish(Sample(documents), lambda login, name: room.account(login, name, password=PASSWORD))
    return {"ids": made.ids, "words": sorted(room.words_of(made.assessment))}


def faults_of(page: Any, language: str, size: str, words: Iterable[str]) -> list[str]:
    """Width at every size; words, formulas and axe in both languages; the keyboard once."""
    from axe_playwright_python.sync_playwright import Axe

    from . import faults

    found = faults.too_wide(page)
    if size == "1366":
        found += faults.unset_formulas(page) + faults.foreign_words(page.content(), language, words)
        violations = Axe().run(page).response["violations"]
        found += [f"axe: {each['id']} {each['nodes'][0]['html'][:120]}" for each in violations]
    return found + (faults.keyboard(page) if (language, size) == TAKEN[0] else [])


def take(url: str, known: dict[str, Any], out: Path, only: list[str], *, look: bool) -> int:
    """Photograph; how many faults were told."""
    from grading.management.commands.load_sample import PASSWORD

    from .camera import Camera, chromium, photograph
    from .screens import SCREENS

    room: Any = SimpleNamespace(ids=known["ids"], cast=_logins())
    told = 0
    with chromium() as browser:
        camera = Camera(browser, url, room, PASSWORD)
        for screen in SCREENS:
            if only and screen.name not in only:
                continue
            for language, size in TAKEN:
                page = camera.open(screen, language, size)
                photograph(page, out / f"{screen.name}-{language}-{size}.webp")
                for fault in faults_of(page, language, size, known["words"]) if look else ():
                    told += 1
                    print(f"{screen.name} {language} {size}: {fault}", flush=True)
        for each in camera.heard:
            told += 1
            print(each)
    return told


class _Login(str):
    """A login where an account is expected."""

    __slots__ = ()

    def get_username(self) -> str:
        return str(self)


def _logins() -> Any:
    names = ("teacher", "sun", "yan", "leader", "second_leader", "arbiter", "staff", "auditor", "stranger")
    return SimpleNamespace(**{name: _Login(name) for name in names})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images" / "screens")
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--no-faults", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wenshu-pictures-") as name:
        folder = options.data or Path(name)
        notes = folder / "room.json"
        os.environ |= {"WENSHU_DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        if not notes.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            notes.write_text(json.dumps(furnished(options.documents, folder), ensure_ascii=False))
        else:
            import django

            django.setup()
        from django.core.management import call_command

        from tests.bench.marking_hops import served

        from .index import index_page

        call_command("collectstatic", interactive=False, verbosity=0)
        options.out.mkdir(parents=True, exist_ok=True)
        with served() as (url, _process):
            known = json.loads(notes.read_text())
            told = take(url, known, options.out, options.only, look=not options.no_faults)
    if not options.only:
        PAGE.write_text(index_page(), encoding="utf-8")
    print(f"{told} faults" if not options.no_faults else "not looked at for faults")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
