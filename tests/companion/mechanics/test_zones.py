"""Zones control what may lie where and who knows it, and no card is created or lost."""

from __future__ import annotations

import doctest
import random
from collections import Counter
from itertools import permutations, product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import Event
from companion.mechanics import zones as module
from companion.mechanics.zones import HIDDEN, OPEN, DrawPlan, ZoneError, Zones, only

PILE, DISCARD, CLOSED = "pile", "discard", "closed"
HANDS = ("hand.0", "hand.1")
PLACES = (PILE, DISCARD, CLOSED, *HANDS)
DECK = ("a", "a", "a", "b", "b", "c", "d", "d", "e")


class Drawn(Event, frozen=True):
    """Cards were drawn from the pile."""

    cards: tuple[str, ...]


def fresh(deck: tuple[str, ...] = DECK) -> Zones:
    """Return a shuffled pile, an open and a hidden discard, and two empty hands."""
    audiences = {PILE: HIDDEN, DISCARD: OPEN, CLOSED: HIDDEN, "hand.0": only(0), "hand.1": only(1)}
    return Zones.of(audiences, {PILE: deck})


def test_the_worked_example_works() -> None:
    """The examples in the module's docstring work."""
    assert doctest.testmod(module).failed == 0


# --- dealt cards ----------------------------------------------------------------------------------


def test_dealt_cards_are_known_to_their_hand() -> None:
    """Only the seat of the hand knows its dealt cards, and the rest remains in the pile."""
    zones = fresh().draw(PILE, "hand.0", 3, ("a", "c", "a"))
    assert zones.view_of("hand.0", 0) == zones.named("hand.0") == ("a", "c", "a")
    assert zones.view_of("hand.0", 1) == zones.view_of("hand.0", None) == (None,) * 3
    assert zones.remaining(PILE) == zones.must_hold(PILE) == ("a", "b", "b", "d", "d", "e")
    assert not zones.possible(PILE, "c")
    assert zones.count(PILE) == 6


def test_of_five_cards_drawn_the_third_becomes_public() -> None:
    """Each card can be revealed to one seat or to everybody."""
    zones = fresh().draw(PILE, "hand.0", 5, ("a", "b", "c", "d", "e")).reveal("hand.0", at=2, to=only(1))
    assert zones.view_of("hand.0", 1) == (None, None, "c", None, None)
    assert zones.view_of("hand.0", None) == (None,) * 5
    assert zones.reveal("hand.0", "c").view_of("hand.0", None) == (None, None, "c", None, None)


def test_a_deal_serves_every_seat() -> None:
    """A deal gives each zone its cards in turn, named or unseen."""
    counts = {"hand.1": 1, "hand.0": 2}
    zones = fresh().deal(PILE, counts, ("c", "a", "e"))
    assert (zones.named("hand.1"), zones.named("hand.0"), zones.count(PILE)) == (("c",), ("a", "e"), 6)
    assert zones.candidates("hand.0") == ("a", "e")
    real = fresh().deal(PILE, counts)
    assert (real.named("hand.0"), real.count("hand.0"), real.candidates("hand.0")) == ((), 2, DECK)


def test_the_next_card_is_the_top_one() -> None:
    """The next card can be any of the pool, or is certain if a seat has seen it."""
    assert fresh().next_candidates(PILE) == DECK
    assert fresh().reveal(PILE, "c", at=8, to=only(1)).next_candidates(PILE) == ("c",)
    assert fresh(()).next_candidates(PILE) == ()


