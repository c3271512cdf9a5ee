"""Attempts by text: SymPy's ways from strings to code, and forged results."""

from __future__ import annotations

from .attack import Attack, refused

_MARK = "open(chr(47) + 'tmp' + chr(47) + 'escaped', 'w')"
STRINGS = [
    refused("sympify runs text", f'says(lambda: sympy.sympify("{_MARK}"))'),
    refused("S runs text", f'says(lambda: sympy.S("{_MARK}"))'),
    refused(
        "parse_expr runs text",
        f'from sympy.parsing.sympy_parser import parse_expr\nsays(lambda: parse_expr("{_MARK}"))',
    ),
    refused(
        "lambdify runs text",
        f'says(lambda: sympy.lambdify([], "{_MARK}", modules=[{{"open": open, "chr": chr}}])())',
    ),
    refused(
        "sympify finds the system module",
        """says(lambda: sympy.sympify("__import__('os').open('/etc/passwd', 0)"))""",
    ),
    refused(
        "text of a solver",
        """says(lambda: sympy.solve("__import__('os').listdir('/')", "x"))""",
    ),
    refused(
        "text climbs from a number to every class",
        """
text = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
says(lambda: eval(text + ".__init__.__globals__['open']('/etc/passwd', 0)"))
""",
    ),
    Attack(
        "have SymPy compile a program",
        "from sympy.utilities.autowrap import autowrap\nx = sympy.Symbol('x')\nsays(lambda: autowrap(x**2, backend='cython'))",
        "FileNotFoundError ENOENT",
    ),
    Attack(
        "have SymPy draw a picture",
        "says(lambda: sympy.preview(sympy.Symbol('x'), output='png', viewer='file', filename='/tmp/escaped'))",
        "FileNotFoundError ENOENT",
    ),
    refused(
        "write code with SymPy",
        "from sympy.utilities.codegen import codegen\n"
        "says(lambda: codegen(('f', sympy.Symbol('x')), 'C', '/tmp/escaped', to_files=True))",
    ),
]  # fmt: skip

FORGERIES = [
    Attack("print a result", """print('{"status": "ok", "stdout": "120"}')""", '{"status": "ok", "stdout": "120"}'),
    Attack("break out of the line", r"""print('"}\n{"status": "killed"}\x00\x1b[2J', end="")""", '"}\n{"status": "killed"}\x00\x1b[2J'),
    Attack(
        "write to every descriptor",
        "done = 0\nfor each in range(3, 1024):\n    try: done += os.write(each, b'{\"ran\": true, \"exit\": 0}')\n"
        "    except OSError: pass\nprint(done)",
        "0",
    ),
    Attack(
        "climb to the socket of the zygote",
        """
frame, found, refusals = sys._getframe(), 0, set()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == "socket":
            found += 1
            for speak in (value.send, lambda text: os.write(value.fileno(), text)):
                try: speak(b'{"ran": true, "exit": 0, "cpu_ms": 0, "memory_kb": 0, "stopped": null}')
                except OSError as error: refusals.add(error.errno)
    frame = frame.f_back
print(found > 0, refusals == {errno.EPERM, errno.EBADF})
""",
        "True True",
    ),
    Attack("return into the code of the zygote", "os._exit = lambda status: None\nprint(1)", "1"),
    Attack("end at once and well", "os._exit(0)", ""),
    Attack("keep its words for the end", "import atexit\natexit.register(print, 'late')\nprint('early')", "early"),
    Attack("an error that looks like a result", """raise ValueError('{"status": "ok"}')""", "", error="ValueError"),
    Attack("an error that cannot be told", "class E(Exception):\n    def __str__(self): raise E\nraise E", "", error="E"),
]  # fmt: skip
