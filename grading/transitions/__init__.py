"""The only writer of this app's state: one function per verb, each with its event in the same transaction."""

from .annotations import annotate
from .cases import accept, hand_off, open_case, queue_for_people, record_run, reopen, touch, touch_with_fresh_eyes
from .changing import change_own_mark, fixed, refuse_fixed
from .intake import decode_waiting, receive_upload, refuse_file, store_page
from .judging import enqueue_judging, judging_failed, start_judging
from .limits import limit_marker
from .marking import claim, claim_next, decide, end_claim, judge_again, release, skip, take_seeing, take_up_again
from .passing import pass_on
from .people import account_for, give_role, withdraw_role
from .problems import report_problem, settle_problem
from .returning import return_mark
from .rounds import set_scheme
from .rules_changes import carry_over, pin_rules
from .setup import add_question, attach_classes, create_assessment, import_roster
from .sights import note_sight, note_sights
from .taking_back import take_back

__all__ = [
    "accept",
    "account_for",
    "add_question",
    "annotate",
    "attach_classes",
    "carry_over",
    "change_own_mark",
    "claim",
    "claim_next",
    "create_assessment",
    "decide",
    "decode_waiting",
    "end_claim",
    "enqueue_judging",
    "fixed",
    "give_role",
    "hand_off",
    "import_roster",
    "judge_again",
    "judging_failed",
    "limit_marker",
    "note_sight",
    "note_sights",
    "open_case",
    "pass_on",
    "pin_rules",
    "queue_for_people",
    "receive_upload",
    "record_run",
    "refuse_file",
    "refuse_fixed",
    "release",
    "reopen",
    "report_problem",
    "return_mark",
    "set_scheme",
    "settle_problem",
    "skip",
    "start_judging",
    "store_page",
    "take_back",
    "take_seeing",
    "take_up_again",
    "touch",
    "touch_with_fresh_eyes",
    "withdraw_role",
]
