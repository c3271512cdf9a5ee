"""docs/screens.md shows every page of the product and no other, in pictures that are there."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.http import HttpResponseNotAllowed
from django.test import RequestFactory
from django.urls import get_resolver, resolve, reverse
from PIL import Image

from tests.pictures.index import index_page
from tests.pictures.screens import SCREENS, WITHOUT_SCREEN, Why
from tests.review.test_permission_matrix import names

DOCUMENT = settings.BASE_DIR / "docs" / "screens.md"
FOLDER = settings.BASE_DIR / "docs" / "images" / "screens"
SIZES = {"zh-1366": 1366, "zh-1024": 1024, "en-1366": 1366}


def test_every_address_has_a_screen_or_a_reason_why_not():
    shown = {screen.url for screen in SCREENS}
    assert names(get_resolver().url_patterns) == shown | set(WITHOUT_SCREEN)
    assert not shown & set(WITHOUT_SCREEN)


@pytest.mark.parametrize("name", sorted(name for name, why in WITHOUT_SCREEN.items() if why is Why.ACTION))
def test_what_is_said_to_be_no_page_cannot_be_opened_as_one(name):
    match = resolve(reverse(name, args=["x"] if name.partition(":")[2] else []))
    answer = match.func(RequestFactory().get("/"), *match.args, **match.kwargs)
    assert isinstance(answer, HttpResponseNotAllowed) or name == "set_language"


def test_the_page_is_the_one_that_the_list_of_screens_gives():
    assert DOCUMENT.read_text(encoding="utf-8") == index_page()


def test_each_picture_is_there_in_its_size_and_all_together_are_small():
    wanted = {f"{screen.name}-{look}.webp": width for screen in SCREENS for look, width in SIZES.items()}
    assert {path.name for path in FOLDER.iterdir()} == set(wanted)
    for name, width in wanted.items():
        with Image.open(FOLDER / name) as picture:
            assert picture.width == width
            assert picture.height >= 768
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 7_000_000


def test_pictures_that_other_documents_show_are_there():
    for document in [settings.BASE_DIR / "README.md", *(settings.BASE_DIR / "docs").rglob("*.md")]:
        for link in re.findall(r"!\[[^\]]*\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).is_file(), (document.name, link)