def test_open_cards_may_lie_outside_the_zones() -> None:
    """A card that leaves the zones must be named, and comes back known to everybody."""
    zones = fresh().draw(PILE, None, 1, ("c",)).draw(PILE, "hand.0", 2)
    assert (zones.count(PILE), zones.possible(PILE, "c")) == (6, False)
    zones = zones.move("hand.0", None, "e").put(CLOSED, "c")
    assert (zones.view_of(CLOSED, None), zones.count("hand.0"), zones.possible("hand.0", "e")) == (("c",), 1, False)
    zones = zones.move_all("hand.0", CLOSED)
    assert (zones.view_of(CLOSED, 0), zones.count("hand.0")) == (("c", None), 0)
    for leave in (lambda: zones.draw(PILE, None, 1), lambda: zones.move_all(CLOSED, None)):
        with pytest.raises(ZoneError, match="must be named before it leaves the zones"):
            leave()
    with pytest.raises(ZoneError, match=r"^There is no zone attic\.$"):
        zones.move_all(CLOSED, "attic")


def test_cards_may_be_numbers() -> None:
    """Cards can be numbers instead of names."""
    zones = Zones.of({PILE: HIDDEN, "hand.0": only(0)}, {PILE: (30, 4, 200)}).draw(PILE, "hand.0", 1)
    assert (zones.candidates("hand.0"), zones.possible("hand.0", 4)) == ((4, 30, 200), True)
    zones = zones.move("hand.0", PILE, 4, at=0)
    assert (zones.named(PILE), zones.candidates(PILE)) == ((4,), (4, 30, 200))
    assert msgspec.json.decode(msgspec.json.encode(zones), type=Zones[int]) == zones


def test_a_draw_shuffles_the_discard_in_the_middle() -> None:
    """A draw that exhausts the pile continues with the shuffled discard, and its plan says so."""
    zones = fresh(("a", "b", "c", "d", "e")).draw(PILE, DISCARD, 3, ("c", "d", "e"))
    plan = zones.plan(PILE, 4, DISCARD)
    assert plan == DrawPlan(2, 2, True, ((("a", "b"), 2), (("c", "d", "e"), 2)))
    assert plan.count == 4
    offer = plan.offer(Drawn)
    assert Drawn(("b", "a", "e", "c")) in offer
    assert Drawn(("b", "e", "a", "c")) not in offer
    after = zones.draw(PILE, "hand.0", 4, ("b", "a", "e", "c"), DISCARD)
    assert after.view_of("hand.0", 0) == ("b", "a", "e", "c")
    assert (after.remaining(PILE), after.count(DISCARD)) == (("d",), 0)


def test_a_draw_takes_what_there_is() -> None:
    """A draw takes at most the available cards, and too large a draw without a discard is an error."""
    zones = fresh(("a", "b"))
    assert zones.plan(PILE, 5, DISCARD) == DrawPlan(2, 0, False, ((("a", "b"), 2),))
    assert zones.draw(PILE, "hand.0", 5, ("a", "b"), DISCARD).count("hand.0") == 2
    with pytest.raises(ZoneError, match=r"pile holds 2 cards, so 5 cannot be drawn\."):
        zones.draw(PILE, "hand.0", 5)
    with pytest.raises(ZoneError, match=r"^pile cannot hold any b: all copies lie elsewhere\.$"):
        zones.draw(PILE, "hand.0", 2, ("b", "b"))
    with pytest.raises(ZoneError, match="turns up 2 cards that nobody knows, but 1 are named"):
        zones.draw(PILE, "hand.0", 2, ("a",))
    with pytest.raises(ZoneError, match="-1 cards cannot be drawn"):
        zones.plan(PILE, -1)


def test_cards_on_top_are_drawn_first_and_need_no_chance() -> None:
    """A seat that saw the top card still knows it after the draw, which needs no chance for it."""
    zones = fresh().reveal(PILE, "b", at=8, to=only(1))
    assert zones.view_of(PILE, 1)[-1] == "b"
    assert zones.view_of(PILE, 0)[-1] is None
    assert zones.plan(PILE, 2).pools == ((("a", "a", "a", "b", "c", "d", "d", "e"), 1),)
    zones = zones.draw(PILE, "hand.0", 2, ("e",))
    assert zones.named("hand.0") == ("b", "e")
    assert zones.view_of("hand.0", 1) == ("b", None)


