"""The command line is a public interface: results are as documented, and errors are sentences without a traceback."""

from __future__ import annotations

import json
import random
import sys
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.table import Table

from companion import cli
from companion.bots.bot import policy_of
from companion.bots.simulation import play
from companion.commands import terminal
from companion.config import Checker
from companion.devices.child_processes import SupervisedProcess
from companion.engine import Event, Setup, State, state_hash
from companion.findings import finding_text as telling
from companion.findings import sentences
from companion.games import GAMES
from companion.journal.journal import JOURNAL, Journal
from companion.match.actor import Actor
from companion.match.match import Match
from tests.support.paces import HURRIED

GAME = GAMES["take-a-train"]
SETUP = Setup("take-a-train", 3)
SHIPPED = resources.files("companion.games.take_a_train").joinpath("catalogue.toml").read_text(encoding="utf-8")


def run(*words: str, **settings: Any) -> Result:
    """Run the command line with the given words."""
    return CliRunner().invoke(cli.main, list(words), **settings)


def said(result: Result, code: int) -> str:
    """Return the error message of a failed command after checking its exit code and that there is no traceback."""
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return result.stderr


def game(seed: int = 3, stop: int = 10_000) -> tuple[list[Event], State[Any]]:
    """Return a game's first events, and the state after the last of them."""
    events: list[Event] = []
    states: list[State[Any]] = []

    def watch(before: State[Any], event: Event, after: State[Any]) -> None:
        events.append(event)
        states.append(after)

    play(GAME, SETUP, [policy_of(GAME, "sensible")] * 3, random.Random(seed).random, watch)
    return events[:stop], states[:stop][-1]


def lines(events: list[Event]) -> str:
    """Return a match as hand-written lines of JSON."""
    header = '{"game": "take-a-train", "players": 3}'
    return "\n".join([header, *(msgspec.json.encode(event).decode() for event in events)]) + "\n"


# --- help -----------------------------------------------------------------------------------------


def every_command() -> list[tuple[str, ...]]:
    """Return the names of every command and group."""
    context, found = click.Context(cli.main), [()]
    for name in cli.main.list_commands(context):
        command = cli.main.get_command(context, name)
        found.append((name,))
        if isinstance(command, click.Group):
            found += [(name, inner) for inner in command.commands]
    return found


def test_the_commands_are_the_documented_ones() -> None:
    """The commands of the program are exactly the documented ones."""
    assert cli.main.list_commands(click.Context(cli.main)) == [
        "address",
        "backup",
        "bench",
        "broker",
        "buttons",
        "camera",
        "catalogue",
        "deck",
        "demo",
        "doctor",
        "enrol",
        "export",
        "game",
        "hall",
        "host-pin",
        "mat",
        "people",
        "recognise",
        "replay",
        "restore",
        "rules",
        "run",
        "simulate",
        "table",
        "update",
        "verify",
        "wiring",
    ]
    assert set(cli.Main.PLUGINS) == {"demo", "hall", "people"}


@pytest.mark.parametrize("name", cli.Main.PLUGINS)
def test_a_plugin_that_cannot_be_imported_costs_its_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin that cannot be imported costs only its own command: an error names it, and all others work."""
    monkeypatch.setitem(sys.modules, cli.Main.PLUGINS[name].partition(":")[0], None)
    sentence = f"The command '{name}' cannot be loaded"
    assert sentence in said(run(name), 2)
    help = run("--help")
    assert help.exit_code == 0 and sentence in help.stderr
    assert {"run", "table", "doctor"} < {line.split()[0] for line in help.stdout.splitlines() if line.strip()}
    assert run("run", "--help").exit_code == 0 and sentence not in run("run", "--help").stderr


@pytest.mark.parametrize("text", ["", '[hall]\ndatabase = "no address"\n'])
def test_a_hall_that_cannot_be_imported_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    """Without the hall's module its settings are not checked, which the log reports only if there are such settings."""
    monkeypatch.setitem(sys.modules, "web.hall.settings", None)
    (tmp_path / "companion.toml").write_text(f"{text}[presses]\ncount_gap_ms = -1\n", encoding="utf-8")
    (found,) = Checker(cli.checks).left_out(tmp_path)
    assert found.key.endswith("presses")
    assert ("the hall cannot be loaded" in caplog.text) == bool(text)


