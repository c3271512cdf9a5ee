"""The room and the cast of the marking schemes."""

from tests.review.conftest import as_person  # noqa: F401 - a fixture
from tests.schemes.conftest import arbiter, extra, room, scheme, second  # noqa: F401 - fixtures