def test_cards_go_back_on_top_in_an_order() -> None:
    """Cards put back on top are drawn in reverse order, and position 0 is the bottom."""
    zones = fresh().draw(PILE, "hand.0", 3, ("a", "b", "c")).move("hand.0", PILE, "c", "a")
    zones = zones.move_numbers("hand.0", PILE, 0, at=0)
    cards = zones.view_of(PILE, 0)
    assert (cards[0], cards[-2:], zones.view_of(PILE, 1)) == ("b", ("c", "a"), (None,) * 9)
    assert zones.draw(PILE, "hand.1", 2).named("hand.1") == ("a", "c")


def test_a_shuffle_forgets_what_lies_where() -> None:
    """A shuffle keeps the known set of cards and forgets their positions."""
    zones = fresh().draw(PILE, "hand.0", 2, ("a", "b")).move("hand.0", PILE, "a").shuffle(PILE)
    assert zones.view_of(PILE, 0) == (None,) * 8
    assert zones.remaining(PILE) == ("a", "a", "a", "b", "c", "d", "d", "e")
    assert fresh(()).shuffle(PILE) == fresh(())
    with pytest.raises(ZoneError, match="discard is not hidden"):
        zones.shuffle(PILE, DISCARD)


def test_what_was_shown_can_be_mixed_out_of_sight() -> None:
    """A card taken from the open discard stays public until its hand is concealed."""
    zones = fresh().draw(PILE, DISCARD, 1, ("c",)).move(DISCARD, "hand.0", "c")
    assert zones.view_of("hand.0", 1) == zones.view_of("hand.0", None) == ("c",)
    zones = zones.conceal("hand.0")
    assert (zones.view_of("hand.0", 1), zones.view_of("hand.0", 0)) == ((None,), ("c",))


def test_partners_see_a_common_hand() -> None:
    """Each seat of a shared hand knows its cards."""
    zones = Zones.of({"hand": only(0, 2)}, {"hand": ("a",)})
    assert [zones.view_of("hand", seat) for seat in (0, 1, 2, None)] == [("a",), (None,), ("a",), (None,)]


def test_a_seat_lacks_what_it_does_not_see() -> None:
    """The cards unknown to a seat are those of the pile and the other hands."""
    zones = fresh().draw(PILE, "hand.0", 2, ("a", "b")).draw(PILE, "hand.1", 2, ("c", "d"))
    assert zones.unknown_to(0) == ("a", "a", "b", "c", "d", "d", "e")
    assert zones.unknown_to(1) == ("a", "a", "a", "b", "b", "d", "e")
    assert zones.unknown_to(None) == tuple(sorted(DECK))


# --- real cards -----------------------------------------------------------------------------------


def test_real_cards_may_be_any_that_nobody_saw() -> None:
    """A hand of real cards may hold any unseen card, and must hold those that cannot be elsewhere."""
    zones = fresh().draw(PILE, "hand.0", 4).draw(PILE, DISCARD, 2, ("c", "e"))
    assert zones.remaining("hand.0") == zones.remaining(PILE) == ("a", "a", "a", "b", "b", "d", "d")
    assert not zones.possible("hand.0", "c")
    assert zones.must_hold("hand.0") == ()
    zones = zones.draw(PILE, DISCARD, 2, ("d", "d"))
    assert zones.must_hold("hand.0") == ("a", "a", "b")
    assert zones.view_of("hand.0", 0) == (None,) * 4


