"""Play an organiser's evening: 14 players from a spreadsheet, four rounds, and every kind of mishap.

Everything happens on pages or through tables, and the hall is killed after each round. Every number of the standings is
recomputed independently from the results.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.devices.hall_link.messages import Placing, Result
from companion.hall import entries as e
from tests.support.standings_by_hand import by_hand, places_by_hand
from tests.support.web.hall_pages import HallPages
from tests.support.web.tournaments import enter, plain, send

NAMES = (
    "Nom;Prénom\nPetit;Zoé\nRoux;Luc\nØstergård;Søren\nŁukasik;Anna\nDupont;Marie\nDupont;Jean\nNguyễn;Văn An\n"
    "de Vries;Jan\nO’Brien;Aoife\nÇelik;Öykü\nMüller;Jürgen\nHåkansson;Åsa\nRossi;Paolo\nTanaka;Yuki\nTotal;14\n"
)  # fmt: skip
PLAN = {"name": "Club evening", "game": "", "rounds": "4", "method": "swiss", "sizes": ["4"], "preferred": "4"}


class Evening:
    """A hall that can be killed, its tables' results, and its organiser's browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables: list[list[tuple[int, int]]] = []
        self.byes: list[int] = []
        self.open()

    def open(self) -> None:
        """Open the hall on its database."""
        self.pages = HallPages(self.folder)
        self.browser = self.pages.browser()

    def kill(self) -> None:
        """Replace the hall by one that knows only the database."""
        self.pages.close()
        self.open()

    def do(self, path: str, **form: object) -> None:
        """Send a form, which must be accepted."""
        answer = send(self.browser, path, **form)
        assert answer.status_code == 303, (path, plain(answer))

    def seat(self) -> e.RoundSeated:
        """Seat the next round, call it, and return it."""
        number = len(self.pages.hall.state.rounds) + 1
        self.do("/tournament/seat", round=str(number))
        self.do("/tournament/call", round=str(number), minutes="0", length="45")
        current = self.pages.hall.state.rounds[number]
        self.byes += current.byes
        return e.RoundSeated(number, current.tables, current.byes)

    def report(self, table: str, players: Sequence[int], places: Sequence[int], match: str = "", seats: int = 2) -> str:
        """Let a table report a match that some seats confirm, and return the result's id."""
        state = self.pages.hall.state
        result = Result(
            hall=state.hall, table=table, round=len(state.rounds), match=match or f"round{len(state.rounds)}",
            sequence=1, game="express", names=tuple([state.players[each].name for each in players]),
            placings=tuple([Placing((seat,), place, 90 - place) for seat, place in enumerate(places)]),
            confirmed=tuple(range(seats)), tournament=0,
        )  # fmt: skip
        self.pages.hall.record(table, e.ResultReported(table, msgspec.json.encode(result), b""))
        return result.id

    def count(self, players: Sequence[int], places: Sequence[int]) -> None:
        """Record the expected results."""
        self.tables.append(list(zip(players, places, strict=True)))

    def type_result(self, table: int, players: Sequence[int], places: Sequence[int]) -> None:
        """Type a result on its page."""
        number = len(self.pages.hall.state.rounds)
        form = {"player": [*map(str, players)], "place": [*map(str, places)], "score": [""] * len(players)}
        self.do(f"/tournament/round/{number}/table/{table}", **form)

    def check(self) -> None:
        """Compare the page and the spreadsheet with the expected results, before and after a kill."""
        worth = by_hand(self.pages.hall.state.players, self.tables, self.byes)
        places = places_by_hand(worth, self.tables)
        for _ in range(2):
            data = self.browser.get("/tournament/standings.csv").data.decode("utf-8-sig")
            lines = [*csv.reader(io.StringIO(data))][1:]
            shown = {int(line[1]): (int(line[0]), line[3], int(line[4]), line[5]) for line in lines}
            expected = {
                each: (places[each], f"{float(points):.2f}", wins, f"{float(met):.2f}")
                for each, (points, wins, met) in worth.items()
            }
            assert {each: (at, f"{float(points):.2f}", wins, f"{float(met):.2f}")
                    for each, (at, points, wins, met) in shown.items()} == expected  # fmt: skip
            self.kill()


