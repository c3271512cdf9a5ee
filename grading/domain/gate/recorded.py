"""Rules about documents, identity and the run itself: who judged, what, completely, and under which policy."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Any

from itembank.domain.instructions import instructions_in

from ..policy import LEAST_CONFIDENCE
from ..proofs import Judged
from ..scoring import UNKNOWN, ScoredStep, judged_scores, path_scores
from ..statuses import CREDITED, Status
from .case import Answer, Case, Finding, fails, holds, idle, not_evaluated
from .denials import denial_faults

ANOTHER_METHOD_CAP = Decimal("0.69")


def schema(case: Case) -> Answer:
    """Reading and observation are strict JSON of the agreed shape."""
    found = [
        Finding(zh, en, facts={"document": name})
        for name, fault in (("reading", case.given.reading_fault), ("observation", case.given.observation_fault))
        if fault is not None
        for zh, en in [fault]
    ]
    return Answer(found, "识读结果与判读意见都是严格的 JSON。", "Reading and observation are strict JSON.")


def identity(case: Case) -> Answer:
    """Question, rules version and images are those of the case."""
    expected = case.given.identity
    if expected is None:
        return holds("离线判读：以给出的题目、细则和图像为准。", "Offline: the question, rules and images as given.")
    found: list[Finding] = []
    pairs: list[tuple[str, str, Any, Any]] = [
        ("题号", "question", expected.get("question_id"), case.rules.question_id),
        ("评分细则版本", "rules version", expected.get("rules_sha256"), case.rules.sha256),
    ]
    if "images" in expected:
        pairs.append(
            (
                "图像",
                "images",
                [dict(image) for image in expected["images"]],
                [dict(image) for image in case.given.images],
            )
        )
    for zh, en, wanted, got in pairs:
        if wanted is not None and wanted != got:
            found.append(
                Finding(
                    f"{zh}与该答卷的记录不符：记录为 {wanted}，判读用的是 {got}。",
                    f"The {en} differs from the case: {wanted} on record, {got} judged.",
                    facts={"expected": wanted, "judged": got},
                )
            )
    return Answer(
        found, "题目、细则版本和图像与答卷记录一致。", "Question, rules version and images are those of the case."
    )


def coverage(case: Case) -> Answer:
    """Each step of each path is judged exactly once, and a shared step alike on all of its paths."""
    found: list[Finding] = []
    known = {(path.path_id, step.step_id) for path in case.rules.paths for step in path.steps}
    counts: dict[tuple[str, str], int] = {}
    for proposal in case.proposals:
        key = (proposal.path_id, proposal.step_id)
        counts[key] = counts.get(key, 0) + 1
    for path_id, step_id in counts:
        if (path_id, step_id) not in known:
            found.append(
                Finding(
                    f"判读意见中有细则里没有的步骤 {path_id} / {step_id}。",
                    f"The observation judges {path_id} / {step_id}, which the rules do not have.",
                )
            )
    for path_id, step_id in sorted(known):
        times = counts.get((path_id, step_id), 0)
        if times != 1:
            zh = "没有判读" if times == 0 else f"判读了 {times} 次"
            en = "is not judged" if times == 0 else f"is judged {times} times"
            found.append(Finding(f"步骤 {path_id} / {step_id} {zh}。", f"Step {path_id} / {step_id} {en}.", step_id))
    found.extend(_contradictions(case))
    return Answer(
        found, f"{len(known)} 个步骤各判读一次。", f"Each of {len(known)} steps is judged once.", {"steps": len(known)}
    )


def _contradictions(case: Case) -> list[Finding]:
    shared: dict[str, dict[Status, str]] = {}
    for path in case.rules.paths:
        for step in path.steps:
            status = case.observation.status(path.path_id, step.step_id)
            if step.shared_id and status not in (Status.JUMP_VALID, Status.MISSING):
                shared.setdefault(step.shared_id, {}).setdefault(status, step.step_id)
    return [
        Finding(
            f"共用步骤 {shared_id} 在不同路径上判读不一：{'、'.join(statuses)}。",
            f"The shared step {shared_id} is judged differently on different paths: {', '.join(statuses)}.",
            next(iter(statuses.values())),
        )
        for shared_id, statuses in shared.items()
        if len(statuses) > 1
    ]


def score_sum(case: Case) -> Answer:
    """Scores follow from statuses and rules; the total is their exact sum and never above the maximum."""
    card = case.scorecard
    found: list[Finding] = []
    for part, path_id in card.chosen.items() if card.matched else ():
        found.extend(_score_faults(case, path_id, [item for item in card.steps if item.part == part]))
    total = sum((item.score for item in card.steps), Decimal(0))
    if total != card.total:
        found.append(
            Finding(
                f"总分 {card.total} 不等于各步之和 {total}。",
                f"The total {card.total} is not the sum {total} of the steps.",
            )
        )
    if card.total > case.rules.max_score or card.total < 0:
        found.append(
            Finding(
                f"总分 {card.total} 超出满分 {case.rules.max_score}。",
                f"The total {card.total} is above the maximum {case.rules.max_score}.",
            )
        )
    facts = {"total": _number(card.total), "max": _number(case.rules.max_score)}
    return Answer(found, f"各步得分之和为 {card.total}。", f"The step scores add up to {card.total}.", facts)


def _score_faults(case: Case, path_id: str, mine: list[ScoredStep]) -> list[Finding]:
    """Each step of the credited path counts once, with the score that its status gives."""
    path = case.rules.path(path_id)
    wanted, counted = [step.step_id for step in path.steps], [item.step.step_id for item in mine]
    if counted != wanted:
        return [
            Finding(
                f"路径 {path_id} 应计步骤 {'、'.join(wanted)}，计分的是 {'、'.join(counted) or '无'}。",
                f"{path_id} has the steps {', '.join(wanted)}; scored are {', '.join(counted) or 'none'}.",
                facts={"steps": wanted, "scored": counted},
            )
        ]
    statuses = {item.step.step_id: item.status for item in mine}
    expected = path_scores(path, statuses, case.rules, bare=any(item.bare_answer for item in mine))
    return [
        Finding(
            f"步骤 {item.step.step_id} 的得分 {item.score} 与状态 {item.status} 不符，应为 {score}。",
            f"Step {item.step.step_id} scores {item.score}; its status {item.status} gives {score}.",
            item.step.step_id,
        )
        for item, score in zip(mine, expected, strict=True)
        if item.score != score
    ]


def best_path(case: Case) -> Answer:
    """The credited path is the best for the student, also against steps that the judge denied on other paths."""
    card = case.scorecard
    if not card.matched:
        return fails(
            "没有与任何一种解法对上，总分只含已证明的步骤。",
            "No path was recognised; the total holds proved steps only.",
            path=UNKNOWN,
        )
    found = [
        Finding(
            f"步骤 {item.step.step_id} 属于路径 {item.path.path_id}，第 {item.part} 小问计的是 {card.chosen.get(item.part)}。",
            f"Step {item.step.step_id} is of {item.path.path_id}, but part {item.part} is credited by "
            f"{card.chosen.get(item.part)}.",
            item.step.step_id,
        )
        for item in card.steps
        if item.path.path_id != card.chosen.get(item.part)
    ]
    found.extend(
        Finding(f"第 {part} 小问没有取任何路径。", f"No path is credited for part {part}.", facts={"part": part})
        for part in case.rules.parts()
        if part not in card.chosen
    )
    for part, path_id in card.chosen.items():
        mine = card.path_totals.get(path_id, Decimal(0))
        for path in case.rules.paths_of(part):
            if path.path_id == path_id:
                continue
            earned = card.path_totals.get(path.path_id, Decimal(0))
            possible = _possible(case, path.path_id)
            if earned > mine or possible > mine:
                found.append(
                    Finding(
                        f"第 {part} 小问按路径 {path.path_id} 可能得 {max(earned, possible)} 分，多于所取路径 {path_id} 的 {mine} 分。",
                        f"Part {part}: path {path.path_id} may earn {max(earned, possible)}, more than the {mine} of {path_id}.",
                        facts={
                            "path_id": path.path_id,
                            "possible": _number(max(earned, possible)),
                            "credited": _number(mine),
                        },
                    )
                )
    totals = {path_id: _number(total) for path_id, total in card.path_totals.items()}
    return Answer(
        found,
        f"所取路径 {card.matched_path_id} 对学生最有利。",
        f"{card.matched_path_id} is the best for the student.",
        totals,
    )


def _possible(case: Case, path_id: str) -> Decimal:
    """What a path could earn if every line that may state a denied step's result counted."""
    path = case.rules.path(path_id)
    total = Decimal(0)
    scores = judged_scores(path, case.observation, case.reading, case.rules)
    for step, score in zip(path.steps, scores, strict=True):
        if score < step.points and case.proofs.stated_elsewhere(step) is not None:
            total += step.points
        else:
            total += score
    return total