@pytest.mark.parametrize("words", every_command())
def test_every_command_explains_itself(words: tuple[str, ...]) -> None:
    """Every command has a help text of at least one sentence, and every option is explained."""
    result = run(*words, "--help")
    assert result.exit_code == 0
    command: Any = cli.main
    for word in words:
        command = command.get_command(click.Context(command), word)
    assert command.help and "." in command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{words}: {option.name} is not explained"


# --- simulate -------------------------------------------------------------------------------------


def test_simulate_prints_the_documented_json() -> None:
    """`simulate --json` prints exactly the documented keys, and its sums agree."""
    result = run("simulate", "take-a-train", "--players", "3", "--games", "4", "--seed", "7", "--json")
    assert result.exit_code == 0 and result.stderr == ""
    data = json.loads(result.stdout)
    assert list(data) == ["game", "players", "games", "events", "seconds", "results"]
    assert (data["game"], data["players"], data["games"]) == ("take-a-train", 3, 4)
    assert data["events"] == sum(r["events"] for r in data["results"])
    assert [list(r) for r in data["results"]] == [["seed", "scores", "winners", "events", "hash"]] * 4
    assert [r["seed"] for r in data["results"]] == [7, 8, 9, 10]


def test_simulate_repeats_itself_to_the_byte() -> None:
    """The same simulation prints the same results."""
    words = ("simulate", "take-a-train", "--games", "3", "--seed", "7", "--edition", "fr", "--json")
    first, second = (run(*words).stdout for _ in range(2))
    assert first.split('"results"')[1] == second.split('"results"')[1]


def test_simulate_takes_options_and_bots() -> None:
    """Options change the rules, `--bots` fills the seats, and without `--json` the command prints a table."""
    plain = run("simulate", "take-a-train", "--games", "2", "--json").stdout
    dear = run("simulate", "take-a-train", "--games", "2", "--option", "sequence_costs=[50,50,50,50,50,50]", "--json")
    assert json.loads(plain)["results"] != json.loads(dear.stdout)["results"]
    changed = run(
        "simulate", "take-a-train", "--games", "2", "--option", "purpose_swap=steam_electric", "--json"
    ).stdout
    assert json.loads(plain)["results"] != json.loads(changed)["results"]
    result = run("simulate", "take-a-train", "--games", "2", "--bots", "random", "--players", "2")
    assert result.exit_code == 0
    assert "games won" in result.stdout and "events in" in result.stdout


def test_simulate_plays_in_sides() -> None:
    """Partners get the same points, and `--partners` means the same as the game's option."""
    words = ("simulate", "express", "--players", "4", "--games", "1", "--option", "hands=1", "--json")
    result = json.loads(run(*words, "--partners").stdout)["results"]
    assert result == json.loads(run(*words, "--option", "partners=sides").stdout)["results"]
    assert result[0]["scores"][:2] == result[0]["scores"][2:]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("chess",), 2, "There is no game called 'chess'. Choose one of: take-a-train, trains, game-of-trains, "),
        (("take-a-train", "--players", "9"), 2, "take-a-train is for 2 to 6 players, not 9."),
        (("take-a-train", "--players", "abc"), 2, "'abc' is not a valid integer"),
        (("take-a-train", "--games", "0"), 2, "0 is not in the range"),
        (
            ("take-a-train", "--bots", "clever"),
            2,
            "There are no 'clever' bots: choose sensible, plain, random, learns, plays or wins.",
        ),
        (("take-a-train", "--option", "min_raise"), 2, "write --option key=value"),
        (("take-a-train", "--option", "sequence_costs=[600"), 2, "is not a list"),
        (("take-a-train", "--option", "sequence_costs=[600,500]"), 1, "must name 6 prices"),
        (("take-a-train", "--option", "min_raise=75"), 1, "must be a multiple of 50"),
        (("take-a-train", "--option", "weather=fine"), 1, "weather"),
        (("take-a-train", "--partners"), 1, "There is no option partners; there are edition"),
        (("express", "--players", "5", "--partners"), 1, "5 players cannot form teams."),
        (("take-a-train", "--edition", "de"), 1, "must be en or fr, not 'de'"),
        (("take-a-train", "--catalogue", "nowhere.toml"), 1, "There is no file nowhere.toml."),
    ],
)
def test_simulate_refuses_in_words(words: tuple[str, ...], code: int, sentence: str) -> None:
    """An impossible simulation is refused with exit code 2 for wrong usage and 1 for a breach of the rules."""
    assert sentence in said(run("simulate", *words), code)


