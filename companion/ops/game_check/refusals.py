"""Find the reasons for refusals that a package declares, so that checks can find their sentences and rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from companion.engine import Reason


def declared_reasons(package: str) -> Iterator[tuple[str, Reason]]:
    """Yield each reason that a package's modules declare, with the file, except the engine's, which all games share."""
    seen: set[Reason] = set()
    for module in _modules(package):
        for value in vars(module).values():
            for each in value.values() if isinstance(value, Mapping) else (value,):
                if isinstance(each, Reason) and each not in seen:
                    seen.add(each)
                    yield str(module.__file__), each


def _modules(package: str) -> Iterator[ModuleType]:
    top = import_module(package)
    yield top
    for found in walk_packages(top.__path__, f"{package}."):
        yield sys.modules.get(found.name) or import_module(found.name)
