"""Sentences by key, in the reader's language.

A dictionary is a TOML file of nested tables; `words("refusal.R-00.unknown_seat", players=3)` looks up the key and fills
in the fields. A key missing in a language falls back to English; the tests ensure that none is.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from string import Formatter

from babel import Locale
from babel.plural import PluralRule

LANGUAGES = ("en", "fr")
"""Languages of the pages; the first is the fallback."""
UNBREAKABLE = {"en": re.compile(r" (?=–)"), "fr": re.compile(r" (?=[;:!?»%–])|(?<=«) ")}
"""Spaces at which a line must not break, by language; the TOML files use ordinary ones."""

ELIDED = {"fr": re.compile(r"\b([Dd]|[Qq]u)e \{(\w+)\}")}
"""Short words before a field that lose their vowel, by language: "le train de Tom", but "le train d'Ann"."""
NAME, TEXT = r"[A-Za-z0-9_-]+", r'"([^"\\\x00-\x08\x0a-\x1f\x7f]*)"'
KEY = rf"({NAME}(?:\.{NAME})*)"
LINE = re.compile(rf"{KEY} = (?:{TEXT}|(.+))|\[{KEY}\]|(?:#.*)?")
"""A line of a file of words: a key with a text or with another value, the head of a table, a comment or nothing."""
PAIR = re.compile(rf"({NAME}) = {TEXT}")
PAIRS = re.compile(rf"\{{ {PAIR.pattern}(?:, {PAIR.pattern})* \}}")
"""A table of texts in braces."""
VOWEL = re.compile(r"(?:<[^>]*>)*(?:[aeiou]|y[^aeiou]|h[eiouy])", re.I)
"""The vowels before which they do, accents apart; most names in "Ha", such as Hans, are pronounced with their h."""


@cache
def plural_rule(lang: str) -> PluralRule:
    """Return the function from a count to its plural form in a language (Unicode CLDR): `one`, `other`, …"""
    return Locale.parse(lang).plural_form


@lru_cache(maxsize=2048)
def plural_form(lang: str, count: int) -> str:
    """Return the plural form of a count in a language."""
    return plural_rule(lang)(count)


class Words:
    """All sentences of one language. Later dictionaries override earlier ones."""

    def __init__(self, lang: str, sentences: dict[str, str], fallback: Words | None = None) -> None:
        self.lang = lang
        self.sentences = sentences
        self.fallback = fallback

    def __call__(self, key: str, /, **fields: object) -> str:
        """Return the sentence of a key with its fields filled in, or the key itself if there is none."""
        sentence = self.sentences.get(key)
        if sentence is None:
            return self.fallback(key, **fields) if self.fallback else key
        if fields and self.lang in ELIDED and "e {" in sentence:
            sentence = ELIDED[self.lang].sub(lambda found: _elided(found, fields.get(found[2])), sentence)
        try:
            return sentence.format(**fields) if fields or "{" in sentence else sentence
        except (KeyError, IndexError) as error:
            raise UnknownField(
                f"{self.lang}.toml: {key} fills in {{{error.args[0]}}}, which is unknown there"
            ) from error

    def plural(self, key: str, count: int, /, **fields: object) -> str:
        """Return the sentence for a count, by the language's plural rule: `<key>_one` if it asks for that form.

        English says "0 moves", French "0 coup". The field `count` is filled in as well. A form without the number, such
        as "one more card", means exactly one: French does not use it for zero.
        """
        filled: dict[str, object] = {"count": count, **fields}
        form = f"{key}_{plural_form(self.lang, count)}"
        return self(form if self._fits(form, key, count, filled) else key, **filled)

    def _fits(self, form: str, key: str, count: int, fields: dict[str, object]) -> bool:
        """Whether a form of a key's sentence exists in the language that has the key, and fits this count."""
        if form not in self:
            return self.fallback is not None and key not in self and self.fallback._fits(form, key, count, fields)
        if count != 0:
            return True
        named = [name for _, name, _, _ in Formatter().parse(self.sentences[form]) if name]
        return any(fields.get(name) == count for name in named)

    def __contains__(self, key: str) -> bool:
        return key in self.sentences

    def has(self, key: str) -> bool:
        """Whether there is a sentence for the key, in this language or its fallback."""
        return key in self or (self.fallback is not None and self.fallback.has(key))

    def section(self, prefix: str) -> dict[str, str]:
        """Return all sentences under a prefix, by the rest of their keys."""
        start = prefix + "."
        return {key[len(start) :]: text for key, text in self.sentences.items() if key.startswith(start)}