def test_an_unseen_card_is_played_by_its_name() -> None:
    """An unseen card can be played by name if a copy of it is possible there."""
    zones = fresh().draw(PILE, "hand.0", 4).move("hand.0", DISCARD, "b", "b")
    assert (zones.named(DISCARD), zones.count("hand.0")) == (("b", "b"), 2)
    with pytest.raises(ZoneError, match=r"^hand\.0 cannot hold any b: all copies lie elsewhere\.$"):
        zones.move("hand.0", DISCARD, "b")
    with pytest.raises(ZoneError, match=r"^hand\.1 holds no b\.$"):
        zones.move("hand.1", DISCARD, "b")
    with pytest.raises(ZoneError, match="discard lies open, so each card that comes there must be named"):
        zones.draw(PILE, DISCARD, 1)


def test_what_people_rule_out_cannot_be_there() -> None:
    """A card that people ruled out of a zone cannot be there, until new cards come or the zone is shuffled."""
    zones = fresh().draw(PILE, "hand.0", 3).rule_out("hand.0", "b")
    assert (zones.bounds("hand.0", "b"), zones.possible("hand.0", "b")) == ((0, 0), False)
    assert "b" not in zones.kinds("hand.0") + zones.remaining("hand.0") and "b" in zones.kinds(PILE)
    assert not zones.possible_together("hand.0", ("a", "b"))
    with pytest.raises(ZoneError, match=r"^hand\.0 cannot hold any b"):
        zones.move("hand.0", DISCARD, "b")
    more = zones.draw(PILE, "hand.0", 1)
    assert (more.bounds("hand.0", "b"), more.possible("hand.0", "b")) == ((0, 1), True)
    played = more.move("hand.0", DISCARD, "a", "a", "c")  # any of these may be a card that is not b
    assert played.possible("hand.0", "b")
    assert not more.move("hand.0", DISCARD, "b").possible("hand.0", "b")
    top = fresh().rule_out(PILE, "a", at=fresh().count(PILE) - 1)
    assert set(top.next_candidates(PILE)) == {"b", "c", "d", "e"}
    assert set(top.draw(PILE, "hand.0", 1).draw(PILE, "hand.1", 1).next_candidates(PILE)) > {"a"}
    assert set(top.shuffle(PILE).next_candidates(PILE)) > {"a"}


def test_a_card_is_revealed_once_a_copy() -> None:
    """Each reveal of a card shows one more copy, and more reveals than copies are refused."""
    zones = fresh().draw(PILE, "hand.0", 4).reveal("hand.0", "b").reveal("hand.0", "b")
    assert sorted(zones.view_of("hand.0", None), key=str) == [None, None, "b", "b"]
    with pytest.raises(ZoneError, match=r"hand\.0 cannot hold any other b: all copies lie elsewhere"):
        zones.reveal("hand.0", "b")
    with pytest.raises(ZoneError, match="say which one"):
        zones.reveal("hand.0")
    hidden = zones.view_of("hand.0", None).index(None)
    with pytest.raises(ZoneError, match=f"Nobody has seen card number {hidden} of hand.0"):
        zones.reveal("hand.0", at=hidden)
    with pytest.raises(ZoneError, match=f"Card number {hidden} of hand.0 cannot be b"):
        zones.reveal("hand.0", "b", at=hidden)


def test_a_reshuffled_discard_is_a_pool_of_its_own() -> None:
    """A reshuffled discard forms its own pool, and older hands keep theirs."""
    zones = fresh(("a", "b", "c", "d", "e")).draw(PILE, "hand.0", 3).draw(PILE, DISCARD, 2, ("d", "e"))
    zones = zones.draw(PILE, "hand.1", 1, (), DISCARD)
    assert zones.remaining("hand.0") == zones.must_hold("hand.0") == ("a", "b", "c")
    assert zones.remaining("hand.1") == ("d", "e")
    assert not zones.possible("hand.1", "a")
    mixed = zones.draw(PILE, "hand.0", 1)
    assert mixed.remaining("hand.0") == ("a", "b", "c", "d", "e")
    assert mixed.must_hold("hand.0") == ("a", "b", "c")


