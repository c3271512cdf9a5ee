"""A line that nobody wrote cannot live on the ink of its neighbour: only ink in no other box counts."""

from __future__ import annotations

import cv2
import numpy as np

from grading.judges.embedded.ink import measure_ink

from .cast import failing, wang

WRITTEN = (0.1, 0.2, 0.6, 0.3)
BESIDE = (0.45, 0.22, 0.95, 0.3)
BELOW = (0.1, 0.5, 0.6, 0.6)


def page() -> bytes:
    """Two written lines, one below the other."""
    sheet = np.full((1000, 800, 3), 255, np.uint8)
    for text, down in (("d=2 and S=120", 280), ("a=3", 580)):
        cv2.putText(sheet, text, (90, down), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (0, 0, 0), 4)
    done, encoded = cv2.imencode(".png", sheet)
    assert done
    return encoded.tobytes()


def test_a_box_that_reaches_into_another_line_holds_ink_but_none_of_its_own() -> None:
    written, invented, below = measure_ink([page()], [(1, WRITTEN), (1, BESIDE), (1, BELOW)])["boxes"]
    assert (written["has_ink"], written["own_ink"]) == (True, True)
    assert (invented["has_ink"], invented["own_ink"]) == (True, False)
    assert (below["has_ink"], below["own_ink"]) == (True, True)


def test_a_line_without_ink_of_its_own_earns_nothing_by_itself() -> None:
    answer = wang()
    assert answer.ink is not None
    answer.ink["boxes"][3]["own_ink"] = True
    assert answer.decide()["decision"] == "ACCEPT"
    answer.ink["boxes"][3]["own_ink"] = False
    assert failing(answer.decide()) == ["evidence-inked"]
