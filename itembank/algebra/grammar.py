"""Tokens into expressions: one recursive descent parser with limits on depth and nodes. Nothing is ever evaluated."""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra.ellipses import DOTS, filled
from itembank.algebra.lexicon import GREEK_NAMES
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, sym, walk
from itembank.algebra.postfixes import PostfixParser
from itembank.algebra.reader import unbraced as plain
from itembank.algebra.results import Unreadable
from itembank.algebra.tape import Token
from itembank.algebra.unitnames import is_unit
from itembank.algebra.vectors import cross, dot, multiple, total

_FACTOR_KINDS = ("num", "sym", "const", "fn", "cmd", "accent", "roman", "vulgar", "begin", "text")
_TOO_EARLY = "the end came too early"
_NO_FACTORS = ("bmod", "pmod", "choose")


class ExpressionParser(PostfixParser):
    """Precedence, from loose to tight: set operators, + - ±, * / and implicit products, sign, power, ! % ° '."""

    def expression(self) -> Node:
        self.deeper()
        left = self.sum()
        while self.peek("op", "union", "inter", "minus"):
            name = self.take().text
            left = Node(name, (left, self.sum()))
        self.depth -= 1
        return left

    def sum(self) -> Node:
        terms = [self.product()]
        while self.peek("op", "+", "-", "±", "∓") or (len(terms) > 1 and self.peek("dots")):
            sign = "+" if self.peek("dots") else self.take().text
            term = self.product()
            if sign == "-" and len(terms) == 1 and term.head == "set" and _is_set(terms[0]):
                return self.counted(Node("minus", (terms[0], term)))
            term = plain(term)
            terms[0] = plain(terms[0])
            if sign == "+":
                terms.append(term)
            elif sign == "-":
                terms.append(neg(term))
            else:
                terms.append(Node("pm", (term,)) if sign == "±" else Node("pm", (neg(term),)))
        if len(terms) > 1 and any(term == DOTS for term in terms):
            return self.counted(filled(terms, "sum") or add(*terms))
        return self.counted((total(terms) if len(terms) > 1 else None) or add(*terms))

    def product(self) -> Node:
        left = self.signed()
        bare = left.head == "num"
        while True:
            if self.peek("op", "*", "×", "/", ":") and not self._colon_ends():
                sign = self.take()
                right = plain(self.signed())
                left = self._divided(left, right) if sign.text in "/:" else _multiplied(plain(left), right, sign.text)
                left = _filled(left)
                bare = right.head == "num"
                self.divided = sign.text == "/" and not sign.gap
            elif self.peek("cmd", "bmod"):
                self.take()
                left = call("mod", plain(left), plain(self.signed()))
            elif self.peek("cmd", "choose"):
                self.take()
                left = self.chosen = call("binomial", plain(left), plain(self.product()))
            elif self.peek("op", "|") and self.bars == 0 and self.ahead(1, "op", "_"):
                left = self.barred(plain(left))
            elif self.peek("text") and is_unit(self.token().text):
                left = self._with_unit(plain(left))
                if not self.peek("op", "*", "×", "/"):
                    return left
            elif self._starts_factor(bare):
                left = self._joined(left)
                bare = left.args[-1].head == "num"
            else:
                self.divided = False
                return left

    def _colon_ends(self) -> bool:
        return self.peek("op", ":") and self.in_builder

    def _divided(self, top: Node, bottom: Node) -> Node:
        top = plain(top)
        if top.head == "mul" and top.args[0] == bottom == sym("d") and len(top.args) == 2 and self.peek("sym"):
            return sym(f"d{top.args[1].name}/d{self.take().text}")
        if top == sym("d") and bottom == sym("d") and self.peek("sym"):
            variable = self.take().text
            return self.derived_by(plain(self.product()), sym(variable), 1)
        if top == sym("d") and bottom.head == "mul" and bottom.args[0] == sym("d") and len(bottom.args) == 2:
            return self.derived_by(plain(self.product()), bottom.args[1], 1)
        return div(top, bottom)

    def _joined(self, left: Node) -> Node:
        """One more factor written without a sign. Behind a slash, 1/2x, nobody knows whether it is divided by as well."""
        token = self.token()
        before = self.tokens[self.at - 1]
        if (
            self.divided
            and not token.gap
            and token.kind in ("sym", "const", "fn", "cmd", "open")
            and left.head == "div"
        ):
            self.doubt("what is divided by", token.at, even=True)
            if self.second:
                return self.counted(div(left.args[0], mul(*factors(left.args[1]), plain(self.powered()))))
        if token.kind == "num" and not token.gap and before.text != "!":
            self.doubt("a number after a factor", token.at)
        if (token.kind == "sym" and _is_word(token)) or _is_word(before):
            raise Unreadable(f"the word {(token if _is_word(token) else before).text!r} is not understood", token.at)
        if token.text == "[" and before.kind == "sym" and self.ahead(1, "num") and self.ahead(2, "close"):
            raise Unreadable("a number in square brackets behind a name", token.at)
        right = plain(self.powered())
        return self.counted(multiple(plain(left), right) or mul(*factors(plain(left)), right))

    def _starts_factor(self, bare: bool) -> bool:
        token = self.token()
        if token.kind == "open":
            opens = token.text in ("(", "{", "\\{", "⌊", "⌈", "[", "⟨")
            return opens and not self.is_annotation() and not self.is_modulus()
        if token.kind == "op" and token.text == "|":
            return self.bars == 0 and self._bar_closes_later()
        if token.kind == "num":
            return not bare and self.at > 0 and self.tokens[self.at - 1].text != "d"
        if token.kind == "text":
            return not is_unit(token.text) and token.text.isascii()
        if self.integrals and token.kind == "sym" and token.text == "d":
            return False
        if token.kind == "cmd" and token.text in _NO_FACTORS:
            return False
        return token.kind in _FACTOR_KINDS

    def _bar_closes_later(self) -> bool:
        level = 0
        for token in self.tokens[self.at + 1 :]:
            if token.kind in ("open", "close"):
                level += 1 if token.kind == "open" else -1
            if level < 0:
                return False
            if level == 0 and token.kind == "op" and token.text == "|":
                return True
        return False

    def _with_unit(self, value: Node) -> Node:
        """A unit behind a quantity; "2 h 30 min" is a sum, and in 60 km/h × 2 h the second unit has its own number."""
        unit = self.unit_text()
        if value.head in ("mul", "div") and any(here.name == "quantity" for here in walk(value)):
            last = call("quantity", value.args[-1], Node("text", name=unit))
            return Node(value.head, (*value.args[:-1], last))
        quantity = call("quantity", value, Node("text", name=unit))
        if self.peek("num"):
            return add(quantity, self.product())
        return quantity

    def signed(self) -> Node:
        signs = 0
        flips = False
        while self.peek("op", "-", "+", "±", "∓"):
            sign = self.take().text
            signs += sign == "-"
            flips = flips or sign in "±∓"
        node = self.powered()
        if flips:
            node = Node("pm", (plain(node),))
        return neg(plain(node)) if signs % 2 else node

    def powered(self) -> Node:
        base = self.postfixed()
        if not self.peek("op", "^"):
            return base
        return self.counted(self.raised(base))

    def primary(self) -> Node:
        token = self.token()
        readers = {"num": self.number, "sym": self.named, "roman": self.named, "text": self.named, "const": self.constant,
                   "fn": self.function, "cmd": self.command, "accent": self.command, "begin": self.command,
                   "vulgar": self._vulgar, "clock": self._clock}  # fmt: skip
        if token.kind in readers:
            return readers[token.kind]()
        if token.kind == "open" and token.text == "{" and self.ahead(1, "close") and self.ahead(2, "op", "^", "_"):
            self.at += 2
            return self._choice_before()
        if token.kind == "open":
            return self.bracketed()
        if token.kind == "op" and token.text == "|":
            return self.absolute()
        if token.kind in ("none", "dots"):
            self.take()
            return Node(token.kind)
        if token.kind == "op" and token.text in "^_":
            return self._choice_before()
        if token.kind == "rel" and token.text == "<":
            return self._angled_plainly()
        if token.kind == "word" and token.text == "not":
            raise Unreadable("something is said not to be so", token.at)
        raise Unreadable(f"something is missing before {token.text!r}" if token.text else _TOO_EARLY, token.at)

    def _angled_plainly(self) -> Node:
        """<1, 2, 3>: a vector."""
        opening = self.take()
        entries = [self.expression()]
        while self.peek("sep", ","):
            self.take()
            entries.append(self.expression())
        if len(entries) < 2 or not self.peek("rel", ">"):
            raise Unreadable("something is missing before '<'", opening.at)
        self.take()
        return Node("bracket", tuple(entries), "()")

    def _clock(self) -> Node:
        value = self.take().value
        assert value is not None
        return call("clock", num(value))

    def _vulgar(self) -> Node:
        value = self.take().value
        assert value is not None
        return num(value) if value.denominator == 1 else div(num(value.numerator), num(value.denominator))

    def _choice_before(self) -> Node:
        """^5C_2 and ³√8: what is raised before the sign that it belongs to."""
        sign = self.take()
        raised = self.argument()
        if self.peek("cmd", "sqrt", "√") and sign.text == "^":
            self.take()
            return call("root", self.argument(), raised)
        if self.peek("sym", "C", "P", "A") or self.peek("roman", "C", "P", "A"):
            kind = "binomial" if self.take().text == "C" else "perm"
            self.expect("op", "_")
            return call(kind, raised, self.argument())
        raise Unreadable(f"something is missing before {sign.text!r}", sign.at)

    def number(self) -> Node:
        token = self.take()
        if token.value is None:
            raise Unreadable("a number is missing", token.at)
        if self.peek("dots") and token.places and not self.token().gap:
            raise Unreadable("it is not said how the digits go on", self.here())
        if self.peek("op", "_") and not self._is_exponent():
            return self._in_base(token)
        whole = num(token.value, token.places)
        if (chosen := self._calculator_choice(token)) is not None:
            return chosen
        if self._mixed_follows(token):
            return add(whole, self._proper_fraction())
        return whole

    def _is_exponent(self) -> bool:
        """Whether the number just taken is raised: C^2_5 has two indices and no number in base 5."""
        return self.at >= 2 and self.tokens[self.at - 2].text == "^"

    def _calculator_choice(self, token: Token) -> Node | None:
        """5C2 on a calculator: five choose two. It may also be 5 times C_2."""
        if not (self.peek("sym", "C", "P") and self.ahead(1, "num") and token.text.isdigit()):
            return None
        letter, below = self.tokens[self.at], self.tokens[self.at + 1]
        if letter.gap or below.gap or not below.text.isdigit() or (below.value or 0) > (token.value or 0):
            return None
        self.doubt(f"{letter.text} as a sign of choice or a name", letter.at, even=True)
        if self.second:
            return None
        self.at += 2
        return call("binomial" if letter.text == "C" else "perm", num(token.value or 0), num(below.value or 0))

    def _in_base(self, token: Token) -> Node:
        self.take()
        base = plain(self.group() if self.peek("open", "{") else self.number())
        digits = token.text
        if base.value is None or base.value.denominator != 1 or not 2 <= base.value <= 10 or not digits.isdigit():
            raise Unreadable("a number with an index that is no base", token.at)
        if any(int(digit) >= base.value for digit in digits):
            raise Unreadable(f"the digits do not fit base {base.value}", token.at)
        return num(int(digits, int(base.value)))

    def _proper_fraction(self) -> Node:
        if not self.peek("num"):
            return plain(self.primary())
        top = self.take()
        self.take()
        bottom = self.take()
        assert top.value is not None
        assert bottom.value is not None
        return div(num(top.value), num(bottom.value))

    def _mixed_follows(self, token: Token) -> bool:
        """A whole number directly before a proper fraction of plain numbers: 1\\frac{1}{2}, 1½, "1 1/2"."""
        if token.places is not None or (self.at >= 2 and self.tokens[self.at - 2].text in ("^", "_", "/")):
            return False
        if self.peek("vulgar") and (self.token().value or 1) < 1:
            return True
        if self.peek("num") and self.token().gap:
            three = self.tokens[self.at : self.at + 3]
            slash = len(three) == 3 and three[1].text == "/" and not three[1].gap and not three[2].gap
            return (
                slash
                and three[0].text.isdigit()
                and three[2].text.isdigit()
                and int(three[0].text) < int(three[2].text)
            )
        if self.peek("cmd", "frac"):
            kinds = [(one.kind, one.text) for one in self.tokens[self.at + 1 : self.at + 7]]
            if len(kinds) == 6 and [kind for kind, _ in kinds] == ["open", "num", "close", "open", "num", "close"]:
                return kinds[1][1].isdigit() and kinds[4][1].isdigit() and int(kinds[1][1]) < int(kinds[4][1])
            if kinds and kinds[0][0] == "num" and len(kinds[0][1]) == 2:
                return kinds[0][1][0] < kinds[0][1][1]
        return False

    def constant(self) -> Node:
        token = self.take()
        if token.text in "ei" and (token.text in self.plain_names or self.peek("op", "_")):
            return self.subscripted(token.text)
        return const(token.text)


