"""The sentences about an update: keys with fields, and their words for the terminal and for pages."""

from __future__ import annotations

from importlib import resources

from companion.i18n import LANGUAGES, Words, load_cached

FOLDER = resources.files("companion.ops.update")
"""The folder of the words files."""
PREFIX = "updating"
"""The table of the words files that contains all sentences."""


def sentences(lang: str) -> Words:
    """Return the words of updates in a language."""
    return load_cached(lang if lang in LANGUAGES else LANGUAGES[0], (FOLDER,))


def sentence(key: str, lang: str = LANGUAGES[0], /, **fields: object) -> str:
    """Return a sentence about an update."""
    return sentences(lang)(f"{PREFIX}.{key}", **fields)


class UpdateError(ValueError):
    """An update was refused or failed; `key` and `fields` describe its sentence, and `cause` is the sentence of its
    cause.

    The message contains both in English.
    """

    def __init__(self, key: str, cause: UpdateError | None = None, /, **fields: object) -> None:
        super().__init__(f"{cause or ''} {sentence(key, **fields)}".strip())
        self.key = key
        self.cause = cause
        self.fields = fields
