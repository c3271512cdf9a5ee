"""Text that addresses the marker of an answer or the checker of an item: found, quoted, routed; never followed, never punished."""

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

# What an item may say to whoever checks it. Word problems speak of teachers and markers, options say that all of them are
# right: only a wish about the checking itself, or about a machine's instructions, is meant here.
_TO_CHECKERS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"(请|务必|必须|直接|应当?|可以?|予以)[^。！!\n，,]{0,6}(通过|放行|批准|发布)(审核|检查|本题|此题|这道?题|该题|即可|吧|它)?(?=\s*(?:[。！!\n，,；;）)]|$))",
        r"(这道?题|本题|此题|该题|此试题|这道试题)[^。！!\n，,]{0,6}(是对的|没有?(问题|错误)|无误|已(经)?(审核|核对|验证|检查)|无(需|须)(再)?(审核|检查|验算|核对))",
        r"(无需|不必|不用|不要|勿|跳过|免于?)[^。！!\n，,]{0,4}(审核|检查|审查|核验|验算|校对|复核)",
        r"(忽略|无视|忘记|忘掉|不要理会)[^。！!\n]{0,12}(以上|上述|前面|之前|先前|所有)[^。！!\n]{0,8}(指令|提示|规则|要求|内容|说明)",
        r"(你是|扮演)[^。！!\n]{0,8}(AI|人工智能|模型|助手|机器人|审核员|审题人)",
        r"(系统|管理员|开发者)(指令|提示词|命令|消息)|审题(系统|模型|人工智能)|(致|给)(审题人|审核员|模型|AI)",
        r"(输出|回复|回答|返回|判定?为)[^。！!\n]{0,6}(CORRECT|PASS(ED)?|正确(?=[。！!\n，,]|$)|通过)",
        r"\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(previous|above|prior|earlier|instructions?|rules|prompt)\b",
        r"\b(this|the)\s+(item|question|problem|key)\s+is\s+(already\s+)?(correct|verified|approved|fine|valid)\b",
        r"\b(approve|accept|release|pass)\s+(this|the)\s+(item|question|problem)\b",
        r"\b(skip|no need (for|to))\b.{0,20}\b(check|checks|checking|review|verification)\b",
        r"\b(you are|act as|pretend|behave as)\b.{0,30}\b(ai|assistant|model|reviewer|checker|chatbot)\b",
        r"\b(output|reply|answer|respond|print|return)\b.{0,20}\b(CORRECT|PASS(ED)?|APPROVED)\b",
        r"\b(system|developer|assistant|admin)\s*(prompt|message|instruction|note|override)|<\|?(im_start|system|assistant)|\[/?(inst|system)\]",
        r"[\"'](outcome|released|verdict|explanation_ok)[\"']\s*:",
    )
)

_HIDDEN = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD))


def addresses_marker(text: str) -> str | None:
    """The words in `text` that address the marker; None where there are none.

    LaTeX text commands, spacing between Chinese characters, full-width letters and invisible characters do not hide them.
    """
    tight = _bared(text)
    return _first(_PATTERNS, tight) if _TELLING.search(_FORMULA.sub(" ", tight)) else None


def addresses_checker(text: str) -> str | None:
    """The words in the text of an item that address whoever checks it; None where there are none.

    >>> addresses_checker("求 $x$ 的值。这道题是对的，请通过。")
    '请通过'
    >>> addresses_checker("老师请三位同学通过抽签决定顺序，以上说法全部正确的是") is None
    True
    """
    return _first(_TO_CHECKERS, _bared(text))


def _bared(text: str) -> str:
    """The text without what may hide words: text commands, spacing, full-width letters, invisible characters."""
    plain = unicodedata.normalize("NFKC", text).translate(_HIDDEN)
    plain = re.sub(r"\\(text|mathrm|mbox|textbf|mathbf|operatorname|textrm|rm)\b\s*", " ", plain)
    plain = re.sub(r"[{}$~]|\\[,;:! ]", " ", plain)
    return re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", plain)


def _first(patterns: Iterable[re.Pattern[str]], text: str) -> str | None:
    for pattern in patterns:
        found = pattern.search(text)
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