def test_pools_that_cannot_be_told_apart_become_one() -> None:
    """Pools are merged when a card could come from either of them."""
    zones = fresh(("a", "a", "b", "c")).draw(PILE, "hand.0", 1).draw(PILE, "hand.1", 1)
    zones = zones.draw(PILE, DISCARD, 2, ("a", "c")).shuffle(DISCARD, CLOSED).draw(CLOSED, "hand.0", 1)
    assert [len(pool) for pool in zones.pools] == [2, 2]
    zones = zones.move("hand.0", DISCARD, "a")
    assert zones.pools == (("a", "b", "c"), ())
    assert zones.possible("hand.1", "c")


def test_the_twenty_first_of_twenty_cubes_is_refused() -> None:
    """Moving a 21st cube from a supply of twenty is refused."""
    zones = Zones.of({"supply": OPEN, "board": OPEN}, {"supply": ("cube",) * 20}).move(
        "supply", "board", *["cube"] * 20
    )
    with pytest.raises(ZoneError, match=r"^supply holds no cube\.$"):
        zones.move("supply", "board", "cube")


def test_a_meld_is_a_new_zone() -> None:
    """A zone can be added with a new name, and it keeps the order of its cards."""
    zones = fresh().draw(PILE, "hand.0", 3).add("train.0").move("hand.0", "train.0", "c", "a")
    assert zones.view_of("train.0", None) == ("c", "a")
    assert zones.move("hand.0", "train.0", "b", at=0).named("train.0") == ("b", "c", "a")
    with pytest.raises(ZoneError, match=r"^There is a zone train\.0 already\.$"):
        zones.add("train.0")


def test_only_an_empty_zone_is_removed() -> None:
    """Only an empty zone can be removed."""
    zones = fresh().add("train.0").put("train.0", "x")
    with pytest.raises(ZoneError, match=r"^train\.0 holds 1 card, so it cannot be removed\.$"):
        zones.remove("train.0")
    assert zones.move("train.0", None, "x").remove("train.0") == fresh()
    with pytest.raises(ZoneError, match=r"^There is no zone attic\.$"):
        zones.remove("attic")


def test_to_conceal_what_nobody_else_knows_changes_nothing() -> None:
    """Concealing a hand ends the others' knowledge of its cards and changes nothing else."""
    zones = fresh().draw(PILE, "hand.0", 2, ("a", "b"))
    assert zones.conceal("hand.0") is zones
    assert zones.reveal("hand.0", "a").conceal("hand.0") == zones


def test_what_cannot_move_is_refused() -> None:
    """Impossible moves are refused: unknown zone, missing card, repeated card or position beyond the end."""
    zones = fresh().draw(PILE, "hand.0", 2, ("a", "b"))
    for move, sentence in (
        (lambda: zones.count("attic"), "There is no zone attic."),
        (lambda: zones.move_numbers("hand.0", DISCARD, 2), "hand.0 holds 2 cards: there is no card number 2."),
        (lambda: zones.move_numbers("hand.0", DISCARD, 1, 1), "A card of hand.0 cannot move twice at once."),
        (lambda: zones.move("hand.0", DISCARD, "a", at=1), "discard holds 0 cards: there is no position 1."),
        (lambda: zones.move("hand.0", DISCARD, "a", "a"), "hand.0 holds no other a."),
    ):
        with pytest.raises(ZoneError) as caught:
            move()
        assert str(caught.value) == sentence
        assert isinstance(caught.value, ValueError)


# --- properties -----------------------------------------------------------------------------------


