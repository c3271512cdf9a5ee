"""`judge`, `gate` and `verify` on the command line: what they print, and their exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.gate.cast import li, line, reading, wang

from .paper import Desk, page, verdict_in


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, wang())


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """What the command writes to standard error when it ends with that exit code."""
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == code
    written = capsys.readouterr()
    assert "Traceback" not in written.err
    return written.err


def test_judge_takes_a_reading_as_given_and_judges_it_without_images(desk: Desk) -> None:
    document = verdict_in(run("judge", *desk.documents("rules", "reading", "policy")))
    assert document["verdict"]["total_score"] == 12
    assert document["decision"] == "MANUAL_REVIEW"
    outcomes = {entry["rule"]: entry["outcome"] for entry in document["gate"]}
    assert outcomes["evidence-inked"] == outcomes["recognised"] == "not_evaluated"
    assert "fails" not in outcomes.values()
    assert document["provenance"]["judge"] == "embedded"
    assert len(document["provenance"]["idempotency_key"]) == 64


def test_judge_with_the_page_accepts_what_algebra_and_ink_prove(desk: Desk) -> None:
    document = verdict_in(run("judge", *desk.documents("rules", "reading", "policy", "image")))
    assert document["decision"] == "ACCEPT"
    assert not document["verdict"]["is_manual_review_needed"]
    [image] = document["provenance"]["images"]
    assert image["received_sha256"] != image["stored_sha256"]


def test_judge_keeps_the_document_where_it_is_told(desk: Desk) -> None:
    out = desk.folder / "kept" / "here"
    printed = run("judge", *desk.documents("rules", "reading"), "--out", str(out))
    assert (out / "verdict.json").read_text(encoding="utf-8") == printed


def test_the_same_judging_has_the_same_idempotency_key(desk: Desk) -> None:
    keys = [
        verdict_in(run("judge", *desk.documents("rules", "reading", *more)))["provenance"]["idempotency_key"]
        for more in ((), (), ("policy",), ("image",))
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_gate_makes_the_document_of_a_given_observation(desk: Desk) -> None:
    document = verdict_in(run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")))
    assert document["decision"] == "ACCEPT"
    assert document["provenance"]["judge"] == "scripted"
    assert document["verdict"]["matched_path_id"] == "1:Path_A"


def test_gate_gives_no_points_where_there_is_no_ink(tmp_path: Path) -> None:
    answer = wang()
    desk = Desk(tmp_path, answer, page(answer, without=(5,)))
    document = verdict_in(run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")))
    assert [entry["rule"] for entry in document["gate"] if entry["outcome"] == "fails"] == ["evidence-inked"]


def test_gate_sees_ink_that_no_line_accounts_for(tmp_path: Path) -> None:
    answer = wang()
    desk = Desk(tmp_path, answer, page(answer, extra=True))
    document = verdict_in(run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")))
    failed = {entry["rule"] for entry in document["gate"] if entry["outcome"] == "fails"}
    assert "recognised" in failed


def test_gate_refuses_a_duplicate_key_by_its_schema_rule(desk: Desk) -> None:
    text = Path(desk.observation).read_text(encoding="utf-8")
    observation = desk.bytes("twice.json", text.replace('"comments":""', '"comments":"","comments":""').encode())
    document = verdict_in(
        run("gate", *desk.documents("rules", "reading", "policy", "image"), "--observation", observation)
    )
    assert [entry["rule"] for entry in document["gate"] if entry["outcome"] == "fails"] == ["schema"]
    assert "comments" in document["gate"][0]["message"]["en"]
    assert document["decision"] == "MANUAL_REVIEW"


@pytest.mark.parametrize("text", ["NaN", '"\\u0001"'])
def test_gate_refuses_what_is_not_strict(desk: Desk, text: str) -> None:
    changed = Path(desk.observation).read_text(encoding="utf-8").replace('"comments":""', f'"comments":{text}')
    observation = desk.bytes("odd.json", changed.encode())
    document = verdict_in(run("gate", *desk.documents("rules", "reading"), "--observation", observation))
    assert document["gate"][0]["outcome"] == "fails"


def test_verify_replays_what_gate_wrote_and_checks_the_image(desk: Desk) -> None:
    verdict = desk.bytes(
        "verdict.json", run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")).encode()
    )
    run("verify", verdict)
    run("verify", verdict, "--image", desk.image)
    run("verify", verdict, "--image", desk.image, "--recompute")


def test_verify_names_a_flipped_byte_of_the_image(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = desk.bytes(
        "verdict.json", run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")).encode()
    )
    content = bytearray(Path(desk.image).read_bytes())
    content[len(content) // 2] ^= 1
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", verdict, "--image", desk.bytes("flipped.png", bytes(content)), stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().startswith("mismatch images:")


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("reading", r"S_{10}=10a_1+45d", r"S_{10}=10a_1+46d"),
        ("observation", '"comments":""', '"comments":"x"'),
        ("rules", "等差数列求前 10 项和", "等差数列求前 11 项和"),
    ],
)
def test_verify_names_a_changed_part(desk: Desk, part: str, old: str, new: str) -> None:
    document = verdict_in(run("gate", *desk.documents("rules", "reading", "observation", "policy", "image")))
    text = json.dumps(document[part], ensure_ascii=False, separators=(",", ":"))
    assert json.dumps(old, ensure_ascii=False)[1:-1] in text or old in text
    changed = text.replace(json.dumps(old, ensure_ascii=False)[1:-1], json.dumps(new, ensure_ascii=False)[1:-1])
    changed = changed.replace(old, new)
    document[part] = json.loads(changed)
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", desk.bytes("changed.json", json.dumps(document).encode()), stdout=out)
    assert ended.value.code == 1
    assert f"mismatch {part}:" in out.getvalue()


def test_replay_gives_the_stored_observation_again_and_says_it_is_scripted(tmp_path: Path) -> None:
    answer = li()
    desk = Desk(tmp_path, answer)
    recording = desk.file(
        "recording.json", {"reading": answer.reading, "observation": answer.observation, "scripted": True}
    )
    document = verdict_in(run("judge", *desk.documents("rules", "image"), "--judge", "replay", "--replay", recording))
    assert document["verdict"]["total_score"] == 9
    assert document["provenance"]["model"] == "scripted"


def test_replay_of_another_reading_is_a_failure_and_no_guess(tmp_path: Path) -> None:
    answer = li()
    desk = Desk(tmp_path, wang())
    recording = desk.file("recording.json", {"reading": answer.reading, "observation": answer.observation})
    document = verdict_in(run("judge", *desk.documents("rules", "reading"), "--judge", "replay", "--replay", recording))
    assert document["verdict"]["total_score"] == 0
    assert "judge-answered" in [entry["rule"] for entry in document["gate"] if entry["outcome"] == "fails"]


def bad_json(desk: Desk) -> list[str]:
    return ["--rules", desk.rules, "--reading", desk.bytes("bad.json", b"{")]


def unknown_field(desk: Desk) -> list[str]:
    seen = reading(("d=2",))
    seen["lines"] = [line(1, "d=2", colour="blue")]
    return ["--rules", desk.rules, "--reading", desk.file("bad.json", seen)]


def absent_file(desk: Desk) -> list[str]:
    return ["--rules", desk.rules, "--reading", str(desk.folder / "nothing.json")]


def bad_rules(desk: Desk) -> list[str]:
    return ["--rules", desk.bytes("bad.json", b"[]"), "--reading", desk.reading]


def bad_image(desk: Desk) -> list[str]:
    return ["--rules", desk.rules, "--reading", desk.reading, "--image", desk.bytes("bad.png", b"not a picture")]


def bad_policy(desk: Desk) -> list[str]:
    return ["--rules", desk.rules, "--reading", desk.reading, "--policy", desk.bytes("bad.json", b'{"generous":true}')]


def unknown_judge(desk: Desk) -> list[str]:
    return ["--rules", desk.rules, "--reading", desk.reading, "--judge", "oracle"]


def nothing_to_judge(desk: Desk) -> list[str]:
    return ["--rules", desk.rules]


REFUSED = [
    (nothing_to_judge, "--image"),
    (bad_json, "bad.json"),
    (unknown_field, "colour"),
    (absent_file, "nothing.json"),
    (bad_rules, "rules"),
    (bad_image, "bad.png"),
    (bad_policy, "generous"),
    (unknown_judge, "oracle"),
]


@pytest.mark.parametrize(("make", "told"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_judge_refuses_unusable_input_in_one_sentence(
    desk: Desk, capsys: pytest.CaptureFixture[str], make: Any, told: str
) -> None:
    written = refusal(capsys, "judge", *make(desk))
    assert told in written
    assert written.count("\n") == 1


def test_gate_refuses_an_observation_that_is_no_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    observation = desk.bytes("bad.json", b"I think the answer is right.")
    written = refusal(capsys, "gate", *desk.documents("rules", "reading"), "--observation", observation)
    assert "bad.json" in written


def test_verify_refuses_a_file_that_is_no_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    refusal(capsys, "verify", desk.bytes("bad.json", b"\xff\xfe"))


def test_verify_refuses_another_kind_of_document(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert "verdict document" in refusal(capsys, "verify", desk.reading)


def test_verify_names_a_document_that_is_broken_inside(desk: Desk) -> None:
    document = verdict_in(run("gate", *desk.documents("rules", "reading", "observation")))
    document["verdict"]["bonus"] = 3
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", desk.bytes("broken.json", json.dumps(document).encode()), stdout=out)
    assert ended.value.code == 1
    assert "bonus" in out.getvalue()
