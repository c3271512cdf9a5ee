"""Brackets of all kinds: grouping, tuples, intervals of both schools, sets, absolute values, tables."""

from __future__ import annotations

from itembank.algebra.nodes import Node, call, text_of
from itembank.algebra.results import Unreadable
from itembank.algebra.structures import StructureParser, evaluated_between
from itembank.algebra.vectors import determinant, length

_PAIRS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩", ".": ".", "]": "["}
_SYSTEMS = frozenset(("cases", "dcases", "aligned", "align", "array", "gathered", "split", "eqnarray", "alignedat",
                      "rcases", "gather"))  # fmt: skip
_ALIGNED = frozenset(("aligned", "align", "split", "eqnarray", "alignedat", "gathered", "gather"))
_MATRICES = frozenset(("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix"))


class BracketParser(StructureParser):
    """What stands between a bracket and its partner."""

    def absolute(self) -> Node:
        self.take()
        self.bars += 1
        node = self.expression()
        self.bars -= 1
        self.expect("op", "|")
        return determinant(node) or length(node) or call("abs", node)

    def bracketed(self) -> Node:
        opening = self.take()
        bars, self.bars = self.bars, 0
        divided, self.divided = self.divided, False
        items = [] if self.peek("close") else self._items(opening.text)
        self.bars, self.divided = bars, divided
        if self.at >= len(self.tokens) and _is_system(opening.text, items):
            return Node("and", tuple(items))  # a large brace before a system, which nothing closes
        if opening.text == "." and len(items) == 1 and not self.peek("close"):
            return self.barred(items[0]) if self.peek("op", "|") else items[0]
        closing = self.take()
        if closing.kind != "close":
            raise Unreadable("a bracket is not closed", opening.at)
        return self._closed(opening.text, closing.text, items, closing.at)

    def _closed(self, opening: str, closing: str, items: list[Node], at: int) -> Node:
        matches = closing == _PAIRS[opening]
        if len(items) == 1 and items[0].head == "matrix" and opening in "([" and matches:
            return items[0]
        if opening in "⌊⌈" and len(items) == 1 and matches:
            return call("floor" if opening == "⌊" else "ceil", items[0])
        if opening == "⟨" and matches and items:
            return self._angled(items)
        if opening in ("{", "\\{") and closing == "." and items:
            return items[0] if len(items) == 1 else Node("and", tuple(items))
        if opening == "." and len(items) == 1 and closing in (".", "}", "\\}", ")", "]"):
            return items[0]
        if opening == "{" and matches and self.chosen is not None and items == [self.chosen]:
            return items[0]
        if opening in ("{", "\\{") and matches:
            return Node("set", tuple(items)) if items else Node("none")
        if (closing == "[" or opening == "]") and opening in "([]" and closing in ")][" and len(items) == 2:
            return Node("bracket", tuple(items), ("[" if opening == "[" else "(") + ("]" if closing == "]" else ")"))
        if opening in "([" and closing in ")]" and items:
            return self._round_or_square(opening, closing, items)
        if not items:
            raise Unreadable("there is nothing between the brackets", at)
        raise Unreadable(f"{_PAIRS.get(opening, opening)} is missing, not {closing!r}", at)

    def _round_or_square(self, opening: str, closing: str, items: list[Node]) -> Node:
        whole = Node("bracket", tuple(items), opening + closing)
        single = len(items) == 1 and closing == _PAIRS[opening]
        bounds = self._bounds() if single and opening == "[" else None
        if bounds is not None:
            return evaluated_between(items[0], *bounds, self.here())
        if single:
            return items[0] if opening == "(" or self._is_grouping(items[0]) else whole
        return self.subscripted(text_of(whole)) if self.peek("op", "_") else whole

    def _bounds(self) -> tuple[Node, Node] | None:
        """The two bounds behind a bracket or a bar: [F(x)]_0^1; None where only an exponent follows."""
        found: dict[str, Node] = {}
        start, kept = self.at, list(self.tokens)
        while self.peek("op", "_", "^") and len(found) < 2:
            which = self.take().text
            found[which] = self.argument()
        if len(found) == 2:
            return found["_"], found["^"]
        self.at, self.tokens = start, kept
        return None

    def barred(self, node: Node) -> Node:
        """F(x)|_0^1, and an expression | at x = 3."""
        bar = self.take()
        bounds = self._bounds()
        if bounds is None:
            raise Unreadable("a bar without a partner", bar.at)
        return evaluated_between(node, *bounds, bar.at)

    def _angled(self, items: list[Node]) -> Node:
        """⟨1, 2⟩ is a vector, ⟨a, b⟩ the angle between two."""
        if len(items) == 2 and all(item.head == "sym" and item.name.startswith("vec_") for item in items):
            return call("angle", *items)
        return Node("bracket", tuple(items), "()")

    def _is_grouping(self, node: Node) -> bool:
        return node.head not in ("bracket", "rel") and (self.at > len(self.tokens) - 1 or not self.peek("sep"))

    def _items(self, opening: str) -> list[Node]:
        built, self.in_builder = self.in_builder, opening in ("{", "\\{") and self._is_builder()
        items = [self.alternatives() if opening == "(" else self.statement()]
        if (
            opening in ("{", "\\{")
            and (self.peek("op", "|", ":", "mid"))
            and (self.in_builder or not self.peek("op", ":"))
        ):
            self.take()
            self.in_builder = built
            return [Node("builder", (items[0], self.alternatives()))]
        self.in_builder = built
        if len(items) == 1 and items[0].head == "seq" and not self.peek("sep"):
            return list(items[0].args)
        if items[0].head == "seq" and self.peek("sep", ";"):
            return self._semicolons(items[0], opening)
        while self.peek("sep", ",", "、", ";", "row", "gap") or (opening == "(" and self.peek("op", "|")):
            rows = self.peek("sep", ";") and opening == "["
            at = self.here()
            self.take()
            if rows and len(items) > 1:
                return self._rows(items, at)
            items.append(self.statement())
        return items

    def _semicolons(self, first: Node, opening: str) -> list[Node]:
        """(1,5; 2): where ; separates, a comma is a decimal sign; without a stated notation that stays a refusal."""
        raise Unreadable("commas and semicolons in one bracket: say which notation the numbers have", self.here())

    def _rows(self, first: list[Node], at: int) -> list[Node]:
        """[1,2;3,4]: a matrix by rows, or an interval with decimal commas."""
        rows, row = [first], [self.statement()]
        while self.peek("sep", ",", ";"):
            if self.take().text == ";":
                rows.append(row)
                row = []
            row.append(self.statement())
        rows.append(row)
        if len({len(one) for one in rows}) != 1:
            raise Unreadable("commas and semicolons in one bracket: the rows have different lengths", at)
        if len(rows) == 2 and len(first) == 2:
            self.doubt("rows of a matrix or decimal commas", at)
        return [Node("matrix", tuple(Node("row", tuple(one)) for one in rows))]

    def _is_builder(self) -> bool:
        """Whether a colon in these braces stands for "such that": {x: x > 1}, {x ∈ R: x > 1}."""
        level, colon = 0, False
        for token in self.tokens[self.at :]:
            level += (token.kind == "open") - (token.kind == "close")
            if level < 0:
                break
            if level == 0 and (token.kind, token.text) == ("op", ":"):
                colon = True
            elif level == 0 and colon and token.kind == "rel":
                return True
        return False

    # -- tables -----------------------------------------------------------------------------------------------
    def environment(self, name: str) -> Node:
        if name not in _SYSTEMS | _MATRICES:
            raise Unreadable(f"the environment {name} is not read", self.here())
        rows = self._table(name)
        self.take()
        if not rows:
            raise Unreadable("the table is empty", self.here())
        if name in _MATRICES:
            relations = name == "matrix" and all(cell.head == "rel" for row in rows for cell in row)
            return (
                Node("and", tuple(cell for row in rows for cell in row))
                if relations
                else _matrix(rows, name, self.here())
            )
        return _system(rows, self.here())

    def _table(self, name: str) -> list[list[Node]]:
        rows: list[list[Node]] = [[]]
        while not self.peek("end", name):
            if self.peek("op", "&") or self.peek("sep", ",", ";", "gap"):
                self.take()
            elif self.peek("sep", "row"):
                self.take()
                rows.append([])
            elif self.peek("word", "if", "when", "then", "prose") and rows[-1]:
                self.take()
            elif rows[-1] and self.tokens[self.at - 1].text not in (
                "&",
                ",",
                ";",
                "gap",
                "if",
                "when",
                "then",
                "prose",
            ):
                raise Unreadable("a row of a table is not understood", self.here())
            else:
                rows[-1].append(self._cell(name))
        return [row for row in rows if row]

    def _cell(self, name: str) -> Node:
        if self.peek("text") and self.token().text in _OTHERWISE:
            self.take()
            return Node("text", name="otherwise")
        if name in _ALIGNED or name in ("array", "cases", "matrix"):
            self._join_aligned(name)
        return self.statement()

    def _join_aligned(self, name: str) -> None:
        """Drops an & that only says where the signs of relation stand below one another: x &= 1."""
        while True:
            end = self.at
            while (
                end < len(self.tokens) and self.tokens[end].text not in ("&", "row") and self.tokens[end].kind != "end"
            ):
                end += 1
            if end + 1 >= len(self.tokens) or self.tokens[end].text != "&" or end == self.at:
                return
            beside = "rel" in (self.tokens[end + 1].kind, self.tokens[end - 1].kind)
            if not beside and name not in _ALIGNED:
                return
            del self.tokens[end]


_OTHERWISE = frozenset(("otherwise", "else", "其他", "其它", "其余", "sonst", "otherwise."))


def _is_system(opening: str, items: list[Node]) -> bool:
    return opening in ("{", "\\{") and len(items) > 1 and all(item.head == "rel" for item in items)


def _matrix(rows: list[list[Node]], name: str, at: int) -> Node:
    if len({len(row) for row in rows}) != 1:
        raise Unreadable("the rows have different lengths", at)
    table = Node("matrix", tuple(Node("row", tuple(row)) for row in rows))
    return (determinant(table) or call("det", table)) if name in ("vmatrix", "Vmatrix") else table


def _system(rows: list[list[Node]], at: int) -> Node:
    """Relations that hold together, the branches of a function, or a plain table."""
    cells = [cell for row in rows for cell in row]
    if all(cell.head in ("rel", "and", "or", "seq") for cell in cells):
        return cells[0] if len(cells) == 1 else Node("and", tuple(cells))
    branches = all(len(row) == 2 and row[0].head not in ("rel", "text") for row in rows)
    if branches and all(_is_condition(row[1]) for row in rows):
        return Node("piecewise", tuple(Node("row", tuple(row)) for row in rows))
    if any(cell.head in ("rel", "text") for cell in cells):
        raise Unreadable("the rows are neither equations nor branches with their conditions", at)
    return _matrix(rows, "array", at)


def _is_condition(cell: Node) -> bool:
    return cell.head in ("rel", "and", "or") or cell == Node("text", name="otherwise")
