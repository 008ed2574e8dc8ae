"""Tournaments for tests of a hall's pages: planned, seated and entered by hand, with forms sent as browsers do."""

from __future__ import annotations

import html
import re
from typing import Any

import msgspec
from werkzeug.test import TestResponse

from companion.devices.hall_link.messages import Placing, Result
from companion.hall import entries as e
from tests.support.web.hall_pages import TOKEN, HallBrowser, HallPages


def send(browser: HallBrowser, path: str, **form: Any) -> TestResponse:
    """Send a form in which a field may occur several times."""
    found = TOKEN.search(browser.get("/p").text)
    assert found is not None
    return browser.client.post(path, data={"csrf": found[1], **form})


def look(browser: HallBrowser, **form: Any) -> TestResponse:
    """Send a list of players, or choices on a page that has such a list; return the next page."""
    answer = send(browser, "/tournament/players", **form)
    return answer if answer.status_code != 303 else browser.get(answer.location)


def choices(page: TestResponse) -> dict[str, Any]:
    """Return the fields of a list's page without changes, as if its main button was pressed."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'(?:<input type="(?:hidden|text)"|main") name="([^"]+)" value="([^"]*)"', page.text):
        found.setdefault(name, []).append(html.unescape(value))
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', page.text, re.DOTALL):
        found[name] = re.findall(r'value="(\d*)" selected', options) or [""]
    return {name: values for name, values in found.items() if name != "csrf"}


def enter(browser: HallBrowser, **form: Any) -> TestResponse:
    """Send a list of players, and enter the preview."""
    return send(browser, "/tournament/players", **choices(look(browser, **form)))


def plain(answer: TestResponse) -> str:
    """Return a page's words without tags."""
    text = re.sub(r"<(script|head)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).replace("&#39;", "'").split())


def begin(pages: HallPages, *names: str, rounds: int = 3, sizes: tuple[int, ...] = (2, 3, 4)) -> None:
    """Plan a tournament and enter players."""
    plan = e.TournamentPlanned("Open", "", rounds, "swiss", sizes, sizes[-1])
    pages.hall.record("organiser", plan, e.PlayersEntered(names))


def seat(pages: HallPages, *tables: tuple[int, ...], byes: tuple[int, ...] = ()) -> None:
    """Seat the next round by hand, at tables from number 1."""
    seated = tuple([e.SeatedTable(number, players) for number, players in enumerate(tables, start=1)])
    pages.hall.record("organiser", e.RoundSeated(len(pages.hall.state.rounds) + 1, seated, byes))


def typed(pages: HallPages, table: int, *places: int) -> None:
    """Enter a result of the latest round, with places by seat."""
    current = pages.hall.state.round
    assert current is not None
    players = next(each.players for each in current.tables if each.number == table)
    placings = tuple([Placing((at,), place, 10 * place) for at, place in enumerate(places)])
    pages.hall.record("organiser", e.ResultTyped(current.number, table, players, placings))


def reported(pages: HallPages, *names: str, places: tuple[int, ...], confirmed: tuple[int, ...] = (0, 1)) -> str:
    """Let a table report a result of the latest round; return its id."""
    current = pages.hall.state.round
    assert current is not None
    result = Result(
        hall=pages.hall.state.hall, table="table001", round=current.number, match=names[0][:4], sequence=1,
        game="game-of-trains", names=names, confirmed=confirmed,
        placings=tuple([Placing((at,), place, 50 - place) for at, place in enumerate(places)]),
    )  # fmt: skip
    pages.hall.record("table001", e.ResultReported("table001", msgspec.json.encode(result), b""))
    return result.id
