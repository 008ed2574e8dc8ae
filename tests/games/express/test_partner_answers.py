"""Twelve positions in which a partner asks "May I go out?", each with a sensible answer and its reason.

A and C play against B and D. It is A's turn, and C answers from its own view.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.engine import Event, State
from companion.games.express import events as ev
from companion.games.express.bot import POLICY
from companion.games.express.table import Table
from tests.games.express.build import A, C, after, laid

FIVE, FOUR = "hopper hopper hopper hopper hopper", "gondola gondola gondola gondola"
GOOD, POOR = "auto_carrier auto_carrier auto_carrier auto_carrier auto_carrier", "box_car box_car box_car"
DEAR = "reefer log_car auto_carrier observation sleeper"

POSITIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "the side leads, and nothing that the partner holds fits": ("yes", {
        "held": {0: "reefer gondola", 1: "coach dome coach", 2: "box_car", 3: "tank_car dome log_car"},
        "trains": {0: [FIVE, FOUR], 1: [POOR]},
    }),
    "the opponents hold much and have laid little: their cards cost them now": ("yes", {
        "held": {0: "reefer", 1: "auto_carrier dome log_car reefer coach", 2: "flat_car", 3: DEAR},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car"]},
    }),
    "the opponents hold a card each, and their trains are ready: they are about to go out": ("yes", {
        "held": {0: "reefer", 1: "tank_car", 2: "reefer coach log_car", 3: "tank_car"},
        "trains": {0: [FIVE, FOUR], 1: [GOOD, "tank_car tank_car tank_car tank_car"]},
    }),
    "the partner could lay two cars more, but the opponents go out before": ("yes", {
        "held": {0: "reefer", 1: "tank_car", 2: "gondola gondola reefer", 3: "tank_car"},
        "trains": {0: [FIVE, FOUR], 1: [GOOD, "tank_car tank_car tank_car tank_car"]},
    }),
    "the side passes a hundred and wins at once; the partner's cards cost too little to prevent it": ("yes", {
        "held": {0: "reefer", 1: "coach", 2: "log_car auto_carrier", 3: "coach"},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car"]},
        "totals": (96, 60),
    }),
    "both sides pass a hundred, and the own side has more": ("yes", {
        "held": {0: "reefer", 1: "box_car", 2: "box_car", 3: "box_car"},
        "trains": {0: [FIVE, FOUR], 1: [GOOD]},
        "totals": (98, 94),
    }),
    "it is the last hand of the match, and the own side is ahead": ("yes", {
        "held": {0: "reefer", 1: "coach coach", 2: "box_car", 3: "coach dome"},
        "trains": {0: [FIVE, FOUR], 1: [GOOD]},
        "totals": (40, 38),
        "hands": 2,
    }),
    "the opponents would pass a hundred and win; a round later the own side has more": ("no", {
        "held": {0: "reefer", 1: "coach", 2: "auto_carrier auto_carrier auto_carrier sleeper", 3: "coach sleeper"},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car tank_car tank_car tank_car tank_car tank_car tank_car"]},
        "totals": (85, 92),
    }),
    "it is the last hand of the match, and the own side is behind but can still catch up": ("no", {
        "held": {0: "reefer", 1: "coach", 2: "hopper gondola gondola", 3: "coach sleeper"},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car tank_car tank_car tank_car"]},
        "totals": (40, 60),
        "hands": 2,
    }),
    "the partner lays a train of dear cars next, and the opponents are far from going out": ("no", {
        "held": {0: "reefer", 1: "coach dome box_car tank_car", 3: "coach stock_car",
                 2: "auto_carrier auto_carrier auto_carrier auto_carrier coach"},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car"]},
    }),
    "the partner doubles a passenger train twice next turn": ("no", {
        "held": {0: "reefer", 1: "hopper tank_car box_car log_car", 2: "sleeper observation diesel",
                 3: "box_car stock_car log_car"},
        "trains": {0: [FIVE, FOUR, "mail_baggage coach dome"], 1: ["tank_car tank_car"]},
    }),
    "the partner's cars win the match next turn, and till then the opponents can hardly go out": ("no", {
        "held": {0: "reefer", 1: "coach coach dome log_car", 2: "hopper gondola gondola",
                 3: "coach dome sleeper log_car"},
        "trains": {0: [FIVE, FOUR], 1: ["tank_car tank_car"]},
        "totals": (85, 95),
    }),
}  # fmt: skip


def answer(state: State[Table]) -> Event | None:
    """Return the partner's answer, chosen from its own view alone."""
    return POLICY.choose(POLICY.look(state, C), random.Random(1).random)


@pytest.mark.parametrize("why", POSITIONS)
def test_the_partner_answers_rightly(why: str) -> None:
    """The partner answers as each position expects."""
    wanted, position = POSITIONS[why]
    state = after(laid(players=4, **position), ev.PartnerAsked(A))
    assert answer(state) == (ev.PartnerAgreed(C) if wanted == "yes" else ev.PartnerForbade(C))
