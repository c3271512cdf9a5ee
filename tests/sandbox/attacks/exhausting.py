"""Attempts to use up memory, disk, processor, stack and output."""

from __future__ import annotations

from .attack import Attack, calls_refused
from .kernel import MAP

EXHAUSTION = [
    Attack("ten gigabytes at once", "bytearray(10**10)", killed=("memory",)),
    Attack("memory bit by bit", "held = []\nwhile True: held.append(bytearray(10**6))", killed=("memory",)),
    Attack("a number with a thousand million digits", "print(len(str(7 ** (10**9))))", killed=("memory", "cpu_time", "wall_time")),
    Attack(
        "memory, and no word of its end",
        "held = []\ntry:\n    while True: held.append(bytearray(10**7))\nexcept MemoryError: print(len(held) < 110)",
        "True",
    ),
    Attack(
        "memory without a promise",
        MAP + "ctypes.set_errno(0)\nprint(libc.mmap(None, 1 << 40, 3, 0x4022, -1, 0) == 2**64 - 1, name_of(ctypes.get_errno()))\n"
        "call('mlock', id(0), 4096)",
        "True ENOMEM\nmlock EPERM",
    ),
    calls_refused("the disk", "fallocate(1, 0, 0, 1 << 40)", "ftruncate(1, 1 << 40)"),
    Attack("the processor", "while True: pass", killed=("cpu_time", "wall_time")),
    Attack(
        "the processor, deaf to the limit",
        "import signal\nfor each in (signal.SIGXCPU, signal.SIGTERM, signal.SIGALRM): signal.signal(each, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
        killed=("cpu_time", "wall_time"),
    ),
    Attack("the processor inside C", "print(sum(range(10**12)))", killed=("cpu_time", "wall_time")),
    Attack("time, asleep", "import time\ntime.sleep(3600)", killed=("wall_time",), wall_seconds=0.7),
    Attack("time, with its output closed", "import time\nos.close(1); os.close(2)\ntime.sleep(3600)", killed=("wall_time",), wall_seconds=0.7),
    Attack("a symbolic sum that does not end", "k = sympy.Symbol('k')\nprint(sympy.Sum(1/k, (k, 1, 10**7)).doit())",
           killed=("cpu_time", "wall_time", "memory")),
    Attack("recursion in Python", "def f(): f()\nsays(f)", "RecursionError"),
    Attack("recursion in Python, unlimited", "sys.setrecursionlimit(10**9)\ndef f(): return 1 + f()\nf()",
           killed=("memory", "crash: SIGSEGV", "cpu_time", "wall_time")),
    Attack("recursion in C", "held = []\nfor each in range(10**5): held = [held]\nsays(lambda: repr(held))", "RecursionError"),
    Attack("recursion in the parser", 'says(lambda: eval("(" * 100_000 + ")" * 100_000))', "SyntaxError"),
    Attack("recursion in the regular expressions", 'import re\nsays(lambda: re.compile("(" * 50_000 + ")" * 50_000))', "RecursionError"),
    Attack("recursion through C",
           "sys.setrecursionlimit(10**9)\n"
           "def f(): return sorted([1], key=lambda _: f())[0]\nsays(f)",
           "RecursionError"),
    Attack("a flood of output", "while True: print('x' * 1000)", killed=("output",)),
    Attack("a flood of errors", "while True: print('x' * 1000, file=sys.stderr)", killed=("output",)),
    Attack("one line of fifty million letters", "print('x' * 50_000_000)", killed=("output",)),
    Attack("a flood by system calls", "data = b'x' * 65536\nwhile True: libc.write(1, data, len(data))", killed=("output",)),
]  # fmt: skip
