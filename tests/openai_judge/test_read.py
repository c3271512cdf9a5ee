"""The first call: the pages and nothing else go out, a reading comes back."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any

from PIL import Image

from grading.domain.reading import read_reading
from grading.judges.openai_compatible import OpenAICompatibleJudge
from itembank.domain.rules import Rules
from tests.model_server import ModelServer

type JudgeAt = Callable[..., OpenAICompatibleJudge]


def _pictures(body: dict[str, Any]) -> list[Image.Image]:
    urls = [part["image_url"]["url"] for part in body["messages"][1]["content"] if part["type"] == "image_url"]
    prefix = "data:image/jpeg;base64,"
    assert all(url.startswith(prefix) for url in urls)
    return [Image.open(io.BytesIO(base64.b64decode(url.removeprefix(prefix)))) for url in urls]


def test_a_reading_is_a_document_the_gate_can_use(judge_at: JudgeAt, page: bytes) -> None:
    with ModelServer(lines=["4d=15-7=8", "d=2"]) as server:
        document = judge_at(server).read([page])
    reading = read_reading(document)
    assert [line.content for line in reading.lines] == ["4d=15-7=8", "d=2"]
    assert document["pages"] == [{"width": 800, "height": 1000}]
    assert document["reader"]["name"] == "openai:local-vl"


def test_the_first_call_knows_nothing_of_rules_or_answer(judge_at: JudgeAt, page: bytes, rules: Rules) -> None:
    with ModelServer() as server:
        judge = judge_at(server)
        judge.adjudicate([page], judge.read([page]), rules)
    first, second = server.requests
    sent = json.dumps(first.body, ensure_ascii=False)
    assert (first.call, second.call) == ("read", "adjudicate")
    for secret in (rules.stem, rules.title, "Path_A", "S_{10}", "a_7", rules.paths[0].steps[0].desc):
        assert secret not in sent


def test_pages_are_sent_upright_small_and_without_metadata(judge_at: JudgeAt) -> None:
    picture = Image.new("RGB", (4000, 3000), "white")
    exif = picture.getexif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010E] = "Li Hua, class 3"
    out = io.BytesIO()
    picture.save(out, "JPEG", exif=exif)
    with ModelServer() as server:
        document = judge_at(server).read([out.getvalue(), out.getvalue()])
    sent = _pictures(server.requests[0].body)
    assert [(image.size, image.format) for image in sent] == [((1200, 1600), "JPEG")] * 2
    assert not sent[0].getexif()
    assert document["pages"] == [{"width": 3000, "height": 4000}] * 2


def test_writing_that_nobody_can_read_stands_among_the_lines(judge_at: JudgeAt, page: bytes) -> None:
    unread = [{"page": 1, "box": [0, 0.9, 1, 1]}]
    with ModelServer(lines=["d=2"], reading={"unread": unread}) as server:
        document = judge_at(server).read([page])
    assert [line.unread_ink for line in read_reading(document).lines] == [False, True]


def test_a_blank_page_is_a_reading_without_lines(judge_at: JudgeAt, page: bytes) -> None:
    with ModelServer(lines=[]) as server:
        document = judge_at(server).read([page])
    assert document["lines"] == []
    assert "failure" not in document


def test_something_that_is_no_picture_is_a_failure_and_nothing_is_sent(judge_at: JudgeAt, page: bytes) -> None:
    with ModelServer() as server:
        for pages in ([b"%PDF-1.7"], [page, page[:200]], []):
            assert judge_at(server).read(pages)["failure"]["code"] == "unusable_image"
        assert server.requests == []
