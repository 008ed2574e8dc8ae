"""The live parts of the organiser's page."""

from __future__ import annotations

from flask import Flask

from companion.devices.hall_link.joining import AGAIN
from companion.devices.hall_link.signing import fingerprint
from companion.engine.names import TYPED
from companion.hall.checks import NAMES
from companion.hall.joining_desk import JoinCandidate
from companion.hall.state import last_undoable
from web.hall.audit import AuditLine, audit_lines, entry_text
from web.hall.context import HallContext
from web.hall.feeds import FeedKey, Parts
from web.words import words

AUDIT = 100
"""Audit entries shown."""
PARTS = ("faults", "code", "waiting", "tables", "names", "advice", "undo", "audit")


class OrganiserParts:
    """Renders the organiser's page. Used under the feeds' lock only."""

    def __init__(self, app: Flask, context: HallContext) -> None:
        self._app, self._context = app, context
        self._audit: dict[str, tuple[tuple[int, int], tuple[list[AuditLine], str, int]]] = {}

    def __call__(self, key: FeedKey) -> Parts:
        """Return the page's parts."""
        context, say = self._context, words(key.lang)
        hall, state = context.hall, context.hall.state
        desk = context.approval.desk if context.approval is not None else None
        waiting: tuple[JoinCandidate, ...] = desk.waiting() if desk is not None else ()
        codes = desk.printed() if desk is not None else ()
        lines, undoable, entry = self._trail(key.lang)
        fields = {
            "words": say,
            "join_code": desk.code() if desk is not None else "",
            "address": context.first_page().removeprefix("http://").rstrip("/"),
            "candidates": waiting,
            "known": {table.key: table for table in state.tables.values()},
            "sheet": [code.number for code in codes if code.number != AGAIN],
            "again": next((code.shown for code in codes if code.number == AGAIN), ""),
            "free": self._free_numbers(
                len(waiting) + 1, {*[each.number for each in codes], *[each.number for each in waiting]}
            ),
            "listed": [(table, hall.live(table.id)) for table in state.present],
            "fingerprint": fingerprint,
            "name_ways": NAMES,
            "shown": state.names,
            "advice_allowed": state.advice,
            "faults_list": (*hall.faults, *hall.findings, *((context.broker_fault,) if context.broker_fault else ())),
            "undoable": undoable,
            "entry": entry,
            "lines": lines,
            "longest": TYPED,
        }
        module = self._app.jinja_env.get_template("hall/organiser_parts.html").make_module(fields)
        return {name: str(getattr(module, name)()) for name in PARTS}

    def _trail(self, lang: str) -> tuple[list[AuditLine], str, int]:
        """Return the audit trail, and the number of the entry that can be undone; cached until an entry is added."""
        hall, say = self._context.hall, words(lang)
        entries = hall.entries()
        state = hall.state
        which = (entries[0].number if entries else 0, state.number)
        made = self._audit.get(lang)
        if made is None or made[0] != which:
            last = last_undoable(entries)
            undoable, number = (entry_text(last, state, say), last.number) if last is not None else ("", 0)
            lines = audit_lines(entries[-AUDIT:], entries, state, say)
            made = self._audit[lang] = (which, (lines, undoable, number))
        return made[1]

    def _free_numbers(self, count: int, printed: set[int]) -> list[int]:
        """Return the lowest free table numbers, skipping printed codes."""
        taken = {table.number for table in self._context.hall.state.present} | printed
        return [number for number in range(1, len(taken) + count + 1) if number not in taken][:count]


def install(app: Flask, context: HallContext) -> None:
    """Register the parts of the organiser's page for updates."""
    context.feeds.kinds["organiser"] = OrganiserParts(app, context)
    if context.approval is not None:
        context.approval.desk.listen(context.feeds.changed)
