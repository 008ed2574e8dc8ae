"""Test that secrets change no byte of other viewers' data.

Two tables that differ only in other people's hidden values must give a viewer the same pages, streams and answers, byte
for byte.
"""

from __future__ import annotations

import random
import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.bots.bot import RandomPolicy
from companion.engine import Event, Seat, legal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps import sealed_auctions, twist
from companion.match.actor import Actor
from companion.mechanics.money import Ledger
from companion.table.snapshot import Snapshot
from tests.support.web.visitors import Room, Visitor, messages, regions, said
from web.live.channels import ChannelKey, ViewerGroup
from web.presenters.match_log import Teller
from web.presenters.scene import Scene

PLAYERS = 4
UNIT = 50


# --- tables that differ only in secrets -----------------------------------------------------------


def other_secrets(snapshot: Snapshot, seat: int | None) -> Snapshot:
    """Return the same table with other secrets for all seats but one, or for all seats."""
    state = snapshot.state
    assert state is not None and snapshot.ledger is not None
    others = [s for s in range(PLAYERS) if s != seat]
    turned = dict(zip(others, others[1:] + others[:1], strict=True))
    table = state.table

    def moved(values: Any) -> tuple[Any, ...]:
        return tuple(values[turned.get(s, s)] for s in range(PLAYERS))

    table = replace(table, cash=moved(table.cash) if not state.over else table.cash)
    if not state.over:
        held = list(moved([h & ~c for h, c in zip(table.held, table.claimed, strict=True)]))
        table = replace(table, held=tuple(h | c for h, c in zip(held, table.claimed, strict=True)))
    agenda = state.agenda
    if agenda and isinstance(agenda[0], sealed_auctions.Fists):
        head = agenda[0]
        amounts = tuple(a if s not in others or a is None else a + UNIT * (s + 1) for s, a in enumerate(head.amounts))
        agenda = (replace(head, amounts=amounts), *agenda[1:])
    if agenda and isinstance(agenda[0], twist.Pick):
        head = agenda[0]
        agenda = (replace(head, hands=shuffled(head.hands, others), placed=shuffled(head.placed, others)), *agenda[1:])
    after = replace(state, table=table, agenda=agenda)
    entries = tuple(replace(entry, event=other_event(entry.event, others)) for entry in snapshot.entries)
    entries = (*entries[:-1], replace(entries[-1], after=after))
    ledger = Ledger(snapshot.ledger.bank, moved(snapshot.ledger.seats))
    return replace(snapshot, state=after, entries=entries, ledger=ledger)


def shuffled(hands: tuple[tuple[str, ...], ...], others: list[int]) -> tuple[tuple[str, ...], ...]:
    """Return the hands after dealing the hidden cards again, with as many in each as before."""
    cards = [card for s in others for card in hands[s]][::-1]
    found = list(hands)
    for s in others:
        found[s], cards = tuple(cards[: len(hands[s])]), cards[len(hands[s]) :]
    return tuple(found)


def other_event(event: Event, others: list[int]) -> Event:
    """Return another seat's event with a different secret."""
    match event:
        case ev.Committed(seat, amount) if seat in others:
            return ev.Committed(seat, amount + UNIT)
        case ev.PurposesDealt(purposes):
            return ev.PurposesDealt(shuffled(purposes, others))
        case ev.TwistDealt(hands):
            return ev.TwistDealt(shuffled(hands, others))
        case ev.TwistPicked(seat, card) if seat in others and card is not None:
            return ev.TwistPicked(seat, "steam-1")
    return event


def drawn(room: Room, snapshot: Snapshot, role: str, seat: int | None, teller: Teller | None = None) -> dict[str, str]:
    """Return every region of a viewer, redrawn from a snapshot; the log too, unless cached."""
    context = room.context
    scene = Scene(snapshot, context.seating.occupancy(snapshot), teller or Teller())
    found: dict[str, str] = {}
    made: dict[Hashable, ViewerGroup] = {}
    for name in context.renderer.groups(ChannelKey(snapshot.match_id, role, seat, "en")):
        group = made[name] = context.renderer.make(name, made)
        group.render(scene)
        found |= {region.name: region.html for region in group.regions}
    return found | {"turn": str(scene.turn(seat))}


def step(room: Room, luck: random.Random) -> bool:
    """Make any legal move for anybody, and return False when the game is over."""
    snapshot = room.table.snapshot()
    state, game = snapshot.state, snapshot.game
    assert state is not None
    if state.over:
        return False
    mind = RandomPolicy(game)
    for seat in mind.asked(state):
        event = mind.choose(mind.look(state, seat), luck.random)
        if event is not None:
            assert room.table.propose(event, Actor.at_seat(seat)).accepted
            return True
    chance = next((offer for offer in legal(game, state) if offer.chance), None)
    if chance is not None:
        event = chance.pick(luck.random)
        told = event.facts.entered
        assert (room.table.propose(event, Actor.TABLE) if told else room.table.draw(Actor.TABLE)).accepted
    return True


