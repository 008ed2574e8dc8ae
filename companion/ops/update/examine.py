"""Checks whether a package fits this machine: its system, its version, and its dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.ops.update.package import NAME
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Run

INSTALLED = "installed"
RELATION = re.compile(r"([a-z0-9][a-z0-9+.-]+)(?::\w+)?\s*(?:\(\s*(<<|<=|=|>=|>>)\s*([^\s)]+)\s*\))?")
"""A required package with its versions, in the form of `Depends`."""
QUERY = "${db:Status-Status}\t${Package}\t${Version}\t${Provides}\n"
VERBS = {"<<": "lt", "<=": "le", "=": "eq", ">=": "ge", ">>": "gt"}


def installed_version(run: Run) -> str:
    """Return the version of the installed package; raise `UpdateError` if none is installed."""
    done = run(("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", NAME))
    state, _, version = done.said.strip().partition(" ")
    if done.code or state != INSTALLED:
        raise UpdateError("not_installed")
    return version


def check_system(architecture: str, run: Run) -> None:
    """Raise `UpdateError` if the package is for another kind of machine."""
    own = run(("dpkg", "--print-architecture")).said.strip()
    if architecture not in ("all", own):
        raise UpdateError("other_system", theirs=architecture[:40], own=own)


def check_version(version: str, installed: str, run: Run) -> None:
    """Raise `UpdateError` if the version is older than the installed one."""
    if run(("dpkg", "--compare-versions", version, "lt", installed)).code == 0:
        raise UpdateError("older", version=version, installed=installed)


def check_dependencies(depends: str, run: Run) -> None:
    """Raise `UpdateError` with the dependencies that this machine lacks, or has only in other versions."""
    there = dict(_installed(run(("dpkg-query", "-W", "-f", QUERY)).said))

    def met(relation: str) -> bool:
        found = RELATION.fullmatch(relation.strip())
        if found is None:
            return False
        name, verb, version = found.groups()
        held = there.get(name)
        if held is None or (verb and not held):
            return False
        return not verb or run(("dpkg", "--compare-versions", held, VERBS[verb], version)).code == 0

    clauses = [each.strip() for each in depends.split(",") if each.strip()]
    missing = [each for each in clauses if not any(met(option) for option in each.split("|"))]
    if missing:
        raise UpdateError("missing", names=", ".join(missing)[:400])


def _installed(said: str) -> Iterator[tuple[str, str]]:
    """Yield the installed packages with their versions, and the packages that they provide without versions."""
    rows = [line.split("\t") for line in said.splitlines() if line.startswith(f"{INSTALLED}\t")]
    for row in rows:
        for name in re.findall(r"([a-z0-9][a-z0-9+.-]+)(?:\s*\(=\s*[^)]*\))?", row[3] if len(row) > 3 else ""):
            yield name, ""
    yield from ((row[1], row[2]) for row in rows if len(row) > 2)
