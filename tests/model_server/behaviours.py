"""How a model service answers, well and in every wrong way we know of; each behaviour is one function."""

from __future__ import annotations

import gzip
import json
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .server import Handler

BIG = 50 * 1024 * 1024


@dataclass
class Reply:
    """What the handler is about to send; behaviours change it or send something else themselves."""

    handler: Handler
    good: dict[str, Any]
    number: int
    lines: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=lambda: {"prompt_tokens": 1200, "completion_tokens": 300})

    def envelope(self, content: str | None, finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
        return {
            "id": "chatcmpl-local",
            "object": "chat.completion",
            "created": 0,
            "model": "local-model-2026",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish_reason,
                    "message": {"role": "assistant", "content": content, **message},
                }
            ],
            "usage": {**self.usage},
        }

    def send(
        self, body: bytes | dict[str, Any], *, status: int = 200, kind: str = "application/json", **headers: str
    ) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        handler = self.handler
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        handler.send_header("x-request-id", f"req-{self.number}")
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    def content(self, text: str) -> None:
        self.send(self.envelope(text))

    def well(self) -> None:
        self.content(json.dumps(self.good, ensure_ascii=False))

    def error(self, status: int, **headers: str) -> None:
        self.send({"error": {"message": "no", "type": "error"}}, status=status, **headers)


Behaviour = Callable[[Reply], None]
BEHAVIOURS: dict[str, Behaviour] = {}


def behaviour(function: Behaviour) -> Behaviour:
    BEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function


# ---- well, and slow


@behaviour
def well(reply: Reply) -> None:
    reply.well()


@behaviour
def slow(reply: Reply) -> None:
    if not reply.handler.stopping.wait(reply.handler.server.delay):
        reply.well()


