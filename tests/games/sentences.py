"""Read a game's sentences, their fields and its waiting steps for the tests of its words."""

from __future__ import annotations

import string
from importlib import import_module, resources
from pathlib import Path
from types import ModuleType

from companion.engine import Effect, Step
from companion.games import words_folders
from companion.i18n import Words, load


def words_of(package: str, lang: str) -> Words:
    """Return a game's words and the shared ones in one language."""
    return load(lang, words_folders(package))


def own_words_of(package: str, lang: str) -> Words:
    """Return only a game's own words in one language."""
    return load(lang, (resources.files(package).joinpath("words"),))


def fields(sentence: str) -> set[str]:
    """Return the names of the fields in a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def effects_in(module: ModuleType) -> set[str]:
    """Return the names of all effects that a module defines, without base classes."""
    own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    return {str(each.__struct_config__.tag) for each in own if issubclass(each, Effect) and not each.__subclasses__()}


def waiting_steps(package: str) -> set[str]:
    """Return the names of all steps of a game that wait for an event."""
    folder = Path(str(resources.files(package))) / "steps"
    modules = [import_module(f"{package}.steps.{file.stem}") for file in folder.glob("[a-z]*.py")]
    return {
        str(step.__struct_config__.tag)
        for module in modules
        for step in vars(module).values()
        if isinstance(step, type) and issubclass(step, Step) and step.__module__ == module.__name__
        if not step.automatic and not step.__subclasses__()
    }
