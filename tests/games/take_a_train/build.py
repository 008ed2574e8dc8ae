"""Build states of Take a Train at the exact moment that a test needs.

The name of a locomotive contains its figures: `d300x2@120` is a diesel of power 300, multiplier 2 and 120 km/h. The
defaults are x2 and 100 km/h. A small letter at the end distinguishes equal ones, and `-` is a replacement. A train is
written as `"d300x3: coal-200 coal-150 twin:coal-150 +1"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from companion.engine import Event, Moved, Offer, Seat, Setup, State, Step, begin, legal
from companion.games import GAMES
from companion.games.take_a_train.catalogue import Book, Loco, shipped
from companion.games.take_a_train.events import Nominated
from companion.games.take_a_train.options import resolve
from companion.games.take_a_train.purposes import ALL, mask_of
from companion.games.take_a_train.steps.lots import NextLot, Nominate
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import CountProfits, FillUp, NextRound, SetOrder
from companion.games.take_a_train.steps.wagons import Act, OpenMarket
from companion.games.take_a_train.table import (
    BANK_TOTAL,
    TRAINS,
    Fixed,
    Table,
    Train,
    Wagon,
    replacement,
    train_of,
    wagon,
)
from tests.games.playing import Playing

GAME = GAMES["take-a-train"]
A, B, C, D, E, F = (Seat(s) for s in range(6))
Owned = tuple[tuple[str, ...], ...]

DRIVES = {"s": "steam", "d": "diesel", "e": "electric"}
FILLER = tuple(f"s100{letter}" for letter in "abcdefghijklmnopqr")
"""Locomotives that fill the deck when a test does not need specific ones."""
REST = (FillUp(), SetOrder(), OpenMarket(), CountProfits(), NextRound())
"""Steps that follow the auction in every round."""
DECK = tuple(f"food-{50 * n}" for n in range(1, 11))
"""Wagon cards that fill the deck when a test does not need specific ones."""


def loco(name: str) -> Loco:
    """Return the locomotive with the figures that its name contains."""
    found = re.fullmatch(r"([sde])(\d+)(?:x(\d+))?(?:@(\d+))?[a-z]?", name)
    assert found, f"{name!r} describes no locomotive"
    drive, power, multiplier, speed = found.groups()
    return Loco(name, DRIVES[drive], int(power), int(speed or 100), int(multiplier or 2), "owner")  # type: ignore[arg-type]


def train(spec: str) -> Train:
    """Return the train that a text such as `"d300x3: coal-200 +1"` describes."""
    name, _, load = spec.partition(":")
    made = replacement() if name == "-" else train_of(loco(name))
    wagons = []
    for item in load.split():
        if item != "+1":
            copied = wagon(item.removeprefix("twin:"))
            wagons.append(Wagon(copied.type, copied.value, True) if item.startswith("twin:") else copied)
    cargo = wagons[0].type if wagons else None
    return Train(
        made.loco,
        made.face_up,
        made.power,
        made.speed,
        made.multiplier,
        made.drive,
        cargo,
        tuple(wagons),
        "+1" in load.split(),
    )


def fleet(names: Iterable[str]) -> dict[str, Loco]:
    """Return the named locomotives and the fillers, by name."""
    return {name: loco(name) for name in (*names, *FILLER)}


def table(
    players: int = 3,
    *,
    cash: int | tuple[int, ...] = 5000,
    owned: Owned = (),
    revealed: tuple[str, ...] = (),
    aside: tuple[str, ...] = (),
    deck: tuple[str, ...] | None = None,
    known: tuple[str, ...] = (),
    held: dict[int, tuple[str, ...]] | None = None,
    dealt: bool = False,
    options: dict[str, Any] | None = None,
    sequence: tuple[int | None, ...] = (600, 500, 400, 300, 200, 100),
    **fields: Any,
) -> Table:
    """Return a table whose locomotive deck has exactly as many cards as the seats still need (R-13)."""
    trains = tuple(tuple(train(spec) for spec in own) for own in owned) or ((),) * players
    missing = sum(TRAINS - len(own) for own in trains) - len(revealed) - len(aside)
    pool = FILLER[:missing] if deck is None else deck
    names = [t.loco for own in trains for t in own if t.loco] + [*revealed, *aside, *pool, *known]
    money = (cash,) * players if isinstance(cash, int) else cash
    tokens = tuple(mask_of(held[s]) if held and s in held else ALL for s in range(players))
    shipped_wagons = shipped("reconstruction").wagons
    book = Book(
        locos=fleet(names),
        sequence=sequence,
        second_of_two=300,
        wagons=tuple(f"{w.type}-{w.value}" for w in shipped_wagons for _ in range(w.count))
        + ("bin", "longer", "multiplier", "bonus", "twin"),
        open_values=False,
    )
    return Table(
        **{
            "fixed": Fixed(players, resolve(options or {}), book, dealt),
            "cash": money,
            "bank": BANK_TOTAL - sum(money),
            "trains": trains,
            "round": 1,
            "kind": "pass",
            "used": ("pass",),
            "pool": pool,
            "deck": len(pool),
            "revealed": revealed,
            "aside": aside,
            "held": tokens,
            "known": tuple(bool(held and s in held) for s in range(players)),
            "met": (0,) * players,
            "claimed": (0,) * players,
        }
        | fields
    )


def at(given: Table, *steps: Step[Table]) -> State[Table]:
    """Return the state of a table with these pending steps, after the automatic ones have run."""
    return begin(GAME, given, steps)


def lot(kind: str, *revealed: str, beginner: Seat = A, **fields: Any) -> State[Table]:
    """Return a lot in which the beginner must nominate one of the revealed locomotives."""
    fields.setdefault("used", (kind,))
    return at(
        table(revealed=revealed, kind=kind, starter=beginner, **fields), Nominate(beginner), NextLot(beginner), *REST
    )


def sale(kind: str, card: str, *others: str, beginner: Seat = A, **fields: Any) -> State[Table]:
    """Return a lot in which the beginner has nominated `card`."""
    return after(lot(kind, card, *others, beginner=beginner, **fields), nominated(beginner, card))


def next_lot(previous: Seat | None = None, **fields: Any) -> State[Table]:
    """Return the state before the next lot of a sequential auction."""
    return at(table(**fields), NextLot(previous), *REST)


def turn(*market: str | None, position: int = 0, passes: int = 0, exchanges: int = 0, **fields: Any) -> State[Table]:
    """Return a turn of stage two with sequence tokens in seat order, a train for each seat and a full wagon deck."""
    players = fields.setdefault("players", 3)
    fields.setdefault("owned", ((("s300x2", "d300x2", "-")),) * players)
    fields.setdefault("order", tuple(Seat(s) for s in range(players)))
    fields.setdefault("wagons", DECK)
    acting = Act(position, passes, exchanges)
    return at(table(market=market, **fields), acting, CountProfits(), NextRound())


def new(players: int = 3, deck: str = "ours", catalogue: Any = "reconstruction", **options: Any) -> State[Table]:
    """Return the state of a new game."""
    return GAME.begin(Setup("take-a-train", players, options, catalogue, deck))  # type: ignore[arg-type]


# --- playing on -----------------------------------------------------------------------------------


PLAYING: Playing[Table] = Playing(GAME)
after, refusal, why = PLAYING.after, PLAYING.refusal, PLAYING.why
accepted, offered = PLAYING.accepted, PLAYING.offered


def offers_of(state: State[Table], seat: Seat | None) -> list[Offer]:
    """Return all offers to a seat."""
    return [offer for offer in legal(GAME, state) if offer.by == seat]


def head(state: State[Table]) -> Step[Table]:
    """Return the current step of the table."""
    return state.agenda[0]


def payments(state: State[Table]) -> list[tuple[Seat, int, str]]:
    """Return the seat, amount and reason of each payment in the last event."""
    return [(e.seat, e.amount, e.why) for e in state.effects if isinstance(e, Moved)]


def names(state: State[Table], seat: Seat) -> tuple[str, ...]:
    """Return the names of a seat's locomotives, with `-` for a replacement."""
    return tuple(t.loco if t.face_up else "-" for t in state.table.trains[seat])


def loads(state: State[Table], seat: Seat) -> list[tuple[str, ...]]:
    """Return the wagons of each of a seat's trains."""
    return [tuple(f"{w.type}-{w.value}" for w in t.wagons) for t in state.table.trains[seat]]


def nominated(seat: Seat, card: str) -> Event:
    """Return the event of a nomination."""
    return Nominated(seat, card)


def reveal(size: int, beginner: Seat = A, **fields: Any) -> State[Table]:
    """Return the state before `size` locomotives are revealed for a lot."""
    return at(table(**fields), RevealLocos(size), Nominate(beginner), NextLot(beginner), *REST)
