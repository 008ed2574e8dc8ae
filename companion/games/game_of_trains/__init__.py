"""Game of Trains: each seat tries to bring seven wagons from falling into rising order first.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.game_of_trains.options import Options
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.table import Table
from companion.mechanics.definition import (
    Bots,
    Catalogues,
    CollectionSheet,
    DeckArt,
    GameDefinition,
    MatchOptions,
    PageParts,
    Report,
)
from companion.mechanics.telling import GameTeller


def _tell() -> GameTeller[Table]:
    from companion.games.game_of_trains.tell import TELLER

    return TELLER


def _pages() -> PageParts:
    from companion.games.game_of_trains import extras

    return PageParts(
        option_groups=extras.OPTION_GROUPS,
        asked_first=extras.ASKED_FIRST,
        catalogues=extras.CATALOGUES,
        values=extras.extras,
        card_names=extras.card_names,
        card_groups=extras.card_groups,
        places=extras.places,
    )


def _report() -> Report:
    from companion.games.game_of_trains import report

    return Report(report.sections)


def _bots() -> Bots:
    from companion.games.game_of_trains.bot import POLICY

    return Bots(POLICY)


def _deck() -> DeckArt:
    from companion.games.game_of_trains.deck import design

    return DeckArt(design)


def _catalogues() -> Catalogues:
    from companion.games.game_of_trains import catalogue

    return Catalogues(
        catalogue.Catalogue,
        catalogue.NAMES,
        catalogue.shipped,
        catalogue.complaints,
        catalogue.gaps,
        catalogue.listing,
    )


def _sheet() -> CollectionSheet:
    from companion.games.game_of_trains import sheet

    return CollectionSheet(sheet.rows, sheet.suggest_rows, sheet.fill_list, choices=sheet.choices)


GAME = GameDefinition(
    rules=RULES,
    options=MatchOptions(Options),
    tell=_tell,
    pages=_pages,
    report=_report,
    bots=_bots,
    deck=_deck,
    catalogues=_catalogues,
    sheet=_sheet,
)
