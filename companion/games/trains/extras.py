"""Public data for the pages of Trains beyond the view: the cards' figures, and the event of a tap on the hand."""

from __future__ import annotations

from companion.engine import State
from companion.games.trains.catalogue import BASIC, NORMAL, WASTE
from companion.games.trains.steps.turn import EMPTY_PILES, Act, for_sale
from companion.games.trains.table import Table
from companion.mechanics.definition import PageParts


def extras(state: State[Table]) -> dict[str, object]:
    """Return values for the templates.

    `book`: the cards of the match by their ids. `piles`: the kinds of the supply, basic and others, in order of cost.
    `left`: the cards of each pile. `for_sale`: the kinds that the seat on turn can afford. `most_empty`: the number of
    empty piles that ends the game. `fewest`: the smallest number of cubes that a seat has left. `rulings`: the ruling
    for each card's text.
    """
    table = state.table
    book = {card: table.fixed.book[card] for card in (NORMAL, *table.supply)}
    priced = sorted(table.supply, key=lambda card: (book[card].cost or 0, card))
    basic = tuple([card for card in BASIC if card in table.supply and card != WASTE])
    return {
        "book": book,
        "piles": {"basic": (*basic, WASTE), "kingdom": tuple([card for card in priced if card not in BASIC])},
        "left": table.supply,
        "for_sale": for_sale(table) if state.agenda and isinstance(state.agenda[0], Act) else (),
        "most_empty": EMPTY_PILES,
        "fewest": min(table.cubes_left(seat) for seat in range(table.fixed.players)),
        "rulings": {card: table.fixed.options.ruling(card) for card in book},
    }


PAGES = PageParts(
    from_hand={"played"},
    option_groups={
        "main": ("board", "edition", "kingdom", "draw_kingdom"),
        "rulings": ("river_start", "ironworks_on", "wagon_factory"),
    },
    asked_first=("board", "edition", "kingdom"),
    catalogues={"dealt": "reconstruction", "ours": "reconstruction", "box": "box"},
    values=extras,
)