def _is_word(token: Token) -> bool:
    """Whether a token is a word of four letters or more that names nothing known."""
    name = token.text
    return token.kind == "sym" and len(name) >= 4 and name.isascii() and name.islower() and name not in GREEK_NAMES


def _multiplied(left: Node, right: Node, sign: str) -> Node:
    """A product; × between two vectors is the cross product, which does not commute, and · the scalar product."""
    if sign == "×" and _is_vector(left) and _is_vector(right):
        return cross(left, right)
    return dot(left, right) or multiple(left, right) or mul(*factors(left), right)


def _is_vector(node: Node) -> bool:
    named = node.head == "sym" and node.name.startswith("vec_")
    return named or node.head in ("matrix", "bracket") or (node.head == "call" and node.name == "cross")


def _is_set(node: Node) -> bool:
    """Whether a set stands on the left, so that R - {1} takes an element out of it."""
    return node.head in ("bracket", "union", "minus") or (node.head == "sym" and node.name in ("R", "set_R"))


def _filled(node: Node) -> Node:
    """1·2·…·n as a product with bounds, once its last factor is read."""
    if node.head != "mul" or node.args[-1] == DOTS or DOTS not in node.args:
        return node
    return filled(node.args, "product") or node


def factors(node: Node) -> tuple[Node, ...]:
    """The factors of a product, so that products stay flat."""
    return node.args if node.head == "mul" else (node,)


def decimal_places(value: Fraction) -> int | None:
    """How many decimals write the value exactly; None when no finite number does."""
    bottom = value.denominator
    twos = (bottom & -bottom).bit_length() - 1
    bottom >>= twos
    fives = 0
    while bottom % 5 == 0:
        bottom //= 5
        fives += 1
    return max(twos, fives) if bottom == 1 else None