def confidence(case: Case) -> Answer:
    """Every judged step is at or above the threshold; another method caps it below 0.7."""
    threshold = max(LEAST_CONFIDENCE, case.policy.step_confidence)
    found: list[Finding] = []
    if case.observation.another_method:
        found.append(
            Finding(
                "判读认为学生用了细则以外的解法，置信度以 0.69 为上限，需教师判定。",
                "The judge saw another method, which caps the confidence at 0.69: a teacher decides.",
                facts={"cap": ANOTHER_METHOD_CAP},
            )
        )
    found.extend(
        Finding(
            f"步骤 {proposal.step_id} 的判读置信度 {proposal.confidence} 低于 {threshold}。",
            f"The confidence {proposal.confidence} in step {proposal.step_id} is below {threshold}.",
            proposal.step_id,
            {"confidence": _number(proposal.confidence), "threshold": _number(threshold)},
        )
        for proposal in case.proposals
        if proposal.confidence < threshold
    )
    return Answer(
        found,
        f"各步置信度不低于 {threshold}。",
        f"Each step's confidence is at least {threshold}.",
        {"threshold": _number(threshold)},
    )


def second_judge(case: Case) -> Answer:
    """Where policy asks, or a step rests on words, two different judges agree step by step.

    That a reason is missing (GAP_DEDUCTION) is said of words, whatever algebra proves of the result.
    """
    in_words = [
        judged.step_id for judged in case.judged if not judged.step.expects or judged.status is Status.GAP_DEDUCTION
    ]
    if not case.policy.second_judge and not in_words:
        return idle(
            "策略未要求第二位判读，也没有靠文字说明的步骤。",
            "Policy asks for no second judge and no step rests on words.",
        )
    second = case.given.second_observation
    if second is None:
        steps = "、".join(in_words)
        reason_zh = f"步骤 {steps} 以文字说明为据" if in_words else "策略要求两位判读"
        reason_en = f"Step {', '.join(in_words)} rests on words" if in_words else "Policy asks for two judges"
        return not_evaluated(
            f"{reason_zh}，但没有第二位判读的意见。",
            f"{reason_en}, but there is no second observation.",
            steps=in_words,
        )
    if _same_name(second.judge, case.observation.judge):
        return fails("两份意见出自同一位判读。", "Both observations are by the same judge.", judge=second.judge)
    found = [
        Finding(
            f"步骤 {judged.step_id}：两位判读不一致（{mine} 与 {theirs}）。",
            f"Step {judged.step_id}: the two judges differ ({mine} and {theirs}).",
            judged.step_id,
            {"first": mine.value, "second": theirs.value},
        )
        for judged in case.judged
        for mine, theirs in [
            (
                case.observation.status(judged.path.path_id, judged.step_id),
                second.status(judged.path.path_id, judged.step_id),
            )
        ]
        if mine is not theirs
    ]
    return Answer(found, "两位判读逐步一致。", "Two judges agree step by step.", {"second": second.judge})


