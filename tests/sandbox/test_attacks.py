"""Every attempt of the corpus, as root and as an ordinary user, with bubblewrap and with the inner walls alone."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from itembank.sandbox import bubblewrap

from .attacks import CORPUS, EXHAUSTION, POISONS, PRELUDE, Attack
from .numbers import here
from .places import ROOT, Place, places

TIGHT = {"cpu_seconds": 1, "memory_mb": 320}


@pytest.fixture
def planted() -> Iterator[tuple[str, Path]]:
    """A secret, and a file with it that everybody may read."""
    secret = f"planted-{secrets.token_hex(8)}"
    path = Path(f"/tmp/{secrets.token_hex(8)}.txt")
    path.write_text(secret)
    path.chmod(0o666)
    yield secret, path
    assert path.read_text() == secret
    path.unlink()


def facts(path: Path) -> str:
    """What an attacker might know of the place."""
    return (
        f"CALLS = {here()!r}\nSECRET_FILE = {str(path)!r}\nPROJECT = {str(ROOT)!r}\nPARENT_PIDS = [{os.getpid()}, 1]\n"
    )


def as_expected(attack: Attack, answer: dict[str, Any]) -> bool:
    if attack.killed:
        return answer["status"] == "killed" and answer["killed_because"] in attack.killed
    return (
        answer["status"] in {"ok", "error"}
        and answer["stdout"].strip() == attack.output
        and attack.error in answer["error"]
    )


def test_the_corpus_is_large_and_its_names_are_its_own() -> None:
    assert len(CORPUS) >= 40
    assert len({attack.name for attack in CORPUS}) == len(CORPUS)


@pytest.mark.slow
@pytest.mark.parametrize("place", places(), ids=lambda place: place.name)
def test_no_attempt_gets_out(place: Place, planted: tuple[str, Path]) -> None:
    secret, path = planted
    jobs = [
        (
            f"{PRELUDE}{facts(path)}{attack.code}",
            {"wall_seconds": attack.wall_seconds, **(TIGHT if attack in EXHAUSTION else {})},
        )
        for attack in CORPUS
    ]
    found = replace(place, secret=secret).run(jobs)
    assert place.layers <= set(found["layers"])
    assert ("bubblewrap" in found["layers"]) == ("bubblewrap" in place.layers)
    pairs = list(zip(CORPUS, found["answers"], strict=True))
    wrong = {attack.name: answer for attack, answer in pairs if not as_expected(attack, answer)}
    assert wrong == {}
    told = {attack.name for attack, answer in pairs if secret in answer["stdout"] + answer["error"]}
    assert told == set()
    assert not any(Path(folder, "escaped").exists() for folder in ("/tmp", "/dev/shm", "/", ROOT))
    assert found["left"] == {"descriptors": 0, "children": 0, "threads": 0}


@pytest.mark.parametrize("place", places()[:1], ids=lambda place: place.name)
def test_no_job_poisons_the_next(place: Place) -> None:
    jobs: list[tuple[str, dict[str, Any]]] = []
    for poison in POISONS:
        jobs += [(PRELUDE + poison.code, {}), (PRELUDE + poison.probe, {})]
    answers = place.run(jobs)["answers"]
    probed = {poison.name: answers[2 * position + 1]["stdout"].strip() for position, poison in enumerate(POISONS)}
    assert probed == {poison.name: poison.clean for poison in POISONS}


def test_a_poison_is_one_in_its_own_job() -> None:
    """Else the test above could not fail."""
    jobs: list[tuple[str, dict[str, Any]]] = [
        (f"{PRELUDE}{poison.code}\n{poison.probe}", {}) for poison in POISONS if poison.works_at_once
    ]
    answers = places()[0].run(jobs)["answers"]
    clean = [poison.clean for poison in POISONS if poison.works_at_once]
    assert [answer["stdout"].strip() != each for answer, each in zip(answers, clean, strict=True)] == [True] * len(jobs)
    assert len(jobs) >= 8


def test_bubblewrap_is_there_to_be_tested() -> None:
    """Without it half of the places are missing; bin/test fetches it where it may."""
    if bubblewrap.tool() is None and os.geteuid() != 0:
        pytest.skip("bubblewrap is not installed, and only root may install it")
    assert bubblewrap.tool() is not None
