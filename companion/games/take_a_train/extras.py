"""Public data for the pages of Take a Train beyond the view: prizes, possible cards, the right to enter each event."""

from __future__ import annotations

from companion.engine import Event, JsonObject, State
from companion.games.take_a_train import catalogue, tokens
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import Book, Loco
from companion.games.take_a_train.layout import BACKS
from companion.games.take_a_train.purposes import PURPOSES, prize
from companion.games.take_a_train.steps.wagons import Act, attach
from companion.games.take_a_train.table import Table, profit
from companion.i18n import Words
from companion.mechanics.definition import CardGroup, PageParts
from companion.mechanics.telling import format_money


def extras(state: State[Table]) -> JsonObject:
    """Return values for the templates: `prizes` by purpose, `book` of locomotives, `wagon_kinds` as (type, value).

    `gains` is the extra pay of each card on offer for a train of the seat on turn, by "slot-train". `bid_only` and
    `sum_only` give the costs of Preemption and Twist at this table (R-44, R-55). If the companion deals, nobody picks
    cards, so the lists are empty.
    """
    fixed = state.table.fixed
    book = None if fixed.dealt else fixed.book
    kinds = wagon_kinds(book) if book and not book.open_values else ()
    return {
        "prizes": {purpose.id: prize(state.table, purpose.id) for purpose in PURPOSES},
        "book": tuple(book.locos.values()) if book else (),
        "wagon_kinds": tuple(sorted(kinds, key=lambda kind: kind[1])),
        "gains": gains(state),
        "bid_only": fixed.options.preemption_payment == "bid_only",
        "sum_only": fixed.options.twist_payment == "sum_only",
    }


def gains(state: State[Table]) -> dict[str, int]:
    """Return the extra pay of each card on offer for a train of the seat on turn; all of it is public."""
    table, step = state.table, state.agenda[0] if state.agenda else None
    if not isinstance(step, Act):
        return {}
    seat = table.order[step.at]
    found: dict[str, int] = {}
    for slot, at in step.moves(table, seat):
        card = table.market[slot]
        if at is not None and card is not None:
            train = table.trains[seat][at]
            found[f"{slot}-{at}"] = profit(attach(table, train, card)) - profit(train)
    return found


def wagon_kinds(book: Book) -> set[tuple[str, int]]:
    """Return type and value of all different wagons, if values are known."""
    return {catalogue.wagon_parts(card) for card in book.wagons if "-" in card}


def hides(now: State[Table], before: State[Table]) -> bool:
    """Return whether the log no longer shows the amounts of an event that happened at `before` (R-25)."""
    return bool(now.agenda) and before.table.round < now.table.round


OPTION_GROUPS: dict[str, tuple[str, ...]] = {
    "main": (
        *("edition", "bid_channel", "reveal", "counting", "count_pace"),
        *("show_bank", "purpose_swap", "sequence_costs"),
    ),
    "editions": ("preemption_payment", "twist_payment", "exchanges_per_turn", "lone_bidder"),
    "auctions": ("min_raise", "beginner_broke", "twist_flips"),
    "wagons": ("replacement_wagon", "claim_window"),
    "table": ("bank_limit", "open_step", "open_leap", "silence_s"),
}
"""The options by group on the set-up page. Every option is in one group."""


def card_names(state: State[Table]) -> tuple[str, ...]:
    """Return the names of all possible cards, locomotives first."""
    book = state.table.fixed.book
    return (*book.locos, *sorted(set(book.wagons)))


def places(before: State[Table], event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
    """Return the possible values of a position in an event: value, number from 1, and the card there ("": face down).

    For a taken card these are the market's slots or the seat's locomotives; for a replacement's wagon, its wagons.
    """
    table = before.table
    match event, field:
        case ev.Took(), "slot":
            return tuple([(slot, slot + 1, card) for slot, card in enumerate(table.market) if card])
        case ((ev.Took(seat) | ev.WagonChosen(seat)), "train"):
            return tuple(
                [(at, at + 1, train.loco if train.face_up else "") for at, train in enumerate(table.trains[seat])]
            )
        case ev.WagonChosen(seat, train), "wagon":
            wagons = table.trains[seat][train].wagons
            return tuple([(at, at + 1, catalogue.wagon_id(wagon.type, wagon.value)) for at, wagon in enumerate(wagons)])
    return ()


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return every possible face of a card, in groups.

    If values are still to be read off the owner's cards, every possible value is included.
    """
    book = state.table.fixed.book
    found: list[CardGroup] = []
    for drive in catalogue.DRIVES:
        locos = [loco for loco in book.locos.values() if loco.drive == drive]
        found.append((words(f"drive.{drive}"), drive, f"drive-{drive}", tuple([_told(each, words) for each in locos])))
    any_value = [(cargo, value) for cargo in catalogue.CARGO for value in catalogue.FIGURES["value"]]
    known = any_value if book.open_values else sorted(wagon_kinds(book))
    for cargo in catalogue.CARGO:
        values = [value for kind, value in known if kind == cargo]
        faces = tuple([(catalogue.wagon_id(cargo, value), str(value)) for value in values])
        found.append((words(f"cargo.{cargo}"), f"wagon-{cargo}", f"cargo-{cargo}", faces))
    specials = tuple([(card, words(f"special.{card}")) for card in catalogue.SPECIALS])
    backs = tuple([(card, words(f"back.{card.removeprefix('back-')}")) for card in BACKS])
    return (
        *found,
        (words("back.specials"), "special-bin", "cargo-bin", specials),
        (words("back.backs"), "back", "backs", backs),
    )


def _told(loco: Loco, words: Words) -> tuple[str, str]:
    """Return a locomotive's name and its figures, or its number before they are read."""
    if not loco.known:
        return loco.id, words("back.unread", number=loco.id.partition("-")[2])
    return loco.id, words("back.figures", multiplier=loco.multiplier, power=loco.power, speed=loco.speed)


def token_groups(words: Words) -> tuple[CardGroup, ...]:
    """Return every face of a token, in groups."""
    values = sorted(catalogue.MONEY)
    money = tuple([(tokens.token("money", value), format_money(value, words.lang)) for value in values])
    auctions = tuple([(tokens.token("auction", kind), words(f"kind.{kind}")) for kind in ev.KINDS])
    sequence = tuple([(tokens.token("sequence", number), str(number)) for number in range(1, tokens.SEQUENCE + 1)])
    purposes = tuple([(tokens.token("purpose", each.id), words(f"purpose.{each.id}.title")) for each in PURPOSES])
    faces = (tokens.AUCTION_BACK, tokens.PURPOSE_BACK)
    backs = tuple([(back, words(f"back.{back.removeprefix('back-')}")) for back in faces])
    groups = {"money": money, "auctions": auctions, "sequence": sequence, "purposes": purposes, "backs": backs}
    return tuple([(words(f"token_group.{name}"), "", f"tokens-{name}", own) for name, own in groups.items()])


PAGES = PageParts(
    option_groups=OPTION_GROUPS,
    asked_first=("edition", "bid_channel"),
    with_buttons={"reveal": "signal"},
    catalogues={"dealt": "reconstruction", "ours": "reconstruction", "box": "box"},
    values=extras,
    card_names=card_names,
    card_groups=card_groups,
    token_groups=token_groups,
    places=places,
    hides=hides,
)
"""The parts that pages show besides the view."""
