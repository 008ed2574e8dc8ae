"""Trains (OKAZU, 2012): deck-building and rails on a map.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.trains.options import SETS, WITH_SETS, Options
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table
from companion.mechanics.definition import (
    Bots,
    Cards,
    Catalogues,
    CollectionSheet,
    DeckArt,
    GameDefinition,
    MatchOptions,
    Moments,
    PageParts,
    Report,
)
from companion.mechanics.telling import GameTeller


def _cards() -> Cards:
    from companion.games.trains.cards import CARDS

    return Cards(CARDS)


def _tell() -> GameTeller[Table]:
    from companion.games.trains.tell import TELLER

    return TELLER


def _pages() -> PageParts:
    from companion.games.trains import extras

    return PageParts(
        from_hand=extras.FROM_HAND,
        option_groups=extras.OPTION_GROUPS,
        asked_first=extras.ASKED_FIRST,
        catalogues=extras.CATALOGUES,
        values=extras.extras,
    )


def _moments() -> Moments:
    from companion.games.trains import moments

    return Moments(sources=moments.sources)


def _report() -> Report:
    from companion.games.trains import report

    return Report(report.sections)


def _bots() -> Bots:
    from companion.games.trains.bot import PLAIN, POLICY

    return Bots(POLICY, PLAIN)


def _deck() -> DeckArt:
    from companion.games.trains.deck import SETS, design, dividers

    return DeckArt(design, dividers, SETS)


def _catalogues() -> Catalogues:
    from companion.games.trains import catalogue

    return Catalogues(
        catalogue.Catalogue,
        catalogue.NAMES,
        catalogue.shipped,
        catalogue.complaints,
        catalogue.gaps,
        catalogue.listing,
    )


def _sheet() -> CollectionSheet:
    from companion.games.trains import sheet

    return CollectionSheet(
        sheet.rows, sheet.suggest_rows, sheet.fill_list, choices=sheet.choices, kinds=sheet.kinds, titles=sheet.titles
    )


GAME = GameDefinition(
    rules=RULES,
    options=MatchOptions(Options, SETS, WITH_SETS),
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
