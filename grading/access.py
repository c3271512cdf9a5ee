"""One door to read: fetch and authorise in one call. A stranger gets 404, a member without the right 403."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from guardian.core import ObjectPermissionChecker
from guardian.shortcuts import get_objects_for_user, get_perms

from . import rounds
from .domain.problems import ProblemKind, desks
from .domain.roles import Right
from .models import WHOLE_CASE, Assessment, Case, Page, Problem, Question, Upload

User = AbstractBaseUser | AnonymousUser
CREATE = "grading.create_assessment"


def may_create_assessments(user: Any) -> bool:
    """School staff of the whole site may set up new assessments."""
    return bool(user.is_active and user.has_perm(CREATE))


def assessments_of(user: User) -> QuerySet[Assessment]:
    """The assessments in which the person has any right."""
    found: QuerySet[Assessment] = get_objects_for_user(
        user, [right.value for right in Right], klass=Assessment, any_perm=True, accept_global_perms=False
    )
    return found


def assessments_with(user: User, right: Right) -> QuerySet[Assessment]:
    """The assessments in which the person has this right; one query."""
    found: QuerySet[Assessment] = get_objects_for_user(user, right.value, klass=Assessment, accept_global_perms=False)
    return found


def rights_in(user: User, assessment: Assessment) -> frozenset[Right]:
    """The rights a person has in one assessment; empty for strangers."""
    held = set(get_perms(user, assessment) if getattr(user, "is_superuser", False) else _granted(user, assessment))
    return frozenset(right for right in Right if right.value in held)


def _granted(user: User, assessment: Assessment) -> QuerySet[Any]:
    """What was granted to a person or to a group of theirs; one query."""
    checker = ObjectPermissionChecker(user)
    own, of_groups = checker.get_user_perms(assessment), checker.get_group_perms(assessment)
    found: QuerySet[Any] = own.order_by().union(of_groups.order_by()).order_by()
    return found


def authorise(user: User, assessment: Assessment, rights: tuple[Right, ...]) -> frozenset[Right]:
    """The rights the person holds. Raises 404 for a stranger, 403 for a member with none of ``rights``, where any is named."""
    held = rights_in(user, assessment)
    if not held:
        raise Http404
    if rights and not held.intersection(rights):
        raise PermissionDenied
    return held


def assessment_for(user: User, public_id: str, *rights: Right) -> Assessment:
    """The assessment, if the person has any one of ``rights`` (any right at all when none is named)."""
    assessment = Assessment.objects.filter(public_id=public_id).first()
    if assessment is None:
        raise Http404
    authorise(user, assessment, rights)
    return assessment


def question_for(user: User, public_id: str, *rights: Right) -> Question:
    """A question of an assessment in which the person has any one of ``rights``."""
    question = Question.objects.select_related("assessment", "rules").filter(public_id=public_id).first()
    if question is None:
        raise Http404
    authorise(user, question.assessment, rights)
    return question


def case_for(user: User, public_id: str, *rights: Right) -> Case:
    """A case with its response, question, assessment, run and claimant, for pages that may show all of it.

    Raises NotYetSeen for somebody who may be asked to mark it blind: what a page does not get, it cannot give away.
    """
    case, held = _case_and_rights(user, public_id, rights)
    if Right.MARK in held and rounds.blind_to(case, user):
        raise rounds.NotYetSeen
    return case


def unseen_case_for(user: User, public_id: str, *rights: Right) -> Case:
    """The same case for verbs and blind pages: whoever calls this shows nothing of its verdict, marks and markers."""
    return _case_and_rights(user, public_id, rights)[0]


def _case_and_rights(user: User, public_id: str, rights: tuple[Right, ...]) -> tuple[Case, frozenset[Right]]:
    case = Case.objects.select_related(*WHOLE_CASE).filter(public_id=public_id).first()
    if case is None:
        raise Http404
    return case, authorise(user, case.response.question.assessment, rights)


def page_for(user: User, public_id: str) -> Page:
    """A page of an answer, for anybody with a right in its assessment."""
    page = Page.objects.select_related("response__question__assessment").filter(public_id=public_id).first()
    if page is None:
        raise Http404
    authorise(user, page.response.question.assessment, ())
    return page


def upload_for(user: User, public_id: str, *rights: Right) -> Upload:
    """One delivery of files."""
    upload = Upload.objects.select_related("assessment", "by").filter(public_id=public_id).first()
    if upload is None:
        raise Http404
    authorise(user, upload.assessment, rights)
    return upload


def problem_for(user: User, public_id: str) -> Problem:
    """A problem paper, for those at whose desk its kind lies."""
    problem = Problem.objects.select_related("case__response__question__assessment").filter(public_id=public_id).first()
    if problem is None:
        raise Http404
    held = rights_in(user, problem.case.response.question.assessment)
    if not held:
        raise Http404
    if ProblemKind(problem.kind) not in desks(held):
        raise PermissionDenied
    return problem
