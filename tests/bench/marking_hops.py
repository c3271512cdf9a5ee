"""How long a teacher waits between two answers: the sample is marked in Chromium by keyboard alone.

Run: ``.venv/bin/python -m tests.bench.marking_hops [--answers 50] [--headed] [--data FOLDER] [--documents FOLDER]``.
A product of its own is started in a temporary folder (SQLite, the real web server), enough answers of the sample are
judged, and a scripted teacher marks them: accept, change a step, full, zero, skip. A hop lasts from the key that submits
until the next answer can be used and its image is painted: to two frames after the image is decoded and in place, or to
when the browser itself says that the image was painted, whichever is later. ``--data`` keeps the judged sample, a copy of which
is marked, so that the next run need not judge again; ``--documents`` takes what ``sample_decisions --documents`` wrote
instead of judging. Prints the table, where the time went, the processor time of the servers for each hop (all of their
requests, those between two hops included) and the load of the machine; exits with 1 when fewer than 95 % are under 150 ms.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
BOUND_MS = 150
SPARE = 6


def prepare(answers: int, documents: Path | None) -> str:
    """The sample with ``answers`` judged and waiting for people; the address of its queue."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.urls import reverse

    from config.foundation.models import Job, JobState
    from grading.models import Assessment
    from grading.queries import free_cases
    from grading.tasks import decode_file

    # No broker runs here: the jobs are done in this process, one after the other.
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_sample", only=answers * 3, no_judging=True, verbosity=0)
    assessment = Assessment.objects.get()
    for job in Job.objects.filter(state=JobState.QUEUED, task="grading.tasks.decode_file"):
        decode_file(job.pk)
    judge_as_before(assessment, documents) if documents else judge_here(assessment, answers)
    print(f"{free_cases(assessment).count()} answers of the sample judged and waiting")
    return reverse("review:queue", args=[assessment.public_id])


def judge_here(assessment: Any, answers: int) -> None:
    """The embedded judge, until enough answers wait for people."""
    from django.contrib.auth import get_user_model

    from config.foundation.models import Job, JobState
    from grading import transitions
    from grading.models import AssessmentState
    from grading.queries import free_cases
    from grading.tasks import judge_response

    if assessment.state == AssessmentState.PREPARING:
        transitions.start_judging(assessment, by=get_user_model().objects.get(username="staff"))
    for job in Job.objects.filter(state=JobState.QUEUED, task="grading.tasks.judge_response"):
        if free_cases(assessment).count() >= answers:
            break
        judge_response(job.pk)


def judge_as_before(assessment: Any, documents: Path) -> None:
    """Verdict documents that ``sample_decisions --documents`` made of the same images."""
    from config.foundation import strict_json
    from grading import transitions
    from grading.queries import responses_to_judge

    for response in responses_to_judge(assessment).select_related("candidate"):
        file = documents / f"{response.candidate.number}_{response.question.number}.json"
        if file.is_file():
            document = strict_json.loads(file.read_bytes(), max_bytes=2**24, allow_controls="\n")
            transitions.record_run(response.case, document, epoch=response.case.owner_epoch)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Hop:
    """One hop: what was done, milliseconds in all and in each part of it, and whether the page was ready before."""

    verb: str
    ms: float
    parts: dict[str, float]
    ready: bool


# From which mark of the page's script to which; the first begins with the key, the last ends when the image is painted.
PARTS = (
    ("key to request", "began", "sent"), ("answer waited for", "sent", "answered"), ("page made", "answered", "made"),
    ("put in place", "made", "placed"), ("image decoded", "placed", "decoded"), ("painted", "decoded", "ended"),
)  # fmt: skip

# The browser's own word for when each image was painted, in milliseconds since the page was opened.
PAINTS = """
window.painted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.identifier === "page") window.painted.push(entry.renderTime);
}).observe({ type: "element", buffered: true });
"""

# How many hops have ended, and how many images have been painted.
COUNTED = "[performance.getEntriesByName('hop').length, window.painted.length]"


def as_hop(verb: str, measure: dict[str, Any], painted: float) -> Hop:
    """A hop of the page's own measure, whose detail are moments in milliseconds since the page was opened."""
    began = measure["startTime"]
    ended = max(began + measure["duration"], painted)
    marks = measure["detail"] | {"began": began, "ended": ended}
    parts = {name: marks[to] - marks[since] for name, since, to in PARTS}
    return Hop(verb, ended - began, parts, bool(marks["ready"]))


