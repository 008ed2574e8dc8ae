"""Renders the regions of Take a Train from random games as plain pages.

`python -m tests.tools.preview OUT` writes the pages; with `--shots` Chromium takes screenshots at the sizes of a phone,
a tablet and a television. It runs no server, and serves to check templates, styles and words.
"""

from __future__ import annotations

import argparse
import mimetypes
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, PrefixLoader, Undefined

from companion.engine import Event, Moved, Seat, Setup, State, apply, legal
from companion.games import words_folders
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.extras import gains
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.tell import TELLER
from companion.i18n import load
from companion.mechanics.money import Ledger, Payment, tokens
from companion.mechanics.signs import signs_for
from companion.mechanics.telling import format_money
from tests.support.paths import ROOT
from web.page_app import draw
from web.presenters.sight import SightText

GAME_FOLDER = ROOT / "companion" / "games" / "take_a_train"
STATIC = ROOT / "web" / "static"
NAMES = ("Jane", "Bill", "Tom", "Margarethe", "Céline", "Øyvind")
PUBLIC = ("status", "ending", "play", "display", "seats", "totals", "log")
OWN = ("picks", "holdings", "actions", "goals")
PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "table": {
        "status": ("status", "ending"),
        "play": ("play", "display", "turnup"),
        "seats": ("seats",),
        "side": ("totals", "log"),
    },
    "seat": {
        "status": ("status", "ending"),
        "own": ("picks", "holdings", "actions", "turnup", "goals"),
        "play": ("play", "display"),
        "seats": ("seats",),
        "side": ("totals", "log"),
    },
}
MAINS = {"table": "board board-table", "seat": "own"}
SIZES = {"phone": (360, 740), "tablet": (1280, 800), "tall": (800, 1280), "tv": (1920, 1080)}


class Moment(NamedTuple):
    """One moment of a game: its state, and the messages and payments so far."""

    name: str
    setup: Setup
    state: State[Any]
    told: dict[str, list[str]]
    ledger: Ledger
    payments: list[tuple[int, Payment]]


@cache
def environment() -> Environment:
    """Return Jinja configured as in the server: the shared templates, and the game's under their own prefix."""
    games = PrefixLoader({"take_a_train": FileSystemLoader(GAME_FOLDER / "templates")})
    loader = ChoiceLoader([PackageLoader("web"), games])
    found = Environment(loader=loader, autoescape=True, undefined=Undefined, trim_blocks=True, lstrip_blocks=True)
    found.globals["kept"] = draw
    return found


@cache
def words_of(lang: str) -> Any:
    """Return the game's words in a language."""
    return load(lang, words_folders("companion.games.take_a_train"))


def moments(players: int, kinds: tuple[str, ...], seed: int, **setup: Any) -> Iterator[Moment]:
    """Play a random game with these auction tokens, and yield each moment that awaits a seat."""
    luck = random.Random(seed)
    header = Setup("take-a-train", NAMES[:players], setup.pop("options", {}), **setup)
    state = RULES.begin(header)
    purse = tokens({1000: 3, 500: 3, 100: 4, 50: 2, 5000: 0})
    bank = tokens(
        {5000: 10, 1000: 35 - 3 * players, 500: 35 - 3 * players, 100: 25 - 4 * players, 50: 20 - 2 * players}
    )
    ledger, payments = Ledger(bank, (purse,) * players), []
    told: dict[str, list[str]] = {"en": [], "fr": []}
    every = {lang: words_of(lang) for lang in told}
    while True:
        name = RULES.view(state, None).moment
        kind = state.table.kind if name not in ("draw_token", "over", "name_starter") else ""
        yield Moment(f"{kind}-{name}", header, state, {k: v[-40:][::-1] for k, v in told.items()}, ledger, payments)
        if state.over:
            return
        event = chosen(state, kinds, luck)
        state = apply(RULES, state, event)
        for lang, words in every.items():
            told[lang] += TELLER.tell(event, state.effects, header.seated(), words, False, state.table)
        moves = [e for e in state.effects if isinstance(e, Moved) and e.amount]
        if moves:
            payments = []
        for move in moves:
            ledger, paid = ledger.pay(move.seat, move.amount)
            payments.append((move.seat, paid))


def chosen(state: State[Any], kinds: tuple[str, ...], luck: random.Random) -> Event:
    """Return the next event: the wanted token, a careful bid, few passes, or a random event."""
    offers = legal(RULES, state)
    name = RULES.view(state, None).moment
    if name == "draw_token":
        return ev.TokenDrawn(kinds[state.table.round])  # type: ignore[arg-type]
    for _ in range(12):
        offer = luck.choice(offers)
        event = offer.pick(luck.random)
        dear = getattr(event, "amount", 0) > 1300 and isinstance(event, ev.Opened | ev.Bid | ev.Raised | ev.Committed)
        if not dear and not isinstance(event, ev.TurnPassed | ev.Exchanged | ev.CountBroken):
            return event
        if hasattr(offer, "low") and offer.low <= 1300 and dear:
            return type(event)(event.seat, min(offer.high, offer.low + 50 * luck.randrange(12)))  # type: ignore[call-arg, attr-defined]
    return event


