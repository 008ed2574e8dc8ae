"""Tests that the sample's games replay as recorded and that each difference is found.

After an intended change, list the permitted differences in `changes.toml` or record the sample again: `python -m
tests.tools.evidence record --only games --games 3 --every 5 --out tests/tools/evidence/sample`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.engine import AnyState, Choice, Offer, Seat
from companion.games import GAMES
from companion.match.history import RecordReader
from tests.games.completeness import HOUSE
from tests.tools.evidence import files, games, looks, parts
from tests.tools.evidence.__main__ import main

SAMPLE = Path(__file__).parent / "evidence" / "sample"
TONS, WHIST = "twenty-tons-3", "freight-whist-4"


@pytest.fixture(autouse=True)
def own_table() -> Iterator[None]:
    """Restore the shipped table of permitted differences after each test."""
    yield
    games.use_table(games.TABLE)


def recorded(kind: str = TONS) -> games.GameRecord:
    """Return a game of the sample."""
    return files.find(SAMPLE, kind, 1)


def allow(folder: Path, text: str) -> None:
    """Use these lines as the table of permitted differences."""
    path = folder / "changes.toml"
    path.write_text(text, encoding="utf-8")
    games.use_table(path)


def found(record: games.GameRecord) -> dict[str, int]:
    """Return the aspects in which a game differs, each with its first step."""
    return {each.aspect: each.step for each in games.compare_game(record)}


def rule_of(kind: str) -> Any:
    """Return the class of a game's rules, for a test to modify."""
    return type(GAMES[kind.rpartition("-")[0]])


@pytest.mark.parametrize("path", files.recorded(SAMPLE), ids=lambda path: path.stem)
def test_recorded_games_go_as_they_were_recorded(path: Path) -> None:
    """Recorded games of each game and number of players, with their decks, editions and options, replay as recorded."""
    compared = files.compare_file(path)
    assert [f"{each.place}: {each.why}" for each in compared.differences] == []
    assert compared.games >= 3 > sum(compared.ruled.values())


def test_the_sample_has_every_game_and_number_of_players() -> None:
    """The sample contains exactly the present games and numbers of players."""
    names = {path.stem.rpartition("-")[0] for path in files.recorded(SAMPLE)}
    known = {f"{name}-{players}": name for name, game in GAMES.items() for players in game.seats}
    assert {each for each, name in known.items() if name in HOUSE} <= names <= set(known)


def test_a_changed_score_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed score is found in each aspect that shows it, from the step at which it changes."""
    rules, scores = rule_of(TONS), rule_of(TONS).scores
    monkeypatch.setattr(rules, "scores", lambda self, state: tuple([each + state.over for each in scores(self, state)]))
    record = recorded()
    differing = found(record)
    assert differing.pop("scores") == differing.pop("public.scores") == len(record.events)
    assert all(aspect.endswith(".scores") for aspect in differing)


def test_one_more_legal_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An additional legal event is found, even if it was never chosen."""
    record = recorded(WHIST)
    reader = RecordReader(GAMES[record.game])
    event = reader.decode(record.events[-1])

    def one_more(self: object, state: AnyState) -> tuple[Offer, ...]:
        return (Choice(Seat(0), (event,)),)

    monkeypatch.setattr(rule_of(WHIST), "standing", one_more)
    assert found(record)["legal"] == 0


def test_a_leaked_field_of_a_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that is visible to all viewers instead of one seat is found."""
    rules, view = rule_of(WHIST), rule_of(WHIST).view
    monkeypatch.setattr(rules, "view", lambda self, state, seat: view(self, state, seat or Seat(0)))
    differing = found(recorded(WHIST))
    assert differing
    assert all(aspect.startswith("public.") for aspect in differing)


def test_a_refused_event_is_found() -> None:
    """A refused event is found with its step and the reason, and nothing after it is compared."""
    record = recorded()
    doctored = msgspec.structs.replace(record, events=(*record.events[:6], record.events[0], *record.events[7:]))
    differing = games.compare_game(doctored)
    assert [(each.step, each.aspect) for each in differing] == [(7, "event")]
    assert '"rule":' in differing[0].why


def test_rules_that_fail_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failing rule is reported, and all other games are still compared."""
    monkeypatch.setattr(rule_of(TONS), "ranking", None)
    (only,) = games.compare_game(recorded())
    assert (only.aspect, "TypeError" in only.why) == ("fault", True)


def test_a_single_other_value_is_found() -> None:
    """A single different value is found by the digest, even if its byte is the same."""
    record = recorded()
    digest, marks = record.aspects["legal"]
    for other in ((digest, marks[:3] + bytes([marks[3] ^ 1]) + marks[4:]), (bytes(8), marks)):
        assert set(found(msgspec.structs.replace(record, aspects=record.aspects | {"legal": other}))) == {"legal"}


def test_aspects_come_and_go_only_by_the_table(tmp_path: Path) -> None:
    """A new or missing aspect is a difference unless the table names it."""
    record = recorded()
    aspects = record.aspects | {"public.older": record.aspects["legal"]}
    del aspects["public.facts"]
    doctored = msgspec.structs.replace(record, aspects=aspects)
    assert set(found(doctored)) == {"public.older", "public.facts"}
    allow(tmp_path, '[every]\nadded = ["public.facts"]\n[twenty-tons]\ngone = ["public.old*"]\n')
    assert found(doctored) == {}


