"""Measures a tournament of 1,200 players at 300 tables: each round's seating, and each page in the last round.

`python -m tests.bench tournament`. Each page is requested right after an entry, when its caches are empty, and the
slowest of five times counts. As the peer, a bare Flask sends the same number of prepared bytes.
"""

from __future__ import annotations

import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

from flask import Flask
from werkzeug.test import TestResponse

from companion.devices.hall_link.messages import Placing
from companion.hall import entries as e
from companion.hall.rounds import next_seating
from tests.support.web.hall_pages import HallBrowser, HallPages

TABLES, ROUNDS, TIMES = 300, 6, 5
FIRST = ("Ada", "Bjørn", "Chloé", "Dmitri", "Elif", "Finn", "Gülşen", "Hugo", "Inés", "Jürgen", "Kaya", "Łucja", "Mona",
         "Nils", "Öykü", "Paolo", "Quỳnh", "Rosa", "Søren", "Tomáš", "Uma", "Věra", "Wim", "Xavier", "Yuki", "Zoë",
         "Aino", "Brecht", "Ciarán", "Dora")  # fmt: skip
FAMILY = (
    "Abels", "Bakker", "Černý", "Dupont", "Eriksen", "Ferrari", "García", "Håkansson", "Ivanov", "Jansen",
    "Kowalski", "Lefèvre", "Müller", "Nowak", "O’Brien", "Pérez", "Quist", "Rossi", "Šimek", "Tanaka", "Ulrich",
    "Virtanen", "Weiß", "Xu", "Yılmaz", "Zieliński", "van der Berg", "de la Cruz", "Ångström", "Đorđević", "Æbelø",
    "Ødegaard", "Mac Giolla", "Nguyễn", "Papadopoulos", "Ricci", "Sørensen", "Thévenet", "Urbán", "Ziegler",
)  # fmt: skip
PLACES = tuple([Placing((seat,), seat + 1, 40 - seat) for seat in range(4)])
PAGES = (
    "/", "/wall", "/table/table001", "/organiser", "/organiser/entries", "/judge", "/judge/sheet", "/tournament",
    f"/tournament/round/{ROUNDS - 1}", f"/tournament/round/{ROUNDS}/table/7", "/tournament/players",
    "/tournament/players?q=nowak", "/tournament/players/700", "/tournament/standings", "/tournament/plan",
    "/tournament/print/seating", "/tournament/print/standings", "/tournament/seating.csv", "/tournament/results.csv",
    "/tournament/standings.csv", "/organiser/results.csv", "/p", "/p?number=now", "/p/700", "/p/700/now",
    "/p/700/result",
    "/wall/seating", "/wall/seating?page=9", "/wall/standings", "/organiser/undo?entry=303", "/tournament/close",
)  # fmt: skip
"""The pages opened while the last round is played; the entry to undo is the one that entered all players."""
SEATED = ("/tournament", "/tournament/hand", f"/tournament/seat-again?round={ROUNDS}&entry=SEATED", "/wall/standings")
"""The pages opened just after that round was seated."""


def timed(act: Callable[[], object]) -> tuple[float, object]:
    """Return the milliseconds of a call, and its result."""
    began = time.perf_counter()
    found = act()
    return 1000 * (time.perf_counter() - began), found


def play(pages: HallPages, luck: random.Random) -> Iterator[tuple[int, float]]:
    """Play all rounds before the last, which is only seated; yield the time of each seating."""
    hall = pages.hall
    for number in range(1, TABLES + 1):
        pages.add_table(number)
    people = [*product(FIRST, FAMILY)][: 4 * TABLES]
    luck.shuffle(people)
    hall.record("organiser", e.TournamentPlanned("Spring Cup", "", ROUNDS, "swiss", (3, 4), 4))
    names, families = tuple([" ".join(each) for each in people]), tuple([family for _, family in people])
    hall.record("organiser", e.PlayersEntered(names, families=families))
    for number in range(1, ROUNDS + 1):
        took, seated = timed(lambda: next_seating(hall.state, luck))
        assert isinstance(seated, e.RoundSeated)
        yield number, took
        hall.record("organiser", seated)
        hall.record("organiser", e.RoundCalled(number, int(time.time()) - 60, 50))
        if number < ROUNDS:
            finish(pages, luck, seated.tables)


def finish(pages: HallPages, luck: random.Random, tables: Iterable[e.SeatedTable]) -> None:
    """Finish tables of the latest round."""
    number = max(pages.hall.state.rounds)
    results = [e.ResultTyped(number, each.number, tuple(luck.sample(each.players, 4)), PLACES) for each in tables]
    pages.hall.record("judge Ada", *results)


def peer(size: int) -> float:
    """Return the slowest of several answers of a bare Flask with this many bytes."""
    app, body = Flask("peer"), "x" * size
    app.add_url_rule("/", view_func=lambda: body)
    client = app.test_client()
    return max([timed(lambda: client.get("/").data)[0] for _ in range(TIMES)])


def show(pages: HallPages, browser: HallBrowser, paths: Iterable[str]) -> None:
    """Print each page's slowest and median time, its size, and the time of a bare Flask for that size."""
    seated = pages.hall.state.rounds[ROUNDS].entry
    for path in paths:
        times, size = [], 0
        for turn in range(TIMES):
            pages.hall.record("judge Ada", e.Announced(f"{path} {turn}"[:60].strip()))
            took, answer = timed(lambda path=path: browser.get(path.replace("SEATED", str(seated))))  # type: ignore[misc]
            assert isinstance(answer, TestResponse) and answer.status_code == 200, (path, answer)
            times.append(took)
            size = len(answer.data)
        print(f"{path:42s} {max(times):5.0f} ms   middle {sorted(times)[TIMES // 2]:5.0f}   {size / 1000:5.0f} kB   "
              f"Flask {peer(size):4.1f} ms", flush=True)  # fmt: skip


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    luck = random.Random(7)
    with tempfile.TemporaryDirectory() as folder, closing(HallPages(Path(folder))) as pages:
        browser = pages.browser()
        for path in ("/", "/tournament/plan", "/p"):  # load the templates first
            browser.get(path)
        gc.freeze()  # as in the hall's server
        for number, took in play(pages, luck):
            print(f"seating round {number}: {took:6.0f} ms", flush=True)
        show(pages, browser, SEATED)
        finish(pages, luck, pages.hall.state.rounds[ROUNDS].tables[::2])
        print("Half the results of the last round are there:")
        show(pages, browser, PAGES)


if __name__ == "__main__":
    main()
