"""A setting is understood or the start is refused with one sentence; secrets may stand in files."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from config.env import Environment
from config.foundation.errors import ConfigurationError

ROOT = Path(__file__).resolve().parent.parent.parent


def test_values_are_read_by_kind() -> None:
    env = Environment({"A": "Yes", "B": " 12 ", "C": "0.5", "D": "x, y,", "E": "two"})
    assert env.flag("A", False, meaning="") is True
    assert env.whole("B", 1, meaning="") == 12
    assert env.decimal("C", "0", meaning="") == Decimal("0.5")
    assert env.names("D", "", meaning="") == ["x", "y"]
    assert env.choice("E", "one", ("one", "two"), meaning="") == "two"
    assert env.text("F", "default", meaning="") == "default"


@pytest.mark.parametrize("text", ["", "maybe", "2", "truee"])
def test_a_flag_that_is_neither_true_nor_false_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="X must be true or false"):
        Environment({"X": text}).flag("X", True, meaning="")


@pytest.mark.parametrize("text", ["", "1.5", "-1", "1e3", "１２", "11", "0x1"])
def test_a_whole_number_out_of_bounds_or_not_one_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="from 1 to 10"):
        Environment({"X": text}).whole("X", 5, meaning="", least=1, most=10)


@pytest.mark.parametrize("text", ["", "NaN", "Infinity", "-0.1", "1,5"])
def test_a_price_that_is_no_number_of_at_least_zero_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="at least 0"):
        Environment({"X": text}).decimal("X", "0", meaning="")


def test_a_secret_may_stand_in_a_file_but_not_in_both_places(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret \n")
    assert Environment({"KEY_FILE": str(secret)}).text("KEY", meaning="") == "s3cret "
    with pytest.raises(ConfigurationError, match="together with its _FILE form"):
        Environment({"KEY": "a", "KEY_FILE": str(secret)}).text("KEY", meaning="")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        Environment({"KEY_FILE": str(tmp_path / "absent")}).text("KEY", meaning="")


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def test_a_wrong_setting_ends_the_start_with_one_sentence_and_code_2() -> None:
    done = manage("check", WENSHU_UPLOAD_BYTES="many")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "WENSHU_UPLOAD_BYTES" in done.stderr


@pytest.mark.parametrize(
    ("environment", "check", "hint"),
    [
        ({"WENSHU_JUDGE": "openai"}, "wenshu.E001", "WENSHU_MODEL_BASE_URL"),
        ({"WENSHU_MODEL_BASE_URL": "http://127.0.0.1:9/v1"}, "wenshu.E002", "WENSHU_MODEL_NAME"),
    ],
)
def test_settings_that_do_not_fit_together_are_a_check_with_an_id_and_a_hint(
    environment: dict[str, str], check: str, hint: str
) -> None:
    done = manage("check", **environment)
    assert done.returncode == 1
    assert check in done.stderr
    assert hint in done.stderr


def test_production_without_a_secret_key_does_not_start() -> None:
    done = manage("check", "--deploy", WENSHU_PRODUCTION="true", DATABASE_URL="postgresql:///x")
    assert done.returncode != 0
    assert "SECRET_KEY" in done.stderr or "wenshu.E004" in done.stderr
