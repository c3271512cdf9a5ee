"""The sandbox as a service of its own, for many processes: `python -m itembank.sandbox.service listen|ask SOCKET`.

`listen` becomes the zygote by exec, so nothing of this process is left, its environment neither. `ask` runs one job
there and exits with 0 if its answer is right, for a health check.
"""

from __future__ import annotations

import os
import sys

from . import Sandbox, starting


def main(arguments: list[str]) -> None:
    if len(arguments) != 2 or arguments[0] not in {"listen", "ask"}:
        sys.exit("usage: python -m itembank.sandbox.service listen|ask SOCKET")
    verb, path = arguments
    if verb == "listen":
        command = starting.command("listen", path)
        os.chdir("/")
        os.execve(command[0], command, starting.ENVIRONMENT)  # noqa: S606 - fixed command
    answer = Sandbox(path, size=1).run("print(sympy.factorint(91))")
    if answer.stdout != "{7: 1, 13: 1}\n":
        sys.exit(f"{answer.status}: {answer.error}")


if __name__ == "__main__":
    main(sys.argv[1:])
