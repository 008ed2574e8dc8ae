"""Changes to the past of a match, refused if they would reveal or touch a secret."""

from __future__ import annotations

from companion.engine import Event
from companion.match.actor import Actor
from companion.match.history import AmendConflict
from companion.match.match import Match
from companion.match.secrecy import public_events, secret_fields
from companion.table.proposals import answer_to, reject
from companion.table.snapshot import TableAnswer


def rewind(match: Match, to: int, by: Actor) -> TableAnswer:
    """Go back to a record, or refuse if every seat must consent."""
    if match.reveals_after(to):
        return reject(match, "consent_needed")
    return answer_to(match, match.rewind(to, by))


def amend(match: Match, seq: int, event: Event, by: Actor, *, dry_run: bool) -> TableAnswer:
    """Replace the event of an old record, or refuse if that would reveal or change a secret."""
    old = match.line.at(seq)
    if old is not None and old.parent is not None:
        if old.entry.by == Actor.DEALER or match.dealer.forbids(old.parent.entry.after, event):
            return reject(match, "dealer_draws")
        secret = match.game.secret(old.parent.entry.after, event)
        if secret_fields(match.line, old, public_events(match.line)) & set(secret):
            return reject(match, "still_secret")
    outcome = match.amend(seq, event, by, dry_run=dry_run)
    if isinstance(outcome, AmendConflict):
        return TableAnswer(False, match.seq, outcome.refusal, outcome=outcome)
    return TableAnswer(True, match.seq, outcome=outcome)