def _elided(found: re.Match[str], value: object) -> str:
    """Return "d'{name}" for "de {name}" if the name begins with a vowel."""
    plain = unicodedata.normalize("NFD", str(value))
    return f"{found[1]}'{{{found[2]}}}" if VOWEL.match(plain) else found[0]


Reading = Callable[..., dict[str, str]]


class UnknownField(KeyError):
    """A sentence uses an unknown field; the message names language, key and field."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnreadableWords(ValueError):
    """A file of words is not valid TOML; the message names file, line and the text there."""


def read_toml(file: Traversable) -> dict[str, object]:
    """Return the content of a TOML file; raise `UnreadableWords`."""
    text = file.read_text(encoding="utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error).replace("Cannot overwrite a value", "a key is there twice")
        said = re.sub(r"Cannot mutate immutable namespace \(.*?\) ", "a table in braces takes no more keys ", said)
        at = re.search(r"at line (\d+)", said)
        key = text.splitlines()[int(at[1]) - 1].partition("=")[0].strip() if at else ""
        raise UnreadableWords(f"{file}: {said}{f': {key}' if key else ''}") from None


def read_lines(text: str) -> dict[str, str] | None:
    """Return a file's sentences by dotted key, read line by line; None if it must be read as TOML.

    Nearly every line is `key = "sentence"`. Reading all words as TOML takes four times as long, at each start.
    """
    found: dict[str, str] = {}
    heads, named, dotted, table = set[str](), set[str](), set[str](), ""
    for line in text.split("\n"):
        parts = LINE.fullmatch(line)
        if parts is None:
            return None
        key, said, value, head = parts.groups()
        if head:
            if head in heads:
                return None
            heads.add(head)
            table = f"{head}."
        elif key:
            name = f"{table}{key}"
            inner = {name: said} if value is None else _read_value(name, value)
            if name in named or inner is None:
                return None
            named.add(name)
            if "." in key:
                dotted.update([f"{table}{way}" for way in _ways(key)[:-1]])
            found |= inner
    through = {way for head in heads for way in _ways(head)}
    return found if named.isdisjoint(through | dotted) and dotted.isdisjoint(through) else None


def _ways(key: str) -> list[str]:
    """Return a dotted key and what it goes through: `a`, `a.b` and `a.b.c`."""
    parts = key.split(".")
    return [".".join(parts[: at + 1]) for at in range(len(parts))]


def _read_value(name: str, value: str) -> dict[str, str] | None:
    """Return the texts of another value than one plain text, by dotted key; None if it goes on in the next line."""
    if PAIRS.fullmatch(value):
        pairs = PAIR.findall(value)
        found = {f"{name}.{key}": said for key, said in pairs}
        return found if len(found) == len(pairs) else None
    try:
        return flatten({name: tomllib.loads(f"x = {value}")["x"]})
    except tomllib.TOMLDecodeError:
        return None


def flatten(data: dict[str, object], prefix: str = "") -> dict[str, str]:
    """Flatten nested tables into one with dotted keys."""
    found: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            found |= flatten(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = str(value)
    return found


def read_folder(lang: str, folder: Traversable) -> dict[str, str]:
    """Return a language's sentences from every `<lang>.toml` in a folder; raise `UnreadableWords`."""
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml") and file.name.removesuffix(".toml").split(".")[-1] == lang:
            plain = read_lines(file.read_text(encoding="utf-8"))
            found |= flatten(read_toml(file)) if plain is None else plain
    return {key: unbroken(text, lang) for key, text in found.items()}


def unbroken(text: str, lang: str) -> str:
    """Return a text as a page shows it: no line breaks before a colon or a dash."""
    return UNBREAKABLE[lang].sub("\N{NO-BREAK SPACE}", text) if lang in UNBREAKABLE else text


_read_once = cache(read_folder)


def load(lang: str, folders: Iterable[Traversable], read: Reading = read_folder) -> Words:
    """Return a language's sentences from the folders, later ones before earlier ones, falling back to English."""
    folders = tuple(folders)
    sentences: dict[str, str] = {}
    for folder in folders:
        sentences |= read(lang, folder)
    fallback = load(LANGUAGES[0], folders, read) if lang != LANGUAGES[0] else None
    return Words(lang, sentences, fallback)


@cache
def load_cached(lang: str, folders: tuple[Traversable, ...]) -> Words:
    """Like `load`, but cached: no file is read twice. The folders must be hashable."""
    return load(lang, folders, _read_once)
