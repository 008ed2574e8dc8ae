"""Game of Trains: each seat races to turn seven falling wagons into a rising line.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.table import Options, Table
from companion.mechanics import definition as parts
from companion.mechanics.telling import GameTeller


def _tell() -> GameTeller[Table]:
    from companion.games.game_of_trains.tell import TELLER

    return TELLER


def _pages() -> parts.PageParts:
    from companion.games.game_of_trains.extras import PAGES

    return PAGES


def _report() -> parts.Report:
    from companion.games.game_of_trains.report import REPORT

    return REPORT


def _bots() -> parts.Bots:
    from companion.games.game_of_trains.bot import POLICY, WINNING

    return parts.Bots(POLICY, winning=WINNING)


def _deck() -> parts.DeckArt:
    from companion.games.game_of_trains.deck import design, scenes

    return parts.DeckArt(design, scenes=scenes, cover="wagon-38-remove_right")


def _catalogues() -> parts.Catalogues:
    from companion.games.game_of_trains.catalogue import CATALOGUES

    return CATALOGUES


def _sheet() -> parts.CollectionSheet:
    from companion.games.game_of_trains.sheet import SHEET

    return SHEET


GAME = parts.GameDefinition(
    rules=RULES,
    options=parts.MatchOptions(Options),
    tell=_tell,
    pages=_pages,
    report=_report,
    bots=_bots,
    deck=_deck,
    catalogues=_catalogues,
    sheet=_sheet,
)
