"""One tree of errors whose messages a person can act on, in Chinese and in English."""

from __future__ import annotations


class WenshuError(Exception):
    """An expected refusal: a stable ``code`` and one sentence in each language.

    Sentences are complete: they name the file, row, page, step or field and say what to do.
    ``params`` are kept beside the sentences for tests and logs; they hold no personal data.
    """

    def __init__(self, code: str, zh: str, en: str, **params: object) -> None:
        super().__init__(f"{code}: {en}")
        self.code = code
        self.zh = zh
        self.en = en
        self.params = params

    def message(self, language: str | None) -> str:
        """The sentence in the reader's language (Chinese unless the code starts with ``en``)."""
        return self.en if (language or "").lower().startswith("en") else self.zh


class UnusableInput(WenshuError):
    """What was handed in cannot be used; commands exit with 2, pages answer 422."""


class SomeoneWasFaster(WenshuError):
    """A conditional update changed no row: the state moved on meanwhile. Pages answer 409."""


class NotAllowedNow(WenshuError):
    """The verb does not apply to the state the row is in. Pages answer 409."""


class ConfigurationError(WenshuError):
    """A setting is missing or wrong; the message names it and what it may be."""
