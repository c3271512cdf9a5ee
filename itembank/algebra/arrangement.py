"""One arrangement for trees that differ only in the order of terms and factors and in where signs stand."""

from __future__ import annotations

from itembank.algebra.nodes import Node, neg, text_of, walk


def arranged(node: Node) -> Node:
    """The tree with sums and products flat and sorted, and signs pulled out of products and numerators."""
    args = tuple(arranged(arg) for arg in node.args)
    if node.head == "neg":
        return args[0].args[0] if args[0].head == "neg" else neg(args[0])
    if node.head == "div" and args[0].head == "neg":
        return neg(Node("div", (args[0].args[0], args[1])))
    if node.head in ("add", "mul"):
        flat: list[Node] = []
        for arg in args:
            flat.extend(arg.args if arg.head == node.head else (arg,))
        negative = False
        if node.head == "mul":
            negative = sum(arg.head == "neg" for arg in flat) % 2 == 1
            flat = [arg.args[0] if arg.head == "neg" else arg for arg in flat]
        result = Node(node.head, tuple(sorted(flat, key=_key)))
        return neg(result) if negative else result
    if node.head in ("set", "or", "and", "seq"):
        return Node(node.head, tuple(sorted(args, key=_key)), node.name)
    return Node(node.head, args, node.name, node.value, node.places)


def _key(node: Node) -> str:
    return f"{text_of(node)}|{[here.places for here in walk(node)]}"