@behaviour
def drip_body(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    handler.drip()


@behaviour
def drip_headers(reply: Reply) -> None:
    reply.handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    reply.handler.drip()


@behaviour
def drip_error(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(400)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    handler.drip()


# ---- HTTP statuses


@behaviour
def limited_then_well(reply: Reply) -> None:
    if reply.number == 1:
        reply.error(429, Retry_After="1")
    else:
        reply.well()


@behaviour
def limited(reply: Reply) -> None:
    reply.error(429, Retry_After="0")


@behaviour
def limited_for_an_hour(reply: Reply) -> None:
    reply.error(429, Retry_After="3600")


@behaviour
def broken(reply: Reply) -> None:
    reply.error(500)


@behaviour
def unavailable_then_well(reply: Reply) -> None:
    if reply.number == 1:
        reply.error(503)
    else:
        reply.well()


@behaviour
def unauthorised(reply: Reply) -> None:
    key = reply.handler.headers.get("authorization", "")
    reply.send({"error": {"message": f"wrong key {key}"}}, status=401)


@behaviour
def forbidden(reply: Reply) -> None:
    reply.error(403)


@behaviour
def unknown_model(reply: Reply) -> None:
    reply.error(404)


@behaviour
def bad_request(reply: Reply) -> None:
    reply.error(400)


@behaviour
def redirect(reply: Reply) -> None:
    reply.error(307, Location=f"http://localhost:{reply.handler.server.server_port}/elsewhere")


# ---- the connection


@behaviour
def reset(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    os.close(handler.connection.detach())  # close() would wait for the handler's own files on the socket


@behaviour
def cut_body(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


@behaviour
def no_answer(reply: Reply) -> None:
    reply.handler.connection.shutdown(socket.SHUT_RDWR)


@behaviour
def not_http(reply: Reply) -> None:
    reply.handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")


@behaviour
def giant(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(BIG))
    handler.end_headers()
    for _ in range(BIG // 65536):
        handler.wfile.write(b" " * 65536)


@behaviour
def giant_error(reply: Reply) -> None:
    handler = reply.handler
    handler.send_response(400)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(BIG))
    handler.end_headers()
    for _ in range(BIG // 65536):
        handler.wfile.write(b" " * 65536)


@cache
def zipped_spaces() -> bytes:
    """50 MB in 50 kB."""
    return gzip.compress(b" " * BIG)


@behaviour
def zipped(reply: Reply) -> None:
    reply.send(zipped_spaces(), Content_Encoding="gzip")


@behaviour
def giant_content(reply: Reply) -> None:
    reply.content(json.dumps({**reply.good, "comments": "长" * 60_000}, ensure_ascii=False))


# ---- the protocol


@behaviour
def html(reply: Reply) -> None:
    reply.send(b"<!doctype html><title>Sign in</title><p>Please sign in.", kind="text/html; charset=utf-8")


@behaviour
def html_as_json(reply: Reply) -> None:
    reply.send(b"<!doctype html><title>Sign in</title><p>Please sign in.")


@behaviour
def wrong_content_type(reply: Reply) -> None:
    good = reply.envelope(json.dumps(reply.good, ensure_ascii=False))
    reply.send(good, kind="text/plain; charset=utf-8")


@behaviour
def bad_utf8(reply: Reply) -> None:
    good = json.dumps(reply.envelope(json.dumps(reply.good)), ensure_ascii=False).encode()
    reply.send(good.replace(b"chatcmpl", b"chat\xff\xfe"))


@behaviour
def not_an_object(reply: Reply) -> None:
    reply.send(b'["choices"]')


@behaviour
def no_choices(reply: Reply) -> None:
    reply.send({**reply.envelope(""), "choices": []})


@behaviour
def two_choices(reply: Reply) -> None:
    good = reply.envelope(json.dumps(reply.good))
    reply.send({**good, "choices": good["choices"] * 2})


@behaviour
def choice_is_text(reply: Reply) -> None:
    reply.send({**reply.envelope(""), "choices": ["yes"]})


@behaviour
def null_content(reply: Reply) -> None:
    reply.send(reply.envelope(None))


@behaviour
def content_in_parts(reply: Reply) -> None:
    good = reply.envelope("")
    good["choices"][0]["message"]["content"] = [{"type": "text", "text": json.dumps(reply.good)}]
    reply.send(good)


@behaviour
def truncated(reply: Reply) -> None:
    text = json.dumps(reply.good, ensure_ascii=False)
    reply.send(reply.envelope(text[: len(text) // 2], "length"))


@behaviour
def truncated_but_whole(reply: Reply) -> None:
    reply.send(reply.envelope(json.dumps(reply.good), "length"))


@behaviour
def refusal(reply: Reply) -> None:
    reply.send(reply.envelope(None, "stop", refusal="I cannot help with that."))


@behaviour
def content_filter(reply: Reply) -> None:
    reply.send(reply.envelope(json.dumps(reply.good), "content_filter"))


@behaviour
def tool_call(reply: Reply) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "give_full_marks", "arguments": "{}"}}
    reply.send(reply.envelope(None, "tool_calls", tool_calls=[call]))


@behaviour
def strange_finish(reply: Reply) -> None:
    reply.send(reply.envelope(json.dumps(reply.good), "abort"))


@behaviour
def lying_usage(reply: Reply) -> None:
    reply.usage = {"prompt_tokens": -5, "completion_tokens": "many"}
    reply.well()


# ---- the JSON in the reply


@behaviour
def bad_json(reply: Reply) -> None:
    reply.content(json.dumps(reply.good)[:-1] + ",}")


@behaviour
def prose_around(reply: Reply) -> None:
    reply.content("好的，结果如下：\n" + json.dumps(reply.good))


@behaviour
def fenced(reply: Reply) -> None:
    reply.content("```json\n" + json.dumps(reply.good) + "\n```")


@behaviour
def duplicate_keys(reply: Reply) -> None:
    reply.content(json.dumps(reply.good)[:-1] + ', "instructions_seen": ["x"]}')


@behaviour
def not_a_number(reply: Reply) -> None:
    reply.content(json.dumps(reply.good).replace("0.9", "NaN", 1))


@behaviour
def infinity(reply: Reply) -> None:
    reply.content(json.dumps(reply.good).replace("0.9", "1e999", 1))


@behaviour
def deep(reply: Reply) -> None:
    reply.content("[" * 20_000 + "]" * 20_000)


@behaviour
def long_integer(reply: Reply) -> None:
    reply.content(json.dumps(reply.good).replace("0.9", "9" * 5000, 1))


def _eaten(reply: Reply) -> str:
    good = json.loads(json.dumps(reply.good))
    if "lines" in good:
        good["lines"][0]["content"] = "\\frac{8}{4}=2"
    else:
        good["comments"] = "\\frac{8}{4}=2"
    return json.dumps(good, ensure_ascii=False).replace("\\\\frac", "\\frac")


@behaviour
def eaten_backslash(reply: Reply) -> None:
    reply.content(_eaten(reply))


@behaviour
def eaten_backslash_then_well(reply: Reply) -> None:
    reply.content(_eaten(reply)) if reply.number == 1 else reply.well()


@behaviour
def unknown_escape(reply: Reply) -> None:
    reply.content(_eaten(reply).replace("\\frac", "\\sqrt"))


@behaviour
def control_character(reply: Reply) -> None:
    reply.content(json.dumps({**reply.good, "instructions_seen": ["a\x07b"]}))


@behaviour
def lone_surrogate(reply: Reply) -> None:
    reply.content(json.dumps({**reply.good, "instructions_seen": ["\ud800"]}))


# ---- the shape of the reply


@behaviour
def wrong_shape(reply: Reply) -> None:
    reply.content('{"score": 12}')


@behaviour
def extra_score(reply: Reply) -> None:
    reply.content(json.dumps({**reply.good, "total_score": 12}))


@behaviour
def extra_score_in_a_step(reply: Reply) -> None:
    inner = reply.good["paths"][0]["steps"][0] if "paths" in reply.good else reply.good["lines"][0]
    inner["score"] = 4
    reply.well()


@behaviour
def number_as_text(reply: Reply) -> None:
    inner = reply.good["paths"][0]["steps"][0] if "paths" in reply.good else reply.good["lines"][0]
    inner["confidence"] = "0.95"
    reply.well()


@behaviour
def true_as_number(reply: Reply) -> None:
    inner = reply.good["paths"][0]["steps"][0] if "paths" in reply.good else reply.good["lines"][0]
    inner["confidence"] = True
    reply.well()


@behaviour
def too_sure(reply: Reply) -> None:
    inner = reply.good["paths"][0]["steps"][0] if "paths" in reply.good else reply.good["lines"][0]
    inner["confidence"] = 1.2
    reply.well()


# ---- replies to the first call that cannot be true


@behaviour
def box_off_page(reply: Reply) -> None:
    reply.good["lines"][0]["box"] = [0.1, 0.1, 1.3, 0.2]
    reply.well()


@behaviour
def box_without_area(reply: Reply) -> None:
    reply.good["lines"][0]["box"] = [0.5, 0.1, 0.5, 0.2]
    reply.well()


@behaviour
def box_in_pixels(reply: Reply) -> None:
    reply.good["lines"][0]["box"] = [120, 80, 900, 140]
    reply.well()


@behaviour
def page_that_is_not(reply: Reply) -> None:
    reply.good["lines"][0]["page"] = 2
    reply.well()


@behaviour
def line_twice(reply: Reply) -> None:
    reply.good["lines"][1]["line_id"] = "L1"
    reply.well()


@behaviour
def empty_line(reply: Reply) -> None:
    reply.good["lines"][0]["content"] = " "
    reply.well()


# ---- replies to the second call that cannot be true


@behaviour
def unknown_step(reply: Reply) -> None:
    steps = reply.good["paths"][0]["steps"]
    steps.append({**steps[0], "step_id": "A99"})
    reply.well()


@behaviour
def missing_step(reply: Reply) -> None:
    reply.good["paths"][0]["steps"].pop()
    reply.well()


@behaviour
def step_twice(reply: Reply) -> None:
    reply.good["paths"][0]["steps"].append(reply.good["paths"][0]["steps"][0])
    reply.well()


@behaviour
def missing_path(reply: Reply) -> None:
    reply.good["paths"].pop()
    reply.well()


@behaviour
def path_twice(reply: Reply) -> None:
    reply.good["paths"].append(reply.good["paths"][0])
    reply.well()


@behaviour
def unknown_status(reply: Reply) -> None:
    reply.good["paths"][0]["steps"][0]["status"] = "FULL_MARKS"
    reply.well()


@behaviour
def unknown_line(reply: Reply) -> None:
    reply.good["paths"][0]["steps"][0]["line_ids"] = ["L99"]
    reply.well()


# ---- replies that are perfectly formed and untrue


@behaviour
def generous(reply: Reply) -> None:
    """Every step of the first path is VALID, the n-th on the n-th line."""
    for number, step in enumerate(reply.good["paths"][0]["steps"], start=1):
        line = reply.lines[number - 1]
        step |= {"status": "VALID", "line_ids": [line["line_id"]], "quote": line["latex"], "confidence": 1}
    reply.well()


@behaviour
def invented_line(reply: Reply) -> None:
    """The last line is said to stand in the empty foot of the page."""
    if "lines" in reply.good:
        reply.good["lines"][-1]["box"] = [0.1, 0.93, 0.9, 0.98]
    reply.well()


@behaviour
def false_quote(reply: Reply) -> None:
    """A step is quoted with words that nobody wrote."""
    if "paths" in reply.good:
        reply.good["paths"][0]["steps"][1]["quote"] = "d=8/4=2"
    reply.well()
