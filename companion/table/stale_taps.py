"""Check whether a tap comes from a page with an outdated question."""

from __future__ import annotations

from companion.engine import AnyGame, AnyState, Event, Refusal
from companion.match.history import CONTROLS
from companion.match.match import Match
from companion.table.proposals import PageMoment
from companion.table.snapshot import TableAnswer


def stale_answer(match: Match, event: Event | None, page: PageMoment) -> TableAnswer | None:
    """Return the answer to a proposal from an outdated page, or None if the page is not outdated.

    A page is outdated if, at any moment since it was shown, the table's question was a different one. The game's
    `question` returns all facts that a decision depends on, such as the step, the lot and the cards on offer. An undo,
    a redo or an amendment also makes a page outdated. Other seats' closed fists, placed cards and claims do not change
    the question, nor does another seat's raise if this one raises further. Every moment since is checked, not only the
    first and the last, because a lot may return and look the same.
    """
    if page.match is not None and page.match != match.id:
        return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True)
    seen = page.seq
    if seen is None or seen == match.seq:
        return None
    line = match.line
    if 0 <= seen < match.seq and not any(isinstance(body, CONTROLS) for body in line.bodies[seen + 1 :]):
        first, *others = [_question(match.game, node.entry.after, event) for node in line.ends[seen:]]
        if all(question == first for question in others):
            return None
    changes = tuple([node.entry for node in line.nodes if node.entry.seq > seen])
    return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True, changes=changes)


def _question(game: AnyGame, state: AnyState, event: Event | None) -> object:
    """Return the facts that a decision for an event depends on; for a draw of chance, the step itself."""
    return state.agenda[:1] if event is None else game.question(state, event)
