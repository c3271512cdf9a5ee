"""The gates of items in their fixed order, as far as plain code goes: structure, then novelty and scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .gates import COMPUTATION, NOVELTY, OTHER_MIND, PEOPLE, STRUCTURE, Detail, GateOutcome, Outcome
from .item_model import Item
from .knowledge import KnowledgeTree
from .scope_gate import Neighbourhood, check_scope, neighbour_of
from .structure_gate import check_structure

RELEASING = (STRUCTURE, NOVELTY, COMPUTATION, OTHER_MIND)
"""The gates that all must pass before an item is released without a person; what does not pass goes to gate 5."""

LaterGate = Callable[[Item], GateOutcome]


@dataclass(frozen=True)
class Checked:
    """What the gates said about one document. `item` is None where its form could not be read."""

    item: Item | None
    outcomes: tuple[GateOutcome, ...]

    @property
    def item_id(self) -> str:
        """The item's own id, "" where it could not be read."""
        return self.item.item_id if self.item else ""

    @property
    def released(self) -> bool:
        """Whether every gate before people was asked and passed: a gate that was not asked releases nothing."""
        passed = {one.gate for one in self.outcomes if one.passes}
        return passed >= set(RELEASING) and all(one.passes or one.gate == PEOPLE for one in self.outcomes)


def _nobody(gate: int) -> GateOutcome:
    """What a gate says when nobody is there to compute: never a pass."""
    detail = Detail(
        "nobody-to-ask", "没有可用的求解者，未作计算。", "Nobody is configured to compute; nothing was computed."
    )
    return GateOutcome(gate, Outcome.NOT_COMPUTABLE, (detail,))


def check_items(
    documents: Sequence[object],
    wanted: Iterable[int],
    *,
    later: Mapping[int, LaterGate] | None = None,
    known: Neighbourhood | None = None,
    tree: KnowledgeTree | None = None,
) -> Iterator[Checked]:
    """Each document through the wanted gates, in order; each is compared with `known` and with those before it in the list.

    Gate 1 runs in any case, because the others need an item that can be read; it is reported where it is wanted or failed.
    A gate after a failed structure is not run.
    """
    gates, later = sorted(set(wanted)), later or {}
    others = known or Neighbourhood()
    for document in documents:
        structure, item = check_structure(document)
        outcomes = [structure] if STRUCTURE in gates or item is None else []
        if item is not None:
            if NOVELTY in gates:
                outcomes.append(check_scope(item, others, tree))
            outcomes += [later[gate](item) if gate in later else _nobody(gate) for gate in gates if gate > NOVELTY]
            others.add(neighbour_of(item))
        yield Checked(item, tuple(outcomes))
