"""By hand, for demonstrations: ``python -m tests.model_server --behaviour slow``; ``--list`` names the behaviours."""

from __future__ import annotations

import argparse
import time

from .behaviours import BEHAVIOURS
from .server import ModelServer, Server


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.model_server", description="A model service that misbehaves on request."
    )
    parser.add_argument("--behaviour", default="well", choices=sorted(BEHAVIOURS))
    parser.add_argument("--only", choices=("read", "adjudicate"))
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--delay", type=float, default=30.0, help="seconds of 'slow'")
    parser.add_argument("--line", action="append", help="a line that the model reads (repeat)")
    parser.add_argument("--list", action="store_true", help="name the behaviours and stop")
    options = parser.parse_args()
    if options.list:
        print("\n".join(sorted(BEHAVIOURS)))
        return
    Server.verbose = True
    with ModelServer(
        options.behaviour, only=options.only, lines=options.line, delay=options.delay, port=options.port
    ) as server:
        print(f"WENSHU_MODEL_BASE_URL={server.base_url} WENSHU_MODEL_NAME=local", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            print("stopped")


if __name__ == "__main__":
    main()
