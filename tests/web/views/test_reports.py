"""Test the report of a finished match, its files and replay, and the records over all matches."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.engine import Player, Seat
from companion.games import GAMES
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.games.take_a_train import events as ev
from companion.journal import database
from companion.journal.journal import Journal, JournalError, Summary
from companion.match.actor import Actor
from companion.match.match import Match
from companion.referee.verdict import Judged, PressMark
from companion.table.table import CURRENT
from tests.support.matches import OPEN_LOT, begun, ours
from tests.support.web import finished
from tests.support.web.board_room import board_room
from tests.support.web.finished import play_on, play_out
from tests.support.web.visitors import JOURNAL, Room, regions, said
from web.finished import records
from web.finished.matches import FinishedMatch
from web.finished.records import RecordBook, feat_tables, player_lines
from web.finished.replay import SHOWN, Replay
from web.presenters.csv_tables import BOM
from web.presenters.scene import lot_of
from web.views.reports import KEEP
from web.words import package, words

PLAYED = ("game-of-trains", "take-a-train", "express", "trains")
"""The games of matches 1 to 4."""


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Yield a room in which a match of each game has ended; tests must not change it."""
    folder = tmp_path_factory.mktemp("past")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "SYNCHRONOUS", "OFF")
        with Journal(folder / JOURNAL) as journal:
            for game in PLAYED:
                play_out(journal, game, 4 if game == "express" else 3)
        with Room(folder) as room:
            yield room


def number_of(game: str) -> int:
    """Return the number of a game's match."""
    return PLAYED.index(game) + 1


@pytest.mark.parametrize("game", PLAYED)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_report_is_in_words_and_links_its_files_and_its_replay(past: Room, game: str, lang: str) -> None:
    """The report contains no key and every table of the game, and all its links open."""
    where = f"/past/{number_of(game)}/"
    visitor = past.visitor(lang)
    html = visitor.get(where).text
    say = words(lang, package(GAMES[game]))
    assert not re.search(r"report\.\w+\.|records\.\w+|replay\.\w+\b(?!\?)", re.sub(r'(href|id)="[^"]*"', "", html))
    titles = [unescape(each) for each in re.findall(r'id="report-\w+"><h2 class="title">([^<]+)', html)]
    keys = [key.split(".")[0] for key in say.section("report") if key.endswith(".title")]
    assert titles and set(titles) <= {say(f"report.{key}.title") for key in keys}
    for link in ("report.csv", "report.json", "replay", "/past/records", "game.jsonl"):
        assert f'href="{link}"' in html
        assert visitor.get(link if link.startswith("/") else where + link).status_code == 200


def test_the_file_for_spreadsheets_has_every_event_and_the_end(past: Room) -> None:
    """The file is UTF-8 with its mark, has a row for each event, and ends with the final scores."""
    for game, lang, delimiter in [(game, *way) for game in PLAYED for way in (("en", ","), ("fr", ";"))]:
        answer = past.visitor(lang).get(f"/past/{number_of(game)}/report.csv")
        assert answer.content_type == "text/csv; charset=utf-8"
        text = answer.data.decode("utf-8")
        assert text.startswith(BOM)
        rows = [row for row in csv.reader(io.StringIO(text.removeprefix(BOM)), delimiter=delimiter) if row]
        with Journal(past.folder / JOURNAL, read_only=True) as journal:
            match = Match.open(journal, str(number_of(game)))
        assert rows[-1][0] == str(len(match.entries))
        assert [int(each) for each in rows[-1][3:]] == list(match.game.scores(match.state))
        assert "Céline" in text or len(match.setup.seated()) < 4


def test_the_file_for_programs_says_the_same(past: Room) -> None:
    """The file for programs contains the players, the ranking, the tables and the course."""
    body = json.loads(past.anybody.get(f"/past/{number_of('trains')}/report.json").data)
    assert (body["game"], body["players"]) == ("trains", ["Jane", "Bill", "Tom"])
    points = next(each for each in body["sections"] if each["key"] == "points")
    totals = {row[0]: row[-1] for row in points["rows"]}
    assert {each["players"]: each["score"] for each in body["standings"]} == totals
    assert body["course"][-1]["scores"] == [totals[name] for name in body["players"]]
    assert body["standings"][0]["place"] == 1


