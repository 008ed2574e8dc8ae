"""With real cards, the companion knows only the cards it has seen, and refuses impossible ones."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.engine import Layout, Seat, Spot, legal
from companion.games.examples.freight_whist.rules import DECK, RULES, SUITS, CardPlayed, CardSeen, Play, Table
from companion.sight.reconcile import Reconciliation, reconcile
from tests.games.freight_whist.build import PLAYING, A, B, C, begun, seen, walk
from tests.games.proofs import proves

why, offered, accepted = PLAYING.why, PLAYING.offered, PLAYING.accepted


@proves("R-10")
def test_a_card_is_played_once() -> None:
    """A card may be played only once, in this trick or in any later one."""
    state = seen("coal-4", "oil-1", "oil-2")
    assert why(state, CardSeen("oil-1")) == ("R-10", "already_played", None)
    state = seen("coal-4", "oil-1", "oil-2", "oil-3", "oil-4")
    assert why(state, CardSeen("oil-1")) == ("R-10", "already_played", None)
    assert why(state, CardSeen("oil-0")) == ("R-00", "card_not_offered", None)
    assert why(state, CardPlayed(A, "oil-5")) == ("R-00", "wrong_phase", None)


@proves("R-03", "R-10")
def test_the_turned_up_card_is_the_dealers() -> None:
    """Only the dealer may play the turned-up card, and must use it to follow suit."""
    state = seen("coal-4")
    assert why(state, CardSeen("coal-4")) == ("R-10", "in_another_hand", None)
    state = seen("coal-4", "coal-1", "coal-2", "coal-3")
    assert state.table.turn == A
    assert why(state, CardSeen("oil-5")) == ("R-05", "must_follow", None)
    assert accepted(state, CardSeen("coal-4")) and accepted(state, CardSeen("coal-5"))


@proves("R-10")
def test_who_did_not_follow_has_none_of_it() -> None:
    """A seat that did not follow a freight may not play that freight later."""
    state = seen("coal-4", "oil-1", "food-1", "oil-2", "oil-3")
    assert state.table.voids[C] == ("oil",)
    state = PLAYING.after(state, CardSeen("oil-5"), CardSeen("oil-6"))
    assert state.table.turn == C
    assert why(state, CardSeen("oil-7")) == ("R-10", "did_not_follow", None)
    assert accepted(state, CardSeen("food-2"))


@proves("R-10")
def test_what_no_deal_explains_is_refused() -> None:
    """If only one seat can still hold a freight, that seat holds all its remaining cards.

    Coal is trumps. Bill leads oil in the first trick, and nobody follows. Bill alone therefore holds the other twelve
    oil cards, which fill his hand, and he can lead nothing else.
    """
    state = seen("coal-4", "oil-1", "food-1", "food-2", "food-3")
    assert [event.card for event in offered(state, B) if isinstance(event, CardSeen)] == [
        f"oil-{rank}" for rank in range(2, 14)
    ]
    assert why(state, CardSeen("cattle-1")) == ("R-00", "card_not_offered", None)


@proves("R-10")
@pytest.mark.parametrize("seed", range(2))
def test_what_is_offered_is_what_nothing_speaks_against(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The offer lists all possible cards, and asks at most once per freight whether unseen cards fit."""
    asked: list[str] = []
    can_be = Table.can_be

    def counting(table: Table, card: str) -> bool:
        asked.append(card)
        return can_be(table, card)

    monkeypatch.setattr(Table, "can_be", counting)
    for state, event, _ in walk("ours", seed):
        if not isinstance(event, CardSeen):
            continue
        table = replace(state.table)
        asked.clear()
        for _ in range(3):
            (offer,) = Play().legal(table)
        assert len(asked) <= len(SUITS) + 1
        fitting = [card for card in DECK if table.objection(card) is None and can_be(table, card)]
        assert list(offer) == list(map(CardSeen, fitting))


@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_of_possible_cards_never_comes_to_a_dead_end(seed: int) -> None:
    """A random match of possible cards never reaches a dead end, and no seat plays a freight it lacks."""
    state = None
    for before, event, state in walk("ours", seed):
        if isinstance(event, CardSeen):
            assert before.table.voids[before.table.turn].count(event.card.partition("-")[0]) == 0
        assert state.over or any(True for offer in legal(RULES, state) for _ in offer)
    assert state is not None and state.over
    assert all(len(set(voids)) == len(voids) <= len(SUITS) for voids in state.table.voids)


def looks(layout: Layout, **more: str) -> Layout:
    """Return a layout without piles, as a camera sees it, with one more card at some places."""
    spots = {name: spot for name, spot in layout.spots.items() if not name.endswith("tricks")}
    return Layout(spots | {f"seat.{seat.removeprefix('at')}.card": Spot((card,)) for seat, card in more.items()})


def test_a_camera_follows_it() -> None:
    """The camera recognises each card at its player's place, and the fourth card before the trick is gathered."""
    for before, event, state in walk("ours", 1):
        said = looks(RULES.layout(state))
        if isinstance(event, CardSeen):
            lies = looks(RULES.layout(before), **{f"at{before.table.turn + 1}": event.card})
            gathered = len(before.table.trick) == 3
            assert [looks(rest) for rest in RULES.resting_layouts(before, event, state)] == ([lies] if gathered else [])
        else:
            lies = said
        assert reconcile(RULES, before, lies).explanations == ((event,),)
        assert reconcile(RULES, state, lies).explanations == (), "what people gather later is no event"
        assert reconcile(RULES, state, said) == Reconciliation()


def test_places_name_all_that_lies_there() -> None:
    """The layout uses every declared place and no other, and hands have no place."""
    names = {place.name for place in RULES.places(4)}
    assert {name for _, _, state in walk("ours", 2) for name in RULES.layout(state).spots} == names
    assert len(DECK) == 52 and set(RULES.layout(begun("ours")).spots) == {"turned"}
    assert {place.seat for place in RULES.places(4) if place.kind == "pile"} == {Seat(0), Seat(1)}