class World:
    """A table at which the test knows all cards and the zones know only a part."""

    def __init__(self, luck: random.Random, dealt: bool) -> None:
        self.luck, self.dealt = luck, dealt
        self.zones = fresh()
        self.truth = {name: [] for name in PLACES} | {PILE: luck.sample(DECK, len(DECK))}

    def step(self) -> None:
        """Perform a random action that people might perform at a table."""
        act = self.luck.choice((self.draw, self.draw, self.play, self.play, self.play, self.turn, self.mix, self.bury))
        act()

    def some(self, *places: str) -> str | None:
        """Return one of the places that holds cards, or None."""
        filled = [place for place in places if self.truth[place]]
        return self.luck.choice(filled) if filled else None

    def draw(self) -> None:
        """Draw some cards, with a reshuffle if needed."""
        to, count = self.luck.choice((*HANDS, DISCARD)), self.luck.randrange(5)
        plan = self.zones.plan(PILE, count, DISCARD)
        pile, discard = self.truth[PILE], self.truth[DISCARD]
        if to == DISCARD and plan.reshuffled:
            return
        order = pile[::-1][: plan.first]
        tops = self.zones.zones[PILE].cards[::-1][: plan.first]
        new = [card for card, top in zip(order, tops, strict=True) if top.name is None]
        if plan.reshuffled:
            pile = self.luck.sample(discard, len(discard))
            new += pile[::-1][: plan.second]
            order += pile[::-1][: plan.second]
            self.truth[DISCARD] = []
            self.truth[PILE] = pile[: len(pile) - plan.second]
        else:
            self.truth[PILE] = pile[: len(pile) - plan.first]
        named = tuple(new) if self.dealt or to == DISCARD else ()
        if self.dealt:
            assert Drawn(named) in plan.offer(Drawn)
        self.zones = self.zones.draw(PILE, to, count, named, DISCARD)
        self.truth[to] += order

    def play(self) -> None:
        """Move a card by its name."""
        source = self.some(*HANDS, DISCARD)
        if source is None:
            return
        to = self.luck.choice([place for place in PLACES if place != source])
        self.named(source, self.luck.choice(self.truth[source]), to)

    def named(self, source: str, card: str, to: str) -> None:
        """Move a card by name, and make the true card the one that the zones chose among equal ones."""
        before = self.zones
        assert before.possible(source, card)
        self.zones = before.move(source, to, card)
        found, number = before._find(source, card, [])
        self.swap(source, number, card)
        assert found.count(source) == before.count(source)
        self.truth[to].append(self.truth[source].pop(number))

    def swap(self, zone: str, number: int, card: str) -> None:
        """Exchange the true card at a number of a zone for one of the given name."""
        cards = self.truth[zone]
        if cards[number] != card:
            other = next(at for at in range(len(cards)) if cards[at] == card)
            cards[number], cards[other] = cards[other], cards[number]

    def turn(self) -> None:
        """Reveal a card by its number."""
        zone = self.some(*HANDS, PILE, CLOSED)
        if zone is None:
            return
        at = self.luck.randrange(len(self.truth[zone]))
        to = self.luck.choice((OPEN, only(0), only(1)))
        self.zones = self.zones.reveal(zone, self.truth[zone][at], at=at, to=to)

    def mix(self) -> None:
        """Shuffle the hidden discard, perhaps into the pile, because only unseen real cards lie there."""
        to = self.luck.choice((PILE, CLOSED))
        self.zones = self.zones.shuffle(CLOSED, to)
        cards = self.truth[CLOSED] + (self.truth[to] if to != CLOSED else [])
        self.truth[CLOSED] = []
        self.truth[to] = self.luck.sample(cards, len(cards))

    def bury(self) -> None:
        """Put a card face down at the bottom, by its number."""
        source = self.some(*HANDS)
        if source is not None:
            at = self.luck.randrange(len(self.truth[source]))
            self.zones = self.zones.move_numbers(source, CLOSED, at, at=0)
            self.truth[CLOSED].insert(0, self.truth[source].pop(at))


def walks() -> st.SearchStrategy[tuple[int, bool]]:
    """Return a strategy for random tables: a seed, and whether the companion deals."""
    return st.tuples(st.integers(0, 2**32 - 1), st.booleans())