def test_a_name_that_is_a_formula_stays_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is a formula gets an apostrophe in the file, and stays as typed on the page and for programs."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    names = (Player("=1+1", "red", "circle"), Player("שרה", "blue", "square"))
    monkeypatch.setattr(finished, "people", lambda _: names)
    finished.finished(tmp_path, "game-of-trains", 2)
    with Room(tmp_path) as room:
        text = room.anybody.get("/past/1/report.csv").data.decode("utf-8")
        cells = [cell for row in csv.reader(io.StringIO(text.removeprefix(BOM))) for cell in row]
        assert "'=1+1" in cells and "שרה" in cells and not [cell for cell in cells if cell.startswith(("=", "@"))]
        assert json.loads(room.anybody.get("/past/1/report.json").data)["players"] == ["=1+1", "שרה"]


def test_of_a_match_that_runs_there_is_no_report(room: Room) -> None:
    """A running match has no report, no files and no steps."""
    room.set_up()
    for path in ("report.csv", "report.json", "replay", "replay/en/0"):
        answer = room.anybody.get(f"/past/1/{path}")
        assert (answer.status_code, said(answer)) == (403, words("en")("error.not_ended"))


@pytest.mark.parametrize("path", ["replay?step=x", "replay?step=99999", "replay/en/-1", "replay/en/99999999",
                                  "replay/xx/1", "replay/en/1e2"])  # fmt: skip
def test_a_step_that_is_not_there_is_answered_with_a_sentence(past: Room, path: str) -> None:
    """A step that does not exist has no page."""
    assert past.anybody.get(f"/past/1/{path}").status_code == 404


# --- the replay -----------------------------------------------------------------------------------


def test_the_last_step_shows_what_the_live_table_shows(past: Room) -> None:
    """The last step has the same regions and words as the live table."""
    match = past.table.snapshot().match_id
    credentials = past.context.access.open_match(match, "4711")
    past.pin = credentials.room
    live = regions(past.anybody.get(past.page("watch")).text)
    last = len(past.table.snapshot().entries)
    step = regions(past.anybody.get(f"/past/{match}/replay/en/{last}").text + "</section>")
    assert step.keys() >= {"status", "seats", "board", "supply"}
    assert {name: live[name] for name in step if name != "board"} == {
        name: html for name, html in step.items() if name != "board"
    }
    assert live["board"].count("data-part") == step["board"].count("data-part")


def test_a_step_of_which_nothing_is_told_is_not_the_first(tmp_path: Path) -> None:
    """A step without a sentence, such as the end of a turn, is not shown as the beginning."""
    with board_room(tmp_path, 3, HILL_AND_HARBOUR) as room:
        play_on(room)
        last = len(room.table.snapshot().entries)
        begin, told = words("en")("replay.begin"), []
        for step in range(last + 1):
            page = room.anybody.read(f"/past/1/replay?step={step}")
            told += re.findall(r"data-told[^>]*>(.*?)</p>", page)
        assert told[0] == begin and begin not in told[1:] and "…" in told
        assert len(told) == last + 1