def test_an_evening_of_fourteen(tmp_path: Path) -> None:
    """The standings stay right with a late entry, a no-show, a returning drop-out, byes, a wrong result, a tie and a
    rematch."""
    evening = Evening(tmp_path)
    tables = [evening.pages.add_table(number) for number in (1, 2, 3)]
    evening.do("/tournament/plan", **PLAN)
    enter(evening.browser, names=NAMES)
    players = evening.pages.hall.state.players
    assert len(players) == 14 and players[3].name == "Søren Østergård" and players[8].family == "de Vries"

    first = evening.seat()
    assert len(first.tables) == 3 and len(first.byes) == 2
    one, two, three = [table.players for table in first.tables]
    evening.report(tables[0], one, (2, 1, 3, 4))
    evening.count(one, (2, 1, 3, 4))
    evening.report(tables[1], two, (1, 2, 2, 4))  # a tie
    evening.count(two, (1, 2, 2, 4))
    evening.type_result(3, three, (1, 2, 3, 4))
    evening.type_result(3, three, (4, 3, 2, 1))  # the first result was wrong
    evening.count(three, (4, 3, 2, 1))
    rematch = evening.report(tables[0], one, (1, 2, 3, 4), "rematch")
    assert "nobody expected" in plain(evening.browser.get("/tournament"))
    evening.check()
    evening.do("/tournament/result/drop", result=rematch)
    evening.check()

    enter(evening.browser, names="Late Larsen")
    gone = two[0]
    evening.do(f"/tournament/players/{gone}/left")
    second = evening.seat()
    assert len(second.byes) == 2 and not {*second.byes} & {*first.byes} and gone not in {
        *second.byes, *[each for table in second.tables for each in table.players]}  # fmt: skip
    one, two, three = [table.players for table in second.tables]
    evening.do("/tournament/round/2/absent", player=str(two[1]), table="2")
    came = [each for each in two if each != two[1]]
    evening.report(tables[0], one, (1, 2, 3, 4))
    evening.report(tables[1], came, (3, 1, 2), seats=1)
    assert evening.browser.get("/tournament/standings").status_code == 200
    assert not send(evening.browser, "/tournament/seat", round="3").location  # two results are missing
    evening.do("/judge/name", name="Cleo")
    evening.do("/judge/result", result=evening.pages.hall.state.results[f"{tables[1]}:round2"].id, right="1")
    evening.report(tables[2], three, (1, 1, 3, 4))
    evening.count(one, (1, 2, 3, 4))
    evening.count(came, (3, 1, 2))
    evening.count(three, (1, 1, 3, 4))
    evening.check()

    evening.do(f"/tournament/players/{gone}/back")
    third = evening.seat()
    assert len(third.byes) == 3 and not {*third.byes} & {*first.byes, *second.byes}
    one, two, three = [table.players for table in third.tables]
    for table, people in zip(tables, (one, two, three), strict=True):
        evening.report(table, people, (4, 3, 2, 1))
        evening.count(people, (4, 3, 2, 1))
    evening.do(f"/organiser/remove/{tables[2]}")  # the result that counts stays
    evening.check()

    fourth = evening.seat()
    assert len(fourth.byes) == 3 and [table.number for table in fourth.tables] == [1, 2, 3]
    one, two, three = [table.players for table in fourth.tables]
    evening.report(tables[0], one, (1, 2, 3, 4))
    evening.report(tables[1], two, (1, 2, 3, 4))
    evening.type_result(3, three, (2, 1, 4, 3))
    for people, places in ((one, (1, 2, 3, 4)), (two, (1, 2, 3, 4)), (three, (2, 1, 4, 3))):
        evening.count(people, places)
    evening.check()
    assert len(evening.byes) == len({*evening.byes}) == 10
    evening.pages.close()
