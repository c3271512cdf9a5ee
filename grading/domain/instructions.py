"""Text in an answer that addresses the marker: found, quoted, routed; never followed and never punished."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Each pattern needs an address (please, teacher, ignore, system) together with a wish about marks or about the marker,
# so that mathematics in words ("请给出证明", "满足", "full rank") is left alone.
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"(请|求|恳请|拜托|麻烦|希望|务必|必须|直接|帮|应该?|一定要?)[^。！!\n]{0,12}(给|判|打|算|评|加|送)[^。！!\n]{0,6}(满分|高分|全分|全对|对|分数|几分|点分|及格)",
        r"(给|判|打|评)(我|本题|此题|这题|这道题|该生|他|她)?[^。！!\n]{0,4}(满分|全分|高分)",
        r"(老师|阅卷|评卷|改卷|判卷|批改|考官)[^。！!\n]{0,14}(手下留情|高抬贵手|辛苦|放过|行行好|求|请|给分|别扣|不要扣|谢谢|开恩)",
        r"手下留情|高抬贵手|求(求|过|放过|捞|给分)|捞(我|一把)|(别|勿|不要|请勿)扣(我的?)?分|给点?(辛苦|步骤|同情)分",
        r"(忽略|无视|忘记|忘掉|不要理会|跳过)[^。！!\n]{0,12}(以上|上述|前面|之前|先前|所有|评分|细则|指令|提示|规则|要求|系统)",
        r"(你是|作为|扮演)[^。！!\n]{0,8}(AI|人工智能|模型|助手|机器人|评分员|阅卷员|阅卷系统)",
        r"(系统|提示|管理员|开发者)(指令|提示|消息|命令)|(评分|阅卷|判卷)(系统|指令|提示)",
        r"(本题|此题|该题|以上|答案)[^。！!\n]{0,6}(全部正确|完全正确|均正确|判为正确|判为满分|视为正确)",
        r"\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(previous|above|prior|before|earlier|everything|all|instruction|instructions|rubric|rules|prompt)\b",
        r"\b(give|award|grant|assign|grade|mark|score)\b.{0,30}\b(full|maximum|max|perfect|all|highest|top)\b.{0,12}\b(marks?|points?|score|credit|grade)\b",
        r"\b(dear|please|pls|kindly)\b.{0,40}\b(mark|marks|grade|grader|examiner|teacher|points|score|credit)\b",
        r"\b(dear|hello|hi)\b.{0,12}\b(grader|marker|examiner|teacher|sir|madam|ai)\b",
        r"\b(you are|act as|pretend|behave as)\b.{0,30}\b(ai|assistant|model|grader|marker|examiner|teacher|chatbot)\b",
        r"\b(system|developer|assistant|admin)\s*(prompt|message|instruction|note|override)|<\|?(im_start|system|assistant)|\[/?(inst|system)\]",
        r"\b(answer|solution|response|work)\b.{0,12}\b(is|are)\b.{0,8}\b(fully|completely|entirely|all)\b.{0,4}\b(correct|right)\b",
        r"[\"'](score|marks?|total_score|status|is_manual_review_needed|decision)[\"']\s*:",
        r"\b(full\s+marks|100\s*%\s*(marks|score|credit)|accept\s+this\s+answer)\b",
        r"(满点|滿分)を?(ください|下さい|付けて)|(만점|점수).{0,6}(주세요|줘)|(поставь|поставьте).{0,20}(балл|оценк)|"
        r"(игнорируй|игнорируйте).{0,30}(инструкц|предыдущ)|(ignorez|ignorer?)\b.{0,30}\b(instructions|précédent)|"
        r"(ignora|ignore)\b.{0,30}\b(instrucciones|anteriores)|(ignoriere|vergiss)\b.{0,30}\b(anweisungen|vorherigen)|"
        r"(donnez|dame|deme|gib|geben)\b.{0,30}\b(points|note maximale|puntos|nota máxima|punkte|volle punktzahl)",
    )
)

# What every pattern needs, formulas apart: a word of two letters at least, or a character that is not ASCII. (`\\right` is
# in a pattern, but never without other words.)
_TELLING = re.compile(r"[A-Za-z]{2}|[^\x00-\x7f]")
_FORMULA = re.compile(r"\\(?:[dt]?frac|times|cdot|sqrt|left|right|pi)(?![A-Za-z])")

_HIDDEN = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD))


def addresses_marker(text: str) -> str | None:
    """The words in `text` that address the marker; None where there are none.

    LaTeX text commands, spacing between Chinese characters, full-width letters and invisible characters do not hide them.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_HIDDEN)
    plain = re.sub(r"\\(text|mathrm|mbox|textbf|mathbf|operatorname|textrm|rm)\b\s*", " ", plain)
    plain = re.sub(r"[{}$~]|\\[,;:! ]", " ", plain)
    tight = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", plain)
    if not _TELLING.search(_FORMULA.sub(" ", tight)):
        return None
    for pattern in _PATTERNS:
        found = pattern.search(tight)
        if found:
            return found.group(0).strip()[:200]
    return None


def instructions_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The addressing words of each text that has some, without repetition."""
    seen: dict[str, None] = {}
    for text in texts:
        found = addresses_marker(text)
        if found:
            seen.setdefault(found)
    return tuple(seen)