def _same_name(one: str, other: str) -> bool:
    """Whether two names are one but for case, width and spaces."""
    plain = [re.sub(r"[\s_-]", "", unicodedata.normalize("NFKC", name)).casefold() for name in (one, other)]
    return plain[0] == plain[1]


def certified(case: Case) -> Answer:
    """A certificate for question, judge, policy and reader; or, if policy allows, algebra behind every single step."""
    certificate = case.given.certificate
    if certificate is not None and certificate.get("valid") is True:
        return holds(
            "本题有有效的放行证书。",
            "The question holds a valid certificate.",
            certificate=str(certificate.get("id", "")),
        )
    if not case.policy.allow_uncertified:
        return fails(
            "本题没有放行证书，策略也不允许无证书放行。",
            "The question holds no certificate and policy does not allow to pass without.",
        )
    found = [
        Finding(
            f"无证书放行要求每一步都有代数证明，步骤 {judged.step_id}（{judged.status}）没有。",
            f"Without a certificate algebra must prove every step; step {judged.step_id} ({judged.status}) is not proved.",
            judged.step_id,
        )
        for judged in case.judged
        if not _proved(case, judged)
    ]
    return Answer(
        found, "无证书，但策略允许，且每一步都由代数证明。", "Uncertified, as policy allows: algebra proves every step."
    )


