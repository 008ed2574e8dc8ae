"""Test journals and set-ups that name former options, which now have fixed values.

The journals in `earlier` name all 47 options of that time at their defaults: for each edition a running and a finished
match, and an Open auction with button presses.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.engine import BadSetup, Setup
from companion.files.untrusted import read_bytes
from companion.games import GAMES
from companion.games.take_a_train.events import Counted
from companion.games.take_a_train.options import Options, resolve
from companion.journal import database
from companion.journal.journal import JOURNAL, Journal, Record
from companion.match.match import Match, MatchError
from companion.match.notation import EXTRA, EXTRA_HEADER, MAX_BYTES, TextError, export, read_text
from companion.table.table import CURRENT, Table
from tests.games.take_a_train.build import A
from tests.games.take_a_train.document import REASONS
from tests.games.take_a_train.proofs import proves
from tests.support.matches import dealt, stroll
from tests.support.presses import Live, S, hit

GAME = GAMES["take-a-train"]
OTHER = {
    "twin_copy": "first",
    "preemption_zero": "one_only",
    "extreme_timing": "any_time",
    "ten_wagons": "cumulative",
    "first_player_means": "starter",
    "stall": "k_lots",
    "short_reveal": "fewer",
    "lone_may_decline": "no",
    "double_min_on": "sum",
    "preempt_fail_bid": "forfeited",
    "preempt_tie": "after",
    "open_reoffer": "no",
    "order_tie": "next_fastest",
    "exchange_breaks_pass_chain": "yes",
    "bin_spares_specials": "yes",
    "longer_refill": "no",
    "mult_on_replacement": "as_x2",
    "twin_counts": "no",
    "wagon_reshuffle": "no",
    "purpose_timing": "after_all_have_three",
    "extreme_tie": "sole_only",
    "claim_in_lot": "no",
    "public_log": "all",
}
"""Each former option with a value that matches could once choose."""
TIMES = ("open_grace_ms", "same_moment_ms", "count_gap_ms", "double_tap_ms")


class Earlier(NamedTuple):
    """A stored journal with its number of events and its final scores."""

    name: str
    events: int
    scores: tuple[int, ...]
    over: bool = False

    def lines(self) -> list[str]:
        """Return the lines of the journal, starting with the header."""
        path = Path(__file__).with_name("earlier") / f"{self.name}.jsonl"
        return read_bytes(path, MAX_BYTES).decode().splitlines()

    def with_options(self, **more: object) -> list[str]:
        """Return the lines with other options in the header."""
        header, *events = self.lines()
        data = msgspec.json.decode(header)
        data["options"] |= more
        return [msgspec.json.encode(data).decode(), *events]


COUNTING = Earlier("en_counting", 10, (5000, 5000, 5000))
FINISHED = Earlier("en_finished", 147, (1000, 950), over=True)
RUNNING = Earlier("en_running", 70, (700, 100, 0))
JOURNALS = (
    COUNTING,
    FINISHED,
    RUNNING,
    Earlier("fr_finished", 237, (400, 450), over=True),
    Earlier("fr_running", 70, (0, 0, 1050)),
)


@pytest.fixture(autouse=True)
def lazy_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off synchronous writes for speed, because these tests do not cover power cuts."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")


def keep(folder: Path, lines: list[str]) -> str:
    """Write the lines of a journal into a database as recorded, and return the match id."""
    header, *events = [msgspec.json.decode(line) for line in lines]
    setup = msgspec.convert({key: value for key, value in header.items() if key not in EXTRA_HEADER}, Setup)
    with Journal(folder / JOURNAL) as journal:
        match_id = journal.create(setup, header.get("seed", ""), header["started"])
        records = [
            Record(each["seq"], each["at"], each["by"], each["move"], msgspec.json.encode(body).decode())
            for each in events
            for body in [{key: value for key, value in each.items() if key not in EXTRA}]
        ]
        last = events[-1]["move"] if "ended" in header else 0
        for move, together in groupby(records, lambda record: record.move):
            journal.append(match_id, list(together), ended=move == last or None)
    return match_id


@pytest.fixture(params=JOURNALS, ids=[each.name for each in JOURNALS])
def earlier(request: pytest.FixtureRequest) -> Any:
    """Return each of the journals in turn."""
    return request.param


def test_the_journals_name_every_option_of_then(earlier: Earlier) -> None:
    """The journals name all 47 options: today's except `count_pace`, and the former ones."""
    named = msgspec.json.decode(earlier.lines()[0])["options"]
    assert set(named) == {*Options.__struct_fields__, *Options.RULED} - {"count_pace"}
    assert (len(named), len(Options.RULED), set(Options.RULED)) == (47, 27, {*OTHER, *TIMES})


def test_a_journal_of_then_plays_on(earlier: Earlier, tmp_path: Path) -> None:
    """Every event of an old journal is accepted from text and from a database, and bots can finish the match."""
    line = read_text(earlier.lines())
    assert (len(line.nodes), line.game.scores(line.state), line.state.over) == (
        earlier.events,
        earlier.scores,
        earlier.over,
    )
    match_id = keep(tmp_path, earlier.lines())
    with Journal(tmp_path / JOURNAL) as journal:
        match = Match.open(journal, match_id, check=True)
        assert (len(match.line.nodes), match.game.scores(match.state)) == (earlier.events, earlier.scores)
        assert list(export(journal, match_id, secrets=True))[1:] == earlier.lines()[1:]
        if match.setup.deck == "dealt":
            stroll(match, Random(3), 1_000_000)
            assert match.state.over