@pytest.mark.parametrize("game", PLAYED)
def test_steps_are_the_same_in_any_order(past: Room, game: str) -> None:
    """A step is the same forwards, backwards and alone, in both languages, and shows no controls of a seat."""
    where = f"/past/{number_of(game)}/replay"
    last = int(re.findall(r'max="(\d+)"', past.anybody.get(where).text)[0])
    chosen = [0, 1, last // 3, last // 2, last]
    first = [past.anybody.get(f"{where}/en/{step}").text for step in chosen]
    assert [past.anybody.get(f"{where}/en/{step}").text for step in reversed(chosen)] == first[::-1]
    assert len(set(first)) == len(chosen)
    french = past.anybody.get(f"{where}/fr/{chosen[2]}").text
    assert french != first[2]
    for html in first:
        names = set(regions(html + "</section>"))
        assert names <= {*SHOWN} and not names & {"log", "actions", "holdings", "people", "controls"}


def test_a_step_tells_what_happened_and_is_kept_for_good(past: Room) -> None:
    """A step sets no cookie and is cached forever, because a later version of the page has another address."""
    where = f"/past/{number_of('take-a-train')}/replay"
    page = past.visitor().get(where)
    version = re.findall(r'data-version="(\w+)"', page.text)[0]
    fresh = past.visitor()
    answer = fresh.get(f"{where}/en/1?v={version}")
    assert answer.headers["Cache-Control"] == KEEP and "Set-Cookie" not in answer.headers
    assert fresh.get(f"{where}/en/1").headers["Cache-Control"] == "no-store"
    assert fresh.get(f"{where}/en/1?v=old").headers["Cache-Control"] == "no-store"
    assert re.findall(r"<p data-told>([^<]+)", answer.text)[0].endswith(".")


def test_no_step_shows_what_was_secret_then(past: Room) -> None:
    """No step of Take a Train except the last shows the money behind screens."""
    match = number_of("take-a-train")
    where = f"/past/{match}/replay/en/"
    shown = past.context.finished.open(past.table.matches()[len(PLAYED) - match]).replay
    for step in range(0, shown.last, 40):
        assert 'class="cash"' not in past.anybody.get(f"{where}{step}").text, step
    assert 'class="cash"' in past.anybody.get(f"{where}{shown.last}").text


def test_a_verdict_is_shown_at_the_step_that_it_belongs_to(room: Room, tmp_path: Path) -> None:
    """A verdict appears after its raise, not before, and not after the course of play was changed."""
    folder = tmp_path / "lot"
    folder.mkdir()
    with begun(folder, ours(), *OPEN_LOT) as match:
        raised = Judged("raise", lot_of(match.state), (PressMark(Seat(1), 0, "leads", 250),))
        assert match.judge(raised, Actor.REFEREE, ev.Raised(Seat(1), 250)) is None
        counted = Judged("count", lot_of(match.state), (PressMark(Seat(1), 0, "counted", 1),))
        assert match.judge(counted, Actor.REFEREE, ev.Counted(Seat(1), 1)) is None
        replay = Replay(match, room.context.renderer)
        before = replay.last - 2
        assert [replay.snapshot(step).verdicts for step in range(before, replay.last + 1)] == [
            (), (raised,), (raised, counted)
        ]  # fmt: skip
        assert match.rewind(match.entries[-1].seq - 2, Actor.HOST) is None
        assert Replay(match, room.context.renderer).snapshot(before).verdicts == ()


# --- records --------------------------------------------------------------------------------------


@pytest.fixture
def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Yield a room with three finished matches in which one player's name was spelled in two ways."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    monkeypatch.setattr(records, "BUDGET", 60.0)  # a busy machine may read some of them only at the next visit
    with Journal(tmp_path / JOURNAL) as journal:
        play_out(journal, "take-a-train", 3, seed=1)
        play_out(journal, "take-a-train", 3, seed=2)
        capitals = tuple([Player(name.upper(), colour, shape) for name, colour, shape in PEOPLE])
        monkeypatch.setattr(finished, "people", lambda _: capitals)
        play_out(journal, "game-of-trains", 3)
        play_out(journal, "game-of-trains", 3, seed=8)
        journal.keep(CURRENT, None)
    with Room(tmp_path) as room:
        yield room


PEOPLE = (("Jane", "red", "circle"), ("Bill", "blue", "square"), ("Tom", "green", "triangle"))


def test_records_count_games_victories_best_and_average(several: Room) -> None:
    """The records agree with the scores in the journal."""
    lines = several.table.matches()
    matches = [several.context.finished.read(line).match for line in lines if line.game == "take-a-train"]
    scores = [match.game.scores(match.state) for match in matches]
    page = several.anybody.read("/past/records")
    rows = re.findall(r"<tr><td>(.+?)</td>" + r'<td class="figure">(.+?)</td>' * 4 + "</tr>", page)
    trains = {row[0]: row[1:] for row in rows[:3]}
    for seat, name in enumerate(("Jane", "Bill", "Tom")):
        own = [each[seat] for each in scores]
        wins = sum([seat in match.game.winners(match.state) for match in matches])
        best, mean = (f"${amount:,}" for amount in (max(own), round(sum(own) / 2)))
        assert trains[name] == ("2", str(wins), best, mean)
    assert {row[0]: row[1] for row in rows[3:]} == {"JANE": "2", "BILL": "2", "TOM": "2"}


def test_names_that_look_alike_are_one_player_s(several: Room) -> None:
    """Names that differ only in capitals or in similar letters of other scripts belong to one player, as at set-up."""
    sums = [each for each in several.context.records.sums(several.table.matches()) if each is not None]
    one, other, *_ = [each for each in sums if each.game == "take-a-train"]
    say = words("en", package(GAMES["take-a-train"]))
    alike = other._replace(names=("JANE", "Вill", "Tоm"))
    assert [line.games for line in player_lines(GAMES["take-a-train"], [one, alike], say)] == [2, 2, 2]


def test_players_with_the_same_record_are_in_the_order_of_the_alphabet(several: Room) -> None:
    """Players with the same record are sorted alphabetically, and accented names do not come after Z."""
    one = next(each for each in several.context.records.sums(several.table.matches()) if each is not None)
    drawn = one._replace(game="take-a-train", names=("Zoë", "Łukasz", "Lucy"), won=(True, True, True))
    lines = player_lines(GAMES["take-a-train"], [drawn], words("en", package(GAMES["take-a-train"])))
    assert [line.name for line in lines] == ["Lucy", "Łukasz", "Zoë"]


def test_what_winners_had_is_counted_against_chance(several: Room) -> None:
    """The statistics count the best seats of all auctions, and compare their victories with chance: one in three."""
    sums = [each for each in several.context.records.sums(several.table.matches()) if each is not None]
    feats = [(feat, each) for each in sums for feat in each.feats if feat.kind == "auction"]
    assert len(feats) == 6
    say = words("en", package(GAMES["take-a-train"]))
    tables = feat_tables(GAMES["take-a-train"], [each for each in sums if each.game == "take-a-train"], say)
    auctions = next(table for table in tables if table.title == say("records.auction.title"))
    assert sum([line.times for line in auctions.lines]) == sum([len(feat.seats) for feat, _ in feats])
    won = sum([each.won[seat] for feat, each in feats for seat in feat.seats])
    assert round(sum([line.times * line.won for line in auctions.lines]) / 100) == won
    assert {line.expected for line in auctions.lines} == {33}


def test_a_visit_counts_no_longer_than_its_budget_and_the_next_goes_on(several: Room) -> None:
    """A visit reads no longer than its budget, each match once, and skips a match that cannot be read."""
    read: list[str] = []
    ticks = iter([0.0, 0.0, records.BUDGET + 1, 0.0, *[0.0] * 9])

    def opened(line: Summary) -> FinishedMatch:
        read.append(line.id)
        if line.id == "2":
            raise JournalError("damaged")
        return several.context.finished.read(line)

    book, lines = RecordBook(opened), several.table.matches()
    assert len(book.sums(lines, lambda: next(ticks))) == 1
    assert len(found := book.sums(lines, lambda: next(ticks))) == 4
    assert book.sums(lines, lambda: next(ticks)) == found and read == ["4", "3", "2", "1"]
    assert [each is None for each in found] == [False, False, True, False]


def test_without_games_the_page_says_so(room: Room) -> None:
    """The page says that there are no games, and does not count a running match."""
    assert words("en")("records.none") in room.anybody.read("/past/records")
    room.set_up()
    assert words("en")("records.none") in room.anybody.read("/past/records")
