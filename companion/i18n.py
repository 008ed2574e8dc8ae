"""Words: sentences by key, in the reader's language. Knows no game, no page and no event.

A dictionary is a TOML file of nested tables; `words("refusal.R-00.unknown_seat", players=3)` looks the
key up and fills the fields in. A key that a language lacks falls back to English; the tests see to it that none does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

LANGUAGES = ("en", "fr")
"""Languages of the pages, the first one being the fallback."""
BOUND = {"fr": re.compile(r" (?=[;:!?»%])|(?<=«) ")}
"""Spaces at which no line may end, by language: catalogues are written with ordinary ones."""


class Words:
    """All sentences of one language. Later dictionaries win over earlier ones."""

    def __init__(self, lang: str, sentences: dict[str, str], fallback: Words | None = None) -> None:
        self.lang = lang
        self.sentences = sentences
        self.fallback = fallback

    def __call__(self, key: str, /, **fields: Any) -> str:
        """Return the sentence of a key with its fields filled in; the key itself when nobody wrote one."""
        sentence = self.sentences.get(key)
        if sentence is None:
            return self.fallback(key, **fields) if self.fallback else key
        return sentence.format(**fields) if fields or "{" in sentence else sentence

    def __contains__(self, key: str) -> bool:
        return key in self.sentences

    def section(self, prefix: str) -> dict[str, str]:
        """Return all sentences under a prefix, by the rest of their keys."""
        start = prefix + "."
        return {key[len(start) :]: text for key, text in self.sentences.items() if key.startswith(start)}


def flat(data: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested tables as one, with dotted keys."""
    found: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = str(value)
    return found


def load(lang: str, folders: Iterable[Traversable]) -> Words:
    """Return the words of a language out of every `<lang>.toml` in the folders, falling back to English."""
    folders = tuple(folders)
    sentences: dict[str, str] = {}
    for folder in folders:
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml") and file.name.removesuffix(".toml").split(".")[-1] == lang:
                sentences |= flat(tomllib.loads(file.read_text(encoding="utf-8")))
    if lang in BOUND:
        sentences = {key: BOUND[lang].sub("\N{NO-BREAK SPACE}", text) for key, text in sentences.items()}
    fallback = load(LANGUAGES[0], folders) if lang != LANGUAGES[0] else None
    return Words(lang, sentences, fallback)


cached = cache(load)
"""As `load`, remembering what it read; the folders must be hashable."""
