"""The parts of the grammar with a shape of their own: fractions, roots, sums, brackets, matrices."""

from __future__ import annotations

from itembank.algebra.naming import NameParser
from itembank.algebra.nodes import Node, call, div, num, sym, text_of
from itembank.algebra.reader import unbraced
from itembank.algebra.results import Unreadable


class StructureParser(NameParser):
    """Commands of LaTeX and all kinds of brackets."""

    def absolute(self) -> Node:
        self.take()
        self.bars += 1
        node = self.expression()
        self.bars -= 1
        self.expect("op", "|")
        return call("abs", node)

    # -- commands ---------------------------------------------------------------------------------------------
    def command(self) -> Node:
        token = self.take()
        if token.kind == "accent":
            return self._accented(token.text)
        if token.kind == "begin":
            return self._environment(token.text)
        reader = {"frac": self._fraction, "binom": self._binomial, "sqrt": self._root, "cbrt": self._cube_root,
                  "sum": self._series, "prod": self._series, "int": self._integral,
                  "angle": self._figure, "triangle": self._figure}.get(token.text)  # fmt: skip
        if reader is None:
            raise Unreadable(f"{token.text} cannot be computed", token.at)
        return reader()

    def _fraction(self) -> Node:
        top = self.argument()
        bottom = self.argument()
        if top.head == "sym" and top.name == "d" and bottom.head == "mul" and bottom.args[0] == sym("d"):
            return call("derivative", unbraced(self.product()), bottom.args[1])
        if top.head == bottom.head == "mul" and len(top.args) == len(bottom.args) == 2:
            (first, above), (second, below) = top.args, bottom.args
            if first == second == sym("d") and above.head == below.head == "sym":
                return sym(f"d{above.name}/d{below.name}")
        return div(top, bottom)

    def _binomial(self) -> Node:
        return call("binomial", self.argument(), self.argument())

    def _root(self) -> Node:
        degree: Node | None = None
        if self.peek("open", "["):
            self.take()
            degree = self.expression()
            self.expect("close", "]")
        token = self.token()
        if token.kind == "num" and len(token.text) > 1:
            self.ambiguous.append("how far the root reaches")
            self.take()
            radicand = Node("num", value=token.value)
        elif self.peek("open", "("):
            radicand = unbraced(self.powered_base())
        else:
            radicand = self.argument()
        return call("sqrt", radicand) if degree is None else call("root", radicand, degree)

    def powered_base(self) -> Node:
        self.take()
        node = self.expression()
        self.expect("close", ")")
        return node

    def _cube_root(self) -> Node:
        return call("root", self.argument(), num(3))

    def _series(self) -> Node:
        name = "sum" if self.tokens[self.at - 1].text == "sum" else "product"
        self.expect("op", "_")
        self.expect("open", "{")
        index = self.expect("sym", *()).text if self.peek("sym") else self.expect("const").text
        self.expect("rel", "=")
        low = self.expression()
        self.expect("close", "}")
        self.expect("op", "^")
        high = self.argument()
        names, self.plain_names = self.plain_names, self.plain_names | {index}
        body = unbraced(self.product())
        self.plain_names = names
        return call(name, body, sym(index), low, high)

    def _integral(self) -> Node:
        bounds: dict[str, Node] = {}
        while self.peek("op", "_", "^"):
            which = self.take().text
            bounds[which] = self.argument()
        self.integrals += 1
        body = unbraced(self.expression())
        self.integrals -= 1
        self.expect("sym", "d")
        variable = self.expect("sym").text
        if len(bounds) == 2:
            return call("integral", body, sym(variable), bounds["_"], bounds["^"])
        return call("antiderivative", body, sym(variable))

    def _figure(self) -> Node:
        """∠A and the letter A are one quantity; ∠ABC and △ABC are names."""
        kind = self.tokens[self.at - 1].text
        name = ""
        while self.peek("sym") and self.token().text.isupper() and len(name) < 4:
            name += self.take().text
        if not name and self.peek("num"):
            name = self.take().text
        if not name and self.peek("sym"):
            name = self.take().text
        if not name:
            return sym("Delta") if kind == "triangle" else self._missing()
        return sym(name) if kind == "angle" and len(name) == 1 else sym(f"{kind}_{name}")

    def _missing(self) -> Node:
        raise Unreadable("a name is missing", self.here())

    def _accented(self, accent: str) -> Node:
        if accent == "mathbb":
            return sym(f"set_{self._letters()}")
        letters = self._letters()
        if accent in ("mathbf", "bm") or accent in ("vec", "overrightarrow"):
            return self.subscripted(f"vec_{letters}")
        return self.subscripted(f"{accent}_{letters}")

    def _letters(self) -> str:
        if self.peek("open", "{"):
            end = self.closing()
            text = "".join(token.text for token in self.tokens[self.at + 1 : end])
            self.at = end + 1
            return text
        return self.take().text

    def _environment(self, name: str) -> Node:
        rows: list[list[Node]] = [[]]
        while not self.peek("end", name):
            rows[-1].append(self.statement())
            if self.peek("op", "&"):
                self.take()
            elif self.peek("sep", "row"):
                self.take()
                rows.append([])
            elif self.peek("sep", ","):
                self.take()
            elif not self.peek("end", name):
                raise Unreadable("a row of a table is not understood", self.here())
            if self.peek("sep", "row"):
                self.take()
                rows.append([])
        self.take()
        rows = [row for row in rows if row]
        if name in ("cases", "aligned", "align", "array", "gathered", "split"):
            return Node("and", tuple(cell for row in rows for cell in row))
        if not rows or len({len(row) for row in rows}) != 1:
            raise Unreadable("the rows have different lengths", self.here())
        return Node("matrix", tuple(Node("row", tuple(row)) for row in rows))

    # -- brackets ---------------------------------------------------------------------------------------------
    def bracketed(self) -> Node:
        opening = self.take()
        pairs = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉"}
        bars, self.bars = self.bars, 0
        divided, self.divided = self.divided, False
        items = [] if self.peek("close") else self._items(opening.text)
        self.bars, self.divided = bars, divided
        closing = self.take()
        if closing.kind != "close":
            raise Unreadable("a bracket is not closed", opening.at)
        if opening.text in "⌊⌈" and len(items) == 1 and closing.text == pairs[opening.text]:
            return call("floor" if opening.text == "⌊" else "ceil", items[0])
        if opening.text in ("{", "\\{") and closing.text == pairs[opening.text]:
            return Node("set", tuple(items)) if items else Node("none")
        if len(items) == 1 and opening.text in "([" and closing.text == pairs[opening.text]:
            return (
                items[0] if opening.text == "(" or self._is_grouping(items[0]) else Node("bracket", tuple(items), "[]")
            )
        if opening.text in "([" and closing.text in ")]" and items:
            if self.peek("op", "_"):
                return self.subscripted(text_of(Node("bracket", tuple(items), opening.text + closing.text)))
            return Node("bracket", tuple(items), opening.text + closing.text)
        raise Unreadable("brackets do not match", closing.at)

    def _is_grouping(self, node: Node) -> bool:
        return node.head not in ("bracket", "rel") and (self.at > len(self.tokens) - 1 or not self.peek("sep"))

    def _items(self, opening: str) -> list[Node]:
        items = [self.alternatives() if opening == "(" else self.statement()]
        if len(items) == 1 and items[0].head == "seq":
            return list(items[0].args)
        if opening in ("{", "\\{") and self.peek("op", "|", ":"):
            self.take()
            condition = self.alternatives()
            return [Node("builder", (items[0], condition))]
        while self.peek("sep", ",", "、", ";"):
            self.take()
            items.append(self.statement())
        return items