@pytest.mark.parametrize("seed", [1, 2])
def test_other_screens_change_no_byte(room: Room, seed: int) -> None:
    """In random games, every viewer's regions stay the same at many moves when others' secrets change."""
    room.set_up(PLAYERS)
    luck, teller = random.Random(seed), Teller()
    compared = 0
    for move in range(100_000):
        if not step(room, luck):
            break
        if move % 13:
            continue
        snapshot = room.table.snapshot()
        for role, seat in (("table", None), ("host", None), ("watch", None), *(("seat", s) for s in range(PLAYERS))):
            changed = other_secrets(snapshot, seat)
            assert changed != snapshot
            assert drawn(room, snapshot, role, seat, teller) == drawn(room, changed, role, seat), (move, role, seat)
            compared += 1
    assert room.table.snapshot().over
    assert compared > 7 * 5


def test_ones_own_secrets_are_shown_to_oneself(room: Room) -> None:
    """A seat's own page changes with its own secrets, so the comparison above can fail."""
    room.set_up(PLAYERS)
    luck = random.Random(1)
    for _ in range(6):
        step(room, luck)
    snapshot = room.table.snapshot()
    changed = other_secrets(snapshot, 0)
    assert drawn(room, snapshot, "seat", 1) != drawn(room, changed, "seat", 1)


@pytest.mark.parametrize("seed", [5])
def test_drawing_only_what_changed_draws_the_same(room: Room, seed: int) -> None:
    """Cached regions equal redrawn ones, for every viewer, throughout a game."""
    room.set_up(PLAYERS)
    luck = random.Random(seed)
    viewers = [("table", None), ("host", None), ("watch", None), *(("seat", s) for s in range(PLAYERS))]
    for move in range(100_000):
        if not step(room, luck):
            break
        snapshot = room.table.snapshot()
        kept = {}
        for role, seat in viewers:
            page = room.context.hub.page(ChannelKey(snapshot.match_id, role, seat, "en"))
            assert page is not None
            kept[role, seat] = page.regions
        if move % 16 == 0:
            for role, seat in viewers:
                fresh = drawn(room, snapshot, role, seat)
                fresh.pop("turn")
                assert kept[role, seat] == fresh, (move, role, seat)


# --- whole rooms that differ only in secrets ------------------------------------------------------


