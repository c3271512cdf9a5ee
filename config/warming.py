"""What a process starts before it is asked: the child for symbolic algebra, which takes a second to import its library."""

from __future__ import annotations

import threading

from itembank.algebra import warm


def warm_algebra() -> threading.Thread:
    """Start the child in the background; a question that comes sooner waits no longer than it may take."""
    thread = threading.Thread(target=warm, name="warm-algebra", daemon=True)
    thread.start()
    return thread
