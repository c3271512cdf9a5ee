"""Where a wall is missing nothing runs: the answer is `unavailable`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from itembank.sandbox import Sandbox, SandboxUnavailable, Status, bubblewrap, starting
from itembank.sandbox.inside import confine

from .places import ROOT, Place

MARK = "print('it has run')"


def on_a_machine_without(what: str) -> list[str]:
    return [sys.executable, "-B", "-m", "tests.sandbox.without", what]


@pytest.mark.parametrize("tool", ["", None], ids=["inner walls", "bubblewrap if there is one"])
@pytest.mark.parametrize(("missing", "word"), [("landlock", "Landlock"), ("seccomp", "seccomp")])
def test_without_landlock_or_seccomp_nothing_runs(missing: str, word: str, tool: str | None) -> None:
    found = Place(missing, on_a_machine_without(missing), tool).run([(MARK, {})])
    (answer,) = found["answers"]
    assert answer["status"] == "unavailable"
    assert word in answer["error"]
    assert answer["stdout"] == ""
    assert found["left"] == {"descriptors": 0, "children": 0, "threads": 0}


def test_the_same_machine_with_both_runs_it() -> None:
    assert Place("all", [], "").run([(MARK, {})])["answers"][0]["stdout"] == "it has run\n"


@pytest.mark.skipif(bubblewrap.tool() is None, reason="bubblewrap is not installed")
def test_without_namespaces_the_inner_walls_stand_alone() -> None:
    found = Place("no namespaces", on_a_machine_without("namespaces"), None).run([(MARK, {})])
    assert "bubblewrap" not in found["layers"]
    assert {"seccomp", "rlimits"} <= set(found["layers"])
    assert found["answers"][0]["stdout"] == "it has run\n"


def test_the_command_says_unavailable_and_exits_with_0() -> None:
    done = subprocess.run(
        [*on_a_machine_without("landlock"), sys.executable, "manage.py", "sandbox_run", "-"],
        input=MARK,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert '"status": "unavailable"' in done.stdout
    assert "it has run" not in done.stdout


def test_a_wall_that_only_says_it_stands_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(confine.NotConfined, match="lets a folder be opened"):
        confine._must_fail("it lets a folder be opened", lambda: Path("/").iterdir())


def test_a_machine_whose_system_calls_are_unknown_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine, "MACHINES", {})
    with pytest.raises(confine.NotConfined, match="are not known"):
        confine.walls()


def test_an_interpreter_that_does_not_start_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, words in (("/nowhere/python", "could not be started"), ("/bin/false", "ended")):
        monkeypatch.setattr(starting, "interpreter", lambda program=program: program)
        sandbox = Sandbox(tool="", size=1)
        answer = sandbox.run(MARK)
        assert (answer.status, answer.stdout) == (Status.UNAVAILABLE, "")
        assert words in answer.error
        with pytest.raises(SandboxUnavailable):
            sandbox.layers()


def test_a_service_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    answer = Sandbox(str(tmp_path / "nobody"), size=1).run(MARK)
    assert (answer.status, answer.stdout) == (Status.UNAVAILABLE, "")