def _proved(case: Case, judged: Judged) -> bool:
    if judged.status in CREDITED:
        return judged.status is not Status.GAP_DEDUCTION and case.proofs.proved(judged.path, judged.step)
    return not denial_faults(case, judged)


def no_instruction(case: Case) -> Answer:
    """No text in the answer addresses the marker. An attempt is recorded and routed, never punished by itself."""
    seen: list[str] = []
    if case.given.reading is not None:
        seen.extend(case.given.reading.instructions_seen)
        for line in case.given.reading.lines:
            seen.extend(instructions_in([line.content, *(other.latex for other in line.alternatives)]))
        contents = [line.content for line in case.given.reading.lines]
        seen.extend(instructions_in(["".join(contents), " ".join(contents)]))
    if case.given.observation is not None:
        seen.extend(case.given.observation.instructions_seen)
    found = [
        Finding(
            f"答卷中有对阅卷者说的话：“{text[:100]}”；不予理会，也不因此扣分。",
            f"The answer addresses the marker: “{text[:100]}”; ignored, and no reason to take points.",
            facts={"text": text[:200]},
        )
        for text in dict.fromkeys(seen)
    ]
    return Answer(found, "答卷中没有对阅卷者说的话。", "Nothing in the answer addresses the marker.")


def current(case: Case) -> Answer:
    """The case still belongs to the machine, in the epoch in which the run started."""
    now = case.given.current
    if now is None:
        return idle("离线判读，没有个案归属。", "Offline: there is no case to own.")
    owner, epoch, started = now.get("owner"), now.get("owner_epoch"), now.get("started_epoch")
    if owner != "AI" or epoch != started:
        return fails(
            f"判读期间个案已转手：现归 {owner}，第 {epoch} 次归属，判读始于第 {started} 次。",
            f"The case moved on during the run: owner {owner}, epoch {epoch}, started in epoch {started}.",
            owner=str(owner),
            owner_epoch=epoch,
            started_epoch=started,
        )
    return holds(
        "个案仍归机器，归属次数未变。", "The case is still the machine's, in the same epoch.", owner_epoch=epoch
    )


def judge_answered(case: Case) -> Answer:
    """No time-out, refusal, truncation or missing second judge."""
    found: list[Finding] = []
    for name_zh, name_en, document in (
        ("识读", "Reading", case.given.reading),
        ("判读", "Judging", case.given.observation),
        ("第二位判读", "The second judge", case.given.second_observation),
    ):
        if document is not None and document.failure is not None:
            failure = document.failure
            found.append(
                Finding(
                    f"{name_zh}失败（{failure.code}）：{failure.detail or '没有结果'}。",
                    f"{name_en} failed ({failure.code}): {failure.detail or 'no result'}.",
                    facts={"code": failure.code, "detail": failure.detail},
                )
            )
    if not found and (case.given.reading is None or case.given.observation is None):
        return not_evaluated("没有可用的识读或判读结果。", "There is no usable reading or observation.")
    if case.policy.second_judge and case.given.second_observation is None:
        found.append(
            Finding("策略要求的第二位判读没有给出意见。", "The second judge that policy asks for gave no answer.")
        )
    return Answer(found, "判读按时给出了完整的结果。", "The judge answered in full and in time.")


def _number(value: Decimal) -> int | Decimal:
    return int(value) if value == value.to_integral_value() else value
