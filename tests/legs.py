"""``bin/test``: every test on SQLite with the embedded broker, then those with a database on PostgreSQL with Redis.

Environment: WENSHU_TEST_LEGS (``sqlite``, ``postgres`` or both with a comma), WENSHU_TEST_DATABASE_URL and
WENSHU_TEST_BROKER_URL (servers of one's own for the second leg), WENSHU_TEST_PROCESSES (default 2), CHROMIUM.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from itembank.sandbox import bubblewrap
from tests import services
from tests.fixtures import browser

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS = 5
FONT_FOLDERS = (Path("/usr/share/fonts/opentype/noto"), Path("/usr/share/fonts/noto-cjk"))


@dataclass
class Outcome:
    """What one leg's pytest said."""

    leg: str
    code: int
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0


@contextmanager
def sqlite() -> Iterator[dict[str, str]]:
    """The embedded default; each pytest worker has a database file and a broker of its own."""
    yield {"WENSHU_TEST_LEG": "sqlite"}


@contextmanager
def postgres() -> Iterator[dict[str, str]]:
    """PostgreSQL and Redis: those that the environment names, else ones that are started for this run."""
    with ExitStack() as stack:
        address = os.environ.get("WENSHU_TEST_DATABASE_URL") or stack.enter_context(services.postgres())
        queue = os.environ.get("WENSHU_TEST_BROKER_URL") or stack.enter_context(services.system_redis())
        yield {"WENSHU_TEST_LEG": "postgres", "DATABASE_URL": address, "WENSHU_TEST_BROKER_URL": queue}


LEGS = {"sqlite": sqlite, "postgres": postgres}


def fetch_what_is_missing() -> None:
    """A browser, a font with Chinese, the outer wall of the sandbox: from Debian as root; the browser else from Playwright's own download."""
    wanted = []
    if browser.chromium() is None:
        wanted.append("chromium")
    if os.path.exists("/etc/debian_version") and not any(folder.exists() for folder in FONT_FOLDERS):
        wanted.append("fonts-noto-cjk")
    if bubblewrap.tool() is None:
        wanted.append("bubblewrap")
    if wanted:
        services.apt_install(*wanted)
    if browser.chromium() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def clean_environment() -> dict[str, str]:
    """Settings of a running product, such as its database, must not reach the tests."""
    kept = {"WENSHU_CASES", "WENSHU_SCREENSHOTS"}
    return {
        name: value
        for name, value in os.environ.items()
        if name in kept or not (name.startswith(("WENSHU_", "DJANGO_")) or name == "DATABASE_URL")
    }


def run_leg(leg: str, arguments: list[str]) -> Outcome:
    """One pytest run; arguments are passed through, with two processes unless they say otherwise."""
    begun = time.monotonic()
    with LEGS[leg]() as environment, tempfile.TemporaryDirectory(prefix="wenshu-report-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-o", "junit_logging=no", f"--junitxml={report}"]
        if not any(word.startswith(("-n", "--numprocesses", "--pdb")) for word in arguments):
            command += ["-n", os.environ.get("WENSHU_TEST_PROCESSES", "2")]
        print(f"\n===== {leg} =====", flush=True)
        finished = subprocess.run([*command, *arguments], cwd=ROOT, env=clean_environment() | environment)
        outcome = Outcome(leg, finished.returncode)
        if report.exists():
            count(report, outcome)
    outcome.seconds = time.monotonic() - begun
    return outcome


def count(report: Path, outcome: Outcome) -> None:
    """Add up pytest's own report; an error in a fixture counts as a failure."""
    for suite in ElementTree.parse(report).iter("testsuite"):
        numbers = {name: int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")}
        outcome.failed += numbers["failures"] + numbers["errors"]
        outcome.skipped += numbers["skipped"]
        outcome.passed += numbers["tests"] - numbers["failures"] - numbers["errors"] - numbers["skipped"]


def main(arguments: list[str]) -> int:
    chosen = [name.strip() for name in os.environ.get("WENSHU_TEST_LEGS", "sqlite,postgres").split(",")]
    unknown = [name for name in chosen if name not in LEGS]
    if unknown:
        print(f"WENSHU_TEST_LEGS knows sqlite and postgres, not {', '.join(unknown)}.", file=sys.stderr)
        return 2
    fetch_what_is_missing()
    outcomes = []
    for leg in chosen:
        try:
            outcomes.append(run_leg(leg, arguments))
        except services.ServiceMissing as missing:
            print(f"{leg}: {missing}", file=sys.stderr)
            outcomes.append(Outcome(leg, 1, failed=1))
    print()
    for each in outcomes:
        print(f"{each.leg}: {each.passed} passed, {each.failed} failed, {each.skipped} skipped in {each.seconds:.0f} s")
    passed, failed, skipped = (
        sum(getattr(each, name) for each in outcomes) for name in ("passed", "failed", "skipped")
    )
    # A selection may hold no test for one of the legs; a run without any test is no success.
    codes = {each.code for each in outcomes if each.code != NO_TESTS} or {NO_TESTS}
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
