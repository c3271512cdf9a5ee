"""Attempts of one job on the next."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Poison:
    """Two jobs one after the other: the second must see nothing of the first."""

    name: str
    code: str
    probe: str
    clean: str
    works_at_once: bool = True


POISONS = [
    Poison("another solve", "sympy.solve = lambda *_: [42]", "x = sympy.Symbol('x')\nprint(sympy.solve(x - 1))", "[1]"),
    Poison("another print", "import builtins\nbuiltins.print = lambda *_: None", "print(1)", "1"),
    Poison("another module", "sys.modules['math'] = sympy", "import math\nprint(math.__name__)", "math"),
    Poison(
        "a false answer in the cache",
        "x = sympy.Symbol('x')\nfrom sympy.core.cache import cacheit\nsympy.Add._from_args = None\n"
        "sympy.cos(x)._hash = 1\nsympy.core.cache.clear_cache()",
        "x = sympy.Symbol('x')\nprint(x + 1 + x, sympy.cos(0))",
        "2*x + 1 1",
    ),
    Poison(
        "a one that is a two",
        "ctypes.memmove(id(1) + 24, ctypes.byref(ctypes.c_uint32(2)), 4)\nos._exit(0)",
        "print(1, 1 + 1)",
        "1 2",
        works_at_once=False,
    ),
    Poison("assumptions of a symbol", "sympy.Symbol.is_positive = True", "print(sympy.Symbol('x').is_positive)", "None"),
    Poison("random numbers", "import random\nrandom.seed = random.random = lambda *_: 4", "import random\nprint(random.random() < 1)", "True"),
    Poison("a handler of signals", "import signal\nsignal.signal(15, signal.SIG_IGN)",
           "import signal\nprint(signal.getsignal(15) == signal.SIG_DFL)", "True"),
    Poison("a limit of recursion", "sys.setrecursionlimit(50)", "print(sys.getrecursionlimit())", "1000"),
    Poison("the environment", "os.environ['X'] = '1'", "print(dict(os.environ))", "{}"),
    Poison("the next job's walls", "from itembank.sandbox.inside import job, confine\njob.run = confine.confine = print",
           "says(os.fork)", "PermissionError EPERM", works_at_once=False),
    Poison("a hook of exceptions", "sys.excepthook = sys.unraisablehook = print\nsys.settrace(print)", "print(sys.gettrace())", "None"),
]  # fmt: skip
