"""The web container's health check: asks the server in the same container; exit 0 when it answers 200.

It says that the request came by HTTPS, as the proxy does, and names a host that the settings allow.
"""

import os
import sys
import urllib.request


def main(question: str) -> int:
    port = os.environ.get("WENSHU_HEALTH_PORT", "8000")
    host = os.environ.get("WENSHU_ALLOWED_HOSTS", "localhost").split(",")[0].strip()
    headers = {"Host": host, "X-Forwarded-Proto": "https"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz/{question}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=4) as response:  # noqa: S310  # a fixed address of our own
            return 0 if response.status == 200 else 1
    except OSError as error:
        print(error)  # noqa: T201  # docker shows it with the state
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "live"))
