"""The planted set through gates 1 to 4: scripted models over HTTP, the real sandbox. Prints the table of docs/items.md.

Run: ``.venv/bin/python -m tests.bench.planted_gates``. Exit 1 where a faulty item would be released, one is stopped by none
of the gates that must stop it, or 5 % of the sound ones are delayed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from itembank.algebra import warm
from itembank.domain.item_gates import check_items
from itembank.sandbox import Sandbox
from tests.items import planted
from tests.items.scripted import GATES, asked, stopping, through_all_gates


def main() -> None:
    begun, sandbox = time.perf_counter(), Sandbox(size=1)
    warm()
    sound, faulty = list(planted.sound_items()), list(planted.faulty_items())
    bad: list[str] = []
    with asked(sound, sandbox) as later:
        checked = list(check_items([each.document for each in sound], GATES, later=later))
    delayed = [each.name for each, found in zip(sound, checked, strict=True) if not found.released]
    rows: dict[str, Counter[str]] = {}
    with asked(faulty, sandbox) as later:
        for each in faulty:
            found = through_all_gates(each, later)
            stopped = stopping(found)
            row = rows.setdefault(each.fault or "", Counter())
            row.update(["items", *(f"gate {gate}" for gate in stopped), *(["released"] if found.released else [])])
            if found.released or not stopped & each.gates:
                bad.append(each.name)
    sandbox.close()
    print("| fault | items | gate 1 | gate 2 | gate 3 | gate 4 | released |\n|---|---|---|---|---|---|---|")
    for fault, row in rows.items():
        print(
            f"| {fault} | {row['items']} | {' | '.join(str(row[f'gate {gate}']) for gate in GATES)} | {row['released']} |"
        )
    by_gate = Counter(gate for found in checked for gate in stopping(found))
    print(
        f"| none (sound) | {len(sound)} | {' | '.join(str(by_gate[gate]) for gate in GATES)} | {len(sound) - len(delayed)} |"
    )
    print(
        f"\n{time.perf_counter() - begun:.0f} s; sound and delayed: {delayed}; faulty and not stopped as named: {bad}"
    )
    sys.exit(1 if bad or len(delayed) * 20 >= len(sound) else 0)


if __name__ == "__main__":
    main()
