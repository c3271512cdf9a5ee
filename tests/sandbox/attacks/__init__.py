"""The attack corpus: what each attempt tries, its code, and what must be seen of it.

The code runs after `PRELUDE`. `says` prints a result or the refusal's errno, so a wall that is missing shows as another
line than the one expected, and a wrong sandbox fails the test instead of passing it unseen. `SECRET_FILE`, a file that
everybody may read, and `PARENT_PIDS` are put in by the runner; the secret itself never stands in the code.
"""

from __future__ import annotations

from .attack import PRELUDE, Attack
from .exhausting import EXHAUSTION
from .kernel import KERNEL, NATIVE
from .others import PROCESSES, SIGNALS, SOCKETS
from .poisons import POISONS, Poison
from .reaching import FILES, SECRETS
from .words import FORGERIES, STRINGS

CORPUS = [*FILES, *SECRETS, *SOCKETS, *PROCESSES, *SIGNALS, *KERNEL, *NATIVE, *EXHAUSTION, *STRINGS, *FORGERIES]

__all__ = ["CORPUS", "EXHAUSTION", "POISONS", "PRELUDE", "Attack", "Poison"]
