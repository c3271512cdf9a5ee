"""The command line of each process of the product; the embedded supervisor and ``docker/compose.yaml`` run the same."""

from __future__ import annotations

CELERY = ("celery", "-A", "config.celery")
# Gossip and mingle are talk between workers that nobody here listens to.
WORKER = (*CELERY, "worker", "--without-gossip", "--without-mingle", "--loglevel", "INFO")


def web(bind: str, *, workers: int = 2, threads: int = 8) -> list[str]:
    """The web server: threads, for pages wait on the database rather than compute."""
    return [
        "gunicorn", "config.wsgi:application", "--bind", bind, "--worker-class", "gthread",
        "--workers", str(workers), "--threads", str(threads), "--timeout", "60", "--graceful-timeout", "10",
        # The code is read once and shared by the workers.
        "--preload",
        # A second way in, in the home folder, that nobody uses.
        "--no-control-socket",
    ]  # fmt: skip


def model_worker(*, concurrency: int = 16) -> list[str]:
    """Waits on model services: threads, each with a time limit in its own client."""
    return [
        *WORKER,
        "--queues",
        "model",
        "--pool",
        "threads",
        "--concurrency",
        str(concurrency),
        "--hostname",
        "model@%h",
    ]


def cpu_worker(*, concurrency: int = 2) -> list[str]:
    """Reads images and proves algebra: processes, which a hard time limit can stop."""
    return [
        *WORKER, "--queues", "cpu", "--pool", "prefork", "--concurrency", str(concurrency),
        "--max-tasks-per-child", "200", "--hostname", "cpu@%h",
    ]  # fmt: skip


def beat() -> list[str]:
    """The scheduler of the sweep and the daily anchor. No pid file: ours is the one that counts."""
    return [*CELERY, "beat", "--loglevel", "INFO", "--pidfile", ""]
