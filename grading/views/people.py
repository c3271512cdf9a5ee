"""Who does what in an assessment."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from .. import access, queries, transitions
from ..domain.roles import ROLES, Right
from ..forms import RoleForm


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """The people of an assessment by role, and a form that gives a role."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    language = get_language() or ""
    form = RoleForm(request.POST if request.method == "POST" else None, language=language)
    made: dict[str, str] | None = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        person, password = transitions.account_for(given["username"], full_name=given["full_name"], by=request.user)
        added = transitions.give_role(assessment, person, given["role"], by=request.user)
        messages.success(
            request, _("The role was given.") if added else _("The person already has this role; nothing changed.")
        )
        if password is None:
            return redirect("grading:people", public_id)
        # Shown once, in this answer, to the person who made the account; only its hash is kept, no cookie carries it.
        made = {"login": person.get_username(), "password": password}
        form = RoleForm(language=language)
    holders = queries.holders_by_role(assessment)
    members = [(role, role.en if language.startswith("en") else role.zh, holders[role.key]) for role in ROLES.values()]
    context = {"assessment": assessment, "form": form, "members": members, "made": made}
    return render(request, "grading/people.html", context, status=422 if form.errors else 200)


@require_POST
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a role back from a person."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    role = request.POST.get("role", "")
    person = get_object_or_404(queries.holders_of(assessment, role), username=request.POST.get("username", ""))
    if person == request.user and role == "school_staff":
        messages.error(request, _("You cannot take your own role of school staff; a colleague can."))
    elif transitions.withdraw_role(assessment, person, role, by=request.user):
        messages.success(request, _("The role was taken back."))
    return redirect("grading:people", public_id)
