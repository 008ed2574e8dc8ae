"""What a page shows of the public table, read off it as a person would, and what the journal says it must show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page

from companion.games.take_a_train.view import TableView
from companion.journal import Journal
from companion.match import Match
from tests.web.browser.devices import PATIENCE

AUCTION = frozenset(
    ("nominate", "lone", "opening", "bidding", "calling", "call_tie", "fists", "break_tie", "order_tie", "choose")
    + ("reveal_locos", "pick", "turn_up", "flips")
)
"""Moments at which a lot lies on the table."""
BETWEEN = ("draw_token", "name_starter", "deal_purposes")
"""Moments between two rounds."""

READ = r"""() => {
  const all = (selector, from = document) => [...(from || document).querySelectorAll(selector)];
  const one = (selector, from = document) => all(selector, from)[0];
  const number = (element) => { const found = element && element.textContent.replace(/\D/g, ""); return found ? +found : null; };
  const name = (element) => element ? one(".name", element).textContent : null;
  const sign = one("#region-status .sign"), leader = one(".tote-leader");
  return {
    round: +/\d+/.exec(one(".round", sign).textContent)[0],
    moment: sign.dataset.moment, kind: sign.dataset.kind, awaited: sign.dataset.awaited,
    order: all(".queue > li").map(name),
    lot: all("#region-lot .lot-cards [data-card]").map((card) => card.dataset.card),
    price: number(one(".tote-price b")), leader: leader ? +leader.dataset.seat : null,
    bids: all(".bidder").map((bidder) => number(one(".bidder-state b", bidder))),
    market: all("#region-market .market > li").map((slot) => { const card = one("[data-card]", slot); return card ? card.dataset.card : null; }),
    seats: all("#region-seats article").map((seat) => ({
      name: name(seat),
      token: number(one(".plate", seat)),
      left: all(".purposes-left use", seat).length,
      trains: all(".train[data-loco]", seat).map((train) => ({
        loco: train.dataset.loco,
        wagons: all(".car[data-cargo]", train).map((car) => `${car.dataset.cargo}-${number(one(".value", car))}`),
        pays: number(one(".pays b", train)),
      })),
    })),
    bank: number(one("#region-bank .total b")),
    ranking: all("#region-ending .ranking li").map((place) => [name(place), number(one(".cash", place))]),
  };
}"""
LATER = f"(wanted) => {{ const seen = ({READ})(); return JSON.stringify(seen) === wanted ? true : false; }}"
FITS = r"""(touch) => {
  const wrong = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1);
    wrong.push(`scrolls sideways: ${root.scrollWidth} of ${root.clientWidth}: ${wide.slice(-1).map((e) => e.outerHTML.slice(0, 120))}`);
  }
  if (!document.title.trim()) wrong.push("no title");
  if (!root.lang) wrong.push("no language");
  for (const input of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const named = input.getAttribute("aria-label") || input.labels?.[0]?.textContent
      || (input.getAttribute("aria-labelledby") && document.getElementById(input.getAttribute("aria-labelledby"))?.textContent);
    if (!(named || "").trim()) wrong.push(`nobody says what this is: ${input.outerHTML.slice(0, 160)}`);
  }
  for (const button of document.querySelectorAll("button, summary, a[href]")) {
    if (!(button.textContent.trim() || button.getAttribute("aria-label"))) wrong.push(`a button without a word: ${button.outerHTML.slice(0, 160)}`);
    const box = button.getBoundingClientRect();
    if (touch && button.checkVisibility() && box.height && box.height < 43.5) wrong.push(`${box.height} px high: ${button.outerHTML.slice(0, 160)}`);
  }
  return wrong;
}"""
SETTLED = "() => !document.getAnimations().some((a) => a.playState === 'running' && Number.isFinite(a.effect.getComputedTiming().endTime))"


def match_in(folder: Path) -> Match:
    """Return the newest match of a journal as it lies on the disk now."""
    with Journal(folder / "journal.db", read_only=True) as journal:
        return Match.open(journal, journal.matches()[0].id)


def told(match: Match) -> dict[str, Any]:
    """Return what every page must show, built from the server's own public view of the journal."""
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
    """Return the bids that lie open in this lot, seat by seat, while bidders are shown."""
    shown = AUCTION - {"nominate", "lone", "reveal_locos", "turn_up"}
    if view.moment not in shown:
        return []
    tied = view.lot.tied if view.lot else ()
    return [None if s.bid is None and s.seat not in tied else s.bid for s in view.seats]


def shows(page: Page, wanted: dict[str, Any]) -> None:
    """Wait until a page shows this; fail with what differs."""
    import json

    try:
        page.wait_for_function(
            LATER, arg=json.dumps(wanted, separators=(",", ":"), ensure_ascii=False), timeout=PATIENCE
        )
    except Error:
        assert page.evaluate(READ) == wanted, page.url
        raise


def unfit(page: Page, touch: bool) -> list[str]:
    """Return what is wrong with a page on its screen: too wide, no title or language, nameless inputs, low buttons."""
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    found: list[str] = page.evaluate(FITS, touch)
    return found