def page(moment: Moment, viewer: str, seat: int | None, lang: str, theme: str, jinja: Environment) -> str:
    """Return one page with all regions of a viewer."""
    words = words_of(lang)
    state, setup = moment.state, moment.setup
    names = (*PUBLIC, *OWN, "turnup") if viewer == "seat" else (*PUBLIC, "turnup")
    context = {
        "view": RULES.view(state, None),
        "me": RULES.view(state, Seat(seat)) if seat is not None else None,
        "setup": setup,
        "players": setup.seated(),
        "words": words,
        "lang": lang,
        "money": lambda amount: format_money(amount, lang),
        "names": lambda seats: TELLER.names(seats, setup.seated(), words),
        "viewer": viewer,
        "seat": seat,
        "seen": 1,
        "csrf": "x",
        "urls": {"propose": "#", "draw": "#"},
        "log": moment.told[lang],
        "ledger": moment.ledger,
        "payments": moment.payments,
        "sight": SightText(),
        "signs": {} if seat is None else signs_for(TELLER.signs, [o for o in legal(RULES, state) if o.by == seat]),
        "dealt": setup.deck == "dealt",
        "book": tuple(state.table.fixed.book.locos.values()),
        "prizes": {p.id: p.prize for p in PURPOSES},
        "wagon_kinds": kinds_of(state) if setup.deck != "box" else None,
        "gains": gains(state),
    }
    drawn = {n: jinja.get_template(f"take_a_train/{n}.html").render(context) for n in names}
    body = "\n".join(
        f'<div class="place-{place}">'
        + "".join(
            f'<section id="region-{n}" class="region region-{n}">{drawn[n]}</section>' for n in some if n in drawn
        )
        + "</div>"
        for place, some in PLACES[viewer].items()
    )
    return f"""<!doctype html><html lang="{lang}" data-theme="{theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{moment.name}</title>
<link rel="stylesheet" href="/static/css/layout.css"><script src="/static/js/controls.js" defer></script>
<body class="page-{viewer}"><header class="bar"><a class="home" href="/">Take a Train</a></header>
<main class="{MAINS[viewer]}">{body}</main></body></html>"""


def kinds_of(state: State[Any]) -> tuple[tuple[str, int], ...]:
    """Return the types and values of the wagon cards in this deck."""
    cards = {c for c in state.table.fixed.book.wagons if "-" in c}
    return tuple(sorted((c.split("-")[0], int(c.split("-")[1])) for c in cards))


def gallery() -> Iterator[tuple[Moment, str, int | None]]:
    """Yield interesting moments with a viewer each: one of each kind, long trains and the end."""
    games = (
        (3, ("pass", "blind", "double_blind"), 5, {"deck": "dealt"}),
        (4, ("preemption", "open", "twist"), 8, {"deck": "dealt"}),
        (6, ("open", "twist", "pass"), 11, {"deck": "dealt"}),
        (3, ("pass", "twist", "preemption"), 3, {"deck": "ours"}),
        (2, ("blind", "twist", "pass"), 4, {"deck": "box", "catalogue": "box"}),
        (3, ("blind", "open", "pass"), 4, {"deck": "ours", "options": {"bid_channel": "hand"}}),
    )
    for players, kinds, seed, setup in games:
        last: dict[str, Moment] = {}
        for moment in moments(players, kinds, seed, **setup):  # type: ignore[arg-type]
            if moment.name not in last or moment.name.endswith(("-act", "-bidding", "-fists")):
                last[moment.name] = moment
        label = f"{players}{setup['deck']}"
        for found in last.values():
            named = found._replace(name=f"{label}-{found.name}")
            awaited = RULES.view(found.state, None).awaited
            yield named, "table", None
            yield named, "seat", awaited[0] if awaited else 0


def photograph(folder: Path, names: list[str], sizes: list[str]) -> None:
    """Take a screenshot of each page at each size."""
    from playwright.sync_api import Route

    from tests.web.browser.devices import chromium

    def serve(route: Route) -> None:
        path = route.request.url.split("//preview")[1].split("?")[0]
        file = STATIC / path.removeprefix("/static/") if path.startswith("/static/") else folder / path.lstrip("/")
        if file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0] or "text/html")
        else:
            route.fulfill(status=404)

    with chromium() as browser:
        for size in sizes:
            width, height = SIZES[size]
            tab = browser.new_page(viewport={"width": width, "height": height})
            tab.on("console", lambda message: print("console:", message.text))
            tab.on("pageerror", lambda error: print("error:", error))
            tab.route("**/*", serve)
            for name in names:
                tab.goto(f"http://preview/{name}.html")
                wide = tab.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    print(f"{name} at {size}: {wide} pixels wide")
                tab.screenshot(path=str(folder / f"{name}-{size}.png"), full_page=True)
            tab.close()


def main() -> None:
    """Write the pages and take screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--only", default="", help="part of the page's name")
    parser.add_argument("--shots", nargs="*", choices=list(SIZES), help="take pictures at these sizes")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    jinja = environment()
    names: list[str] = []
    for moment, viewer, seat in gallery():
        name = f"{moment.name}-{viewer}"
        if all(part in name for part in given.only.split(",")):
            html = page(moment, viewer, seat, given.lang, given.theme, jinja)
            (given.out / f"{name}.html").write_text(html, encoding="utf-8")
            names.append(name)
    print("\n".join(names))
    if given.shots:
        photograph(given.out, names, given.shots)


if __name__ == "__main__":
    main()