class World:
    """A room that records every byte that its viewers receive, except Bill."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.room = Room(folder)
        self.room.open()
        self.room.set_up(deck="ours", show_bank="no")
        self.room.join_all()
        room = self.room
        self.pages = {
            "Jane": room.seats[0],
            "Tom": room.seats[2],
            "tablet": room.page("tablet"),
            "watch": room.page("watch"),
            "host": room.host,
        }
        self.sent: list[Any] = []
        match = room.table.snapshot().match_id
        keys = [ChannelKey(match, "seat", 0, "en"), ChannelKey(match, "seat", 2, "fr")]
        keys += [ChannelKey(match, role, None, "en") for role in ("table", "watch", "host")]
        self.streams = []
        for key in keys:
            opened = room.context.hub.open(key, "p", "")
            assert opened is not None
            self.streams.append(opened[0])

    def look(self) -> None:
        """Record everything that everybody but Bill now sees and receives."""
        for who, path in self.pages.items():
            html = self.room.anybody.get(path).text
            html = re.sub(r'data-until="\d+"', "", html)  # a seat's own time for taking back, by the table's clock
            self.sent.append((who, regions(html), re.findall(r'data-shown="[0-9a-f]+-(\d+)"', html)))
        for stream in self.streams:
            waiting = [stream.outbox.get() for _ in range(len(stream.outbox))]
            told = messages([message for message in waiting if message])
            self.sent.append([message | {"id": message["id"].partition("-")[2]} for message in told])

    def say(self, seat: int, event: str, **fields: Any) -> None:
        """Send a seat's event, and record the answer unless the seat is Bill's."""
        answer = self.room.anybody.say(self.room.seats[seat], event, **fields)
        if seat != 1:
            self.sent.append((answer.status_code, said(answer)))

    def ask(self, path: str, visitor: Visitor | None = None) -> None:
        """Record the answer of a public address."""
        answer = (visitor or self.room.anybody).get(path)
        self.sent.append((answer.status_code, said(answer) if answer.status_code >= 400 else len(answer.text)))


def played(folder: Path, bids: tuple[int, ...], purposes: list[str], too_much: int) -> list[Any]:
    """Play the same game with different secrets of Bill, and return everything that the others receive."""
    world = World(folder)
    room = world.room
    room.begin("double_blind")
    world.look()
    world.say(1, "purposes_entered", purposes=purposes)
    world.look()
    room.anybody.say(world.pages["tablet"], "locos_revealed", cards=["steam-1", "diesel-1", "electric-1"])
    world.say(0, "nominated", card="steam-1")
    world.look()
    for bid in bids:
        world.say(1, "committed", amount=bid)
        world.look()
    world.say(1, "committed", amount=too_much)  # refused, or accepted as another change of the bid
    world.say(1, "committed", amount=bids[-1])
    world.look()
    world.say(2, "committed", amount=99950)  # Tom does not have that much either
    world.say(0, "passed")
    world.ask("/past/1/")
    world.ask("/past/1/game.jsonl")
    room.anybody.tap(room.host, "ask", {"seat": "1"})
    world.look()
    room.anybody.tap(room.host, "ask", {"seat": "1", "on": "0"})
    world.look()
    room.close()
    return world.sent


def test_nobody_is_sent_a_byte_of_bills_secrets(tmp_path: Path) -> None:
    """Two games that differ in Bill's bids, changes, refusals and purposes look the same to everybody else.

    The comparison includes pages, streams, answers and exports.
    """
    one = played(tmp_path / "one", (300, 350), ["P-1", "P-2", "P-3"], 99900)
    two = played(tmp_path / "two", (4850, 0, 50, 4900), ["P-16", "P-17", "P-18"], 50)
    assert [sent for sent in one if sent] != []
    # A changed bid sends no message, and the games differ in the number of Bill's changes, so the records are compared
    # without repetitions.
    assert without_repeats(one) == without_repeats(two)


def without_repeats(sent: list[Any]) -> list[Any]:
    """Return the records without repetitions."""
    looks: dict[str, list[Any]] = {}
    for item in sent:
        if item == []:
            continue
        who = item[0] if isinstance(item, tuple) else "streams"
        kept = looks.setdefault(str(who), [])
        if not kept or kept[-1] != item:
            kept.append(item)
    return [looks[who] for who in sorted(looks)]


def test_a_closed_fist_is_in_no_bytes_of_others(room: Room) -> None:
    """Until the fists open, the amounts are in no other viewer's page, stream or refusal; then they are in all."""
    room.set_up(deck="ours", show_bank="no")
    room.join_all()
    room.begin("preemption")
    watch = room.page("watch")
    assert room.anybody.say(room.seats[1], "committed", amount=4350).status_code == 204
    assert room.anybody.say(room.seats[2], "committed", amount=2750).status_code == 204
    for page, own in (
        (room.seats[0], ()),
        (room.host, ()),
        (watch, ()),
        (room.seats[1], ("4,350",)),
        (room.seats[2], ("2,750",)),
    ):
        text = room.anybody.get(page).text
        for amount in ("4,350", "2,750", "4350", "2750"):
            shown = amount in own or amount.replace(",", "") in [each.replace(",", "") for each in own]
            assert (amount in text) <= shown
    assert room.anybody.say(room.seats[0], "committed", amount=0).status_code == 204
    text = room.anybody.get(watch).text
    assert "4,350" in text and "2,750" in text


def test_what_is_kept_shows_after_the_end_alone(room: Room) -> None:
    """An unfinished game's result, chart and text are closed; afterwards they are public, including the seed."""
    room.set_up(2)
    assert room.anybody.get("/past/1/game.jsonl").status_code == 403
    assert "<polyline" not in room.anybody.get("/past/1/").text
    luck = random.Random(3)
    while step(room, luck):
        pass
    page = room.anybody.get("/past/1/").text
    assert page.count("<polyline") == 2
    seed = room.table.snapshot().seed
    assert seed and seed in page
    text = room.anybody.get("/past/1/game.jsonl").text.splitlines()
    assert msgspec.json.decode(text[0])["seed"] == seed
    assert msgspec.json.decode(text[1])["event"]


def test_a_seat_views_itself_alone(game: Room) -> None:
    """A seat's channel belongs to that seat, so the hub has no channel for two seats."""
    game.begin()
    scene = game.context.renderer.look()
    assert scene is not None
    assert scene.me(0).seat == Seat(0)
    ledger = scene.ledger(0)
    assert ledger is not None and set(ledger.seats) == {0}
    shown = scene.ledger(None)
    assert shown is not None and shown.seats == {}


def test_what_the_bank_owes_stands_on_the_creditors_page_alone(game: Room) -> None:
    """If a bank without money owes Bill 400, only his purse shows it."""
    game.begin()
    snapshot = game.table.snapshot()
    assert snapshot.ledger is not None
    owing = replace(snapshot, ledger=replace(snapshot.ledger, debts=(0, 437, 0)))
    assert "The bank still owes you $437." in drawn(game, owing, "seat", 1)["holdings"]
    others = [drawn(game, owing, "seat", seat) for seat in (0, 2)]
    others += [drawn(game, owing, role, None) for role in ("table", "watch", "host")]
    assert "437" not in "".join(text for regions_of in others for text in regions_of.values())
