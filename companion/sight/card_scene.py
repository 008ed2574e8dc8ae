"""Explain the camera's view of cards and pieces by events that the rules allow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec

from companion.engine import AnySeenGame, AnyState, Event, Layout, follow, legal
from companion.sight.card_readings import CardReadings
from companion.sight.reconcile import Mismatch, Reconciliation, expects, reconcile
from companion.table.sight_records import Explanation


class CardScene(msgspec.Struct, frozen=True):
    """The cards and pieces on the table at one moment, with their match."""

    game: AnySeenGame
    state: AnyState
    readings: CardReadings
    tolerated: frozenset[str]
    """Places, by the rules' names, that have not matched for long."""

    def reconcile(self, seen: Layout | None = None) -> Reconciliation:
        """Compare; if nothing explains the view, leave out the tolerated places."""
        seen = self.readings.layout() if seen is None else seen
        outcome = reconcile(self.game, self.state, seen)
        if outcome.mismatches and self.tolerated and not outcome.barred:
            without = reconcile(self.game, self.state, seen, self.tolerated)
            return without if without.explanations else outcome
        return outcome

    def besides(self, explanations: tuple[Explanation, ...]) -> Iterator[Explanation]:
        """Yield explanations in which the camera overlooked a card and the first event differs from these."""
        for otherwise in self.readings.otherwise():
            known = explanations
            for each in self.reconcile(otherwise).explanations:
                if not any(each[: len(other)] == other for other in known):
                    explanations += (each,)
                    yield each

    def guess_unnamed(self, ignored: Collection[str]) -> tuple[Explanation, ...]:
        """Return the explanations if one unnamed card had a likely name, or one unsure cell another reading."""
        game, state, found = self.game, self.state, dict[Explanation, None]()
        for place, card, layout in self.readings.with_unnamed_as():
            explanations = reconcile(game, state, layout, ignored).explanations
            found |= {each: None for each in explanations if expects(game, state, each, layout, place, card)}
        for layout in self.readings.with_unsure_as():
            found |= dict.fromkeys(reconcile(game, state, layout, ignored).explanations)
        return tuple(map(self.first_part, found))

    def guess_ghosts(self, places: Collection[str]) -> tuple[Explanation, ...]:
        """Return the explanations if ghosts were new equal cards in their place."""
        for layout in self.readings.with_ghosts_as_new(places):
            if found := reconcile(self.game, self.state, layout, self.tolerated).explanations:
                return tuple(map(self.first_part, found))
        return ()

    def is_explained_without(self, mismatches: Iterable[Mismatch]) -> bool:
        """Whether some events explain the rest of the view."""
        ignored = {each.name for each in mismatches}
        return bool(reconcile(self.game, self.state, self.readings.layout(), ignored).explanations)

    def first_part(self, explanation: Explanation) -> Explanation:
        """Return the events up to the next reveal, or only that reveal if it comes first."""
        state = self.state
        for at, event in enumerate(explanation):
            if is_reveal(self.game, state, event):
                return explanation[: max(1, at)]
            state = follow(self.game, state, event)
        return explanation


def is_reveal(game: AnySeenGame, state: AnyState, event: Event) -> bool:
    """Whether chance puts a card on the table. A card drawn into a hand is visible only when it is played."""
    if not any(offer.chance and event in offer for offer in legal(game, state)):
        return False
    after = game.layout(follow(game, state, event))
    return bool(after.lingering or not after.same_table(game.layout(state)))
