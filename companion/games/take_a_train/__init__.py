"""Take a Train: locomotives at auction, wagons in turn, three rounds.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.take_a_train.options import PRESETS, Options
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from companion.mechanics.definition import (
    Balance,
    Bots,
    Catalogues,
    DeckArt,
    DrawTokens,
    GameDefinition,
    MatchOptions,
    Moments,
    PageParts,
    Report,
)
from companion.mechanics.telling import GameTeller


def _tell() -> GameTeller[Table]:
    from companion.games.take_a_train.tell import TELLER

    return TELLER


def _pages() -> PageParts:
    from companion.games.take_a_train import extras

    return PageParts(
        option_groups=extras.OPTION_GROUPS,
        asked_first=extras.ASKED_FIRST,
        with_buttons=extras.WITH_BUTTONS,
        catalogues=extras.CATALOGUES,
        values=extras.extras,
        card_names=extras.card_names,
        card_groups=extras.card_groups,
        token_groups=extras.token_groups,
        places=extras.places,
        hides=extras.hides,
    )


def _moments() -> Moments:
    from companion.games.take_a_train import moments

    return Moments(moments.moments, moments.sources)


def _report() -> Report:
    from companion.games.take_a_train import report

    return Report(report.sections, report.feats)


def _bots() -> Bots:
    from companion.games.take_a_train.bot import POLICY

    return Bots(POLICY)


def _deck() -> DeckArt:
    from companion.games.take_a_train.deck import design

    return DeckArt(design)


def _tokens() -> DrawTokens:
    from companion.games.take_a_train.token_art import token_designs

    return token_designs


def _catalogues() -> Catalogues:
    from companion.games.take_a_train import catalogue

    return Catalogues(
        catalogue.Catalogue,
        catalogue.NAMES,
        catalogue.shipped,
        catalogue.complaints,
        catalogue.gaps,
        catalogue.listing,
    )


def _balance() -> Balance:
    from companion.games.take_a_train import balance
    from companion.games.take_a_train.study import Study

    return Balance(balance.COLUMNS, Study, balance.figures, balance.verdicts)


GAME = GameDefinition(
    rules=RULES,
    options=MatchOptions(Options, presets=PRESETS),
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
