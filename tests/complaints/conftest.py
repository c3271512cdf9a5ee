"""The room of the people's side with a second marker."""

from __future__ import annotations

from tests.review.conftest import as_person, claimed  # noqa: F401 - fixtures
from tests.schemes.conftest import extra, room, scheme, second  # noqa: F401 - fixtures
