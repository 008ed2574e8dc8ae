"""Trains (OKAZU, 2012): deck-building and rails on a map.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.trains.options import SETS, WITH_SETS, Options
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table
from companion.mechanics import definition as parts
from companion.mechanics.telling import GameTeller


def _cards() -> parts.Cards:
    from companion.games.trains.catalogue import shipped

    return parts.Cards({card.id: card.count for card in shipped().cards})


def _tell() -> GameTeller[Table]:
    from companion.games.trains.tell import TELLER

    return TELLER


def _pages() -> parts.PageParts:
    from companion.games.trains.extras import PAGES

    return PAGES


def _moments() -> parts.Moments:
    from companion.games.trains.report import MOMENTS

    return MOMENTS


def _report() -> parts.Report:
    from companion.games.trains.report import REPORT

    return REPORT


def _bots() -> parts.Bots:
    from companion.games.trains.bot import PLAIN, POLICY

    return parts.Bots(POLICY, PLAIN)


def _deck() -> parts.DeckArt:
    from companion.games.trains.deck import SETS, design, dividers, scenes

    return parts.DeckArt(design, dividers, SETS, scenes, "limited_express_train")


def _catalogues() -> parts.Catalogues:
    from companion.games.trains.catalogue import CATALOGUES

    return CATALOGUES


def _sheet() -> parts.CollectionSheet:
    from companion.games.trains.sheet import SHEET

    return SHEET


GAME = parts.GameDefinition(
    rules=RULES,
    options=parts.MatchOptions(Options, SETS, WITH_SETS),
    cards=_cards,
    tell=_tell,
    pages=_pages,
    moments=_moments,
    report=_report,
    bots=_bots,
    deck=_deck,
    catalogues=_catalogues,
    sheet=_sheet,
)
