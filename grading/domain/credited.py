"""Which step of which path an entry of a verdict stands for: step ids are unique within a path only.

The public verdict names steps without their path, in the order of the credited paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Key = tuple[str, str]


def credited_keys(document: Mapping[str, Any]) -> list[Key]:
    """(path_id, step_id) for every step that the verdict may name, in its order; documents need not be complete."""
    matched = str(document["verdict"]["matched_path_id"])
    paths = {path["path_id"]: path for path in document["rules"]["valid_paths"]}
    if matched != "UNKNOWN":
        wanted = [item.partition(":")[2] or item for item in matched.split(";")]
        return [(name, step["step_id"]) for name in wanted if name in paths for step in paths[name]["steps"]]
    evidence = [(entry["path_id"], entry["step_id"]) for entry in document["evidence"] if entry.get("path_id")]
    return evidence or [(name, step["step_id"]) for name, path in paths.items() for step in path["steps"]]


def keyed(document: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Key, Mapping[str, Any]]]:
    """Entries of `step_details` or `evidence` with the step that each stands for; the path is "" where none fits."""
    keys = credited_keys(document)
    place = 0
    for entry in entries:
        step_id = entry["step_id"]
        found = next((at for at in range(place, len(keys)) if keys[at][1] == step_id), None)
        if found is None:
            yield ("", step_id), entry
            continue
        place = found + 1
        yield keys[found], entry


def details_of(document: Mapping[str, Any]) -> dict[Key, Mapping[str, Any]]:
    """The verdict's step details by path and step."""
    return dict(keyed(document, document["verdict"]["step_details"]))


def evidence_of(document: Mapping[str, Any]) -> dict[Key, Mapping[str, Any]]:
    """The evidence by path and step."""
    return dict(keyed(document, document["evidence"]))
