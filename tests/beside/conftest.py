"""The room whose question several people mark, and a mark of any total."""

from __future__ import annotations

from tests.review.conftest import as_person  # noqa: F401 - a fixture
from tests.schemes.conftest import extra, room, scheme, second  # noqa: F401 - fixtures
