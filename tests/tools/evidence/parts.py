"""Records addresses, help, pages, printed sheets and journals, each part as a dictionary of texts."""

from __future__ import annotations

import difflib
import lzma
import re
from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec
from click.testing import CliRunner

from companion.cli import main
from companion.engine import Setup
from companion.games import GAMES, SEEN
from companion.i18n import LANGUAGES
from companion.match.history import History
from companion.match.notation import TextError, read_text
from companion.table.snapshot import Snapshot
from tests.support.paths import ROOT
from tests.support.web.hall_pages import HallPages
from tests.support.web.visitors import Room
from tests.tools.evidence.games import GameRecord, record_game
from vision.print.cards import printable_games
from web.finished.replay import ReplayTable
from web.live.channels import ViewerGroup
from web.presenters.scene import Occupancy, TableSurroundings

Texts = dict[str, str]
WIDTH = 100
"""The columns of help texts."""
TENTH = 10
"""The number of events after which pages are drawn again."""
DATED = re.compile(rb"/(?:CreationDate|ModDate) \([^)]*\)|/ID \[[^]]*\]")
"""The parts of a PDF that depend on its time of creation."""


def urls(given: Texts) -> Texts:
    """Return the methods of every address of a table and of a hall."""
    with TemporaryDirectory() as folder, Room(Path(folder)) as room:
        hall = HallPages(Path(folder))
        found = {
            f"{name} {rule.rule} {rule.endpoint}": " ".join(sorted(rule.methods or ()))
            for name, app in (("table", room.app), ("hall", hall.app))
            for rule in app.url_map.iter_rules()
        }
        hall.close()
    return found


def help_texts(given: Texts) -> Texts:
    """Return the help of every command."""

    def walk(command: click.Command, parent: click.Context | None, name: str) -> Iterator[tuple[str, str]]:
        with click.Context(command, parent, name, terminal_width=WIDTH, max_content_width=WIDTH) as context:
            yield context.command_path, command.get_help(context)
            group = command if isinstance(command, click.Group) else click.Group()
            for each in group.list_commands(context):
                inner = group.get_command(context, each)
                assert inner is not None
                yield from walk(inner, context, each)

    return dict(walk(main, None, "companion"))


def matches(given: Texts) -> Texts:
    """Return a match of each game as text, with three players if possible."""
    for name, game in GAMES.items() if not given else ():
        record = record_game(name, 3 if 3 in game.seats else game.seats[0], seed=2, every=1_000_000)
        given[name] = msgspec.json.encode(msgspec.structs.replace(record, aspects={})).decode()
    return given


def pages(given: Texts) -> Texts:
    """Return the regions of all viewers' pages during a match of each game."""
    found: Texts = {}
    with TemporaryDirectory() as folder, Room(Path(folder)) as room:
        for text in matches(given).values():
            found |= dict(regions(room, msgspec.json.decode(text, type=GameRecord)))
    return found


def regions(room: Room, record: GameRecord) -> Iterator[tuple[str, str]]:
    """Yield the regions of a match's pages with game, step, language, viewer and name."""
    game, seats = GAMES[record.game], range(record.players)
    line, table = History(game, msgspec.json.decode(record.setup, type=Setup)), ReplayTable()
    renderer = room.context.renderer.of_another_table(
        table, lambda _: Occupancy((True,) * record.players), lambda _: TableSurroundings()
    )
    viewers = (("shared", None), *[("seat", seat) for seat in seats], ("table", None), ("host", None))
    made: dict[Hashable, ViewerGroup] = {}
    for step, event in enumerate((None, *record.events)):
        if event is not None:
            line.add(line.reader.decode(event))
        if step % TENTH and step < len(record.events):
            continue
        table.shown = Snapshot(
            step + 1, "1", line.seq, game, line.setup, line.state, line.entries, line.node.entry.ledger
        )
        scene = renderer.look()
        assert scene is not None
        for viewer, lang in [(viewer, lang) for lang in LANGUAGES for viewer in viewers]:
            name = (*viewer, lang)
            if name not in made:
                made[name] = renderer.make(name, made)
            made[name].render(scene)
            for region in made[name].regions:
                seat = "" if viewer[1] is None else f" {viewer[1]}"
                yield f"{record.game} {step} {lang} {viewer[0]}{seat} {region.name}", region.html


def printed(given: Texts) -> Texts:
    """Return a digest of each printed deck, token sheet, mat and wiring, without dates."""
    wanted = [f"deck print {game} --lang {lang}" for game in printable_games() for lang in LANGUAGES]
    wanted += [f"mat print --game {name} --players {game.seats[-1]} --paper a3" for name, game in SEEN.items()]
    wanted += [f"mat print --game {name} --players {game.seats[0]} --lang fr" for name, game in SEEN.items()]
    wanted += [f"deck print {game} --tokens" for game in printable_games()]
    found = {"wiring": CliRunner().invoke(main, ["wiring"]).output}
    with TemporaryDirectory() as folder:
        for command in wanted:
            made = Path(folder) / "sheet.pdf"
            made.unlink(missing_ok=True)
            said = CliRunner().invoke(main, [*command.split(), "--out", str(made)])
            body = DATED.sub(b"", made.read_bytes()) if made.exists() else said.output.encode()
            found[command] = sha256(body).hexdigest()
        drawn = Path(folder) / "wiring.svg"
        CliRunner().invoke(main, ["wiring", "--svg", str(drawn)])
        return found | {"wiring --svg": drawn.read_text(encoding="utf-8")}


def journals(given: Texts) -> Texts:
    """Return the results of all journals in the tests and in the games' samples."""
    if not given:
        files = sorted([*(ROOT / "tests").rglob("*.jsonl"), *(ROOT / "companion").rglob("*.jsonl")])
        given |= {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
    return {name: outcome(text) for name, text in given.items()}


def outcome(text: str) -> str:
    """Return a journal's result, or the reason why it cannot be read."""
    try:
        line = read_text(text.splitlines())
    except TextError as error:
        return str(error)
    game, state = line.game, line.state
    return f"{line.seq} records, scores {game.scores(state)}, ranking {game.ranking(state)}, over: {state.over}"


PARTS: dict[str, Callable[[Texts], Texts]] = {
    "urls": urls,
    "help": help_texts,
    "pages": pages,
    "print": printed,
    "journals": journals,
}
"""Each part's function by name. Its argument holds the recorded inputs, or is empty and is filled by the function."""


def record_part(out: Path, name: str) -> int:
    """Record a part and return its number of texts."""
    given: Texts = {}
    found = PARTS[name](given)
    path = out / "parts" / f"{name}.xz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(msgspec.msgpack.encode((given, found))))
    return len(found)


def compare_part(at: Path, name: str) -> dict[str, str]:
    """Return the differences of each text of a part as lines."""
    body = lzma.decompress((at / "parts" / f"{name}.xz").read_bytes())
    given, was = msgspec.msgpack.decode(body, type=tuple[Texts, Texts])
    now = PARTS[name](dict(given))
    lines = {each: (was.get(each, "").splitlines(), now.get(each, "").splitlines()) for each in sorted({*was, *now})}
    return {
        each: "\n".join(difflib.unified_diff(old, new, "recorded", "now", lineterm="", n=0))
        for each, (old, new) in lines.items()
        if was.get(each) != now.get(each)
    }
