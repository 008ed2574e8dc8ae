"""Express: hands, trains, partners and disasters, over several hands to 100 points.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.express.options import Options
from companion.games.express.rules import RULES
from companion.games.express.table import Table
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
    from companion.games.express.cards import CARDS

    return Cards(CARDS)


def _tell() -> GameTeller[Table]:
    from companion.games.express.tell import TELLER

    return TELLER


def _pages() -> PageParts:
    from companion.games.express import extras

    return PageParts(
        from_hand=extras.FROM_HAND,
        option_groups=extras.OPTION_GROUPS,
        asked_first=extras.ASKED_FIRST,
        catalogues=extras.CATALOGUES,
        catalogue=extras.catalogue,
        values=extras.extras,
        card_names=extras.card_names,
        card_groups=extras.card_groups,
    )


def _moments() -> Moments:
    from companion.games.express import moments

    return Moments(moments.moments, moments.sources)


def _report() -> Report:
    from companion.games.express import report

    return Report(report.sections)


def _bots() -> Bots:
    from companion.games.express.bot import POLICY

    return Bots(POLICY)


def _deck() -> DeckArt:
    from companion.games.express.deck import SETS, design

    return DeckArt(design, sets=SETS)


def _catalogues() -> Catalogues:
    from companion.games.express import catalogue

    return Catalogues(
        catalogue.Catalogue,
        catalogue.NAMES,
        catalogue.shipped,
        catalogue.complaints,
        catalogue.gaps,
        catalogue.listing,
    )


def _sheet() -> CollectionSheet:
    from companion.games.express import sheet

    return CollectionSheet(
        sheet.rows,
        sheet.suggest_rows,
        sheet.fill_list,
        row_choices=sheet.row_choices,
        titles=sheet.titles,
        sections=sheet.sections,
        proposals=sheet.proposals,
    )


GAME = GameDefinition(
    rules=RULES,
    options=MatchOptions(Options),
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
