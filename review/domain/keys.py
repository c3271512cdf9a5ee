"""The single keys of the marking desk: what each does by default, and which other keys a person may give it."""

from __future__ import annotations

from collections.abc import Mapping

from config.foundation.errors import UnusableInput

# Action → key. The digits (steps, statuses, zero), Enter, Esc and ? are the same for everybody.
DEFAULTS: dict[str, str] = {
    "full": "f",
    "accept": "a",
    "reading": "e",
    "reason": "c",
    "problem": "p",
    "skip": "s",
    "transfer": "t",
    "release": "",
    "undo": "u",
    "previous": "[",
    "next": "]",
    "rotate": "r",
    "in": "+",
    "out": "-",
    "tick": "v",
    "cross": "x",
    "box": "b",
    "text": "w",
    "arrow": "l",
    "eraser": "d",
}
FIXED = frozenset("0123456789?")


def all_keys(kept: Mapping[str, str]) -> dict[str, str]:
    """The key of every action for a person with these keys; an action that came later gets its own if it is still free."""
    taken = set(kept.values())
    return {action: kept.get(action, "" if key in taken else key) for action, key in DEFAULTS.items()}


def own_keys(sent: Mapping[str, str]) -> dict[str, str]:
    """The key of each action as a person wants it; an empty one switches the action's key off.

    Raises UnusableInput for a key that is no single visible sign, is taken by everybody's keys, or stands twice.
    """
    keys = {action: sent.get(action, default).strip().lower() for action, default in DEFAULTS.items()}
    used: dict[str, str] = {}
    for action, key in keys.items():
        if not key:
            continue
        if len(key) != 1 or not "!" <= key <= "~" or key in FIXED:
            raise UnusableInput(
                "keys.sign", f"“{key[:10]}”不能用作快捷键：请用一个字母或符号。",
                f"“{key[:10]}” cannot be a shortcut: use one letter or sign.", action=action,
            )  # fmt: skip
        if key in used:
            raise UnusableInput(
                "keys.twice", f"“{key}”用了两次，请换一个。", f"“{key}” is used twice; choose another.", action=action
            )
        used[key] = action
    return keys