# --- replay ---------------------------------------------------------------------------------------


def test_replay_reads_hand_written_lines(tmp_path: Path) -> None:
    """A hand-written game is replayed to the same hash, scores and number of events."""
    events, state = game()
    file = tmp_path / "match.jsonl"
    file.write_text(lines(events))
    result = run("replay", str(file), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {
        "game": "take-a-train",
        "events": len(events),
        "hash": state_hash(state),
        "scores": list(GAME.scores(state)),
        "over": True,
    }


def test_replay_says_where_an_unfinished_match_stands(tmp_path: Path) -> None:
    """The replay of an unfinished match succeeds and shows the round and everybody's money."""
    events, state = game(stop=20)
    file = tmp_path / "match.jsonl"
    file.write_text(lines(events))
    data = json.loads(run("replay", str(file), "--json").stdout)
    assert (data["over"], data["events"], data["scores"]) == (False, 20, list(state.table.cash))
    shown = run("replay", str(file))
    assert shown.exit_code == 0
    assert "The game goes on in round 1" in shown.stdout and state_hash(state) in shown.stdout


def test_replay_reads_a_database_and_an_export_alike(tmp_path: Path) -> None:
    """A journal and its export are replayed to the same state."""
    with Journal(tmp_path / JOURNAL) as journal:
        match = Match.begin(journal, Setup("take-a-train", 3, deck="ours"))
        for event in ({"event": "starter_named", "seat": 1}, {"event": "token_drawn", "kind": "pass"}):
            assert match.propose(msgspec.convert(event, GAME.events), Actor.TABLE) is None
        hashed = state_hash(match.state)
    database = json.loads(run("replay", str(tmp_path / JOURNAL), "--json").stdout)
    assert database["hash"] == hashed and database["events"] == 2
    exported = tmp_path / "export.jsonl"
    result = run("export", "--data", str(tmp_path), "--to", str(exported))
    assert result.exit_code == 0 and "2 events written" in result.stdout
    assert json.loads(run("replay", str(exported), "--json").stdout) == database


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ('{"event": "took", "seat": 0, "slot": 0, "train": 0}', ("line 4", "took is not allowed here", "R-65")),
        ('{"event": "token_drawn", "kind": "raffle"}', ("line 4", "token_drawn", "raffle")),
        ('{"event": "starter_named"', ("line 4", "JSON")),
        ('{"seat": 0}', ("line 4", "an event is missing")),
        ("[]", ("line 4", "JSON object")),
    ],
)
def test_replay_points_at_the_line_that_is_wrong(tmp_path: Path, line: str, parts: tuple[str, ...]) -> None:
    """The error for an illegal or unreadable line has its number, the rule and the reason."""
    events, _ = game(stop=2)
    file = tmp_path / "match.jsonl"
    file.write_text(lines(events) + line + "\n")
    sentence = said(run("replay", str(file), "--json"), 1)
    for part in parts:
        assert part in sentence


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "there is no header"),
        ('{"players": 3}\n', "the header is missing"),
        ('{"game": "chess", "players": 3}\n', "there is no game called 'chess'"),
        ('{"game": "take-a-train", "players": 7}\n', "for 2 to 6 players"),
        ('{"game": "take-a-train", "players": 3, "format": 99}\n', "newer companion"),
    ],
)
def test_replay_refuses_a_wrong_header_in_words(tmp_path: Path, text: str, part: str) -> None:
    """A header of an impossible match is refused with the reason."""
    file = tmp_path / "match.jsonl"
    file.write_text(text)
    assert part in said(run("replay", str(file)), 1)


def test_replay_refuses_files_that_are_none(tmp_path: Path) -> None:
    """`replay` refuses a missing file, a folder and a picture with an error message."""
    assert "cannot be read" in said(run("replay", str(tmp_path / "nothing")), 1)
    assert "cannot be read" in said(run("replay", str(tmp_path)), 1)
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    assert "neither a journal nor a text" in said(run("replay", str(picture)), 1)


# --- another game ----------------------------------------------------------------------------------

