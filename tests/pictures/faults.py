"""What can be wrong with a page as it stands in a browser: too wide, in two languages at once, out of a keyboard's reach.

Each function gives a list of sentences; an empty one is a page without that fault.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Any

from .texts import texts_of

HAN = re.compile(r"[\u3400-\u9fff]+")
LATIN = re.compile(r"[A-Za-z][A-Za-z’'-]{2,}")
# Latin words that Chinese readers write as they are.
_FORMATS = "jpg CSV XLSX JSON PDF ZIP PNG JPEG JPG WebP HEIC TIFF LaTeX NaN Enter Esc Tab Ctrl Shift Alt"
# Names of people, of a judge that tests bring, and of a class list's columns are the same in any language.
KNOWN = frozenset([*_FORMATS.split(), "Clopper", "Pearson", "worked-by-hand", "学号", "姓名", "班级"])
MOST_STOPS = 400

# Everything that Tab should reach, in document order; of radio buttons with one name only one stands in the order.
STOPS = """() => {
  const wanted = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const groups = new Set();
  const dialog = document.querySelector('dialog:modal');
  window.stops = [...document.querySelectorAll(wanted)].filter((element) => {
    if (element.matches(':disabled') || element.closest('[inert]') || element.tabIndex < 0) return false;
    if (dialog && !dialog.contains(element)) return false;
    if (!element.checkVisibility({visibilityProperty: true}) || !element.getClientRects().length) return false;
    if (element.type !== 'radio') return true;
    const group = `${element.form?.id} ${element.name}`;
    const chosen = document.querySelector(`input[type=radio][name="${CSS.escape(element.name)}"]:checked`);
    if (chosen && chosen !== element) return false;
    return !groups.has(group) && groups.add(group);
  });
  window.looks = (element) => {
    const near = [element, element.parentElement, element.nextElementSibling, element.firstElementChild];
    const style = (each) => {
      const {outline, boxShadow, backgroundColor, borderColor, textDecoration, clipPath, top, stroke, strokeWidth} = getComputedStyle(each);
      return [outline, boxShadow, backgroundColor, borderColor, textDecoration, clipPath, top, stroke, strokeWidth].join();
    };
    return near.map((each) => each ? style(each) : '').join('|');
  };
  const body = document.body;
  document.activeElement?.blur();
  if (!dialog) {
    body.tabIndex = -1;
    body.focus();
    body.removeAttribute('tabindex');
  }
  window.looked = new Map(window.stops.map((element) => [element, window.looks(element)]));
  window.told = (element) => {
    const name = element.getAttribute('aria-label') || element.innerText || element.name || '';
    return `${element.tagName.toLowerCase()}${element.id ? '#' + element.id : ''} “${name.trim().slice(0, 40)}”`;
  };
  getSelection().removeAllRanges();
  const jumping = [...document.querySelectorAll('[tabindex]')].filter((each) => each.tabIndex > 0);
  return [window.stops.length, jumping.map(window.told), Boolean(dialog)];
}"""

STOP = """() => {
  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const box = element.getBoundingClientRect();
  const label = element.labels?.[0];
  const x = Math.min(Math.max((box.left + box.right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1);
  const on = document.elementFromPoint(x, y);
  const near = on && [element, label, element.parentElement].some((each) => each?.contains(on) || on.contains(element));
  const inside = box.bottom > 0 && box.top < innerHeight;
  const shown = window.looked.get(element) !== window.looks(element);
  return [window.stops.indexOf(element), window.told(element), shown, Boolean(near) && inside];
}"""


def too_wide(page: Any) -> list[str]:
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{wider} pixels wider than the screen"] if wider > 0 else []


def foreign_words(html: str, language: str, data: Iterable[str]) -> list[str]:
    """Texts in the other language; ``data`` are words that people wrote and that no page translates."""
    words = sorted({each for each in data if len(each) > 2 or HAN.search(each)}, key=len, reverse=True)
    found = []
    for text, tagged in texts_of(html):
        if not tagged.startswith("zh" if language == "zh" else "en"):
            continue
        rest = text
        for word in words:
            if word in rest:
                rest = rest.replace(word, " ")
        foreign = LATIN.findall(rest) if language == "zh" else HAN.findall(rest)
        if set(foreign) - KNOWN:
            found.append(f"{' '.join(foreign)} in: {text[:90]}")
    return list(dict.fromkeys(found))


def unset_formulas(page: Any) -> list[str]:
    """Formulas that stand on the page as they were typed."""
    text = page.evaluate(
        "[...document.body.querySelectorAll('*:not(script):not(style):not(textarea):not(code)')].flatMap((each) => "
        "each.closest('.katex, textarea, code, pre, script') ? [] : [...each.childNodes].filter((node) => node.nodeType === 3)"
        ".map((node) => node.data)).join('\\n')"
    )
    return [f"not typeset: {line[:80]}" for line in re.findall(r"[^\n]*(?:\$[^$\n]+\$|\\[a-z]{2,})[^\n]*", text)]


def keyboard(page: Any) -> list[str]:
    """Tab from the head of the page to its end: what is passed over, cannot be seen or holds the focus fast."""
    wanted, jumping, in_dialog = page.evaluate(STOPS)
    found = [f"has a place of its own in the order: {each}" for each in jumping]
    reached: list[int] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None and in_dialog:
            # A dialog that is open keeps Tab to itself: its end is followed by its beginning.
            in_dialog = False
            continue
        if stop is None or (reached and stop[0] == reached[0]):
            break
        number, told, shown, uncovered = stop
        if number in reached:
            found.append(f"comes again: {told}")
            break
        reached.append(number)
        if not shown:
            found.append(f"focus not to be seen on {told}")
        if not uncovered:
            found.append(f"covered or off the screen while it has the focus: {told}")
    left = sorted(set(range(wanted)) - set(reached))
    told = page.evaluate("(numbers) => numbers.map((number) => window.told(window.stops[number]))", left)
    found += [f"not reached: {each}" for each in told]
    in_order = [number for number in reached if number >= 0]
    turns = sum(later < earlier for earlier, later in itertools.pairwise(in_order))
    if turns > (1 if page.locator("dialog:modal").count() else 0):
        found.append("the order of the stops is not that of the page")
    return found


def data_words(*documents: Any) -> set[str]:
    """Every text of documents that people wrote, in the pieces that formulas leave of it."""
    found: set[str] = set()

    def add(value: Any) -> None:
        if isinstance(value, str):
            found.update(piece.strip() for piece in re.split(r"\$[^$]*\$|\n", value))
            found.add(value.strip())
        elif isinstance(value, dict):
            for each in value.values():
                add(each)
        elif isinstance(value, list | tuple):
            for each in value:
                add(each)

    add(list(documents))
    return found
