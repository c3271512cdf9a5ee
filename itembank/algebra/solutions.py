"""Solution sets in solved form: x = 2 或 x = 3, m > 2, x ∈ [0, 1), ∅."""

from __future__ import annotations

from itembank.algebra.lines import closed
from itembank.algebra.nodes import Node, operators, symbols

ORDER_SIGNS = frozenset(("<", ">", "<=", ">=", "!=", "="))


def base_name(name: str) -> str:
    """x for the roots x_1, x_2 of an equation in x."""
    stem, _, index = name.partition("_")
    return stem if index.isdigit() and stem in ("x", "y", "t", "z", "u", "m", "k", "r") else name


def solved_variable(node: Node) -> str | None:
    """The one variable that a solved form speaks about; None for bare sets and anything else."""
    names = {name for name in _variables(node) if name is not None}
    return names.pop() if len(names) == 1 else None


def _variables(node: Node) -> set[str | None]:
    if node.head in ("and", "or", "seq"):
        return set().union(*(_variables(arg) for arg in node.args))
    if node.head == "rel":
        if node.name == "in" and node.args[1].name in (
            "Z",
            "N",
            "set_Z",
            "set_N",
            "set_N+",
            "set_Z+",
            "R",
            "set_R",
            "set_R+",
        ):
            return {None}
        return {base_name(side.name) for side in node.args if side.head == "sym"}
    return {None}


def is_solved(node: Node) -> bool:
    """Whether the node lists its solutions: closed values on one side, one bare variable on the other."""
    if node.head in ("and", "or", "seq"):
        names = _variables(node) - {None}
        return len(names) <= 1 and all(is_solved(arg) for arg in node.args)
    if node.head == "rel":
        return _is_solved_relation(node)
    if node.head in ("set", "union", "inter", "minus", "bracket"):
        return all(is_solved(arg) for arg in node.args)
    return node.head == "none" or closed(node) or node.name in ("R", "set_R")


def _is_solved_relation(node: Node) -> bool:
    if node.name in ("in", "notin"):
        return node.args[0].head == "sym" and (is_solved(node.args[1]) or node.args[1].name in ("Z", "N"))
    if not set(operators(node)) <= ORDER_SIGNS:
        return False
    variables = [side for side in node.args if side.head == "sym"]
    others = [side for side in node.args if side.head != "sym"]
    return len(variables) == 1 and all(closed(side) or _is_series(side) for side in others)


def _is_series(node: Node) -> bool:
    """π/6 + 2kπ: one whole-number parameter and otherwise closed."""
    names = symbols(node)
    return len(names) == 1 and next(iter(names)) in ("k", "n", "m", "l") and any(
        here in ("pi", "degree") for here in _names_in(node)
    )  # fmt: skip


def _names_in(node: Node) -> list[str]:
    return [node.name, *(name for arg in node.args for name in _names_in(arg))]
