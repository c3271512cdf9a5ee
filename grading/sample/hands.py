"""The handwritings that sample answers are written in, and where their fonts are found.

Fonts are needed for making the sample only and are not part of the project; FONTS.md names them with their licences.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import ImageFont

KAI = "LXGWWenKai-Regular.ttf"
NO_SUCH_CHARACTER = "\uffff"


class MissingFont(FileNotFoundError):
    """A font of FONTS.md is not in any of the folders given."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How one person writes. Angles in degrees, lengths in parts of the letter height."""

    name: str
    neat: bool
    fonts: tuple[str, ...]
    tilt: float
    drift: float
    swell: float
    wobble: float
    pen: float
    ink: int


HANDS = {
    hand.name: hand
    for hand in (
        Hand("kai-very-neat", True, (KAI,), 0.0, 0.0, 0.0, 0.0, 0.055, 40),
        Hand("kai-neat", True, (KAI,), 0.8, 0.008, 0.015, 0.006, 0.055, 50),
        Hand("shantell-neat", True, ("shantell-sans-latin-400-normal.woff", KAI), 0.8, 0.008, 0.015, 0.006, 0.06, 45),
        Hand(
            "patrick-medium",
            False,
            ("patrick-hand-latin-400-normal.woff", KAI),
            1.8,
            0.015,
            0.03,
            0.012,
            0.06,
            55,
        ),
        Hand(
            "kalam-sloppy",
            False,
            ("kalam-latin-400-normal.woff", "long-cang-chinese-simplified-400-normal.woff", KAI),
            3.0,
            0.025,
            0.05,
            0.02,
            0.06,
            60,
        ),
        Hand(
            "zhimang-sloppy",
            False,
            ("patrick-hand-latin-400-normal.woff", "zhi-mang-xing-chinese-simplified-400-normal.woff", KAI),
            3.5,
            0.03,
            0.06,
            0.025,
            0.055,
            65,
        ),
    )
}


class FontFolders:
    """Finds fonts by file name below the folders given, and the first font of a hand that has a character."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.paths = {path.name: path for folder in reversed(folders) for path in sorted(folder.rglob("*.[twos]*f*"))}
        self.load = cache(self._load)
        self.font_for = cache(self._font_for)

    def _load(self, name: str, size: int) -> ImageFont.FreeTypeFont:
        if name not in self.paths:
            raise MissingFont(f"{name} is not in the font folders; FONTS.md says where to get it")
        return ImageFont.truetype(self.paths[name], size, layout_engine=ImageFont.Layout.BASIC)

    def _font_for(self, hand: Hand, char: str, size: int) -> ImageFont.FreeTypeFont:
        for name in hand.fonts:
            font = self.load(name, size)
            if bytes(font.getmask(char)) != bytes(font.getmask(NO_SUCH_CHARACTER)) or char == " ":
                return font
        raise MissingFont(f"no font of {hand.name} has {char!r}")
