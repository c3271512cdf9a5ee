"""The room whose question several people mark, and a mark of any total."""

from __future__ import annotations

from tests.schemes.conftest import as_person, extra, room, scheme, second  # noqa: F401 - fixtures
