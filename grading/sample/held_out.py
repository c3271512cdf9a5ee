"""A second sample that nothing was tuned on: the same answers in other hands, dealt to other candidates, drawn anew.

The thresholds of the reader were chosen while looking at the sample assessment, so its figures are too good to be a
forecast. `bin/make-sample --seed TEXT` draws a set like it with fonts the sample does not know. It is measured and thrown
away, never tuned on and not committed: a seed that was looked at is used up.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice

import numpy as np

from grading.sample.answers import Pupil
from grading.sample.hands import KAI, Hand

KAI_LIGHT = "LXGWWenKai-Light.ttf"

HANDS = {
    hand.name: hand
    for hand in (
        Hand("klee-very-neat", True, ("KleeOne-Regular.ttf", KAI), 0.0, 0.0, 0.0, 0.0, 0.055, 45),
        Hand(
            "handlee-neat", True, ("handlee-latin-400-normal.woff", KAI_LIGHT, KAI), 0.8, 0.008, 0.015, 0.006, 0.06, 50
        ),
        Hand("kai-light-neat", True, (KAI_LIGHT, KAI), 1.0, 0.01, 0.02, 0.008, 0.05, 60),
        Hand(
            "coming-soon-medium", False, ("coming-soon-latin-400-normal.woff", KAI), 1.8, 0.015, 0.03, 0.012, 0.06, 55
        ),
        Hand(
            "architects-sloppy",
            False,
            ("architects-daughter-latin-400-normal.woff", "ma-shan-zheng-chinese-simplified-400-normal.woff", KAI),
            3.0,
            0.025,
            0.05,
            0.02,
            0.06,
            60,
        ),
        Hand(
            "caveat-sloppy",
            False,
            ("caveat-latin-400-normal.woff", "ma-shan-zheng-chinese-simplified-400-normal.woff", KAI),
            3.5,
            0.03,
            0.06,
            0.025,
            0.055,
            65,
        ),
    )
}
NEAT_SHARE = 0.7
"""Share of candidates who write neatly, about that of the sample assessment."""


def dealt_anew(people: Sequence[Pupil], random: np.random.Generator) -> list[Pupil]:
    """The same candidates with the answers to each question and new hands dealt among them by chance."""
    neat = [name for name, hand in HANDS.items() if hand.neat]
    other = [name for name, hand in HANDS.items() if not hand.neat]
    tidy = round(NEAT_SHARE * len(people))
    hands = [*islice(cycle(neat), tidy), *islice(cycle(other), len(people) - tidy)]
    random.shuffle(hands)
    columns = [list(column) for column in zip(*(pupil.sheets for pupil in people), strict=True)]
    dealt = [[column[at] for at in random.permutation(len(column))] for column in columns]
    return [
        replace(pupil, hand=hand, sheets=tuple(sheets))
        for pupil, hand, *sheets in zip(people, hands, *dealt, strict=True)
    ]
