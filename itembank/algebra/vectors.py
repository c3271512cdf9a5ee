"""Arithmetic with written-out vectors and matrices, done entry by entry while they are read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from itembank.algebra.nodes import Node, add, call, mul, neg, num, power, symbols, walk

_MOST_CELLS = 36
_MOST_NODES = 1500
"""Parts of a result written out entry by entry. Products of products grow fast; beyond this they stay as written."""

UNIT_VECTORS = ("vec_i", "vec_j", "vec_k")


def is_tuple(node: Node) -> bool:
    """A vector or point (1, 2, 3); an interval with two round ends looks the same and is never reckoned with."""
    return node.head == "bracket" and node.name == "()" and len(node.args) > 1


def _sized(node: Node) -> Node | None:
    """The result where it is small enough to be looked at."""
    return node if sum(1 for _ in islice(walk(node), _MOST_NODES + 1)) <= _MOST_NODES else None


def _cells(node: Node) -> list[Node]:
    return [cell for row in node.args for cell in row.args] if node.head == "matrix" else list(node.args)


def _shape(node: Node) -> tuple[int, ...]:
    return (len(node.args), len(node.args[0].args)) if node.head == "matrix" else (len(node.args),)


def _rebuilt(like: Node, cells: Sequence[Node]) -> Node:
    if like.head != "matrix":
        return Node("bracket", tuple(cells), "()")
    width = len(like.args[0].args)
    return Node("matrix", tuple(Node("row", tuple(cells[at : at + width])) for at in range(0, len(cells), width)))


def _is_array(node: Node) -> bool:
    return node.head == "matrix" or is_tuple(node)


def total(terms: Sequence[Node]) -> Node | None:
    """The sum of vectors or matrices of one shape; None where a term is none."""
    if not all(_is_array(term.args[0] if term.head == "neg" else term) for term in terms):
        return None
    plain = [scaled(num(-1), term.args[0]) if term.head == "neg" else term for term in terms]
    if len({(term.head, _shape(term)) for term in plain}) != 1 or len(_cells(plain[0])) > _MOST_CELLS:
        return None
    return _sized(_rebuilt(plain[0], [add(*entries) for entries in zip(*map(_cells, plain), strict=True)]))


def scaled(factor: Node, node: Node) -> Node:
    return _rebuilt(node, [mul(factor, cell) for cell in _cells(node)])


def multiple(left: Node, right: Node) -> Node | None:
    """A number times a vector or matrix. A name before a round bracket may be a function and is left alone."""
    if not _is_array(right) or _is_array(left) or len(_cells(right)) > _MOST_CELLS:
        return None
    if right.head != "matrix" and symbols(left):
        return None
    if left.head not in ("num", "neg", "div", "sym", "call", "mul", "pow", "const"):
        return None
    if any(_is_array(here) for here in islice(walk(left), _MOST_NODES)):
        return None
    return _sized(scaled(left, right))


def dot(left: Node, right: Node) -> Node | None:
    """The scalar product of two written-out vectors, or the product of two matrices that fit."""
    if is_tuple(left) and is_tuple(right) and len(left.args) == len(right.args):
        return _sized(add(*(mul(one, other) for one, other in zip(left.args, right.args, strict=True))))
    if left.head == right.head == "matrix":
        return _matrix_product(left, right)
    return None


def _matrix_product(left: Node, right: Node) -> Node | None:
    if _shape(left)[1] != _shape(right)[0] or len(_cells(left)) * _shape(right)[1] > _MOST_CELLS:
        return None
    rows = products([row.args for row in left.args], [row.args for row in right.args])
    return _sized(Node("matrix", tuple(Node("row", tuple(row)) for row in rows)))


def products(left: Sequence[Sequence[Node]], right: Sequence[Sequence[Node]]) -> list[list[Node]]:
    """Each row of the left matrix times each column of the right one, which must fit."""
    columns = list(zip(*right, strict=True))
    return [[add(*map(mul, row, column)) for column in columns] for row in left]


def cross(left: Node, right: Node) -> Node:
    """The vector product, written out where both vectors are."""
    entries = [_cells(node) for node in (left, right) if _is_array(node)]
    if len(entries) != 2 or any(len(one) != 3 for one in entries) or _shape(left) != _shape(right):
        return call("cross", left, right)
    a, b = entries
    pairs = ((1, 2), (2, 0), (0, 1))
    written = _rebuilt(left, [add(mul(a[p], b[q]), neg(mul(a[q], b[p]))) for p, q in pairs])
    return _sized(written) or call("cross", left, right)


def length(node: Node) -> Node | None:
    """|(3, 4)|."""
    if not is_tuple(node) and not (node.head == "matrix" and 1 in _shape(node)):
        return None
    return _sized(call("sqrt", add(*(power(cell, num(2)) for cell in _cells(node)))))


def determinant(node: Node) -> Node | None:
    """The determinant written out by its first row, up to four rows."""
    if node.head != "matrix" or len(set(_shape(node))) != 1 or _shape(node)[0] > 4:
        return None
    return _sized(by_first_row([row.args for row in node.args]))


def by_first_row(rows: Sequence[Sequence[Node]]) -> Node:
    """The determinant of a square matrix, as its first row and the minors below it say."""
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for place, cell in enumerate(rows[0]):
        rest = [[*row[:place], *row[place + 1 :]] for row in rows[1:]]
        term = mul(cell, by_first_row(rest))
        terms.append(neg(term) if place % 2 else term)
    return add(*terms)


def components(node: Node) -> tuple[Node, ...] | None:
    """The entries of a tuple, a row, a column, or a sum of multiples of i, j and k; None for anything else."""
    if is_tuple(node) or (node.head == "bracket" and node.name == "[]" and len(node.args) > 1):
        return node.args
    if node.head == "matrix":
        return tuple(_cells(node)) if 1 in _shape(node) and len(_cells(node)) > 1 else None
    if not symbols(node) & set(UNIT_VECTORS):
        return None
    found = {name: _coefficient(node, name) for name in UNIT_VECTORS}
    if any(one is None for one in found.values()):
        return None
    return tuple(one for one in found.values() if one is not None)


def _coefficient(node: Node, name: str) -> Node | None:
    """What stands before a unit vector in a sum; None where the node is no sum of multiples of unit vectors."""
    if node.head == "add":
        parts = [_coefficient(arg, name) for arg in node.args]
        known = [part for part in parts if part is not None]
        return add(*known) if len(known) == len(parts) else None
    if node.head == "neg":
        inner = _coefficient(node.args[0], name)
        return None if inner is None else neg(inner)
    factors = node.args if node.head == "mul" else (node,)
    units = [factor for factor in factors if factor.head == "sym" and factor.name in UNIT_VECTORS]
    others = [factor for factor in factors if factor not in units]
    if len(units) != 1:
        return _distributed(others, units, name)
    if any(symbols(factor) & set(UNIT_VECTORS) for factor in others):
        return None
    return mul(*(others or [num(1)])) if units[0].name == name else num(0)


def _distributed(others: list[Node], units: list[Node], name: str) -> Node | None:
    """2(i + 3j): one bracketed sum of unit vectors times numbers."""
    sums = [one for one in others if symbols(one) & set(UNIT_VECTORS)]
    if units or len(sums) != 1 or sums[0].head != "add":
        return None
    inner = _coefficient(sums[0], name)
    rest = [one for one in others if one is not sums[0]]
    return None if inner is None else mul(*rest, inner)
