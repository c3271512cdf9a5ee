"""An address may hold anything: text that no row can hold is refused, on both databases alike, at every address."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

pytestmark = pytest.mark.django_db
HOSTILE = (
    "%00",
    "a%00b",
    "%01",
    "%7F",
    "%1B",
    "%ED%A0%80",
    "%FF",
    "%EF%BF%BE",
    "%E2%80%AE",
    "'%20OR%201=1",
    "%F0%9F%98%80",
)


def addresses() -> list[tuple[str, dict[str, str]]]:
    """(name, arguments with one that names nothing) of every address of the site."""

    def below(patterns: list[URLPattern | URLResolver], space: str) -> list[tuple[str, dict[str, str]]]:
        found = []
        for each in patterns:
            if isinstance(each, URLResolver):
                found += below(each.url_patterns, f"{space}{each.namespace}:" if each.namespace else space)
            else:
                found.append((f"{space}{each.name}", dict.fromkeys(each.pattern.converters, "zzzz")))
        return found

    return below(get_resolver().url_patterns, "")


@pytest.fixture
def client(people) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(people.staff)
    return client


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_path_with_impossible_text_names_nothing(client, method):
    wrong = []
    for name, arguments in addresses():
        plain = reverse(name, kwargs=arguments)
        for text in HOSTILE:
            for address in {f"{plain}{text}", plain.replace("zzzz", text)} - {plain}:
                status = getattr(client, method)(address).status_code
                if status not in (404, 405):
                    wrong.append(f"{address}: {status}")
    assert wrong == []


def test_a_query_with_impossible_text_does_no_harm(client):
    wrong = []
    for name, arguments in addresses():
        for query in ("question=%00", "page=%00&only=%00", "%00=1", "next=%00", "marker=%01", "path=%ED%A0%80"):
            status = client.get(f"{reverse(name, kwargs=arguments)}?{query}").status_code
            if status >= 500 or ("%00" in query and status != 400):
                wrong.append(f"{name}?{query}: {status}")
    assert wrong == []


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_refusal_is_a_page_of_the_site(client, language):
    client.cookies["django_language"] = language
    answer = client.get("/review/%00/board/")
    assert answer.status_code == 404
    assert "<h1" in answer.content.decode()