def processor_seconds(process: int) -> float:
    """User and system time of a process and its children that are alive, in seconds."""
    spent = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if process in (int(stat.parent.name), int(fields[1])):
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """The product's own web server on loopback: its address and its process."""
    from config.embedded.commands import web

    bind = f"127.0.0.1:{_free_port()}"
    program, *rest = web(bind)
    server = subprocess.Popen(
        [str(Path(sys.executable).parent / program), *rest], cwd=ROOT, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://{bind}/healthz/live", timeout=1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://{bind}", server.pid
    finally:
        server.terminate()
        server.wait(timeout=20)


def _reason(page: Any, words: str) -> None:
    page.keyboard.press("c")
    page.keyboard.type(words)


def decide(page: Any, number: int) -> str:
    """One answer, by keyboard alone; what was done."""
    if number % 10 == 4:
        page.keyboard.press("s")
        return "skip"
    proposed = page.locator("#accept").count() > 0
    # Without a proposal steps are open, and one changed step is not yet a mark.
    if number % 5 == 2 and proposed:
        page.keyboard.press("1")
        page.keyboard.press("5")
        _reason(page, "第一步不成立")
        page.keyboard.press("Enter")
        return "change a step"
    if number % 10 == 6:
        page.keyboard.press("f")
        _reason(page, "看清了，全对")
        page.keyboard.press("Enter")
        return "full"
    if proposed:
        page.keyboard.press("a")
        return "accept"
    page.keyboard.press("0")
    _reason(page, "没有可给分的内容")
    page.keyboard.press("Enter")
    return "zero"


def mark(url: str, queue: str, answers: int, *, headed: bool) -> list[Hop]:
    """Each hop of a teacher who marks by keyboard alone."""
    from playwright.sync_api import Error, sync_playwright

    from grading.management.commands.load_sample import PASSWORD
    from tests.fixtures.browser import FLAGS, chromium

    hops: list[Hop] = []
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags, headless=not headed)
        page = browser.new_page(viewport={"width": 1366, "height": 768}, locale="zh-CN")
        page.add_init_script(PAINTS)
        page.goto(url + "/accounts/login/")
        page.fill("input[name=username]", "teacher")
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(url + "/")
        page.goto(url + queue)
        page.locator("button.primary.large").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#stage .mover")
        for number in range(answers):
            # A teacher looks at the answer; meanwhile the next images are loaded.
            page.wait_for_timeout(700)
            before = page.evaluate(COUNTED)
            verb = decide(page, number)
            # Asked from here: the page's own policy lets no text of ours be evaluated again and again inside it.
            until = time.monotonic() + 20
            try:
                while any(now == then for now, then in zip(page.evaluate(COUNTED), before, strict=True)):
                    if time.monotonic() > until:
                        raise SystemExit(f"no next answer within 20 s after: {verb}, at {page.url}")
                    page.wait_for_timeout(40)
                taken = "(({startTime, duration, detail}) => ({startTime, duration, detail}))"
                measure = page.evaluate(f"{taken}(performance.getEntriesByName('hop').at(-1))")
                hops.append(as_hop(verb, measure, page.evaluate("window.painted.at(-1)")))
            except Error:
                # A page was loaded as a whole: the queue is empty, or something went wrong that the address tells.
                page.wait_for_load_state()
                print(f"ended after {len(hops)} hops with: {verb}, at {page.url.removeprefix(url)}")
                break
        browser.close()
    return hops


def _row(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, -(-95 * len(ordered) // 100) - 1)]
    return f"| {name} | {len(ordered)} | {statistics.median(ordered):.0f} | {p95:.0f} | {ordered[-1]:.0f} |"


def table(hops: list[Hop]) -> list[str]:
    """Count, median, 95th percentile and the longest for each verb, for all and for each part, in milliseconds."""
    rows = ["| hop | count | median ms | p95 ms | longest ms |", "|---|---:|---:|---:|---:|"]
    rows += [_row(verb, [hop.ms for hop in hops if hop.verb == verb]) for verb in sorted({hop.verb for hop in hops})]
    rows += [_row("all", [hop.ms for hop in hops]), "", "| part of the hop | count | median ms | p95 ms | longest ms |"]
    rows += ["|---|---:|---:|---:|---:|"]
    return rows + [_row(name, [hop.parts[name] for hop in hops]) for name, _, _ in PARTS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=50)
    parser.add_argument("--headed", action="store_true")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--documents", type=Path, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wenshu-hops-") as folder:
        if options.data and options.data.is_dir():
            shutil.copytree(options.data, folder, dirs_exist_ok=True)
        os.environ |= {"WENSHU_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        queue = prepare(options.answers + SPARE, options.documents)
        if options.data and not options.data.exists():
            shutil.copytree(folder, options.data)
        with served() as (url, process):
            before = processor_seconds(process)
            hops = mark(url, queue, options.answers, headed=options.headed)
            spent = processor_seconds(process) - before
    if not hops:
        raise SystemExit("not one hop was measured")
    print("\n".join(table(hops)))
    print(f"{sum(hop.ready for hop in hops)} of {len(hops)} pages were ready before they were asked for")
    print(
        f"{spent * 1000 / len(hops):.0f} ms of the servers' processor time for each answer, all its requests together"
    )
    print("load average " + " ".join(f"{load:.1f}" for load in os.getloadavg()))
    under = sum(hop.ms < BOUND_MS for hop in hops)
    print(f"{under} of {len(hops)} hops under {BOUND_MS} ms ({under * 100 / len(hops):.0f} %)")
    return 0 if under * 100 >= 95 * len(hops) else 1


if __name__ == "__main__":
    sys.exit(main())
