"""Lower apps reach up neither by import (the contracts), nor by a string foreign key, a template or a URL name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

ROOT = Path(__file__).resolve().parent.parent.parent
# Lowest first.
APPS = ["foundation", "itembank", "grading", "review"]
FOLDERS = {"foundation": "config/foundation", "itembank": "itembank", "grading": "grading", "review": "review"}
CASES = [(lower, higher) for place, lower in enumerate(APPS) for higher in APPS[place + 1 :]]


def contracts() -> dict[str, object]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, object] = content["tool"]["importlinter"]
    return found


def test_all_import_contracts_are_kept() -> None:
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_every_package_has_a_place_in_the_contracts() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert packages == set(contracts()["root_packages"])  # type: ignore[call-overload]


def test_every_app_is_ordered_here() -> None:
    own = {config.label for config in apps.get_app_configs() if Path(config.path).is_relative_to(ROOT)}
    installed_elsewhere = {config.label for config in apps.get_app_configs() if ".venv" in config.path}
    assert own - installed_elsewhere - {"config"} == set(APPS)


@pytest.mark.parametrize(("lower", "higher"), CASES)
def test_no_relation_points_upwards(lower: str, higher: str) -> None:
    for model in apps.get_app_config(lower).get_models():
        for field in model._meta.get_fields():
            if field.is_relation and not field.auto_created and field.related_model:
                assert field.related_model._meta.app_label != higher, f"{model.__name__}.{field.name}"


@pytest.mark.parametrize(("lower", "higher"), CASES)
def test_no_migration_waits_for_a_higher_app(lower: str, higher: str) -> None:
    for (label, name), migration in MigrationLoader(None, ignore_no_migrations=True).disk_migrations.items():
        if label == lower:
            assert all(dependency[0] != higher for dependency in migration.dependencies), name


@pytest.mark.parametrize(("lower", "higher"), CASES)
def test_no_string_in_code_names_a_template_address_or_model_of_a_higher_app(lower: str, higher: str) -> None:
    upward = re.compile(rf"{higher}(:[a-z]|/[a-z_]+\.html|\.[A-Z])")
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, line, text in strings_of(ROOT / FOLDERS[lower])
        if upward.match(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("lower", "higher"), CASES)
def test_no_template_includes_or_links_to_a_higher_app(lower: str, higher: str) -> None:
    upward = re.compile(rf"""(?:extends|include|url|load)\s+["']?{higher}(?:[:/"'_]|\s)""")
    folders = [ROOT / "templates" / lower, *(ROOT / FOLDERS[lower]).rglob("templates")]
    found = [
        f"{page.relative_to(ROOT)}: {match.group()}"
        for folder in folders
        for page in folder.rglob("*.html")
        for match in upward.finditer(page.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def strings_of(folder: Path) -> Iterator[tuple[Path, int, str]]:
    """Every string constant of a folder's code, docstrings included (they match none of the patterns)."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.lineno, node.value


def test_only_transitions_write_rows_of_their_app() -> None:
    """A crude net: no save, create, update or delete of a row outside the doors that design.md names."""
    writing = re.compile(
        r"\.save\((\)|update_fields)|\.delete\(\)|\.(bulk_create|get_or_create|update_or_create|bulk_update)\("
        r"|objects\b.*\.(create|update)\("
    )
    # Raw replies of models are kept before anything is made of them, outside the transaction of the result.
    doors = re.compile(
        r"/(transitions(/|\.py)|migrations/|commands/(load_sample|make_load)\.py|grading/model_replies\.py)"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for app in ("itembank", "grading", "review")
        for path in sorted((ROOT / app).rglob("*.py"))
        if not doors.search(path.as_posix())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if writing.search(line)
    ]
    assert not found, "\n".join(found)
