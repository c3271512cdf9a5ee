#!/usr/bin/env python
"""Django's command line for Wenshu; ``bin/manage`` calls it in the right environment."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.foundation.errors import ConfigurationError

    try:
        execute_from_command_line(sys.argv)
    except ConfigurationError as error:
        sys.stderr.write(f"{error.zh} {error.en}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
