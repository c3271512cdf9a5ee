"""The entry point of web servers."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config.warming import warm_algebra  # noqa: E402 - needs the settings

warm_algebra()
