"""Takes a tree of knowledge points into the bank."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation import strict_json
from config.foundation.errors import UnusableInput
from itembank.domain.knowledge import FILE, read_tree
from itembank.transitions import import_points

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """New points are added, known ones get their names and stage, none is removed."""

    help = "Import a tree of knowledge points; without a file the tree that comes with the product."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default=str(FILE), help="POINTS.json, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tree = read_tree(strict_json.loads(read_bytes(options["file"]), max_bytes=4 * 1024 * 1024))
        except UnusableInput as error:
            refuse(error)
        self.stdout.write(f"{import_points(tree)} points")
