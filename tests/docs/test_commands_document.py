"""docs/commands.md lists every command of the product with its own words, and no other."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import get_commands, load_command_class

DOCUMENT = settings.BASE_DIR / "docs" / "commands.md"
ROW = re.compile(r"^\| `([a-z_]+)(?: [^`]*)?` \| (.*?) \|$", re.MULTILINE)


def ours() -> dict[str, str]:
    """Command → its help, of the apps whose code lies in this checkout."""
    own = {config.name for config in apps.get_app_configs() if settings.BASE_DIR in map(_folder, [config.path])}
    return {
        name: load_command_class(app, name).help.replace("|", "\\|")
        for name, app in get_commands().items()
        if app in own
    }


def _folder(path: str) -> object:
    first = path.removeprefix(str(settings.BASE_DIR))
    return settings.BASE_DIR if first != path and "/.venv/" not in path else None


def test_every_command_is_listed_with_its_own_words() -> None:
    written, registered = dict(ROW.findall(DOCUMENT.read_text(encoding="utf-8"))), ours()
    assert len(registered) > 10
    assert set(written) == set(registered)
    for name, words in registered.items():
        assert written[name] == words, f"write: | `{name}` | {words} |"


@pytest.mark.parametrize("name", sorted(ours()))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = get_commands()[name]
    assert isinstance(app, str)
    load_command_class(app, name).print_help("manage.py", name)
    assert name in capsys.readouterr().out
