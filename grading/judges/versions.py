"""Which versions would judge an answer now: gate, algebra, judge, reader and prompts."""

from __future__ import annotations

from dataclasses import dataclass

from itembank.algebra import ENGINE_VERSION

from ..domain.verdict import GATE_VERSION


@dataclass(frozen=True)
class Part:
    """One part of the machine. `kind` is gate, algebra, judge, reader or prompt; `sha256` is "" where none is kept."""

    kind: str
    name: str
    version: str
    sha256: str = ""


def parts_in_use(judge: str) -> list[Part]:
    """The parts that a run of this judge would name in its provenance, apart from a model service's own name."""
    shared = [Part("gate", "", GATE_VERSION), Part("algebra", "", ENGINE_VERSION)]
    if judge == "embedded":
        from .embedded.judge import VERSION
        from .embedded.reader import reader_version

        return [*shared, Part("judge", judge, VERSION), Part("reader", "embedded", reader_version())]
    if judge == "openai":
        from .openai_compatible import VERSION as MODEL_VERSION
        from .openai_compatible.judge import prompts_in_use

        prompts = [Part("prompt", one.name, one.version, one.sha256) for one in prompts_in_use()]
        return [*shared, Part("judge", judge, MODEL_VERSION), *prompts]
    return [*shared, Part("judge", judge, "")]
