"""The production files: valid by the compose schema, the same commands as ``bin/run``, no root, nothing left unset.

No Docker engine is needed, and none has run them: what can be checked without one is checked here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import psycopg
import pytest
import yaml
from django.db import connection

from config.embedded import commands
from config.settings import env

ROOT = Path(__file__).resolve().parent.parent.parent
DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
OWN = {name: service for name, service in COMPOSE["services"].items() if service["image"].startswith("${WENSHU_IMAGE")}


def test_the_compose_file_follows_the_published_schema() -> None:
    schema = json.loads((Path(__file__).parent / "compose-spec.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(COMPOSE)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(COMPOSE | {"services": {"web": {"comand": "typo"}}})


@pytest.mark.parametrize(
    ("service", "command"),
    [
        ("web", commands.web("0.0.0.0:8000")),
        ("worker-model", commands.model_worker(concurrency=64)),
        ("worker-cpu", commands.cpu_worker()),
        ("beat", commands.beat()),
    ],
)
def test_a_container_runs_the_command_of_the_embedded_supervisor(service: str, command: list[str]) -> None:
    assert COMPOSE["services"][service]["command"] == command


@pytest.mark.parametrize("name", OWN)
def test_our_containers_run_without_root_on_a_read_only_system(name: str) -> None:
    service = OWN[name]
    assert service["read_only"] is True
    assert service["user"] == "10001:10001"
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_lasting_container_has_a_health_check(name: str) -> None:
    service = COMPOSE["services"][name]
    assert ("healthcheck" in service) == (service["restart"] != "no")


def test_only_the_web_server_is_published_and_stores_are_out_of_reach() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["web"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for store in ("database", "broker"):
        assert COMPOSE["services"][store]["networks"] == ["inside"]


def test_the_sandbox_has_no_secret_no_network_and_none_of_our_data() -> None:
    sandbox = COMPOSE["services"]["sandbox"]
    assert sandbox["network_mode"] == "none"
    assert not sandbox.get("secrets")
    assert sandbox["environment"] == {}
    assert sandbox["volumes"] == ["sandbox:/run/sandbox"]
    assert sandbox["mem_limit"]
    assert sandbox["pids_limit"] <= 64
    socket = COMPOSE["services"]["worker-model"]["environment"]["WENSHU_SANDBOX_SOCKET"]
    assert socket in sandbox["command"]
    assert socket in sandbox["healthcheck"]["test"]


def test_every_variable_is_one_that_the_settings_read() -> None:
    for service in OWN.values():
        for name in service["environment"]:
            assert name.removesuffix("_FILE") in env.asked, name


def test_the_example_names_every_variable_of_the_compose_file_that_has_no_default() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    example = (DOCKER / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert set(re.findall(r"\$\{([A-Z_]+):\?", text)) <= named
    assert named <= set(re.findall(r"\$\{([A-Z_]+)[:}]", text))


def test_make_secrets_writes_every_secret_once(tmp_path: Path) -> None:
    script = shutil.copy(DOCKER / "make-secrets", tmp_path)
    subprocess.run([script], check=True, capture_output=True)
    written = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(written) == set(COMPOSE["secrets"])
    assert written["app_password"] in written["database_url"]
    assert len(written["secret_key"]) >= 50
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    again = subprocess.run([script], check=True, capture_output=True, text=True)
    assert again.stdout == ""
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == written


def test_each_service_uses_declared_secrets_and_volumes() -> None:
    for name, service in COMPOSE["services"].items():
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"]), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (DOCKER / source).exists(), volume


def test_secrets_and_the_environment_file_are_not_committed() -> None:
    for path in ("docker/secrets/secret_key", "docker/.env"):
        assert subprocess.run(["git", "check-ignore", "-q", path], cwd=ROOT).returncode == 0
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    assert {"docker/secrets", "docker/.env", ".git", "var"} <= set(ignored)


@pytest.fixture
def production_database(db: None, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A fresh database in which the image's own script has made the two roles; addresses of both."""
    at = connection.settings_dict
    host = at["OPTIONS"].get("host") or at["HOST"]
    name = f"{at['NAME']}_roles"
    administrator = f"postgresql://{at['USER']}@/postgres?host={host}"
    for role in ("owner", "app"):
        (tmp_path / role).write_text(f"{role}'s \"secret")
    drop = [f'DROP DATABASE IF EXISTS "{name}"', "DROP ROLE IF EXISTS wenshu_owner", "DROP ROLE IF EXISTS wenshu_app"]
    with psycopg.connect(administrator, autocommit=True) as session:
        for statement in [*drop, f'CREATE DATABASE "{name}"']:
            session.execute(statement)
    psql = shutil.which("psql")
    assert psql, "the database image's script needs psql"
    environment = os.environ | {
        "PGHOST": host,
        "POSTGRES_USER": at["USER"],
        "POSTGRES_DB": name,
        "OWNER_PASSWORD_FILE": str(tmp_path / "owner"),
        "APP_PASSWORD_FILE": str(tmp_path / "app"),
    }
    subprocess.run([DOCKER / "postgres" / "roles.sh"], env=environment, check=True, capture_output=True)
    yield {role: f"postgresql://wenshu_{role}@/{name}?host={host}" for role in ("owner", "app")}
    with psycopg.connect(administrator, autocommit=True) as session:
        for statement in drop:
            session.execute(statement)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL's roles: runs in the second leg")
def test_the_role_of_the_running_product_cannot_lift_the_trail(production_database: dict[str, str]) -> None:
    environment = os.environ | {"DATABASE_URL": production_database["owner"]}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    insert = (
        "INSERT INTO foundation_event (chain, number, verb, actor, body, previous_hash, hash, at) "
        "VALUES ('c', 1, 'v', 'a', '{}', '', 'h', now())"
    )
    refused = {
        "UPDATE foundation_event SET actor = 'b'": psycopg.errors.IntegrityConstraintViolation,
        "DELETE FROM foundation_event": psycopg.errors.IntegrityConstraintViolation,
        "TRUNCATE foundation_event": psycopg.errors.InsufficientPrivilege,
        "ALTER TABLE foundation_event DISABLE TRIGGER ALL": psycopg.errors.InsufficientPrivilege,
        "SET session_replication_role = replica": psycopg.errors.InsufficientPrivilege,
        "DROP TABLE foundation_event": psycopg.errors.InsufficientPrivilege,
    }
    with psycopg.connect(production_database["app"], autocommit=True) as session:
        session.execute(insert)
        for statement, error in refused.items():
            with pytest.raises(error):
                session.execute(statement)
        assert session.execute("SELECT actor FROM foundation_event").fetchall() == [("a",)]
