"""The entry point of web servers."""

import gc
import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils import translation

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from itembank.algebra import begin_warming  # noqa: E402 - needs the settings

# A process starts its child for symbolic algebra before anybody waits for it: its library takes a second to import.
begin_warming()


def read_ahead() -> None:
    """Addresses, words and templates, which the first pages of a process would otherwise wait for one after the other.

    The server reads them before it forks its workers, and what is there by then is left out of each later collection of
    garbage: going through it takes as long as a page does.
    """
    get_resolver().reverse_dict  # noqa: B018 - reading it makes it
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("Wenshu")
    templates = Path(settings.BASE_DIR) / "templates"
    for file in templates.rglob("*.html"):
        get_template(str(file.relative_to(templates)))
    gc.collect()
    gc.freeze()


read_ahead()
