"""Forms of the school staff's pages: shape and size only; meaning is checked where it is written."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from .domain.roles import ROLES

MAX_RULES_BYTES = 256 * 1024
_FILE_MESSAGES: dict[str, Any] = {
    "required": _("Choose a file first."),
    "empty": _("The file is empty; choose another one."),
    "missing": _("Choose a file first."),
    "invalid": _("Choose a file first."),
}
JUDGES = (("embedded", _("Embedded reader (offline)")), ("openai", _("Model service")))


class AssessmentForm(forms.Form):
    """A new assessment."""

    title = forms.CharField(
        max_length=200,
        label=_("Title"),
        help_text=_("As people call it, for example Mathematics, first mock examination 2026."),
        error_messages={"required": _("Give the assessment a title.")},
    )
    code = forms.RegexField(
        r"^[A-Za-z0-9][A-Za-z0-9_-]{1,39}$",
        label=_("Assessment code"),
        help_text=_("Letters, digits, hyphens and underscores; appears in commands and file names."),
        error_messages={
            "required": _("Give a code, for example 2026-G3-MATH."),
            "invalid": _("A code has 2 to 40 letters, digits, hyphens or underscores."),
        },
    )
    judge = forms.ChoiceField(choices=JUDGES, label=_("Judge"), initial=settings.DEFAULT_JUDGE)
    allow_uncertified = forms.BooleanField(
        required=False,
        label=_("Let answers pass whose every step is proved by algebra, without a certificate"),
        help_text=_("Without this every answer goes to a marker until the question is certified."),
    )

    def clean_judge(self) -> str:
        """A model service can be chosen only when its address is set: found out now, not with the first answer."""
        judge: str = self.cleaned_data["judge"]
        if judge == "openai" and not (settings.MODEL_BASE_URL and settings.MODEL_NAME):
            raise forms.ValidationError(
                _(
                    "No model service is configured. Choose the embedded reader, or ask the administrator to set "
                    "WENSHU_MODEL_BASE_URL and WENSHU_MODEL_NAME."
                )
            )
        return judge

    @property
    def policy(self) -> dict[str, Any]:
        """The policy document the form stands for."""
        return {"allow_uncertified": True} if self.cleaned_data["allow_uncertified"] else {}


class QuestionForm(forms.Form):
    """A question with a file of scoring rules."""

    number = forms.IntegerField(
        min_value=1,
        max_value=99,
        label=_("Number"),
        error_messages={
            "required": _("Give the number of the question."),
            "invalid": _("The number is a whole number."),
        },
    )
    label = forms.CharField(max_length=40, required=False, label=_("Label"), help_text=_("For example 第17题."))
    rules = forms.FileField(
        label=_("Scoring rules (JSON)"),
        max_length=200,
        help_text=_("A JSON file, at most 256 KB; the example shows its form."),
        error_messages=_FILE_MESSAGES,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def clean_rules(self) -> bytes:
        """The bytes of the file, bounded."""
        file = self.cleaned_data["rules"]
        if file.size > MAX_RULES_BYTES:
            raise forms.ValidationError(_("The rules file is larger than 256 KB."))
        content: bytes = file.read()
        return content


class RosterForm(forms.Form):
    """A class list."""

    roster = forms.FileField(
        label=_("Class list (CSV or XLSX)"),
        help_text=_("The first row names the columns 学号, 姓名, 班级 (number, name, class); their order is free."),
        error_messages=_FILE_MESSAGES,
        widget=forms.FileInput(
            attrs={"accept": ".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        ),
    )


class RoleForm(forms.Form):
    """A person and a role; a new account is made when the login is new and a name is given."""

    username = forms.CharField(
        max_length=60,
        label=_("Login"),
        validators=[RegexValidator(r"^[\w.@+-]+\Z", _("A login has letters, digits and @ . + - _ only."))],
        error_messages={"required": _("Give the person's login.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
    )
    full_name = forms.CharField(
        max_length=60, required=False, label=_("Name"), help_text=_("Only for a person without an account yet.")
    )
    role = forms.ChoiceField(choices=[], label=_("Role"))

    def __init__(self, *args: Any, language: str = "zh", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        english = language.startswith("en")
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(role.key, role.en if english else role.zh) for role in ROLES.values()]

    def clean(self) -> dict[str, Any]:
        """An unknown login needs a name, so that a slip of the pen does not make an account."""
        cleaned = super().clean() or {}
        username = cleaned.get("username")
        known = username and get_user_model().objects.filter(username=username).exists()
        if username and not known and not cleaned.get("full_name"):
            self.add_error("full_name", _("There is no account with this login; give a name to make one."))
        return cleaned


class ManyFilesInput(forms.ClearableFileInput):
    """A file field that takes several files."""

    allow_multiple_selected = True


class UploadForm(forms.Form):
    """Answer images. The files themselves are read one by one by the view."""

    images = forms.FileField(
        label=_("Answer images"),
        required=False,
        widget=ManyFilesInput(
            attrs={"multiple": True, "accept": "image/jpeg,image/png,image/webp,image/heic,.heic,.heif"}
        ),
        help_text=_("Name files number_question_page, for example 20260101_3_1.jpg. JPEG, PNG, WebP or HEIC."),
    )
