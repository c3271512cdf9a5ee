"""Measures the algebra over a file of pairs, and beside math-verify where asked."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.foundation.errors import UnusableInput

from ..algebra_measurement import OurAlgebra, Pair, Record, Tool, against, measured, on_one_core, summary
from ..documents import read_bytes, refuse
from ..math_verify_tool import MathVerify

OPENING, CLOSING = "<!-- bench_algebra --versus math-verify --write -->", "<!-- end of bench_algebra -->"


class Command(BaseCommand):
    """Prints tables that can go into docs/benchmarks.md as they are, or all figures as JSON."""

    help = "Measure the algebra over pairs with the result cache off, alone or beside math-verify, on one core."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pairs", metavar="FILE", help="JSON lines; default: equivalence_sample.jsonl of WENSHU_CASES"
        )
        parser.add_argument("--versus", choices=("math-verify",), help="ask this tool the same pairs in the same run")
        parser.add_argument("--passes", type=int, default=3, help="warm passes after the cold one (default 3)")
        parser.add_argument("--timeout-ms", type=int, default=2000, help="longest symbolic attempt, in milliseconds")
        parser.add_argument("--json", action="store_true", help="print all figures as JSON")
        parser.add_argument(
            "--write", metavar="FILE", type=Path, help="also put the tables between the two marks of this page"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            pairs = _pairs(options["pairs"])
            if options["passes"] < 1 or options["timeout_ms"] < 1:
                raise UnusableInput(
                    "count", "--passes 和 --timeout-ms 至少为 1。", "--passes and --timeout-ms must be at least 1."
                )
            ours = OurAlgebra(options["timeout_ms"])
            tools: list[Tool] = [ours, *([MathVerify()] if options["versus"] else [])]
        except UnusableInput as error:
            refuse(error)
        page = options["write"]
        if page is not None and (not page.is_file() or not _has_marks(page.read_text(encoding="utf-8"))):
            refuse(
                UnusableInput(
                    "no-marks",
                    f"{page} 里没有 {OPENING} 和 {CLOSING} 两个标记。",
                    f"{page} does not hold the marks {OPENING} and {CLOSING}.",
                )
            )
        load = os.getloadavg()[0]
        started: list[float] = []

        def work() -> list[Record]:
            started.append(ours.start())
            return measured(tools, pairs, options["passes"])

        records = on_one_core(work)
        report: dict[str, Any] = {
            "date": datetime.now(UTC).date().isoformat(),
            "pairs": len(pairs),
            "load_average": [round(load, 1), round(os.getloadavg()[0], 1)],
            "cores": os.cpu_count(),
            "child_start_seconds": round(started[0], 3),
            "warm_passes": options["passes"],
            "tools": [summary(record, pairs) for record in records],
        }
        if options["versus"]:
            report["both_decide"] = against(records[0], records[1], pairs)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(_tables(report)))
        if page is not None:
            written = between_marks(page.read_text(encoding="utf-8"), "\n".join(_tables(report)))
            page.write_text(written, encoding="utf-8")


def _has_marks(text: str) -> bool:
    return text.count(OPENING) == text.count(CLOSING) == 1 and text.index(OPENING) < text.index(CLOSING)


def between_marks(text: str, tables: str) -> str:
    """The page with new tables between its two marks; all else stays."""
    before, _, rest = text.partition(OPENING)
    _, _, after = rest.partition(CLOSING)
    return f"{before}{OPENING}\n\n{tables}\n\n{CLOSING}{after}"


def _pairs(name: str | None) -> list[Pair]:
    """The pairs of a file; raises UnusableInput that says what is wrong with it."""
    if name is None:
        default = Path(settings.BASE_DIR).parent / "shared" / "cases"
        path = Path(os.environ.get("WENSHU_CASES", default)) / "equivalence_sample.jsonl"
        if not path.is_file():
            raise UnusableInput(
                "no-cases",
                f"{path} 不存在：请用 --pairs 指定文件，或把 WENSHU_CASES 设为案例文件夹。",
                f"{path} does not exist: name a file with --pairs, or set WENSHU_CASES to the folder of cases.",
            )
        name = str(path)
    found = []
    for number, line in enumerate(read_bytes(name).splitlines(), 1):
        if line.strip():
            try:
                found.append(Pair.from_document(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UnusableInput(
                    "pair", f"第 {number} 行不是一个算式对：{error}。", f"Line {number} is no pair: {error}."
                ) from error
    if not found:
        raise UnusableInput("no-pairs", f"{name} 里没有算式对。", f"{name} holds no pairs.")
    return found


def _tables(report: dict[str, Any]) -> Iterator[str]:
    before, after = report["load_average"]
    yield (
        f"{report['date']}: {report['pairs']} 对 pairs, 冷测 cold passes: 1, 热测 warm passes: {report['warm_passes']}; "
        f"{report['cores']} 核 cores, 负载 load average {before} → {after}; "
        f"符号子进程启动 child start: {report['child_start_seconds']} s"
    )
    yield ""
    yield from _speeds(report)
    yield ""
    yield from _errors(report)
    both = report.get("both_decide")
    if both is not None:
        yield ""
        yield f"| value, 双方都判定 both decide: {both['pairs']} | ours/s | other/s | ratio |"
        yield "|---|---|---|---|"
        for state in ("cold", "warm"):
            row = both[state]
            yield (
                f"| {state} | {row['ours']['pairs_per_second']} | {row['other']['pairs_per_second']} | {row['ratio']} × |"
            )


def _speeds(report: dict[str, Any]) -> Iterator[str]:
    yield "| 工具 tool | decided pairs/s cold | warm | median ms cold | warm | p99 ms cold | warm | 超时 time-outs |"
    yield "|---|---|---|---|---|---|---|---|"
    for tool in report["tools"]:
        cold, warm, late = tool["cold"], tool["warm"], tool["timeouts"]
        figures = [state[name] for name in ("pairs_per_second", "median_ms", "p99_ms") for state in (cold, warm)]
        yield f"| {tool['tool']} | {' | '.join(map(str, figures))} | {len(late['pairs'])} ({late['seconds']} s) |"


def _errors(report: dict[str, Any]) -> Iterator[str]:
    yield "| 工具 tool | relation | pairs | decided | share | open | 误判为等 accepted wrongly | 误判为不等 rejected wrongly |"
    yield "|---|---|---|---|---|---|---|---|"
    for place, tool in enumerate(report["tools"]):
        for relation, row in tool["relations"].items():
            if place and relation != "value":
                continue  # the other tool has no word for tolerance, units, forms or constants
            left = ", ".join(f"{count} {why}" for why, count in sorted(row["open"].items())) or "0"
            share = f"{100 * row['share']:.1f} %"
            wrong = f"{len(row['accepted_wrongly'])} | {len(row['rejected_wrongly'])}"
            yield f"| {tool['tool']} | {relation} | {row['pairs']} | {row['decided']} | {share} | {left} | {wrong} |"
    yield ""
    for tool in report["tools"]:
        doubtful = ", ".join(f"{count} {word}" for word, count in sorted(tool["doubtful"].items()))
        if doubtful:
            yield f"{tool['tool']}: 存疑 doubtful lines: {doubtful}"
