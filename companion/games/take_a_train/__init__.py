"""Take a Train: locomotives at auction, wagons in turn, three rounds.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.take_a_train.options import PRESETS, Options
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from companion.mechanics import definition as parts
from companion.mechanics.telling import GameTeller


def _tell() -> GameTeller[Table]:
    from companion.games.take_a_train.tell import TELLER

    return TELLER


def _pages() -> parts.PageParts:
    from companion.games.take_a_train.extras import PAGES

    return PAGES


def _moments() -> parts.Moments:
    from companion.games.take_a_train.report import MOMENTS

    return MOMENTS


def _report() -> parts.Report:
    from companion.games.take_a_train.report import REPORT

    return REPORT


def _bots() -> parts.Bots:
    from companion.games.take_a_train.bot import POLICY, WINNING

    return parts.Bots(POLICY, winning=WINNING, slips=0.07)


def _deck() -> parts.DeckArt:
    from companion.games.take_a_train.deck import design, scenes

    return parts.DeckArt(design, scenes=scenes, cover="steam-4")


def _tokens() -> parts.DrawTokens:
    from companion.games.take_a_train.token_art import token_designs

    return token_designs


def _catalogues() -> parts.Catalogues:
    from companion.games.take_a_train.catalogue import CATALOGUES

    return CATALOGUES


def _balance() -> parts.Balance:
    from companion.games.take_a_train.balance import BALANCE

    return BALANCE


GAME = parts.GameDefinition(
    rules=RULES,
    options=parts.MatchOptions(Options, presets=PRESETS),
    tell=_tell,
    pages=_pages,
    moments=_moments,
    report=_report,
    bots=_bots,
    deck=_deck,
    tokens=_tokens,
    catalogues=_catalogues,
    balance=_balance,
)
