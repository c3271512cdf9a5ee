"""``manage.py serve_embedded`` (``bin/run``): the whole product on one machine, from nothing, until Ctrl-C."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection

from config.embedded import progress, supervisor
from config.foundation import jobs
from config.foundation.errors import ConfigurationError

SAMPLE_LOGINS = "teacher 王老师 · staff 李教务 · leader 陈组长 · auditor 赵质检"


class Command(BaseCommand):
    help = "Start broker, web server, workers and scheduler, load the sample, show progress; Ctrl-C ends all of it."
    # The database may not exist yet.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--no-sample", action="store_true", help="do not load the sample assessment")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        if not 1 <= port <= 65535:
            raise ConfigurationError(
                "embedded.port", "--port 应在 1 到 65535 之间。", "--port must be from 1 to 65535."
            )
        data = Path(settings.DATA_DIR)
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        run = supervisor.Supervisor(data, settings.BASE_DIR, self.say, self._embedded_socket())
        address = f"http://{host}:{port}/"
        with supervisor.only_run(data, address), supervisor.stopped_by_signals():
            try:
                ended = run.clean_up()
                supervisor.refuse_busy_port(host, port, patience=5 if ended else 0)
                self._prepare(run)
                self._start_web(run, host, port)
                self._announce(address, sample=not options["no_sample"])
                self._start_work(run, sample=not options["no_sample"])
                self._watch(run)
            except supervisor.Stopping:
                self.say("\n正在结束 … stopping")
            finally:
                connection.close()
                run.stop()

    def say(self, line: str) -> None:
        """One line to the terminal at once, also through a pipe; a progress line that stands there gives way."""
        self.stdout.write(f"\r\033[K{line}" if sys.stdout.isatty() else line)
        self.stdout.flush()

    @staticmethod
    def _embedded_socket() -> Path | None:
        own = settings.SOCKET_DIR / "broker.sock"
        return own if f"redis+socket://{own}" == settings.BROKER_URL else None

    @staticmethod
    def _prepare(run: supervisor.Supervisor) -> None:
        run.start_broker()
        call_command("migrate", interactive=False, verbosity=0)
        call_command("check", stdout=io.StringIO())
        call_command("collectstatic", interactive=False, verbosity=0)
        # This process holds the folder and has ended the last run's workers: nobody works on these jobs any more.
        jobs.expire_leases()
        connection.close()

    @staticmethod
    def _start_web(run: supervisor.Supervisor, host: str, port: int) -> None:
        """The web server alone at first: with all cores to itself it answers soonest."""
        run.start(supervisor.web(f"{host}:{port}"))
        run.wait_for_web(host, port)

    @staticmethod
    def _start_work(run: supervisor.Supervisor, *, sample: bool) -> None:
        for child in supervisor.background():
            if child.name.startswith("worker-"):
                child.after_death = _free_jobs_of
            run.start(child)
        if sample:
            run.start(supervisor.Child("sample", ["manage", "load_sample"], once=True))

    def _announce(self, address: str, *, sample: bool) -> None:
        self.say(f"\n文枢已启动 Wenshu is running:  {address}")
        if sample:
            from grading.management.commands.load_sample import PASSWORD

            self.say(f"示例登录 Sample logins:  {SAMPLE_LOGINS}\n密码 Password:  {PASSWORD}")
        self.say("按 Ctrl-C 结束 Press Ctrl-C to stop\n")

    def _watch(self, run: supervisor.Supervisor) -> None:
        """Look after the children; once a second show how far the judging is, for as long as there is something new."""
        shown, on_terminal = "", sys.stdout.isatty()
        while True:
            run.look_after()
            loading = any(child.name == "sample" for child in run.running)
            try:
                line = progress.line(loading=loading)
            except DatabaseError:
                line = shown  # a writer was at work; the next second tells
            if line != shown:
                self.stdout.write(f"\r\033[K{line}" if on_terminal else line, ending="" if on_terminal else "\n")
                self.stdout.flush()
                shown = line
            time.sleep(1.0)


def _free_jobs_of(name: str) -> None:
    jobs.expire_leases(queue=name.removeprefix("worker-"))
    jobs.sweep()
    connection.close()
