"""A browser that looks at every screen as the person it belongs to, in either language and size."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.urls import reverse
from PIL import Image

from tests.fixtures.browser import LAPTOP, TABLET

from .room import Room
from .screens import ANYBODY, Screen

LANGUAGES = {"zh": ("zh-CN", "zh-hans"), "en": ("en-GB", "en")}
SIZES = {"1366": LAPTOP, "1024": TABLET}
# A long page is shown down to here: two screens tell what it is like.
TALLEST = 1152
QUALITY = 50


class Camera:
    """Pages of a running product; each person signs in once for each language."""

    def __init__(self, browser: Any, url: str, room: Room, password: str, *, hurried: bool = False) -> None:
        self._browser, self._url, self._room, self._password = browser, url, room, password
        self._hurried = hurried  # looks at pages without waiting for pictures that come late
        self._pages: dict[tuple[str, str], Any] = {}
        self.heard: list[str] = []

    def open(self, screen: Screen, language: str, size: str) -> Any:
        """The screen in its state, laid out and still."""
        page = self._page(screen.who, language)
        page.set_viewport_size(SIZES[size])
        answer = page.goto(screen.address(self._room))
        assert answer.status == screen.status, (screen.name, answer.status)
        if screen.act:
            screen.act(page)
        if not self._hurried:
            page.wait_for_load_state("networkidle")
            page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => null)))")
        page.wait_for_timeout(40 if self._hurried else 80)
        return page

    def close(self) -> None:
        for page in self._pages.values():
            page.context.close()

    def _page(self, who: str, language: str) -> Any:
        known = self._pages.get((who, language))
        if known is not None:
            return known
        locale, code = LANGUAGES[language]
        context = self._browser.new_context(base_url=self._url, locale=locale, reduced_motion="reduce")
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.heard.append(f"{page.url}: {error}"))
        page.on("console", lambda told: self._listen(page, told))
        page.goto(reverse("login"))
        page.click(f".language button[value={code}]")
        if who != ANYBODY:
            page.fill("input[name=username]", getattr(self._room.cast, who).get_username())
            page.fill("input[name=password]", self._password)
            page.press("input[name=password]", "Enter")
            page.wait_for_url(lambda address: "/accounts/login/" not in address)
        self._pages[who, language] = page
        return page

    def _listen(self, page: Any, told: Any) -> None:
        if "Content Security Policy" in told.text:
            self.heard.append(f"{page.url}: {told.text}")


def photograph(page: Any, path: Path) -> None:
    """The page, or its first two screens, as a small file."""
    tall = page.evaluate("Math.max(document.documentElement.scrollHeight, innerHeight)")
    width = page.viewport_size["width"]
    content = page.screenshot(
        full_page=True, clip={"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST)}, animations="disabled"
    )
    with Image.open(io.BytesIO(content)) as image:
        image.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser that tests use as well."""
    import os

    from playwright.sync_api import sync_playwright

    from tests.fixtures import browser

    flags = [*browser.FLAGS, "--no-sandbox"] if os.geteuid() == 0 else browser.FLAGS
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser.chromium(), args=flags)
        yield started
        started.close()