def test_an_open_auction_of_then_goes_on_at_the_table(tmp_path: Path) -> None:
    """A table continues an old Open auction, and the leader's presses count at the table's own pace."""
    slow = COUNTING.with_options(**dict.fromkeys(TIMES, 9999))
    keep(tmp_path, slow)
    with Live(tmp_path / JOURNAL) as live:
        live.table.resume("1")
        live.play(*[hit(0, live.now + n * S) for n in (1, 2, 3)], until=live.now + 4 * S)
        assert [event for event in live.events if isinstance(event, Counted)][-3:] == [Counted(A, n) for n in (1, 2, 3)]
        assert live.cash == (4650, 5000, 5000)


@pytest.mark.parametrize("value", [0, 1, 150, 10_000, 10**9, "150", None])
@pytest.mark.parametrize("name", TIMES)
def test_a_journal_of_any_times_opens(name: str, value: object) -> None:
    """A journal opens with any value of the former times, because it stores the referee's decisions."""
    line = read_text(COUNTING.with_options(**{name: value}))
    assert (len(line.nodes), line.game.scores(line.state)) == (COUNTING.events, COUNTING.scores)


# --- refused --------------------------------------------------------------------------------------


def sentence(name: str) -> str:
    """Return the message about an option at another value."""
    value = Options.RULED[name].value_in({})
    return f"this was decided: {name} is always {value} now, not {OTHER[name]}"


@proves("R-00")
@pytest.mark.parametrize("name", OTHER)
def test_a_journal_that_chose_otherwise_is_refused_and_readable(name: str, tmp_path: Path) -> None:
    """A journal with another value is refused with one message, stays unchanged and can be exported as text."""
    lines = FINISHED.with_options(**{name: OTHER[name]})
    with pytest.raises(TextError) as text:
        read_text(lines, "game.jsonl")
    rule = Options.RULED[name].rule
    assert str(text.value) == f"game.jsonl, line 1: this cannot be played: {sentence(name)} ({rule})"
    match_id = keep(tmp_path, lines)
    with Journal(tmp_path / JOURNAL) as journal:
        with pytest.raises(MatchError) as opened:
            Match.open(journal, match_id)
        assert str(opened.value) == f"Match 1 cannot begin by these rules: {sentence(name)} ({rule})"
        assert list(export(journal, match_id))[1:] == lines[1:]


def test_an_unfinished_journal_that_is_refused_shows_no_secret(tmp_path: Path) -> None:
    """An unfinished journal that cannot be played is exported only with its secrets, and the command says so."""
    lines = RUNNING.with_options(stall="k_lots")
    keep(tmp_path, lines)
    asked = ("export", "1", "--data", str(tmp_path))
    refused = CliRunner().invoke(main, asked)
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert f"{sentence('stall')} (R-19) Its text has secrets: export it with them (--secrets)." in refused.stderr
    whole = CliRunner().invoke(main, (*asked, "--secrets"))
    assert whole.stdout.splitlines()[1:] == lines[1:]


def test_a_table_whose_match_is_refused_goes_on_without_it(tmp_path: Path) -> None:
    """A table that cannot resume its match says why, keeps the journal and starts a new match."""
    keep(tmp_path, RUNNING.with_options(stall="k_lots"))
    with Journal(tmp_path / JOURNAL) as journal:
        journal.keep(CURRENT, b"1")
    with Table(tmp_path / JOURNAL) as table:
        shown = table.snapshot()
        assert (shown.match_id, sentence("stall") in shown.findings[0]) == ("", True)
        assert table.start(dealt()) == "2"
        assert [match.records for match in table.matches() if match.id == "1"] == [RUNNING.events]


@pytest.mark.parametrize("name", OTHER)
def test_a_set_up_cannot_choose_what_is_decided(name: str) -> None:
    """A set-up and a command refuse any value of a former option except the fixed one."""
    with pytest.raises(BadSetup) as caught:
        GAME.begin(Setup("take-a-train", 3, {name: OTHER[name]}))
    refusal = caught.value.refusal
    assert (refusal.rule, refusal.key, caught.value.message) == (
        Options.RULED[name].rule,
        "option_ruled",
        sentence(name),
    )
    assert resolve({name: str(Options.RULED[name].value_in({}))}) == Options()
    told = CliRunner().invoke(main, ("simulate", "take-a-train", "--games", "1", "--option", f"{name}={OTHER[name]}"))
    assert (told.exit_code, told.stderr) == (1, f"Error: T{sentence(name)[1:]}.\n")


def test_twin_follows_its_edition() -> None:
    """Twin copies the first wagon in the French edition and the last in the English one, without a choice."""
    assert resolve({"edition": "fr", "twin_copy": "first"}).twin_first
    with pytest.raises(BadSetup, match="twin_copy is always first now, not last"):
        resolve({"edition": "fr", "twin_copy": "last"})
    with pytest.raises(BadSetup, match="twin_copy is always last now, not first"):
        resolve({"edition": "en", "twin_copy": "first"})


def test_every_decision_has_its_reason() -> None:
    """The rule document has a reason for every former option except the times."""
    assert set(REASONS) == set(OTHER)
