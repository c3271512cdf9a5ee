"""``bin/check``: everything about the code that can be judged without running it; names as arguments choose some."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests import services

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
PROGRAMS = Path(PYTHON).parent

# What may stand in no committed file: a developer's own folders and hosts through which packages came. Spelled in
# pieces, so that this file does not hold them itself.
FORBIDDEN = ("/wo" + "rk/", "/tmp/" + "team", "shared/" + "hooks", "pypi." + "org/simple", "registry." + "npmjs")
# Lock files name the public registry of each package by their format.
LOCK_FILES = {"uv.lock", "package-lock.json"}


def run(*command: str, environment: dict[str, str] | None = None) -> bool:
    """Run one program in the root; its own output tells what is wrong."""
    return subprocess.run(command, cwd=ROOT, env=os.environ | (environment or {})).returncode == 0


def tracked(*patterns: str) -> list[Path]:
    """Committed files and new ones that are not ignored; all files of an export without git."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        return [ROOT / name for name in sorted(set(listed.stdout.split("\0"))) if name and (ROOT / name).is_file()]
    return sorted(path for pattern in patterns or ("**/*",) for path in ROOT.glob(pattern) if path.is_file())


def lint() -> bool:
    return run(str(PROGRAMS / "ruff"), "check", ".")


def formatting() -> bool:
    return run(str(PROGRAMS / "ruff"), "format", "--check", ".")


def types() -> bool:
    return run(PYTHON, "-m", "mypy", ".")


def layers() -> bool:
    return run(str(PROGRAMS / "lint-imports"))


def migrations() -> bool:
    return run(PYTHON, "manage.py", "makemigrations", "--check", "--dry-run")


def deployment() -> bool:
    """Django's own checks with settings as production has them; a warning is a failure."""
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        key.write_text(os.urandom(40).hex())
        production = {
            "WENSHU_PRODUCTION": "true",
            "WENSHU_SECRET_KEY_FILE": str(key),
            "WENSHU_DATA_DIR": folder,
            "WENSHU_ALLOWED_HOSTS": "marks.example.org",
            "DATABASE_URL": "postgresql://wenshu@db/wenshu",
        }
        return run(PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING", environment=production)


def templates() -> bool:
    files = [str(path.relative_to(ROOT)) for path in tracked("*.html")]
    return not files or run(str(PROGRAMS / "djlint"), "--lint", "--quiet", *files)


def translations() -> bool:
    """Every catalogue is whole, without guesses, and its .mo is the one that its .po gives."""
    if shutil.which("msgfmt") is None and not services.apt_install("gettext"):
        print("gettext is missing (apt-get install gettext)")
        return False
    good = True
    catalogues = tracked("locale/*.po", "locale/**/*.po")
    for catalogue in catalogues:
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / "fresh.mo"
            checked = subprocess.run(
                ["msgfmt", "--check", "--statistics", "-o", str(fresh), str(catalogue)],
                capture_output=True,
                text=True,
                env=os.environ | {"LC_ALL": "C"},
            )
            problem = translation_problem(checked.returncode, checked.stderr, catalogue.with_suffix(".mo"), fresh)
        if problem:
            print(f"{catalogue.relative_to(ROOT)}: {problem}")
            good = False
    return good and untranslated_sources()


def translation_problem(code: int, words: str, committed: Path, fresh: Path) -> str:
    """What is wrong with one catalogue, or nothing."""
    if code:
        return words.strip()
    if "fuzzy" in words or "untranslated" in words:
        return f"not complete: {words.strip()}"
    if not committed.exists():
        return "its .mo file is not there; run bin/manage compilemessages"
    if committed.read_bytes() != fresh.read_bytes():
        return "its .mo file is out of date; run bin/manage compilemessages"
    return ""


def untranslated_sources() -> bool:
    """Every text that the sources mark for translation stands in the catalogue (makemessages into a copy)."""
    catalogue = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
    if not catalogue.exists():
        print("locale/zh_Hans/LC_MESSAGES/django.po is not there")
        return False
    known = message_ids(catalogue.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        ignored = shutil.ignore_patterns(
            ".*", "var", "node_modules", "tests", "__pycache__", "*.mo", "images", "vendor"
        )
        shutil.copytree(ROOT, copy, ignore=ignored)
        made = subprocess.run(
            [PYTHON, "-m", "django", "makemessages", "-l", "zh_Hans", "--no-location", "--no-wrap"],
            cwd=copy,
            capture_output=True,
            text=True,
        )
        if made.returncode:
            print(made.stderr.strip())
            return False
        asked = message_ids((copy / catalogue.relative_to(ROOT)).read_text(encoding="utf-8"))
    missing = sorted(asked - known)
    for message in missing:
        print(f"not in the catalogue: {message}")
    return not missing


def message_ids(catalogue: str) -> set[str]:
    """The msgids of a .po file that are in use (obsolete ones start with #~)."""
    found = set()
    for match in re.finditer(r'^msgid((?:\s*"(?:[^"\\]|\\.)*"\n?)+)', catalogue, re.MULTILINE):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match.group(1)))
        if text:
            found.add(text)
    return found


def words() -> bool:
    """No committed file names a developer's own folders or the hosts of package registries."""
    good = True
    for path in tracked():
        if path.name in LOCK_FILES:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for word in FORBIDDEN:
                if word in line:
                    print(f"{path.relative_to(ROOT)}:{number}: {word}")
                    good = False
    return good


def lock() -> bool:
    """The lock file is the one that pyproject.toml gives, and comes from the public index alone."""
    program = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
    return run(program, "lock", "--check", "--offline", "--quiet")


CHECKS: dict[str, Callable[[], bool]] = {
    "lint": lint,
    "format": formatting,
    "types": types,
    "layers": layers,
    "migrations": migrations,
    "deployment": deployment,
    "templates": templates,
    "translations": translations,
    "words": words,
    "lock": lock,
}


def main(chosen: Sequence[str]) -> int:
    unknown = [name for name in chosen if name not in CHECKS]
    if unknown:
        print(f"No check is called {', '.join(unknown)}; there are {', '.join(CHECKS)}.", file=sys.stderr)
        return 2
    failed = []
    for name in chosen or CHECKS:
        print(f"--- {name}", flush=True)
        begun = time.monotonic()
        if not CHECKS[name]():
            failed.append(name)
        print(f"--- {name}: {'FAILED' if name in failed else 'ok'} in {time.monotonic() - begun:.1f} s", flush=True)
    print(f"bin/check: {'failed: ' + ', '.join(failed) if failed else 'all is well'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