TRAINS = resources.files("companion.games.game_of_trains").joinpath("catalogue.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_a_game_without_money_is_simulated(players: str) -> None:
    """In Game of Trains scores are wagons in order, one seat wins, and the table does not mention money."""
    words = ("simulate", "game-of-trains", "--players", players, "--games", "2", "--seed", "3")
    data = json.loads(run(*words, "--json").stdout)
    assert all(max(result["scores"]) == 7 and len(result["winners"]) == 1 for result in data["results"])
    shown = run(*words).stdout
    assert "wagons in order" in " ".join(shown.split())
    assert "money" not in shown


def test_a_game_without_rounds_is_replayed(tmp_path: Path) -> None:
    """An unfinished match shows the expected action in the game's words, and a secret deal means a dealt deck."""
    lines = [
        '{"game": "game-of-trains", "players": 2}',
        '{"event": "line_dealt", "seat": 0, "cards": [80, 61, 47, 33, 12, 9, 5]}',
        '{"event": "line_dealt", "seat": 1, "cards": [81, 62, 48, 34, 13, 10, 6]}',
        '{"event": "first_named", "seat": 1}',
    ]
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines))
    shown = run("replay", str(file))
    assert shown.exit_code == 0
    assert "The game goes on; it waits for: choose." in shown.stdout
    file.write_text("\n".join([*lines, '{"event": "hands_drawn", "hands": [[1, 2], [3]]}']))
    assert run("replay", str(file)).exit_code == 0
    file.write_text("\n".join([*lines, '{"event": "kept", "seat": 0, "card": 3, "position": 1}']))
    assert "Player 2 chooses first. (R-06)" in said(run("replay", str(file)), 1)


def test_its_rules_and_its_list_of_cards_are_shown(tmp_path: Path) -> None:
    """Rules are printed in both languages, cards with their sources, and faults of a wrong list in words."""
    assert "R-16" in run("rules", "game-of-trains").stdout
    assert "cadenas" in run("rules", "game-of-trains", "--lang", "fr").stdout
    assert "K16  Passenger Station. Draw one card." in run("rules", "trains").stdout
    shown = run("catalogue", "show", "--game", "game-of-trains")
    assert shown.exit_code == 0
    assert "move_right_2" in shown.stdout and "public" in shown.stdout
    file = tmp_path / "mine.toml"
    file.write_text(TRAINS)
    good = run("catalogue", "check", str(file), "--game", "game-of-trains")
    assert good.exit_code == 0 and "can be played" in good.stdout
    file.write_text(TRAINS.replace("number = 12\n", "number = 13\n"))
    wrong = run("catalogue", "check", str(file), "--game", "game-of-trains")
    assert wrong.exit_code == 1
    assert "2 wagons have the number 13" in wrong.output


# --- export ---------------------------------------------------------------------------------------


def sealed_match(folder: Path) -> None:
    """Store a match with a closed fist that has not been opened yet."""
    with Journal(folder / JOURNAL) as journal:
        match = Match.begin(journal, Setup("take-a-train", 3, deck="ours"))
        for event in (
            {"event": "starter_named", "seat": 0},
            {"event": "token_drawn", "kind": "preemption"},
            {"event": "committed", "seat": 1, "amount": 1350},
        ):
            assert match.propose(msgspec.convert(event, GAME.events), Actor.HOST) is None


def test_an_unfinished_match_is_exported_without_secrets(tmp_path: Path) -> None:
    """A closed fist stays secret in an export unless `--secrets` is given."""
    sealed_match(tmp_path)
    shown = run("export", "--data", str(tmp_path))
    assert shown.exit_code == 0
    assert "1350" not in shown.stdout and '"secret":true' in shown.stdout
    assert '"amount":1350' in run("export", "--data", str(tmp_path), "--secrets").stdout


def test_export_lists_the_matches(tmp_path: Path) -> None:
    """`--list` prints the matches as text and as JSON."""
    sealed_match(tmp_path)
    data = json.loads(run("export", "--data", str(tmp_path), "--list", "--json").stdout)
    assert [(m["game"], m["records"]) for m in data] == [("take-a-train", 3)]
    assert data[0]["id"] in run("export", "--data", str(tmp_path), "--list").stdout


def test_export_finds_the_data_folder_in_the_environment(tmp_path: Path) -> None:
    """COMPANION_DATA names the data folder if `--data` is missing, and a folder without a journal is reported."""
    empty = said(run("export", env={"COMPANION_DATA": str(tmp_path)}), 1)
    assert str(tmp_path) in empty
    sealed_match(tmp_path)
    assert run("export", env={"COMPANION_DATA": str(tmp_path)}).exit_code == 0
    assert "no match" in said(run("export", "77", "--data", str(tmp_path)), 1).lower()


