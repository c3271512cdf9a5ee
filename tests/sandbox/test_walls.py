"""Each wall by itself, in a process that has no other, and the numbers that the filter is made of."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from itembank.sandbox.inside.syscalls import MACHINES

from .numbers import CALLS
from .places import ROOT

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
START = """
import os, socket, sys
from itembank.sandbox.inside import confine, landlock, seccomp
found = confine.walls()
confine.no_new_privileges(found.libc)
def seen(attempt):
    try: attempt()
    except OSError as error: return error.errno
    return 0
"""
ATTEMPTS = "print(seen(lambda: os.open('/etc', 0)), seen(socket.socket), seen(os.pipe))"


def alone(wall: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", f"{START}{wall}\n{ATTEMPTS}"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()


def test_without_a_wall_everything_goes() -> None:
    assert alone("") == "0 0 0"


def test_landlock_alone_stops_files() -> None:
    assert alone("landlock.deny_everything(found.libc, found.landlock)") == "13 0 0"


def test_landlock_alone_stops_connections_where_the_kernel_knows_how() -> None:
    code = f"{START}landlock.deny_everything(found.libc, found.landlock)\nprint(found.landlock, seen(lambda: socket.socket().bind(('', 0))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    version, refusal = map(int, done.stdout.split())
    assert refusal == (13 if version >= 4 else 0)


def test_the_filter_alone_stops_files_sockets_and_pipes() -> None:
    assert alone("seccomp.install(found.libc, found.filter_program)") == "1 1 1"


def test_an_older_landlock_is_asked_for_no_more_than_it_knows() -> None:
    for version in range(1, 8):
        assert alone(f"landlock.deny_everything(found.libc, min({version}, found.landlock))").startswith("13")


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[machine].read_text()
    listed = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    listed |= {name: listed.get(other, 0) for name, other in re.findall(r"#define __NR_(\w+) __NR3264_(\w+)", text)}
    column = {"x86_64": 0, "aarch64": 1}[machine]
    known = dict(MACHINES[machine].numbers)
    known |= {name: number for name, both in CALLS.items() if (number := both[column]) is not None}
    compared = 0
    for name, number in known.items():
        if name in listed:
            assert listed[name] == number, name
            compared += 1
    assert compared > 100
