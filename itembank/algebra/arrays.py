"""Matrices and vectors worked out: sums, multiples, products, determinants; i, j, k as the unit vectors."""

from __future__ import annotations

from itertools import islice

from itembank.algebra import budget
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import Node, add, div, mul, num, symbols, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.polynomials import coefficients
from itembank.algebra.results import TooLarge, Undefined, Unsupported
from itembank.algebra.vectors import UNIT_VECTORS, by_first_row, products

_MAX_CELLS = 36
_MAX_PARTS = 600
"""Parts of one cell: each factor of a product of matrices doubles them, and the tree shares what it repeats."""
Rows = list[list[Node]]


def has_matrix(node: Node) -> bool:
    return any(here.head == "matrix" for here in walk(node))


def worked_out_arrays(node: Node) -> Node:
    """A matrix for an expression of matrices, a number for a determinant; raises Unsupported where sizes do not fit."""
    value = _value(node)
    return value if isinstance(value, Node) else Node("matrix", tuple(Node("row", tuple(row)) for row in value))


def _value(node: Node) -> Node | Rows:
    if node.head == "matrix":
        rows = [list(row.args) for row in node.args]
        if len({len(row) for row in rows}) != 1 or len(rows) * len(rows[0]) > _MAX_CELLS:
            raise Unsupported("matrix")
        return rows
    if not has_matrix(node):
        return node
    args = [_value(arg) for arg in node.args]
    if node.head in ("add", "mul"):
        total = args[0]
        for arg in args[1:]:
            total = _sum(total, arg) if node.head == "add" else _times(total, arg)
        return total
    if node.head == "neg":
        return _times(num(-1), args[0])
    if node.head == "div" and isinstance(args[1], Node):
        return _times(div(num(1), args[1]), args[0])
    if not isinstance(args[0], Node):
        return _applied(node, args[0])
    raise Unsupported("matrix")


def _applied(node: Node, rows: Rows) -> Node | Rows:
    """Determinant, transpose, square and cube."""
    if node.name == "det":
        return determinant(rows)
    if node.name == "transpose":
        return [list(column) for column in zip(*rows, strict=True)]
    if node.head == "pow" and node.args[1] in (num(2), num(3)):
        square = _times(rows, rows)
        return square if node.args[1] == num(2) else _times(square, rows)
    raise Unsupported("matrix")


def _sum(left: Node | Rows, right: Node | Rows) -> Node | Rows:
    if isinstance(left, Node) and isinstance(right, Node):
        return add(left, right)
    if isinstance(left, Node) or isinstance(right, Node) or _shape(left) != _shape(right):
        raise Unsupported("sum of a matrix and something else")
    return [[add(a, b) for a, b in zip(one, other, strict=True)] for one, other in zip(left, right, strict=True)]


def _times(left: Node | Rows, right: Node | Rows) -> Node | Rows:
    if isinstance(left, Node) and isinstance(right, Node):
        return mul(left, right)
    if isinstance(left, Node):
        assert not isinstance(right, Node)
        return [[mul(left, cell) for cell in row] for row in right]
    if isinstance(right, Node):
        return [[mul(right, cell) for cell in row] for row in left]
    if len(left[0]) != len(right):
        raise Unsupported("product of matrices that do not fit")
    rows = products(left, right)
    for cell in (cell for row in rows for cell in row):
        budget.spend(20)
        if next(islice(walk(cell), _MAX_PARTS, None), None) is not None:
            raise TooLarge("the product of matrices")
    return rows


def _shape(rows: Rows) -> tuple[int, int]:
    return len(rows), len(rows[0])


def determinant(rows: Rows) -> Node:
    """By the first row; up to 4 × 4."""
    if len(rows) != len(rows[0]) or len(rows) > 4:
        raise Unsupported("determinant")
    return by_first_row(rows)


def unit_vector_sum(node: Node, count: int) -> Node | None:
    """2i - j + 3k as a column; None where the expression is no sum of unit vectors."""
    if not symbols(node) & set(UNIT_VECTORS):
        return None
    normaliser = Normaliser()
    try:
        form = normaliser.normal(node)
    except (Undefined, Unsupported):
        return None
    cells = []
    for name in UNIT_VECTORS[:count]:
        rows = coefficients(form.top, name)
        if not set(rows) <= {0, 1}:
            return None
        cells.append(normaliser.node_of(Quotient(rows.get(1, {}), form.bottom)))
    rebuilt = add(*(mul(cell, Node("sym", name=name)) for cell, name in zip(cells, UNIT_VECTORS, strict=False)))
    if any(symbols(cell) & set(UNIT_VECTORS) for cell in cells) or not normaliser.table.same(
        normaliser.normal(rebuilt), form
    ):
        return None
    return Node("matrix", tuple(Node("row", (cell,)) for cell in cells))
