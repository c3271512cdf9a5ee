"""The small pure pieces: pauses, prompts, pictures, addresses."""

from __future__ import annotations

import io
import random
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from PIL import Image

from config.foundation.canonical import sha256_hex
from config.foundation.errors import ConfigurationError, UnusableInput
from config.foundation.model_access import MEANINGS, FailureCode, ModelEndpoint, image_part, load_prompt
from config.foundation.model_access.retries import asked_pause, pause_before

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wish", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("-3", None),
        ("soon", None),
        ("1e9", None),
        ("９", None),
        ("99999999999999999999", None),
    ],
)
def test_a_wish_to_wait_is_read_in_both_forms_and_nonsense_is_no_wish(wish: str, seconds: float | None) -> None:
    assert asked_pause({"retry-after": wish}, NOW) == seconds


def test_pauses_are_spread_over_a_range_that_doubles_up_to_the_cap() -> None:
    rng = random.Random(1)
    for repeat, most in [(1, 0.5), (2, 1), (3, 2), (10, 30)]:
        pauses = [pause_before(repeat, base=0.5, cap=30, asked=None, rng=rng) or 0 for _ in range(500)]
        assert 0 <= min(pauses) < most * 0.05
        assert most * 0.95 < max(pauses) <= most


def test_a_wish_is_a_lower_bound_and_one_beyond_the_cap_ends_it() -> None:
    rng = random.Random(1)
    pauses = [pause_before(1, base=0.5, cap=30, asked=3, rng=rng) or 0 for _ in range(100)]
    assert min(pauses) >= 3
    assert max(pauses) <= 3.5
    assert pause_before(1, base=0.5, cap=30, asked=31, rng=rng) is None


def test_a_prompt_is_its_file(tmp_path: Path) -> None:
    (tmp_path / "greet").mkdir()
    (tmp_path / "greet" / "v2.md").write_text("你好 {{name}}，{{name}}", encoding="utf-8")
    prompt = load_prompt(tmp_path, "greet", "v2")
    assert prompt.sha256 == sha256_hex("你好 {{name}}，{{name}}".encode())
    assert prompt.fill(name="{{name}}") == "你好 {{name}}，{{name}}"
    with pytest.raises(KeyError):
        prompt.fill()
    with pytest.raises(ValueError, match="no slot other"):
        prompt.fill(name="a", other="b")
    with pytest.raises(ConfigurationError):
        load_prompt(tmp_path, "greet", "v3")


def test_a_transparent_picture_lands_on_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (10, 20), (0, 0, 0, 0)).save(out, "PNG")
    part = image_part(out.getvalue())
    with Image.open(io.BytesIO(part.jpeg)) as sent:
        assert sent.getpixel((5, 5)) == (255, 255, 255)
    assert (part.width, part.height) == (10, 20)


def test_other_formats_and_broken_files_are_refused() -> None:
    tiff, png = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (10, 10)).save(tiff, "TIFF")
    Image.effect_noise((300, 300), 50).save(png, "PNG")
    for content in (tiff.getvalue(), png.getvalue()[:500], b"", b"<svg/>"):
        with pytest.raises(UnusableInput):
            image_part(content)


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    out = io.BytesIO()
    Image.new("1", (7000, 7000)).save(out, "PNG")
    with pytest.raises(UnusableInput):
        image_part(out.getvalue())


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ftp://host/v1",
        "file:///etc/passwd",
        "http://",
        "http://user:key@host/v1",
        "http://host/v1?key=1",
        "host/v1",
    ],
)
def test_an_address_that_is_not_plain_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError):
        ModelEndpoint(base_url=address, api_key="", model="m")


def test_prices_are_rounded_up_to_a_millionth() -> None:
    endpoint = ModelEndpoint("http://host/v1", "", "m", price_in=Decimal("0.15"), price_out=Decimal("0.6"))
    assert endpoint.price(1, 0) == Decimal("0.000001")
    assert endpoint.price(1_000_000, 500_000) == Decimal("0.45")


def test_every_failure_has_a_meaning_in_both_languages() -> None:
    assert set(MEANINGS) == set(FailureCode)
    assert all(zh and en and zh != en for zh, en in MEANINGS.values())
