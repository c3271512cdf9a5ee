"""Gate inputs built from the cast, for tests that change what only code can change."""

from __future__ import annotations

from grading.domain.gate import GateInput
from grading.domain.observation import Observation, read_observation
from grading.domain.oracle import RecordingOracle
from grading.domain.policy import read_policy
from grading.domain.proofs import Proofs
from grading.domain.reading import read_reading
from grading.domain.scoring import scorecard
from itembank.domain.mathematics import algebra_for

from .cast import Answer


def gate_input(answer: Answer, *, observation: Observation | None = None) -> GateInput:
    """What `decide` would put to the gate."""
    read = read_reading(answer.reading)
    observed = observation or read_observation(answer.observation)
    oracle = RecordingOracle(algebra_for(answer.rules))
    proofs = Proofs(answer.rules, read, observed, oracle)
    return GateInput(
        rules=answer.rules,
        reading=read,
        observation=observed,
        policy=read_policy(answer.policy),
        ink=answer.ink,
        oracle=oracle,
        scorecard=scorecard(answer.rules, read, observed, answer.ink, proofs.proved),
    )