# --- catalogue ------------------------------------------------------------------------------------


def test_catalogue_check_accepts_the_shipped_one(tmp_path: Path) -> None:
    """A copy of the shipped catalogue is complete and can be played."""
    file = tmp_path / "mine.toml"
    file.write_text(SHIPPED)
    result = run("catalogue", "check", str(file))
    assert result.exit_code == 0 and "can be played" in result.stdout
    assert json.loads(run("catalogue", "check", str(file), "--json").stdout)["good"] is True


def changed(old: str, new: str) -> str:
    """Return the shipped catalogue with one replacement."""
    assert old in SHIPPED
    return SHIPPED.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (SHIPPED.split("[[locomotives]]", 2)[0] + "[[locomotives]]" + SHIPPED.split("[[locomotives]]", 2)[2],
         ("There must be 7 steam locomotives, and there are 6.",)),
        (changed("power = 100", "power = 325"), ("steam-1", "325", "multiples of 50")),
        (changed("power = 100", "power = -50"), ("steam-1", "-50")),
        (changed("speed = 60", f"speed = {10**22}"), (f"steam-1: the speed cannot be {10**22}", "from 1 to 999.")),
        (changed('id = "steam-2"', 'id = "steam-1"'), ("Two locomotives are called steam-1.",)),
        (changed("value = 500", "value = 550"), ("passenger", "550")),
        (changed("count = 4", "count = 5"), ("There must be 25 food wagons, and there are 26.",)),
        (changed("[600, 500, 400, 300, 200, 100]", "[600, 500]"), ("6 sequence tokens", "2")),
        (changed('drive = "steam"', 'drive = "atomic"'), ("locomotives", "atomic")),
        (changed("power = 100", 'power = "much"'), ("locomotives", "a whole number", "a text")),
        (changed('name = "reconstruction"', 'colour = "red"'), ("'colour' is not allowed here",)),
        ("nonsense\n" + SHIPPED, ("cannot be read as TOML", "line 1")),
    ],
)  # fmt: skip
def test_catalogue_check_says_in_words_what_is_wrong(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    """Missing and wrong entries of a catalogue are explained in words, and the exit code is 1."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    result = run("catalogue", "check", str(file))
    assert result.exit_code == 1
    for part in parts:
        assert part in result.output
    assert "Traceback" not in result.output and "msgspec" not in result.output and "`" not in result.output


def test_catalogue_check_reads_only_text(tmp_path: Path) -> None:
    """`catalogue check` refuses a missing file, a folder and a picture with an error message."""
    assert "There is no file" in said(run("catalogue", "check", str(tmp_path / "nothing.toml")), 1)
    assert "it is a folder, not a file" in said(run("catalogue", "check", str(tmp_path)), 1)
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xfe\x00")
    assert "is not text" in said(run("catalogue", "check", str(picture)), 1)


def test_catalogue_show_prints_all_cards() -> None:
    """`catalogue show` prints all cards with their sources, or as JSON."""
    shown = run("catalogue", "show")
    assert shown.exit_code == 0 and "electric-5" in shown.stdout and "assumed" in shown.stdout
    data = json.loads(run("catalogue", "show", "--json").stdout)
    assert len(data["locomotives"]) == 18
    assert sum(wagon["count"] for wagon in data["wagons"]) == 82
    assert "?" in run("catalogue", "show", "box").stdout


def express_list(name: str) -> str:
    """Return one of the lists of Express as the text of a catalogue."""
    text = resources.files("companion.games.express").joinpath("profiles.toml").read_text(encoding="utf-8")
    return text.split(f"[{name}]\n")[1].split("\n[")[0]


def test_catalogue_check_names_missing_figures(tmp_path: Path) -> None:
    """Missing figures are no fault: each is listed with the rule that needs it. A list without gaps is complete."""
    file = tmp_path / "mine.toml"
    file.write_text(express_list("reconstruction"))
    words = ("catalogue", "check", str(file), "--game", "express")
    shown = run(*words)
    assert shown.exit_code == 0 and "has no faults, but some figures are missing." in shown.stdout
    assert "S-08: hand cost not entered.\n" in shown.stdout and "S-02: value of hopper not entered." in shown.stdout
    file.write_text(express_list("ours"))
    assert run(*words).stdout == f"{file}: the catalogue 'ours' is complete and can be played.\n"
    file.write_text(express_list("ours").replace("count = 12", "count = 100"))
    wrong = run(*words)
    assert (wrong.exit_code, wrong.stdout) == (1, "The count of box_car is 100, not 0 to 99.\n")
    file.write_text(resources.files("companion.games.trains").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    assert run("catalogue", "check", str(file), "--game", "trains").exit_code == 0
    file.write_text(file.read_text().replace("cost = 5\n", "", 1))
    assert "R-10: the cost or value of tower" in run("catalogue", "check", str(file), "--game", "trains").stdout


def test_every_list_that_comes_with_a_game_has_a_name() -> None:
    """Express uses its own figures by default, and the incomplete public ones can be chosen by name."""
    shown = run("catalogue", "show", "--game", "express").stdout
    assert "Cards of ours" in shown and "our own figure" in shown and "?" not in shown
    assert "?" in run("catalogue", "show", "reconstruction", "--game", "express").stdout
    assert "There is no file ours." in said(run("catalogue", "show", "ours", "--game", "trains"), 1)
    assert "twenty-tons has no list of cards." in said(run("catalogue", "show", "--game", "twenty-tons"), 1)
    words = ("simulate", "express", "--players", "2", "--games", "1", "--option", "hands=1", "--json")
    assert run(*words, "--catalogue", "ours").exit_code == 0
    assert "S-02: value of hopper not entered." in said(run(*words, "--catalogue", "reconstruction"), 1)


def test_a_catalogue_of_ones_own_can_be_simulated(tmp_path: Path) -> None:
    """A changed catalogue leads to other results in a simulation, and a wrong one is refused with the reason."""
    file = tmp_path / "mine.toml"
    file.write_text(changed("power = 900", "power = 1400"))
    words = ("simulate", "take-a-train", "--games", "2", "--json")
    mine = json.loads(run(*words, "--catalogue", str(file)).stdout)["results"]
    assert mine != json.loads(run(*words).stdout)["results"]
    file.write_text(changed("count = 4", "count = 5"))
    assert "25 food wagons" in said(run(*words, "--catalogue", str(file)), 1)


def test_catalogue_balance_tells_figures_and_criteria() -> None:
    """The figures of a study and all its criteria are printed as text and as JSON."""
    words = ("catalogue", "balance", "--games", "12", "--players", "3")
    data = json.loads(run(*words, "--json").stdout)
    assert data["games"] == 12 and len(data["criteria"]) == 5
    assert set(data["cargos"]) == {"food", "cattle", "coal", "oil", "luxury", "passenger"}
    shown = run(*words).stdout
    assert all(criterion["asked"] in shown for criterion in data["criteria"])


def test_balance_is_the_games_own() -> None:
    """Each game defines its own measurements, and a game without any is refused, as are too many players."""
    assert "twenty-tons does not say what is measured" in said(run("catalogue", "balance", "--game", "twenty-tons"), 1)
    words = ("catalogue", "balance", "--game", "take-a-train", "--players", "7")
    assert "take-a-train is for 2 to 6 players." in said(run(*words), 2)


# --- rules, run and unexpected errors --------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_rules_lists_every_rule(lang: str) -> None:
    """Each rule has a number, a text and sources, and names only existing options of the game."""
    rules = json.loads(run("rules", "take-a-train", "--lang", lang, "--json").stdout)
    assert [list(rule) for rule in rules] == [["id", "text", "options", "sources"]] * len(rules)
    numbers = [rule["id"] for rule in rules]
    assert len(set(numbers)) == len(numbers) > 60 and "R-01" in numbers and "R-82" in numbers
    options = {field.name for field in msgspec.structs.fields(type(GAME.begin(SETUP).table.fixed.options))}
    assert {option for rule in rules for option in rule["options"]} <= options
    assert {"kind": "rulebook", "where": "EN, FR"} in rules[1]["sources"] and {"kind": "ours", "where": ""} in rules[1][
        "sources"
    ]
    shown = " ".join(run("rules", "take-a-train", "--lang", lang).stdout.split())
    assert {"en": "[rulebook (EN, FR) · ruling]", "fr": "[livret (EN, FR) · décision]"}[lang] in shown


@pytest.mark.parametrize("name", ["photo[a].jpg", "black[/a].png", "[bold]", "a :cat: 12.png"])
def test_names_are_printed_as_they_are(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets and colons in names are printed unchanged, in tables too, and never treated as markup."""
    terminal.out().print(name)
    terminal.out().print(Table(name, name, title=name))
    terminal.remarks().print(name)
    printed = capsys.readouterr()
    assert (printed.out.count(name), printed.err) == (4, f"{name}\n")


def test_run_announces_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before serving, `run` prints the address, a QR code, the data folder and how to stop."""
    served: list[tuple[Any, ...]] = []
    import web.server

    monkeypatch.setattr(web.server, "serve", lambda *words: served.append(words))
    folder = tmp_path / "data"
    result = run("run", "--host", "127.0.0.1", "--port", "18631", "--data", str(folder))
    assert result.exit_code == 0, result.output
    folder_served, host, port, options, (siblings, expected) = served[0]
    assert (folder_served, host, port) == (folder, "127.0.0.1", 18631)
    assert options.address == "http://127.0.0.1:18631/"
    assert isinstance(siblings, tuple) and isinstance(expected, list) and len(siblings) == len(expected)
    buttons = siblings[0]
    assert isinstance(buttons, SupervisedProcess) and expected[0] == "buttons"
    assert buttons.command[-6:-1] == ("buttons", "--pins", "auto", "--data", str(folder))
    assert "http://127.0.0.1:18631/" in result.stdout
    rows = [line.split()[:2] for line in result.stdout.splitlines() if "   " in line and line[:1].isalpha()]
    assert [row[0] for row in rows if row[0] != "The"] == ["Buttons", "Camera", "Matches"]
    assert all(row[1] in ("none", "simulated", "real") for row in rows if row[0] in ("Buttons", "Camera"))
    assert "█" in result.stdout or "▀" in result.stdout
    assert str(folder) in result.stdout and "Ctrl-C to stop." in result.stdout
    assert folder.is_dir()
    assert run("run", "--port", "18631", "--data", str(folder), "--pins", "none", "--camera", "none").exit_code == 0
    assert served[1][-1] == ((), [])
    assert options.demonstrations == "127.0.0.1", "people may watch one"
    assert served[1][3].address == "", "everywhere: a network that comes later has another address"


def test_a_table_alone_expects_what_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`companion table` starts no other service and expects only those given with `--expect`."""
    served: list[tuple[Any, ...]] = []
    import web.server

    monkeypatch.setattr(web.server, "serve", lambda *words: served.append(words))
    where = ("--host", "127.0.0.1", "--port", "18631", "--data", str(tmp_path))
    assert run("table", *where).exit_code == 0
    assert run("table", *where, "--expect", "camera", "--expect", "buttons").exit_code == 0
    assert [words[-1] for words in served] == [((), ()), ((), ("camera", "buttons"))]
    assert all(words[-2].demonstrations == "" for words in served)
    assert "'printer' is not one of" in run("table", *where, "--expect", "printer").stderr


@pytest.mark.parametrize(("option", "settled", "source"), [
    ("rendered", "", "rendered"), ("", 'source = "usb:1"', "usb:1"), ("folder:x", 'source = "none"', "folder:x"),
    ("", 'source = "none"', None), ("none", 'source = "usb:1"', None), ("phone", "", "phone"),
])  # fmt: skip
def test_camera_is_what_was_asked_for_else_what_is_settled(
    tmp_path: Path, option: str, settled: str, source: str | None
) -> None:
    """The camera service uses the source from the option or else from the settings, and does not start without one."""
    from web.commands import camera_service

    (tmp_path / "companion.toml").write_text(f"[camera]\n{settled}\n", encoding="utf-8")
    service = camera_service(tmp_path, option)
    if source is None:
        assert service is None
    else:
        assert service is not None
        assert service.command[3:] == ("camera", "--source", source, "--data", str(tmp_path), "--child")


def test_without_opencv_or_camera_the_game_goes_on_by_touch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without OpenCV or a camera the camera service is not started, and a message says why."""
    import web.commands as cli

    monkeypatch.setattr(cli, "DEVICES", tmp_path)
    assert cli.camera_service(tmp_path, "") is None
    assert "No camera found" in capsys.readouterr().err
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    assert cli.camera_service(tmp_path, "usb:0") is None
    assert "OpenCV is not installed" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "table"])
def test_a_second_table_is_one_sentence_and_changes_nothing(tmp_path: Path, command: str) -> None:
    """A second table on the same bus or data folder is refused, and the first is not disturbed."""
    from companion.devices.bus import SocketAddress, reachable, serve
    from companion.table.table import Table

    where = ("--host", "127.0.0.1", "--port", "18632", "--data", str(tmp_path))
    bus = serve(SocketAddress(tmp_path / "bus"), lambda peer, message: None)
    assert f"Another table listens at {tmp_path / 'bus'} already: stop it first" in said(run(command, *where), 1)
    assert [path.name for path in tmp_path.iterdir()] == ["bus"]
    assert reachable(SocketAddress(tmp_path / "bus")) == ""
    bus.close()
    table = Table(tmp_path / "journal.db", pace=HURRIED)
    before = sorted(tmp_path.iterdir())
    assert f"Another companion uses {tmp_path}" in said(run(command, *where), 1)
    assert sorted(tmp_path.iterdir()) == before
    table.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("text", "rows"), [
    ('bus = "mqtt://me:secret@table"\n[camera]\nsource = "usb:0"\n', ["Buttons simulated", "Camera real"]),
    ("[wiring]\nseats = 3\n[camera]\nrotate = 5\n", ["Buttons closed", "Camera closed"]),
    ("[wiring\n", ["Buttons closed", "Camera closed"]),
])  # fmt: skip
def test_a_mistake_in_the_settings_is_said_and_the_table_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, rows: list[str], lang: str
) -> None:
    """A wrong setting disables its service and is reported in the terminal's language, and the table starts."""
    import web.commands
    import web.server

    served: list[tuple[Any, ...]] = []
    monkeypatch.setattr(web.server, "serve", lambda *words: served.append(words))
    monkeypatch.setattr(web.commands, "DEVICES", tmp_path)
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    result = run("run", "--host", "127.0.0.1", "--port", "18632", "--data", str(tmp_path), env={"LC_ALL": lang})
    assert result.exit_code == 0 and "Traceback" not in result.output and "secret" not in result.output
    assert [
        " ".join(line.split()[:2]) for line in result.stdout.splitlines() if line[:6] in ("Button", "Camera")
    ] == rows
    started = {sibling.command[3] for sibling in served[0][-1].processes}
    assert started == {row.split()[0].lower() for row in rows if not row.endswith("closed")}
    left_out = served[0][-2].settings(tmp_path)
    words = sentences(lang)
    assert left_out
    for each in left_out:
        assert (
            f"{path}, {words('check.word.line', n='')}" in result.stderr and telling(each, words).how in result.stderr
        )
    assert run("table", "--host", "127.0.0.1", "--port", "18632", "--data", str(tmp_path)).exit_code == 0


def test_an_address_in_the_environment_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    """A bus address with a password is refused before anything is opened, and the password is not printed."""
    where = ("--host", "127.0.0.1", "--port", "18632", "--data", str(tmp_path))
    told = said(run("table", *where, env={"COMPANION_BUS": "mqtt://me:secret@table"}), 1)
    assert "COMPANION_BUS: the address contains a password" in told and "secret" not in told
    assert not list(tmp_path.iterdir())


def test_run_says_when_the_port_is_taken(tmp_path: Path) -> None:
    """If the port is in use, `run` names it and suggests `--port`."""
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        sentence = said(run("run", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)), 1)
    assert f"Port {port}" in sentence and "--port" in sentence


def test_an_unexpected_error_is_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error prints one sentence, and its traceback goes to a file."""
    monkeypatch.setattr(terminal.platformdirs, "user_log_path", lambda name: tmp_path)

    def broken(*_: object) -> None:
        raise LookupError("the cat is on the table")

    monkeypatch.setattr("companion.commands.simulate.simulate", broken)
    sentence = said(run("simulate", "take-a-train"), 1)
    assert "the cat is on the table" in sentence and str(tmp_path) in sentence
    assert "Traceback" in (tmp_path / "last-error.txt").read_text()


def test_the_shipped_catalogue_is_plain_toml() -> None:
    """A standard TOML parser can read the shipped catalogue, because people copy it to make their own."""
    assert len(tomllib.loads(SHIPPED)["locomotives"]) == 18


def test_an_exported_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Only its owner can read an exported file, because it may contain secrets of single seats."""
    with Journal(tmp_path / "journal.db") as journal:
        Match.begin(journal, SETUP)
    assert run("export", "--data", str(tmp_path), "--secrets", "--to", str(tmp_path / "game.jsonl")).exit_code == 0
    assert (tmp_path / "game.jsonl").stat().st_mode & 0o777 == 0o600
