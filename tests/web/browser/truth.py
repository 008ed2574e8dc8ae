"""Read the public table from a page as a person does, and compare it with the journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page

from companion.games.take_a_train.view import TableView
from companion.journal.journal import Journal
from companion.match.match import Match
from tests.web.browser.devices import PATIENCE


def script(name: str) -> str:
    """Return a JavaScript function from this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8").partition("\n")[2].strip()


AUCTION = frozenset(
    ("nominate", "lone", "opening", "bidding", "calling", "call_tie", "fists", "break_tie", "order_tie", "choose")
    + ("reveal_locos", "pick", "turn_up", "flips")
)
"""Moments with a lot on the table."""
BETWEEN = ("draw_token", "name_starter", "deal_purposes")
"""Moments between two rounds."""

READ = script("read.js")
LATER = f"(wanted) => {{ const seen = ({READ})(); return JSON.stringify(seen) === wanted ? true : false; }}"
FITS = script("fits.js")
SETTLED = """() => [...document.images].every((each) => each.complete || each.loading === "lazy")
  && !document.getAnimations().some((animation) =>
  animation.playState === "running" && Number.isFinite(animation.effect.getComputedTiming().endTime))"""


def match_in(folder: Path) -> Match:
    """Return a journal's newest match in its current state on disk."""
    with Journal(folder / "journal.db", read_only=True) as journal:
        return Match.open(journal, journal.matches()[0].id)


def told(match: Match) -> dict[str, Any]:
    """Return the expected content of every page, built from the server's public view of the journal."""
    view: TableView = match.game.view(match.state, None)
    names = [player.name for player in match.setup.seated()]
    lot, auction = view.lot, view.moment in AUCTION
    cards = lot.cards if lot and auction else ()
    spoken = bool(lot and auction and lot.nominated and view.kind in ("pass", "open"))
    price = None
    if spoken and lot:
        price = lot.price if lot.price is not None else next(c.power for c in cards if c.id == lot.nominated)
    laid = view.market and view.moment not in ("over", "draw_token", "last_claims")
    places = sorted(view.seats, key=lambda s: (-view.cash[s.seat] * 10 - len(s.claimed), s.seat)) if view.cash else ()
    return {
        "round": min(view.round, view.rounds),
        "moment": view.moment,
        "kind": view.kind,
        "awaited": " ".join(map(str, view.awaited)),
        "order": [names[s] for s in view.order] if view.moment not in (*BETWEEN, "over") else [],
        "lot": [card.id for card in cards],
        "price": price,
        "leader": lot.leader if spoken and lot else None,
        "bids": bids(view),
        "market": list(view.market) if laid else [],
        "seats": [
            {
                "name": names[s.seat],
                "token": s.token,
                "left": s.purposes_left,
                "trains": [
                    {
                        "loco": train.loco.id if train.loco else "",
                        "wagons": [f"{wagon.type}-{wagon.value}" for wagon in train.wagons],
                        "pays": train.profit,
                    }
                    for train in s.trains
                ],
            }
            for s in view.seats
        ],
        "bank": view.bank,
        "ranking": [[names[s.seat], view.cash[s.seat]] for s in places],
    }


def bids(view: TableView) -> list[int | None]:
    """Return the open bids of this lot, seat by seat, while the auction lasts."""
    shown = AUCTION - {"nominate", "lone", "reveal_locos", "turn_up"}
    if view.moment not in shown:
        return []
    tied = view.lot.tied if view.lot else ()
    return [None if s.bid is None and s.seat not in tied else s.bid for s in view.seats]


def shows(page: Page, wanted: dict[str, Any]) -> None:
    """Wait until a page shows the expected content, and fail with the difference."""

    try:
        page.wait_for_function(
            LATER, arg=json.dumps(wanted, separators=(",", ":"), ensure_ascii=False), timeout=PATIENCE
        )
    except Error:
        assert page.evaluate(READ) == wanted, page.url
        raise


def unfit(page: Page, touch: bool) -> list[str]:
    """Return a page's faults on its screen: too wide, no title or language, inputs without a name, or low buttons."""
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    found: list[str] = page.evaluate(FITS, touch)
    return found