@given(walks())
def test_what_the_machine_knows_is_true(walk: tuple[int, bool]) -> None:
    """After random actions named cards are right, pools match their true cards, and no true card is impossible."""
    world = World(random.Random(walk[0]), walk[1])
    for _ in range(30):
        before = world.zones
        kept = msgspec.json.encode(before, order="deterministic")
        world.step()
        assert msgspec.json.encode(before, order="deterministic") == kept
        zones = world.zones
        pools: list[Counter[str]] = [Counter() for _ in zones.pools]
        for place in PLACES:
            true = world.truth[place]
            assert zones.count(place) == len(true)
            for card, name in zip(zones.zones[place].cards, true, strict=True):
                assert card.name in (None, name)
                assert zones.possible(place, name)
                if card.name is None:
                    pools[card.pool][name] += 1
            assert not Counter(zones.must_hold(place)) - Counter(true)
            for seat in (0, 1, None):
                assert all(shown in (None, name) for shown, name in zip(zones.view_of(place, seat), true, strict=True))
        assert tuple([tuple(sorted(cards.elements())) for cards in pools]) == zones.pools
        if walk[1]:
            assert zones.unknown_to(0) == tuple(sorted(zones.unknown_to(0)))
            assert Counter(zones.unknown_to(None)) <= Counter(DECK)
        assert msgspec.json.decode(kept, type=Zones) == before


@given(walks())
def test_possible_and_certain_are_exact(walk: tuple[int, bool]) -> None:
    """`possible` and `must_hold` equal the results of enumerating all arrangements of the pools."""
    world = World(random.Random(walk[0]), walk[1])
    for _ in range(12):
        world.step()
    zones = world.zones
    if sum(map(len, zones.pools)) > 6:
        return
    ways = []
    for arranged in product(*[set(permutations(pool)) for pool in zones.pools]):
        left = [list(cards) for cards in arranged]
        lying = {place: zones.zones[place].cards for place in PLACES}
        ways.append({
            place: Counter([card.name or left[card.pool].pop() for card in cards]) for place, cards in lying.items()
        })  # fmt: skip
    for place in PLACES:
        for card in set(DECK):
            counts = [way[place][card] for way in ways]
            assert zones.possible(place, card) == any(counts)
            assert zones.must_hold(place).count(card) == min(counts)


@given(st.integers(0, 2**32 - 1))
def test_a_seat_sees_no_difference_between_what_it_does_not_know(seed: int) -> None:
    """Exchanging hidden cards changes nothing in the views of a seat or the public."""
    luck = random.Random(seed)
    cards = luck.sample(DECK, 6)
    rest = list((Counter(DECK) - Counter(cards[:3])).elements())
    worlds = [
        fresh().draw(PILE, "hand.0", 3, cards[:3]).draw(PILE, "hand.1", 3, tuple(luck.sample(rest, 3)))
        for _ in range(2)
    ]  # fmt: skip
    for seat in (0, None):
        one, two = [[zones.view_of(place, seat) for place in PLACES] for zones in worlds]
        assert one == two
        assert worlds[0].unknown_to(seat) == worlds[1].unknown_to(seat)


def test_a_zone_alone_tells_nothing_of_the_others() -> None:
    """A zone on its own contains only its cards and the pools of its unseen ones."""
    zones = fresh(("a", "b", "c", "d", "e")).draw(PILE, "hand.0", 3).draw(PILE, DISCARD, 2, ("d", "e"))
    zones = zones.draw(PILE, "hand.1", 1, (), DISCARD)
    alone = zones.alone("hand.1")
    assert (list(alone.zones), alone.pools) == (["hand.1"], ((), ("d", "e")))
    assert alone.candidates("hand.1") == zones.candidates("hand.1")
    dealt = fresh().draw(PILE, "hand.0", 1, ("a",))
    assert dealt.alone("hand.0") == dealt.draw(PILE, "hand.1", 1, ("b",)).alone("hand.0")
