"""The entry point of web servers."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from itembank.algebra import begin_warming  # noqa: E402 - needs the settings

# A process starts its child for symbolic algebra before anybody waits for it: its library takes a second to import.
begin_warming()
