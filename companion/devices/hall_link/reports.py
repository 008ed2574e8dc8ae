"""A table's reports: its snapshot as messages, built only from what a spectator may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from companion.devices.hall_link import messages as m
from companion.engine import AnyGame, AnyState, Setup
from companion.engine.names import MOST_CODE_POINTS, name_key, seen
from companion.i18n import LANGUAGES
from companion.table.snapshot import Snapshot

LOG = 8
"""Number of sentences sent with a view."""
Tell = Callable[[Snapshot, str], Sequence[str]]
"""Returns the public sentences about the last events in a language, the latest first."""


def summary_of(snapshot: Snapshot, round_number: int, waited_s: int, health: tuple[str, ...]) -> m.TableSummary:
    """Return a table's summary, small enough to send."""
    if snapshot.state is None:
        return m.TableSummary(health=health)
    game, state = snapshot.game, snapshot.state
    view = snapshot.view(None)
    stage = "over" if snapshot.over else "paused" if snapshot.paused else "playing"
    return m.TableSummary(
        stage=stage,
        game=game.name,
        match=snapshot.match_id,
        round=round_number,
        moment=str(getattr(view, "moment", ""))[: m.NAME_LENGTH],
        awaited=() if snapshot.over else tuple(view.awaited),
        waited_s=waited_s,
        leaders=leaders(game, state),
        events=len(snapshot.entries),
        health=health,
    )


def leaders(game: AnyGame, state: AnyState) -> tuple[int, ...]:
    """Return the seats that lead by public scores; none while no seat is behind."""
    ranking = game.ranking(state)
    return tuple(ranking[0]) if len(ranking) > 1 else ()


def players_of(snapshot: Snapshot) -> m.Players:
    """Return the names at a table, shortening long ones."""
    if snapshot.setup is None:
        return m.Players("", ())
    return m.Players(snapshot.match_id, names_of(snapshot.setup))


def names_of(setup: Setup) -> tuple[str, ...]:
    """Return the names by seat for the hall; names in an imported match may have to be cut."""
    names = [player.name for player in setup.seated()]
    return tuple([name if m.fits(name) else seen(name)[:MOST_CODE_POINTS] for name in names])


def known_setup(begun: Setup, now: Setup, assigned: Collection[str]) -> Setup:
    """Return the setup with the names known to a hall that has assigned people to this table.

    A later name counts only if the hall knows it or has assigned nobody: a player's results stay together even if the
    table renames people.
    """
    known = {name_key(name) for name in assigned}
    pairs = zip(begun.seated(), now.seated(), strict=True)
    return replace(now, players=tuple([new if not known or name_key(new.name) in known else old for old, new in pairs]))


def view_of(snapshot: Snapshot, tell: Tell) -> m.PublicView | None:
    """Return a spectator's view, without the game's own view if that is too large; None between games."""
    if snapshot.state is None:
        return None
    view = snapshot.view(None)
    log: Mapping[str, tuple[str, ...]] = {lang: tuple(tell(snapshot, lang)[:LOG]) for lang in LANGUAGES}
    full = m.PublicView(
        snapshot.match_id,
        len(snapshot.entries),
        snapshot.game.name,
        msgspec.to_builtins(view, str_keys=True),
        tuple(getattr(view, "scores", ())),
        dict(log),
    )
    for found in (full, replace(full, view={}), replace(full, view={}, log={})):
        try:
            m.encode(found)
        except m.MessageError:
            continue
        return found
    return None


def result_of(
    game: AnyGame, setup: Setup, state: AnyState, *, hall: str, table: str, match: str, round_number: int, sequence: int
) -> m.Result:
    """Return the result of a finished match: its sides in the order of the game's own ranking."""
    scores = game.scores(state)
    sides = {seat: side for side in game.sides(setup) for seat in side}
    placings: list[m.Placing] = []
    for group in game.ranking(state):
        place = len(placings) + 1
        for side in dict.fromkeys([sides[seat] for seat in group]):
            placings.append(m.Placing(tuple(side), place, scores[side[0]]))
    return m.Result(
        hall=hall,
        table=table,
        round=round_number,
        match=match,
        sequence=sequence,
        game=game.name,
        names=names_of(setup),
        placings=tuple(placings),
    )
