"""`sandbox_run`: one JSON line that says how a piece of code ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from itembank.sandbox import MOST_CODE, Limits, Sandbox

from .places import ROOT

KEYS = ["status", "stdout", "error", "cpu_ms", "memory_mb", "killed_because"]


def command(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "sandbox_run", *arguments], input=text, capture_output=True, cwd=ROOT
    )


def only_line(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    assert (done.returncode, done.stderr) == (0, b"")
    (line,) = done.stdout.decode().splitlines()
    answer: dict[str, Any] = json.loads(line)
    assert list(answer) == KEYS
    return answer


def test_a_file_runs_with_sympy_already_there(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text("x = sympy.Symbol('x')\nprint(sympy.solve(x**2 - 2, x))\nprint('解')")
    answer = only_line(command(str(code)))
    assert answer["status"] == "ok"
    assert answer["stdout"] == "[-sqrt(2), sqrt(2)]\n解\n"
    assert (answer["error"], answer["killed_because"]) == ("", "")
    assert answer["memory_mb"] > 10


def test_standard_input_is_a_dash_and_what_is_printed_stands_only_in_stdout() -> None:
    answer = only_line(command("-", text=b"""print('{"status": "ok"}\\n{"status": "killed"}')\n1/0"""))
    assert answer["status"] == "error"
    assert answer["stdout"] == '{"status": "ok"}\n{"status": "killed"}\n'
    assert answer["error"].splitlines()[-1] == "ZeroDivisionError: division by zero"
    assert "itembank" not in answer["error"]


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["nowhere.py"], b"", "cannot be read"),
        (["-"], b"#" * (MOST_CODE + 1), "20000 are the most"),
        (["-"], b"print('\xff')", "not UTF-8"),
    ],
)
def test_code_that_cannot_be_used_ends_with_2(arguments: list[str], text: bytes, sentence: str) -> None:
    done = command(*arguments, text=text)
    assert (done.returncode, done.stdout) == (2, b"")
    assert sentence in done.stderr.decode()


def test_layers_are_named_outermost_first() -> None:
    done = command("--layers")
    answer = json.loads(done.stdout)
    assert answer["available"] is True
    assert [layer.split()[0] for layer in answer["layers"]][-4:] == ["landlock", "seccomp", "rlimits", "user"]


@pytest.fixture(scope="module")
def sandbox() -> Any:
    box = Sandbox(size=1)
    yield box
    box.close()


@pytest.mark.parametrize(
    ("code", "status", "stdout", "error"),
    [
        ("", "ok", "", ""),
        ("x = (", "error", "", "SyntaxError"),
        ("import sys; sys.exit()", "ok", "", ""),
        ("import sys; print(1); sys.exit(3)", "error", "1\n", "exit status 3"),
        ("import sys; sys.exit('why')", "error", "", "why"),
        ("raise KeyboardInterrupt", "error", "", "KeyboardInterrupt"),
        ("print(__name__, sorted(globals()))", "ok", None, ""),
        ("from sympy import *; print(integrate(sin(Symbol('x'))))", "ok", "-cos(x)\n", ""),
        ("from fractions import Fraction as F; print(F(1, 3))", "ok", "1/3\n", ""),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\nprint(A())", "ok", "A(x=1)\n", ""),
        ("print('\\ud800')", "ok", "?\n", ""),
        ("import os; os.write(1, b'\\xff')", "ok", "\ufffd", ""),
        ("import django", "error", "", "No module named 'django'"),
        ("import numpy", "error", "", "No module named 'numpy'"),
    ],
)
def test_ends_are_told_as_they_were(sandbox: Sandbox, code: str, status: str, stdout: str | None, error: str) -> None:
    ran = sandbox.run(code)
    assert ran.status == status
    assert stdout is None or ran.stdout == stdout
    assert error in ran.error if error else ran.error == ""


def test_the_same_code_prints_the_same_each_time(sandbox: Sandbox) -> None:
    code = "import random\nprint(random.random(), sympy.core.random.random(), {'a', 'b', 'c'}, hash('a'))"
    other = Sandbox(size=1)
    try:
        assert sandbox.run(code).stdout == sandbox.run(code).stdout == other.run(code).stdout
    finally:
        other.close()


def test_more_than_a_job_may_print_is_cut_and_the_job_is_killed(sandbox: Sandbox) -> None:
    ran = sandbox.run("print('x' * 3000)", Limits(output_bytes=1000))
    assert (ran.status, ran.killed_because, ran.stdout) == ("killed", "output", "x" * 1000)
    assert sandbox.run("print('x' * 999)", Limits(output_bytes=1000)).status == "ok"
