"""`companion replay` and `companion export`: read matches back, check them, and write them as text."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from companion.commands.game_argument import words_of
from companion.commands.terminal import as_json, data_folder, echo_json, out, print_json, remarks
from companion.engine import AnyState, MoveRefused, apply, name_of, state_hash
from companion.files.untrusted import printable
from companion.journal.journal import JOURNAL, Journal
from companion.match.history import History
from companion.match.notation import export, last_match, read_match_file, sentence


def final_state(file: Path, line: History) -> AnyState:
    """Return the state at the end of a history, checking every event against the rules again."""
    state = line.game.begin(line.setup)
    for node in line.nodes:
        entry = node.entry
        try:
            state = apply(line.game, state, entry.event)
        except MoveRefused as error:
            why = sentence(line.game, line.setup, error.refusal)
            said = name_of(entry.event)
            raise click.ClickException(
                f"{file}, record {entry.seq}: {said} is not allowed here. {why} ({error.refusal.rule})"
            ) from None
    return state


@click.command("replay", short_help="Replay a match from its record.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--match", "match_id", metavar="ID", help="Which match of a database. [default: the last]")
@as_json
def replay(file: Path, match_id: str | None, as_json: bool) -> None:
    """Replay a match from FILE, check every event against the rules, and show the result.

    FILE is a journal's database, an export, or lines written by hand: a header, then one JSON event per line. The first
    event that the rules forbid ends the command with exit code 1; its line, the rule and the reason are printed.

    \b
    By hand:
      {"game": "take-a-train", "players": 3}
      {"event": "purposes_dealt", "purposes": [["P-1","P-2","P-3"], ["P-4","P-5","P-6"], ["P-7","P-8","P-9"]]}
      {"event": "starter_named", "seat": 0}
      {"event": "token_drawn", "kind": "pass"}
    """
    line = read_match_file(file, match_id)
    state = final_state(file, line)
    game = line.game
    scores = game.scores(state)
    if as_json:
        print_json(
            {
                "game": game.name,
                "events": len(line.nodes),
                "hash": state_hash(state),
                "scores": scores,
                "over": state.over,
            }
        )
        return
    from rich.table import Table

    winners = game.winners(state)
    names = [player.name for player in line.setup.seated()]
    say = words_of(game)
    table = Table("seat", "player", say("score.title"), "", title=f"{game.name}, {len(line.nodes)} events")
    table.columns[2].justify = "right"
    for seat, (name, score) in enumerate(zip(names, scores, strict=True)):
        table.add_row(str(seat + 1), printable(name), f"{score:,}", "wins" if seat in winners else "")
    out().print(table)
    if state.over:
        out().print("The game is over.")
    else:
        shown = msgspec.structs.asdict(game.view(state, None))
        moment = str(shown.pop("moment")).replace("_", " ")
        out().print(say("replay.goes_on", moment=moment, **shown))
    out().print(f"State {state_hash(state)}.")


@click.command("export", short_help="Export a match as text.")
@click.argument("match_id", metavar="[MATCH]", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="The data folder.")
@click.option("--to", "target", type=click.Path(path_type=Path), help="Write to this file instead of the screen.")
@click.option("--secrets", is_flag=True, help="Include the secrets of an unfinished match.")
@click.option("--list", "listing", is_flag=True, help="List the matches in the data folder instead.")
@as_json
def export_command(
    match_id: str | None, data: Path | None, target: Path | None, secrets: bool, listing: bool, as_json: bool
) -> None:
    """Write MATCH (an id; by default the last one) as text: a header, then one JSON event per line.

    For a match still being played, this writes only public events; --secrets adds the rest. `companion replay` can read
    the text back unless secrets are missing.
    """
    with Journal(data_folder(data) / JOURNAL, read_only=True) as journal:
        for finding in journal.findings:
            remarks().print(printable(finding))
        if listing:
            matches = journal.matches()
            if as_json:
                print_json(matches)
                return
            from rich.table import Table

            table = Table("match", "game", "players", "started", "ended", "records")
            for m in matches:
                table.add_row(m.id, m.game, printable(", ".join(m.players)), m.started, m.ended or "", str(m.records))
            out().print(table)
            return
        lines = list(export(journal, match_id or last_match(journal), secrets=secrets))
    text = "\n".join(lines) + "\n"
    if target is None:
        echo_json(text)
        return
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    if as_json:
        print_json({"file": str(target), "lines": len(lines)})
    else:
        click.echo(f"{len(lines) - 1} events written to {target}.")
