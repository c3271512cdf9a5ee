"""bench_algebra: what it counts as decided, as a severe error and as a time-out, and what it says when it cannot start."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from itembank.algebra import Options
from itembank.management.algebra_measurement import Answer, Pair, Record, against, measured, summary
from itembank.management.commands.bench_algebra import CLOSING, OPENING, between_marks

LINES = [
    {"id": "right", "gold": "1/2", "student": "0.5", "equal": True},
    {"id": "wrong", "gold": "x^2-4", "student": "(x+2)^2", "equal": False, "relation": "value"},
    {"id": "said-otherwise", "gold": "1/2", "student": "0.5", "equal": False, "relation": "value"},
    {"id": "unreadable", "gold": "1", "student": "1+", "equal": False, "relation": "value"},
    {"id": "doubt", "gold": "2", "student": "2.0", "equal": True, "doubtful": True},
    {"id": "near", "gold": "pi", "student": "3.14", "equal": True, "relation": "tolerance", "options": {"dp": 2}},
]


@pytest.fixture
def pairs_file(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES) + "\n")
    return path


def measured_report(*arguments):
    out = StringIO()
    call_command("bench_algebra", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_answers_against_the_truth_of_the_file_are_severe_errors_by_name(pairs_file):
    report = measured_report("--pairs", str(pairs_file), "--passes", "1")
    (ours,) = report["tools"]
    value = ours["relations"]["value"]
    assert (value["pairs"], value["decided"], value["share"]) == (4, 3, 0.75)
    assert value["open"] == {"unreadable": 1}
    assert (value["accepted_wrongly"], value["rejected_wrongly"]) == (["said-otherwise"], [])
    assert ours["relations"]["tolerance"]["decided"] == 1
    assert ours["doubtful"] == {"equal": 1}
    assert ours["warm"]["pairs_per_second"] > 0
    assert "both_decide" not in report


def test_the_tables_are_written_between_the_marks_of_a_page_and_nowhere_else(pairs_file, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Before\n{OPENING}\nold figures\n{CLOSING}\nAfter\n")
    out = StringIO()
    call_command("bench_algebra", "--pairs", str(pairs_file), "--passes", "1", "--write", str(page), stdout=out)
    text = page.read_text()
    assert text.startswith(f"# Before\n{OPENING}\n")
    assert text.endswith(f"{CLOSING}\nAfter\n")
    assert "old figures" not in text
    assert out.getvalue().strip() in text
    assert "6 对 pairs, 冷测 cold passes: 1, 热测 warm passes: 1" in text


def test_a_page_without_the_marks_is_refused_before_anything_is_measured(pairs_file, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("no marks")
    with pytest.raises(SystemExit) as refused:
        call_command("bench_algebra", "--pairs", str(pairs_file), "--write", str(page))
    assert refused.value.code == 2
    assert "does not hold the marks" in capsys.readouterr().err
    assert page.read_text() == "no marks"


def test_the_page_of_benchmarks_has_the_marks():
    text = (Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md").read_text()
    assert between_marks(text, "new").count("new\n") >= 1
    assert text.count(OPENING) == text.count(CLOSING) == 1


def test_the_other_tool_is_asked_the_same_pairs_in_the_same_run(pairs_file):
    report = measured_report("--pairs", str(pairs_file), "--passes", "1", "--versus", "math-verify")
    ours, other = report["tools"]
    assert other["tool"].startswith("math-verify 0.9")
    assert other["relations"]["value"]["pairs"] == ours["relations"]["value"]["pairs"]
    both = report["both_decide"]
    assert 3 <= both["pairs"] <= 5
    assert both["warm"]["ratio"] > 0


def test_the_tables_name_both_tools_and_each_relation(pairs_file):
    out = StringIO()
    call_command("bench_algebra", "--pairs", str(pairs_file), "--passes", "1", "--versus", "math-verify", stdout=out)
    text = out.getvalue()
    assert "| wenshu algebra" in text
    assert "| math-verify 0.9" in text
    assert "| tolerance | 1 | 1 | 100.0 % |" in text
    assert "×" in text


def test_without_pairs_the_command_says_where_it_looked(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WENSHU_CASES", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        call_command("bench_algebra")
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert str(tmp_path / "equivalence_sample.jsonl") in said
    assert "does not exist" in said
    assert "不存在" in said


@pytest.mark.parametrize(
    "line", ["nonsense", "[]", '{"id": "a", "gold": "1"}', '{"id": "a", "gold": 1, "student": "1"}']
)
def test_a_line_that_is_no_pair_is_named(line, tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{json.dumps(LINES[0])}\n{line}\n")
    with pytest.raises(SystemExit) as ended:
        call_command("bench_algebra", "--pairs", str(path))
    assert ended.value.code == 2
    assert "Line 2" in capsys.readouterr().err


def test_without_the_other_tool_the_command_says_how_to_get_it(pairs_file):
    script = (
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'math_verify' else real(name, *a)\n"
        "import sys; from django.core.management import execute_from_command_line as run\n"
        f"run(['manage.py', 'bench_algebra', '--versus', 'math-verify', '--pairs', {str(pairs_file)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "bin/manage bench_algebra" in done.stderr
    assert "没有安装" in done.stderr


class Scripted:
    """A tool that says what it is told to say, one answer per question."""

    def __init__(self, name, said):
        self.name, self.said, self.forgotten = name, list(said), 0

    def ask(self, pair):
        return self.said.pop(0)

    def forget(self):
        self.forgotten += 1


def pair(name, equal=True):
    return Pair(name, "1", "1", "value", None, Options(), equal, doubtful=False)


def test_a_pair_that_timed_out_once_is_never_counted_as_decided():
    pairs = [pair("slow"), pair("quick")]
    late = Scripted("late", [Answer(None, "timeout"), Answer(True), Answer(True), Answer(True)])
    sure = Scripted("sure", [Answer(True)] * 4)
    ours, other = measured([late, sure], pairs, 1)
    assert late.forgotten == sure.forgotten == 2
    found = summary(ours, pairs)
    assert found["timeouts"]["pairs"] == ["slow"]
    assert found["relations"]["value"]["decided"] == 1
    assert against(ours, other, pairs)["pairs"] == 1


def test_the_cold_pass_is_kept_apart_from_the_warm_ones():
    record = Record("one")
    for seconds in (0.5, 0.01, 0.03):
        record.add([(Answer(True), seconds)])
    assert record.speed([0], cold=True) == {"pairs_per_second": 2.0, "median_ms": 500.0, "p99_ms": 500.0}
    assert record.speed([0], cold=False) == {"pairs_per_second": 50.0, "median_ms": 10.0, "p99_ms": 30.0}
