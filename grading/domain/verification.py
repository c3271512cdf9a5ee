"""Replaying a verdict document from itself alone, and naming every part that does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config.foundation.canonical import canonical_json, document_hash, sha256_hex
from config.foundation.errors import WenshuError
from itembank.algebra.results import Options
from itembank.domain.rules import Rules, read_rules

from .documents import exact, schema_fault
from .oracle import Oracle, RecordedOracle, RecordingOracle
from .verdict import decide


@dataclass(frozen=True)
class Mismatch:
    """One part that differs: `part` is a stable name, the sentences are for people."""

    part: str
    zh: str
    en: str

    def document(self) -> dict[str, str]:
        """The mismatch as JSON."""
        return {"part": self.part, "zh": self.zh, "en": self.en}


NAMES = {
    "rules": ("评分细则", "The scoring rules"),
    "reading": ("识读结果", "The reading"),
    "observation": ("判读意见", "The observation"),
    "policy": ("放行策略", "The policy"),
    "ink": ("墨迹测量", "The ink measurements"),
    "algebra": ("代数记录", "The record of algebra"),
}


def verify(document: object, images: Sequence[bytes] | None = None) -> list[Mismatch]:
    """Everything that does not fit: hashes of parts, hashes of images, and the decision replayed. Empty: all fits."""
    try:
        clean = exact(document)
    except WenshuError as error:
        return [Mismatch("document", error.zh, error.en)]
    fault = schema_fault("verdict", clean, allow_controls="\n\t")
    if fault is not None:
        where = fault.where or "document"
        return [Mismatch("document", f"判定文件 {where}：{fault.zh}。", f"Verdict document, {where}: {fault.en}.")]
    found = _changed_parts(clean)
    if images is not None:
        found.extend(_changed_images(clean, images))
    try:
        rules = read_rules(clean["rules"])
        again = replay(clean, rules, RecordedOracle(clean["facts"]["algebra"]))
    except WenshuError as error:
        found.append(Mismatch("replay", f"无法重放：{error.zh}", f"It cannot be replayed: {error.en}"))
        return found
    found.extend(_differences(clean, again))
    return found


def replay(document: Mapping[str, Any], rules: Rules, oracle: Oracle, ink: Any = ...) -> dict[str, Any]:
    """The verdict document made again from its own facts, with the given oracle (and ink, where given)."""
    facts = document["facts"]
    provenance = {key: value for key, value in document["provenance"].items() if key != "sha256"}
    return decide(
        rules=rules,
        reading=document["reading"],
        observation=document["observation"],
        policy=document["policy"],
        ink=facts["ink"] if ink is ... else ink,
        oracle=oracle,
        identity=facts.get("identity"),
        current=facts.get("current"),
        provenance=provenance,
        second_observation=facts.get("second_observation"),
        certificate=facts.get("certificate"),
    )


def _changed_parts(document: Mapping[str, Any]) -> list[Mismatch]:
    found: list[Mismatch] = []
    recorded = document["provenance"]["sha256"]
    for name, (zh, en) in NAMES.items():
        part = document["facts"][name] if name in ("ink", "algebra") else document[name]
        actual = document_hash(part)
        if recorded.get(name) != actual:
            found.append(
                Mismatch(
                    name,
                    f"{zh}与判定时的不同：记录的指纹 {str(recorded.get(name))[:12]}…，现在是 {actual[:12]}…。",
                    f"{en} is not what was judged: recorded hash {str(recorded.get(name))[:12]}…, now {actual[:12]}….",
                )
            )
    return found


def _changed_images(document: Mapping[str, Any], images: Sequence[bytes]) -> list[Mismatch]:
    recorded = document["provenance"]["images"]
    if len(recorded) != len(images):
        return [
            Mismatch(
                "images",
                f"判定时有 {len(recorded)} 张图像，现在给了 {len(images)} 张。",
                f"{len(recorded)} images were judged, {len(images)} are given.",
            )
        ]
    found: list[Mismatch] = []
    for place, (image, hashes) in enumerate(zip(images, recorded, strict=True), start=1):
        actual = sha256_hex(image)
        if actual not in (hashes["received_sha256"], hashes["stored_sha256"]):
            found.append(
                Mismatch(
                    "images",
                    f"第 {place} 张图像与判定时的不同：现在的指纹是 {actual[:12]}…。",
                    f"Image {place} is not the one that was judged: its hash is now {actual[:12]}….",
                )
            )
    return found


def _differences(document: Mapping[str, Any], again: Mapping[str, Any]) -> list[Mismatch]:
    found: list[Mismatch] = []
    old, new = document["verdict"], again["verdict"]
    if document["decision"] != again["decision"]:
        found.append(
            Mismatch(
                "decision",
                f"文件写的是 {document['decision']}，重放得到 {again['decision']}。",
                f"The document says {document['decision']}, the replay {again['decision']}.",
            )
        )
    found.extend(_score_differences(old, new))
    if not found and not _same(old, new):
        names = [key for key in new if not _same(old.get(key), new[key])]
        found.append(
            Mismatch(
                "verdict",
                f"判定的 {'、'.join(names)} 与重放不同。",
                f"The verdict's {', '.join(names)} differs from the replay.",
            )
        )
    found.extend(_gate_differences(document["gate"], again["gate"]))
    for part, zh, en in (("evidence", "证据", "The evidence"), ("facts", "事实记录", "The recorded facts")):
        if not _same(document[part], again[part]):
            found.append(Mismatch(part, f"{zh}与重放不同。", f"{en} differs from the replay."))
    return found


def _score_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Mismatch]:
    found: list[Mismatch] = []
    if not _same(old["total_score"], new["total_score"]):
        found.append(
            Mismatch(
                "scores",
                f"总分写的是 {old['total_score']}，重放得到 {new['total_score']}。",
                f"The total says {old['total_score']}, the replay {new['total_score']}.",
            )
        )
    before, after = _numbered(old["step_details"]), _numbered(new["step_details"])
    for step_id, number in dict.fromkeys([*before, *after]):
        one, other = before.get((step_id, number)), after.get((step_id, number))
        if not _same(one, other):
            found.append(
                Mismatch(
                    "scores",
                    f"步骤 {step_id} 的得分写的是 {one}，重放得到 {other}。",
                    f"Step {step_id} says {one}, the replay {other}.",
                )
            )
    return found


def _gate_differences(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Mismatch]:
    found: list[Mismatch] = []
    rules = dict.fromkeys([*(entry["rule"] for entry in new), *(entry["rule"] for entry in old)])
    for rule in rules:
        one = [entry for entry in old if entry["rule"] == rule]
        other = [entry for entry in new if entry["rule"] == rule]
        if not _same(one, other):
            was = "/".join(dict.fromkeys(entry["outcome"] for entry in one)) or "-"
            is_now = "/".join(dict.fromkeys(entry["outcome"] for entry in other)) or "-"
            found.append(
                Mismatch(
                    "gate",
                    f"闸门规则 {rule} 写的是 {was}，重放得到 {is_now}{'（所见事实不同）' if was == is_now else ''}。",
                    f"Gate rule {rule} says {was}, the replay {is_now}{' (with other facts)' if was == is_now else ''}.",
                )
            )
    if not found and not _same(list(old), list(new)):
        found.append(
            Mismatch("gate", "闸门规则的次序与重放不同。", "The order of the gate's rules differs from the replay.")
        )
    return found


def _numbered(steps: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int], Any]:
    """Scores by step id and by which step of that id it is: two parts may use one id."""
    found: dict[tuple[str, int], Any] = {}
    for step in steps:
        number = sum(step_id == step["step_id"] for step_id, _ in found)
        found[step["step_id"], number] = step.get("score")
    return found


def _same(one: Any, other: Any) -> bool:
    return canonical_json(one) == canonical_json(other)


def recompute_algebra(document: Mapping[str, Any], algebra: Oracle) -> list[Mismatch]:
    """Each recorded question asked again; what is answered otherwise now (a time-out then may be a proof now)."""
    found: list[Mismatch] = []
    for entry in exact(document["facts"]["algebra"]):
        now = ask(algebra, entry["op"], entry["args"])
        if not _same(entry["answer"], now):
            found.append(
                Mismatch(
                    "algebra",
                    f"代数 {entry['op']} {_brief(entry['args'])}：当时 {_brief(entry['answer'])}，现在 {_brief(now)}。",
                    f"Algebra {entry['op']} {_brief(entry['args'])}: then {_brief(entry['answer'])}, now {_brief(now)}.",
                )
            )
    return found


def recompute_ink(document: Mapping[str, Any], measured: Mapping[str, Any] | None) -> list[Mismatch]:
    """What the pages show now where it differs from the recorded measurements."""
    recorded = document["facts"]["ink"]
    now = None if measured is None else exact(dict(measured))
    if _same(recorded, now):
        return []
    names = ["ink"]
    if isinstance(recorded, Mapping) and isinstance(now, dict):
        names = [name for name in now if not _same(recorded.get(name), now[name])]
    return [
        Mismatch(
            "ink",
            f"重新测量的墨迹与记录不同：{'、'.join(names)}。",
            f"The ink measured now differs from the record: {', '.join(names)}.",
        )
    ]


def ask(algebra: Oracle, op: str, args: Sequence[Any]) -> Any:
    """One recorded question put to a live oracle; its answer as JSON."""
    recording = RecordingOracle(algebra)
    if op == "compare":
        recording.compare(args[0], args[1], relation=args[2], kind=args[3], options=Options.from_document(args[4]))
    elif op == "fulfils":
        recording.fulfils(args[0], args[1], givens=args[2])
    elif op == "sound":
        recording.sound(args[0], args[1])
    elif op == "asserts":
        recording.asserts(args[0])
    elif op == "mentions":
        recording.mentions(args[0], args[1])
    elif op == "evaluate":
        recording.evaluate(args[0], args[1])
    record, _ = recording.record()
    return record[0]["answer"] if record else None


def _brief(value: Any) -> str:
    text = canonical_json(value).decode()
    return text if len(text) <= 160 else text[:159] + "…"
