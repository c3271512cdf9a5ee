"""Every screen of the product: who looks at which address, and what it is called in both languages.

Addresses without a screen of their own stand below, each with the reason; a test compares both lists with the product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.urls import reverse

from .room import Room

Act = Callable[[Any], None]


@dataclass(frozen=True)
class Screen:
    """``of`` names the id in ``Room.ids`` that the address takes; ``act`` brings the page into the state that is shown."""

    name: str
    who: str
    url: str
    of: str
    zh: str
    en: str
    query: str = ""
    act: Act | None = None
    status: int = 200

    def address(self, room: Room) -> str:
        return reverse(self.url, args=[room.ids[self.of]] if self.of else []) + self.query.format(**room.ids)


def _press(key: str) -> Act:
    return lambda page: page.keyboard.press(key)


def _at_the_desk(key: str) -> Act:
    def act(page: Any) -> None:
        page.wait_for_selector("#stage .mover")
        page.keyboard.press(key)

    return act


def _wrong_password(page: Any) -> None:
    page.fill("input[name=username]", "teacher")
    page.fill("input[name=password]", "-")
    page.press("input[name=password]", "Enter")
    page.wait_for_selector(".errors, .notice, .errorlist")


def _open_all(page: Any) -> None:
    for number in range(page.locator("details:not([open]) > summary").count()):
        page.locator("details > summary").nth(number).click()


ANYBODY = "visitor"
SCREENS = (
    Screen("sign-in", ANYBODY, "login", "", "登录", "Sign in"),
    Screen("sign-in-refused", ANYBODY, "login", "", "登录失败", "Sign-in refused", act=_wrong_password),
    Screen("home-marker", "teacher", "home", "", "我的工作（阅卷员）", "My work (marker)"),
    Screen("home-leader", "leader", "home", "", "我的工作（阅卷组长）", "My work (marking leader)"),
    Screen("home-staff", "staff", "home", "", "我的工作（教务）", "My work (school staff)"),
    Screen("home-nobody", "stranger", "home", "", "我的工作（尚无考试）", "My work (no assessment yet)"),
    # Setting up and administering
    Screen("assessments", "staff", "grading:assessments", "", "考试列表", "Assessments"),
    Screen("create", "staff", "grading:create", "", "新建考试", "New assessment"),
    Screen("assessment", "staff", "grading:assessment", "assessment", "一场考试", "One assessment"),
    Screen("questions", "staff", "grading:questions", "assessment", "题目与评分细则", "Questions and their rules"),
    Screen("rules", "staff", "grading:rules", "question", "评分细则", "Scoring rules"),
    Screen("classes", "staff", "grading:classes", "assessment", "班级与考生", "Classes and candidates"),
    Screen("people", "staff", "grading:people", "assessment", "人员与角色", "People and roles"),
    Screen("uploads", "staff", "grading:uploads", "assessment", "上传作答", "Uploading answers"),
    Screen("delivery", "staff", "grading:delivery", "upload", "一次上传的文件", "Files of one upload"),
    Screen("gate", "leader", "grading:gate", "assessment", "门控规则", "Rules of the gate"),
    Screen("results", "staff", "grading:results", "assessment", "成绩与导出", "Results and exports"),
    # Marking
    Screen("queue", "teacher", "review:queue", "assessment", "待复核队列", "Review queue"),
    Screen("case", "teacher", "review:case", "case", "阅卷页面", "Marking an answer"),
    Screen("case-step", "teacher", "review:case", "case", "按键选中一步", "A step chosen by key", act=_at_the_desk("2")),
    Screen("case-keys", "teacher", "review:case", "case", "快捷键一览", "Shortcuts", act=_at_the_desk("?")),
    Screen("case-reading", "teacher", "review:case", "case", "修改识读", "Editing the reading", act=_at_the_desk("e")),
    Screen("case-problem", "teacher", "review:case", "case", "上报问题卷", "Reporting a problem", act=_at_the_desk("p")),
    Screen("case-passed", "teacher", "review:case", "passed", "同事转交的作答", "An answer passed on"),
    Screen("case-unread", "teacher", "review:case", "unread", "机器没有建议", "Without a proposal"),
    Screen("case-free", "teacher", "review:case", "free", "尚未接手", "Not yet in hand"),
    Screen("case-other", "teacher", "review:case", "other", "在同事手中", "In a colleague's hand"),
    Screen("case-decided", "teacher", "review:case", "decided", "已定分的作答", "A decided answer"),
    Screen("pass-on", "teacher", "review:pass-on", "case", "转交", "Passing on"),
    Screen("compare", "teacher", "review:compare", "case", "与参考解答对照", "Beside the reference"),
    Screen(
        "compare-answers", "teacher", "review:compare", "case", "两份作答对照", "Two answers side by side",
        query="?left={case}.run.1&right={free}.run.1",
    ),
    Screen("groups", "teacher", "review:groups", "assessment", "相同作答一起评", "Same answers together", query="?question={question-like}"),
    Screen("group", "teacher", "review:alike", "alike", "一组相同的作答", "One group of like answers"),
    Screen("group-marked", "teacher", "review:marked-group", "group", "整组已评", "A group marked"),
    Screen("own-marks", "teacher", "review:own-marks", "assessment", "回评", "My last marks"),
    Screen("change", "teacher", "review:change", "own", "修改自己的评分", "Changing one's own mark"),
    Screen("blind", "teacher", "review:blind", "blind", "盲评", "Marking blind"),
    Screen("reveal", "teacher", "review:reveal", "revealed", "提交后对照", "The verdict after a blind mark"),
    Screen("keys", "teacher", "review:keys", "", "按键设置", "One's own keys"),
    Screen("trail", "leader", "review:trail", "decided", "留痕", "The trail of an answer"),
    # Several people, disputes, problems
    Screen("arbitrations", "arbiter", "review:arbitrations", "assessment", "待仲裁", "Waiting for arbitration"),
    Screen("arbitrate", "arbiter", "review:arbitrate", "disputed", "仲裁", "Arbitration"),
    Screen("appeals", "staff", "review:appeals", "assessment", "申诉列表", "Appeals"),
    Screen(
        "appeal-file", "staff", "review:file-appeal", "assessment", "登记申诉", "Filing an appeal",
        query="?code={to-appeal}&question={question}",
    ),
    Screen("appeal-waiting", "arbiter", "review:appeal", "appeal-waiting", "待处理的申诉", "An appeal that waits"),
    Screen("appeal-decide", "arbiter", "review:appeal", "appeal-held", "逐项处理申诉", "Deciding an appeal"),
    Screen("appeal-answered", "arbiter", "review:appeal", "appeal-answered", "已答复的申诉", "An appeal answered"),
    Screen("problems", "leader", "review:problems", "assessment", "问题卷", "Problem papers"),
    # Leading and auditing
    Screen("board", "leader", "review:board", "assessment", "阅卷组长看板", "Marking leader's board"),
    Screen("board-marks", "leader", "review:board-marks", "assessment", "评过的作答", "Marked answers"),
    Screen("return", "leader", "review:return", "to-return", "打回重评", "Returning an answer"),
    Screen("limits", "leader", "review:limits", "assessment", "暂停阅卷员或限定评阅量", "Pausing or capping markers"),
    Screen("schemes", "leader", "review:schemes", "assessment", "各题评卷方式", "How questions are marked"),
    Screen("scheme", "leader", "review:scheme", "question", "一题的评卷方式", "How one question is marked"),
    Screen("anchoring", "leader", "review:anchoring", "assessment", "盲评与非盲评", "Blind against shown"),
    Screen("rules-changes", "leader", "review:rules-changes", "question-changing", "细则更改", "Changes of rules"),
    Screen("rules-change", "leader", "review:rules-change", "change-waiting", "更改前的预览", "Preview of a change"),
    Screen("rules-path", "second_leader", "review:rules-change", "path", "老师发现的解法", "A path that a teacher found"),
    Screen("rules-carried", "leader", "review:rules-change", "change-carried", "更改后的结果", "A change carried out"),
    Screen("audits", "auditor", "review:audits", "assessment", "抽查", "Audits"),
    Screen("sample", "auditor", "review:sample", "sample", "一次抽查", "One audit sample"),
    Screen("audit-item", "auditor", "review:audit-item", "item", "抽查评分", "Auditing an answer"),
    # Refusals
    Screen("refused-403", "teacher", "grading:assessment", "assessment", "无权查看", "No right to it", status=403),
    Screen("refused-404", "stranger", "review:queue", "assessment", "找不到页面", "Not found", status=404),
)  # fmt: skip


class Why(StrEnum):
    """Why an address has no screen of its own."""

    ACTION = "only takes what a form sends"
    PART = "a part of a page, which the page itself asks for"
    FILE = "a file or an image"
    MACHINE = "for machines"


WITHOUT_SCREEN = {
    "health-live": Why.MACHINE, "health-ready": Why.MACHINE, "health-deep": Why.MACHINE,
    "page-image": Why.FILE, "grading:rules-example": Why.FILE, "grading:export": Why.FILE,
    "grading:progress": Why.PART, "review:upcoming": Why.PART, "review:rules-progress": Why.PART,
} | dict.fromkeys(
    (
        "logout", "set_language", "review:annotate", "grading:judge", "grading:withdraw", "review:next", "review:claim",
        "review:release",
        "review:skip", "review:report-problem", "review:settle-problem", "review:hold", "review:draft", "review:discard",
        "review:recalculate", "review:decide", "review:judge-again", "review:change-total",
        "review:change-draft", "review:audit-draft", "review:alike-total",
        "review:mark-group", "review:undo-group", "review:next-item", "review:audit-recalculate", "review:blind-claim",
        "review:blind-total", "review:take-arbitration", "review:arbitration-total", "review:take-appeal",
        "review:appeal-total", "review:propose-path", "review:choose-rules", "review:approve-path",
        "review:refuse-rules", "review:name-exemplar", "review:withdraw-exemplar",
    ),
    Why.ACTION,
)  # fmt: skip
