"""Express: hands, trains, partners and disasters, over several hands to 100 points.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.express.fixed import Options
from companion.games.express.profile import shipped
from companion.games.express.rules import RULES
from companion.games.express.table import Table
from companion.mechanics import definition
from companion.mechanics.telling import GameTeller


def _cards() -> definition.Cards:
    return definition.Cards({card.id: card.count or 0 for card in shipped("ours").cards})


def _tell() -> GameTeller[Table]:
    from companion.games.express.tell import TELLER

    return TELLER


def _pages() -> definition.PageParts:
    from companion.games.express.extras import PAGES

    return PAGES


def _moments() -> definition.Moments:
    from companion.games.express.report import MOMENTS

    return MOMENTS


def _report() -> definition.Report:
    from companion.games.express.report import REPORT

    return REPORT


def _bots() -> definition.Bots:
    from companion.games.express.bot import BOTS

    return BOTS


def _deck() -> definition.DeckArt:
    from companion.games.express.deck import ART

    return ART


def _catalogues() -> definition.Catalogues:
    from companion.games.express.catalogue import CATALOGUES

    return CATALOGUES


def _sheet() -> definition.CollectionSheet:
    from companion.games.express.sheet import SHEET

    return SHEET


GAME = definition.GameDefinition(
    rules=RULES,
    options=definition.MatchOptions(Options),
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
