"""What every test stands on: data in a temporary folder, a database that can be emptied, real services."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import TransactionTestCase
from django.utils import translation

from itembank.algebra import warm

pytest_plugins = ["tests.fixtures.people", "tests.fixtures.workers", "tests.fixtures.browser"]

DATABASE_FIXTURES = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})


def pytest_configure(config: pytest.Config) -> None:
    """Settings are read before this file; everything that they derive from the data folder moves to a temporary one."""
    folder = Path(tempfile.mkdtemp(prefix="wenshu-test-"))
    config.stash[_FOLDER] = folder
    os.environ["WENSHU_DATA_DIR"] = str(folder)
    settings.DATA_DIR = folder
    settings.MEDIA_ROOT = folder / "media"
    settings.STATIC_ROOT = folder / "static"
    settings.STATIC_ROOT.mkdir()
    storage: Any = settings.STORAGES["default"]
    storage["OPTIONS"]["location"] = settings.MEDIA_ROOT
    settings.CELERY_BEAT_SCHEDULE_FILENAME = str(folder / "beat-schedule")
    settings.CELERY_BROKER_URL = settings.BROKER_URL = f"redis+socket://{folder / 'no-broker.sock'}"
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # The name that a subprocess with this data folder would open, so that both see the same rows.
        database["NAME"] = folder / "wenshu.sqlite3"
        database["TEST"]["NAME"] = folder / "wenshu.sqlite3"


_FOLDER = pytest.StashKey[Path]()


@pytest.fixture(scope="session", autouse=True)
def algebra_that_is_ready() -> None:
    """Questions wait for the symbolic child no longer than they may take, so it stands before the first of them."""
    assert warm()


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_FOLDER, None)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long ones first; on the second database only tests that touch a database, service or page run again."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if os.environ.get("WENSHU_TEST_LEG") != "postgres":
        return
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (kept if _depends_on_services(item) else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


def _depends_on_services(item: pytest.Item) -> bool:
    if item.get_closest_marker("one_database"):
        return False
    if any(item.get_closest_marker(name) for name in ("django_db", "services", "browser")):
        return True
    if issubclass(getattr(item, "cls", None) or object, TransactionTestCase):
        return True
    return bool(DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """SQLite needs no suffix for each pytest-xdist worker: every worker has a folder of its own."""
    if not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


def append_only_triggers() -> list[tuple[str, str]]:
    """(table, trigger or its SQL) of every trigger that ``config.foundation.append_only`` made."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                "JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal AND p.proname LIKE '%%append\\_only'"
            )
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%append-only:%'")
        return list(cursor.fetchall())


@contextmanager
def append_only_lifted() -> Iterator[None]:
    """Lets the tables be emptied between two tests; the product itself never does this."""
    triggers = append_only_triggers()
    postgres = connection.vendor == "postgresql"
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if postgres and connection.in_atomic_block:
            # Checks put off to the end of the test's transaction would hold the tables.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table, trigger in triggers:
            if postgres:
                cursor.execute(f"ALTER TABLE {quote(table)} DISABLE TRIGGER {quote(trigger)}")
            else:
                cursor.execute(f"DROP TRIGGER {quote(table)}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for table, trigger in triggers:
                cursor.execute(f"ALTER TABLE {quote(table)} ENABLE TRIGGER {quote(trigger)}" if postgres else trigger)


_flush_tables = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]


def requests_answered(seconds: float = 3.0) -> None:
    """Waits for what a closing page still asks of the live server (it saves and lets go as it leaves).

    A request that runs while the tables are emptied would write rows of a test that is over.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end and any("process_request_thread" in each.name for each in threading.enumerate()):
        time.sleep(0.02)


def _flush_append_only_tables_too(case: Any) -> None:
    requests_answered()
    with append_only_lifted():
        _flush_tables(case)


TransactionTestCase._fixture_teardown = _flush_append_only_tables_too  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    """Each test starts in Chinese, whatever the one before it activated."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture(autouse=True)
def connections_of_this_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """A connection opened outside a test's transaction must not outlive it: it would warn, and warnings fail."""
    yield
    if not _depends_on_services(request.node):
        for each in connections.all(initialized_only=True):
            each.close()


@pytest.fixture
def data_dir(tmp_path: Path, settings: Any) -> Path:
    """A data and media folder for this test alone."""
    settings.DATA_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STORAGES = settings.STORAGES | {
        "default": settings.STORAGES["default"] | {"OPTIONS": {"location": settings.MEDIA_ROOT}}
    }
    return tmp_path


@pytest.fixture(scope="session")
def cases_folder() -> Path:
    """The folder of outside cases, named by WENSHU_CASES; without it a test is skipped and says so."""
    default = settings.BASE_DIR.parent / "shared" / "cases"
    folder = Path(os.environ.get("WENSHU_CASES", default))
    if not folder.is_dir():
        pytest.skip(f"the outside cases are not at {folder}; set WENSHU_CASES to their folder")
    return folder
