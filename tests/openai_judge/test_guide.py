"""docs/model.md names every setting of the model and none that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

from config import settings

GUIDE = Path(__file__).parents[2] / "docs" / "model.md"


def test_the_guide_names_exactly_the_settings_that_are_read() -> None:
    read = {name for name in settings.env.asked if name.startswith("WENSHU_MODEL_")}
    named = set(re.findall(r"WENSHU_MODEL_[A-Z_]+", GUIDE.read_text(encoding="utf-8")))
    assert named - {"WENSHU_MODEL_API_KEY_FILE"} == read
