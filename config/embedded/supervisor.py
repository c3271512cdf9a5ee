"""Starts everything that the product needs on one machine, watches it, and ends it: web, workers, scheduler, broker."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from config.embedded import broker, children, commands, pidfile
from config.foundation.errors import ConfigurationError

RESTARTS_ALLOWED = 5
WITHIN_SECONDS = 60.0
STOP_PATIENCE = 1.5


class Stopping(BaseException):
    """A signal asked the run to end. No Exception, so that nothing on the way swallows it."""


@dataclass
class Child:
    """One process of the product and how to start it again."""

    name: str
    command: list[str]
    on_parent_death: signal.Signals = signal.SIGTERM
    once: bool = False
    # Called with the child's name when it died and before it is started again.
    after_death: Callable[[str], None] | None = None
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=deque)


@dataclass
class Supervisor:
    """One run in one data folder. ``say`` prints a line for the person at the terminal."""

    data: Path
    root: Path
    say: Callable[[str], None]
    socket: Path | None
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    running: list[Child] = field(default_factory=list)
    broker_process: subprocess.Popen[bytes] | None = None

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def pids(self) -> Path:
        return self.data / "run.pids"

    def clean_up(self) -> int:
        """End what a killed run left over, and begin new logs (the last run's are kept beside them).

        Returns how many processes were ended.
        """
        ended = pidfile.end_leftovers(self.pids)
        if ended:
            self.say(f"已结束上次中断运行留下的 {ended} 个进程 Ended {ended} processes left over by a killed run")
        self.logs.mkdir(parents=True, exist_ok=True)
        for log in self.logs.glob("*.log"):
            log.replace(log.with_suffix(".log.1"))
        return ended

    def start_broker(self) -> None:
        """Start the embedded broker, unless the settings name one elsewhere."""
        if self.socket is None:
            return
        os.environ[pidfile.TOKEN_VARIABLE] = self.token
        folder = self.data / "broker"
        self.broker_process = broker.start(self.socket, folder, log=self._log("broker"))
        self._record()

    def start(self, child: Child) -> None:
        """Start one child and write it down before anything else can happen to this process."""
        environment = os.environ | {pidfile.TOKEN_VARIABLE: self.token, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", *child.command]
        child.process = children.start(
            command, self._log(child.name), environment=environment, folder=self.root,
            on_parent_death=child.on_parent_death,
        )  # fmt: skip
        if child not in self.running:
            self.running.append(child)
        self._record()

    def look_after(self) -> None:
        """Start again what has died. Raises ConfigurationError when something dies over and over."""
        if self.broker_process is not None and children.has_ended(self.broker_process):
            children.collect(self.broker_process)
            self.say("消息服务中断，正在重启 The broker ended; starting it again")
            self.start_broker()
        for child in list(self.running):
            if child.process is None or not children.has_ended(child.process):
                continue
            code = children.collect(child.process)
            child.process = None
            if child.once:
                self.running.remove(child)
                if code:
                    # The product runs without the sample; the person is told what went wrong with it.
                    failure = self._failed(child, code)
                    self.say(f"\n{failure.zh} {failure.en}\n")
                continue
            self._count_death(child, code)
            if child.after_death:
                child.after_death(child.name)
            self.start(child)

    def _count_death(self, child: Child, code: int) -> None:
        now = time.monotonic()
        child.deaths.append(now)
        while child.deaths and child.deaths[0] < now - WITHIN_SECONDS:
            child.deaths.popleft()
        if len(child.deaths) > RESTARTS_ALLOWED:
            raise self._failed(child, code)
        self.say(f"{child.name} 中断（{code}），正在重启 {child.name} ended ({code}); starting it again")

    def stop(self) -> None:
        """End all children, the broker last so that workers can put back what they hold."""
        children.end([child.process for child in self.running if child.process is not None], patience=STOP_PATIENCE)
        if self.broker_process is not None:
            children.end([self.broker_process], patience=1.0)
        self.running.clear()
        self.pids.unlink(missing_ok=True)

    def wait_for_web(self, host: str, port: int, *, seconds: float = 120.0) -> None:
        """Return once a page is answered: the server takes connections before its workers have read the code."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.look_after()
            if _answers("127.0.0.1" if host == "0.0.0.0" else host, port):  # noqa: S104  # compared, not bound
                return
            time.sleep(0.05)
        raise ConfigurationError(
            "embedded.web_silent",
            f"网页服务没有启动，请查看 {self._log('web')}",
            f"The web server did not start; see {self._log('web')}",
        )

    def _failed(self, child: Child, code: int) -> ConfigurationError:
        log = self._log(child.name)
        words = log.read_text(errors="replace").strip().splitlines()[-6:] if log.exists() else []
        tail = "\n".join(words)
        return ConfigurationError(
            "embedded.child_failed",
            f"{child.name} 无法运行（{code}），日志在 {log}。",
            f"{child.name} cannot run ({code}); its log is {log}:\n{tail}",
        )

    def _log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def _record(self) -> None:
        started = [
            pidfile.record(child.name, child.process.pid)
            for child in self.running
            if child.process is not None and not children.has_ended(child.process)
        ]
        if self.broker_process is not None and not children.has_ended(self.broker_process):
            started.append(pidfile.record("broker", self.broker_process.pid))
        pidfile.write(self.pids, self.token, started)


def _answers(host: str, port: int) -> bool:
    asked = http.client.HTTPConnection(host, port, timeout=5)
    try:
        asked.request("GET", "/healthz/live")
        return asked.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asked.close()


def web(bind: str) -> Child:
    """The web server: the same command as in production, sized for one machine, as are the others."""
    return Child("web", commands.web(bind))


def background() -> list[Child]:
    """The workers and the scheduler."""
    return [
        # Gentler signals leave a Celery worker waiting for a broker that is gone too. Its pool ends with it, and the
        # leases in the rows decide what is done again.
        Child("worker-cpu", commands.cpu_worker(), signal.SIGKILL),
        Child("worker-model", commands.model_worker(), signal.SIGKILL),
        Child("beat", commands.beat()),
    ]


@contextmanager
def only_run(data: Path, address: str) -> Iterator[None]:
    """Hold the data folder; raises ConfigurationError that says who holds it already."""
    with (data / "run.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _taken(data, file.fileno()) from None
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "address": address}))
        file.flush()
        yield


def _taken(data: Path, descriptor: int) -> ConfigurationError:
    try:
        holder = json.loads(os.pread(descriptor, 1000, 0))
    except ValueError:
        holder = {}
    pid, address = holder.get("pid", "?"), holder.get("address", "?")
    return ConfigurationError(
        "embedded.already_running",
        f"文枢已在此数据目录运行（进程 {pid}，{address}）。",
        f"Wenshu already runs in {data} (process {pid}, {address}).",
    )


def refuse_busy_port(host: str, port: int, *, patience: float = 0) -> None:
    """Raise ConfigurationError when somebody else listens at the address, and still does after ``patience`` seconds.

    The threads of a process that was just ended may hold its port for a moment after it counts as gone.
    """
    deadline = time.monotonic() + patience
    while not _is_free(host, port):
        if time.monotonic() >= deadline:
            raise ConfigurationError(
                "embedded.port_busy",
                f"端口 {port} 已被占用，请用 --port 换一个。",
                f"Port {port} is already in use; choose another with --port.",
            )
        time.sleep(0.05)


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Ctrl-C, a closed terminal and SIGTERM raise Stopping in the main thread; while stopping, further ones wait."""

    def stop(number: int, frame: FrameType | None) -> None:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        raise Stopping

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