def test_fields_are_renamed_by_the_table(tmp_path: Path) -> None:
    """A renamed field is compared by its recorded name, at the top of a view and inside."""

    class View(msgspec.Struct):
        now: dict[str, int]

    assert looks.fields_of(View({"now": 1}), {}) == {"now": b'{"now":1}'}
    assert looks.fields_of(View({"now": 1}), {"now": "was"}) == {"was": b'{"was":1}'}
    allow(tmp_path, '[twenty-tons.names]\nscores = "points"\n')
    assert {"public.points", "public.scores"} <= set(found(recorded()))


def test_a_ruled_option_excuses_only_other_values(tmp_path: Path) -> None:
    """A recorded game with the remaining value of a removed option replays as before, in each edition."""
    allow(tmp_path, '[some.ruled]\nstall = "never"\ncopy = { en = "last", fr = "first" }\n')
    for options in ({"stall": "k_lots"}, {"edition": "fr", "copy": "last"}, {"copy": "first"}):
        with pytest.raises(games.Ruled):
            games.check_ruled("some", options)
    games.check_ruled("some", {"stall": "never", "edition": "fr", "copy": "first", "other": 1})


def test_a_set_up_that_is_refused_is_found(tmp_path: Path) -> None:
    """A refused set-up is a difference unless an option was removed; then the game counts as incomparable."""
    record = recorded()
    setup = msgspec.json.decode(record.setup) | {"options": {"gone": "yes"}}
    setup["players"] = 40
    doctored = msgspec.structs.replace(record, setup=msgspec.json.encode(setup).decode())
    assert found(doctored) == {"setup": 0}
    allow(tmp_path, '[twenty-tons.ruled]\ngone = "no"\n')
    files.write(tmp_path / "games" / "twenty-tons-3-0001.xz", [doctored])
    assert files.compare_file(tmp_path / "games" / "twenty-tons-3-0001.xz").ruled == {"twenty-tons: gone": 1}


def test_offers_are_the_same_however_they_are_cut() -> None:
    """Offers are compared only by their events and seats, in any form."""
    record = recorded(WHIST)
    reader = RecordReader(GAMES[record.game])
    first, *others = [reader.decode(text) for text in record.events[:4]]
    at_once = [Choice(Seat(1), (first, *others))]
    in_parts = [Choice(Seat(1), (*others, first)), Choice(Seat(1), (first,))]
    assert looks.listed(at_once) == looks.listed(in_parts) != looks.listed([Choice(Seat(0), (first, *others))])


def test_the_command_records_compares_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command exits with an error if something differs, and prints the place and the present value."""
    record, path = recorded(), tmp_path / "games" / "twenty-tons-3-0001.xz"
    files.write(path, [record])
    assert main(["compare", str(tmp_path), "--only", "games", "--processes", "1"]) == 0
    doctored = bytes([255 - record.aspects["scores"][1][0]]) + record.aspects["scores"][1][1:]
    files.write(path, [msgspec.structs.replace(record, aspects=record.aspects | {"scores": (bytes(8), doctored)})])
    assert main(["compare", str(tmp_path), "--only", "games", "--processes", "1"]) == 1
    assert "twenty-tons-3 1 0 'scores': now [0,0,0]" in capsys.readouterr().out
    assert main(["show", TONS, "1", "0", "scores", "--at", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "[0,0,0]\n"
    assert main(["record", "--only", "journals", "--out", str(tmp_path)]) == 0
    assert main(["compare", str(tmp_path), "--only", "journals"]) == 0
    with pytest.raises(SystemExit):
        main(["compare", str(tmp_path / "empty"), "--only", "games"])


@pytest.mark.parametrize("name", ["urls", "help"])
def test_a_text_that_comes_goes_or_changes_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new, missing or changed text is named with the lines that differ."""
    parts.record_part(tmp_path, name)
    assert parts.compare_part(tmp_path, name) == {}
    was = parts.PARTS[name]({})
    gone, changed = sorted(was)[:2]
    now = {key: text for key, text in was.items() if key != gone} | {changed: "other", "new": "text"}
    monkeypatch.setitem(parts.PARTS, name, lambda given: now)
    differing = parts.compare_part(tmp_path, name)
    assert set(differing) == {gone, changed, "new"}
    assert "+other" in differing[changed].splitlines()


def test_sheets_are_the_same_whenever_they_are_made() -> None:
    """Printed sheets are compared without their time of creation."""
    now, later, other = (
        b"<< /CreationDate (D:%s) /Title (%s) >> trailer << /ID [<%s><%s>] >>" % (day, title, day, day)
        for day, title in ((b"20260101", b"mat"), (b"20270202", b"mat"), (b"20260101", b"deck"))
    )
    assert parts.DATED.sub(b"", now) == parts.DATED.sub(b"", later) != parts.DATED.sub(b"", other)
