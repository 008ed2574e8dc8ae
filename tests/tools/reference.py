"""Writes the reference pages in docs/reference from the code: `python -m tests.tools.reference`; a test checks them."""

from __future__ import annotations

import ast
import inspect
import json
import re
import string
import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from companion import messages
from companion.devices.bus import permissions
from companion.devices.camera_requests.decoding import REQUESTS
from companion.engine import Event, event_kinds
from companion.games import GAMES, folder_of
from tests.games import generated
from tests.games.completeness import HOUSE
from tests.support.paths import ROOT
from web import forms, pdf_printer
from web.live import clocks, rendering
from web.plugins.card_table import plugin as card_table
from web.plugins.hall_link import plugin as hall_link
from web.security import knocks, pin_limits, rate_limits
from web.serving import connection, server
from web.serving.requests import OTHERS, THREADS
from web.serving.slow_clients import stalled_connections, stream_places
from web.views import streams

FOLDER = ROOT / "docs" / "reference"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in Markdown."""
    lines = [tuple(head)]
    lines += [("---",) * len(lines[0])]
    lines += [tuple([str(cell).replace("|", "\\|").replace("\n", " ") for cell in row]) for row in rows]
    return "\n".join("| " + " | ".join(line).rstrip() + " |" for line in lines)


def quoted(names: Iterable[str]) -> str:
    """Return names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


# --- messages of the bus ------------------------------------------------------------------------------


def class_docs(module: ModuleType | type) -> dict[str, dict[str, tuple[str, str, str]]]:
    """Return each class in a module, or one class, with its fields: type, default and docstring, from the source."""
    found = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        fields = {}
        for line, after in zip(node.body, [*node.body[1:], None], strict=True):
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            said = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                said = " ".join(str(after.value.value).split())
            default = ast.unparse(line.value) if line.value is not None else ""
            fields[line.target.id] = (ast.unparse(line.annotation), default, said)
        found[node.name] = fields
    return found


def senders(kind: type[msgspec.Struct]) -> str:
    """Return the services from which the table accepts a message."""
    if kind in permissions.ALWAYS_ALLOWED:
        return "The table accepts it from every service."
    services = [name for name, kinds in permissions.ALLOWED.items() if kind in kinds]
    return f"The table accepts it from {quoted(services)}." if services else "Only the table sends it."


def field_rows(fields: dict[str, tuple[str, str, str]]) -> str:
    """Return a table of fields."""
    rows = [
        (f"`{name}`", f"`{kind}`", f"`{default}`" if default else "", said)
        for name, (kind, default, said) in fields.items()
    ]
    return table(("field", "type", "default", "meaning"), rows)


def records(docs: dict[str, dict[str, tuple[str, str, str]]]) -> Iterator[str]:
    """Yield the sections of the records within messages."""
    for name in docs:
        kind = getattr(messages, name)
        if not issubclass(kind, messages.Message):
            yield f"### {name}\n\n{inspect.getdoc(kind)}\n\n{field_rows(docs[name])}"


def bus_messages() -> str:
    """Return every message with its fields."""
    docs = class_docs(messages)
    parts = []
    for kind in messages.AnyMessage.__args__:
        tag = kind.__struct_config__.tag
        cue = issubclass(kind, messages.Cue)
        lasting = " It stands until the next one." if kind in messages.STANDING else ""
        fields = ({"at": ("int", "0", "when lamps and screens change together; 0: at once")} if cue else {}) | docs[
            kind.__name__
        ]
        who = f"A cue: only the table sends it.{lasting}" if cue else senders(kind)
        parts.append(
            f"### `{tag}`\n\n{inspect.getdoc(kind)}\n\n{who}" + (f"\n\n{field_rows(fields)}" if fields else "")
        )
    aliases = []
    for name in ("Contact", "Source", "Condition", "Looking", "Doubt"):
        values = quoted(value for value in getattr(messages, name).__args__ if value)
        aliases.append((f"`{name}`", values))
    return "\n\n".join(
        [*parts, "## Records inside messages", *records(docs), "## Values", table(("type", "values"), aliases)]
    )


# --- the camera ---------------------------------------------------------------------------------------


def toml_of(path: str) -> dict[str, object]:
    """Return a TOML file of the project."""
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def section_of(path: str, name: str) -> dict[str, str]:
    """Return one table of a TOML file of sentences."""
    found = toml_of(path)[name]
    assert isinstance(found, dict)
    return found


def fields_of(sentence: str) -> str:
    """Return the names of the fields in a sentence."""
    return quoted(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(sentence) if name))


def shape_of(kind: type[msgspec.Struct]) -> str:
    """Return the fields of a record with their types, optional ones in brackets."""
    shown = []
    for field in msgspec.structs.fields(kind):
        text = f"`{field.encode_name}`: {plain_type(field.type)}"
        shown.append(text if field.required else f"[{text}]")
    return ", ".join(shown)


def plain_type(kind: object) -> str:
    """Return a type in readable form."""
    text = kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)
    text = re.sub(r"typing\.Annotated\[(\w+), [^\]]*\]", r"\1", text)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text).replace("|", "or")


def requests() -> str:
    """Return all requests to the camera with their fields and those of the answers."""
    rows = []
    for name, kind in REQUESTS.items():
        answer = shape_of(kind.answer)
        rows.append((f"`{name}`", " ".join((inspect.getdoc(kind) or "").split()), shape_of(kind), answer))
    return table(("request", "what it does", "fields [optional]", "answer"), rows)


def answers() -> str:
    """Return the keys of refusals of a request."""
    rows = [
        (f"`{key}`", fields_of(said), said)
        for key, said in section_of("web/translations/camera.en.toml", "answer").items()
    ]
    return table(("key", "fields", "what the page says"), rows)


def troubles() -> str:
    """Return the keys of a camera's faults."""
    found = section_of("companion/findings/camera.en.toml", "camera")
    return table(
        ("key", "fields", "what the page says"), [(f"`{key}`", fields_of(said), said) for key, said in found.items()]
    )


# --- the journal --------------------------------------------------------------------------------------


def journal_events(game: str) -> str:
    """Return all events of a game with an example and with the fields that need an explanation."""
    kinds = event_kinds(GAMES[game].events)
    return "\n\n".join([event_section(kinds[name], line) for name, line in examples(game).items()])


def examples(game: str) -> dict[str, str]:
    """Return an event of each kind in the journal's form, by name."""
    path = Path(__file__).parent / "journal_examples" / f"{folder_of(GAMES[game])}.jsonl"
    return {json.loads(line)["event"]: line for line in path.read_text(encoding="utf-8").splitlines()}


def event_section(kind: type[Event], line: str) -> str:
    """Return the reference's section on a kind of event."""
    fields = "".join([f"- `{name}`: {said}\n" for name, said in told_fields(kind).items()])
    parts = [f"### `{kind.__struct_config__.tag}`", str(inspect.getdoc(kind)), fields.rstrip(), f"    {line}"]
    return "\n\n".join([part for part in parts if part])


def told_fields(kind: type[Event]) -> dict[str, str]:
    """Return the meaning of an event's fields: their docstrings or their possible values."""
    own = [docs for base in reversed(kind.__mro__) if issubclass(base, Event) for docs in class_docs(base).values()]
    said = {name: text for fields in own for name, (_, _, text) in fields.items()}
    for name, hint in get_type_hints(kind).items():
        if get_origin(hint) is Literal:
            said[name] = quoted(get_args(hint)) + "."
    return {name: text for name, text in said.items() if text}


# --- pages --------------------------------------------------------------------------------------------


def regions() -> str:
    """Return the regions of each viewer's page with the paths of their templates."""
    groups = (
        ("everybody", "shared"),
        ("a seat", "seat"),
        ("the shared tablet", "table"),
        ("the host", "host"),
    )
    rows = []
    for viewer, kind in groups:
        for name in (*rendering.REGIONS[kind], *hall_link.REGIONS.get(kind, ()), *card_table.REGIONS.get(kind, ())):
            own = ROOT / "web" / "templates" / "regions" / f"{name}.html"
            games = sorted(path.parts[-3] for path in ROOT.glob(f"companion/games/*/templates/{name}.html"))
            rows.append((viewer, f"`{name}`", quoted([*(["web/templates/regions"] if own.is_file() else []), *games])))
    return table(("viewer", "region", "template in"), rows)


def pins() -> str:
    """Return the limits on guesses of PINs."""
    p = pin_limits
    rows = [
        (
            f"{kind} PIN, at least {budget.digits} digits: all strangers together",
            f"{budget.at_once} at once, {budget.hourly:g} more an hour"
            + (f", and the first of each of {budget.first} addresses" if budget.first else ""),
            f"{budget.chance() * 10**budget.digits:g} guesses in {p.EVENING:g} hours: {budget.chance():.3%}",
        )
        for kind, budget in p.BUDGETS.items()
    ]
    waits = f"waits of {p.FIRST_WAIT:g} s doubling to {p.LONGEST_WAIT:g} s"
    rows += [
        (
            "one address at one door",
            f"{p.FREE_TRIES} wrong PINs, then {waits}",
            "one device cannot use up everybody's guesses",
        ),
        (
            "one address at all doors",
            f"{p.SHARED_TRIES} wrong PINs, then the same waits",
            "many people use a shared tablet",
        ),
        (
            "devices that have opened this door before",
            f"{p.KNOWN_TRIES} wrong PINs, then {p.KNOWN_WAIT:g} s after each",
            "nobody else can lock them out",
        ),
        (
            "a device that the host lets through to a seat",
            f"{p.GRANTED_TRIES} tries",
            "the host vouches for a person, not for any number of guesses",
        ),
        ("addresses and known devices are forgotten", f"after {p.FORGET:g} s without a wrong PIN", ""),
        (
            "addresses, doors and grants remembered",
            f"{p.MOST_ADDRESSES}, {p.MOST_DOORS}, {p.MOST_GRANTS}",
            "memory stays bounded",
        ),
        (
            "newcomers who ask the host",
            f"{knocks.MOST_WAITING}, {knocks.MOST_AT_ONE_ADDRESS} from one address, for {knocks.PATIENCE:g} s",
            "the host's list stays short",
        ),
    ]
    return table(("limit", "number", "why"), rows)


def limits() -> str:
    """Return the limits of the web server and its streams."""
    kilo, mega = 1024, 1024 * 1024
    kinds = stream_places.RESERVED
    rows = [
        ("connections", server.CONNECTIONS),
        ("connections of one address before its own give way first", stalled_connections.BROWSER),
        (
            "seconds for a header; a small body; a stalled body or answer; an idle connection",
            "; ".join(f"{getattr(stalled_connections, name):g}" for name in ("HEADER", "BODY", "STALLED", "IDLE")),
        ),
        ("bytes of a header", f"{connection.LARGEST_HEADER // kilo} KiB"),
        (
            "threads; threads for everything but pages of viewers, static files and `/health`",
            f"{THREADS + OTHERS}; {OTHERS}",
        ),
        ("streams of " + "; ".join(kinds), "; ".join(str(each) for each in kinds.values())),
        ("streams of one token on one channel", stream_places.OF_TOKEN),
        ("pages of one browser that share a stream", streams.SHARED),
        ("pages of one seat whose delay is measured", clocks.PAGES),
        ("posts of a player's page: at once; a second", f"{rate_limits.PLAYER.burst:g}; {rate_limits.PLAYER.second:g}"),
        (
            "posts of an address without such a page: at once; a second",
            f"{rate_limits.ADDRESS.burst:g}; {rate_limits.ADDRESS.second:g}",
        ),
        (
            "PDFs waiting; kept; bytes kept",
            f"{pdf_printer.WAITING}; {pdf_printer.KEPT}; {pdf_printer.KEPT_BYTES // mega} MiB",
        ),
        ("events that may follow another in one form", forms.MOST_FOLLOW),
    ]
    return table(("limit", "value"), rows)


PAGES = {
    "bus-messages": {"messages": bus_messages},
    "camera": {"requests": requests, "answers": answers, "troubles": troubles},
    "journal-events": {game: partial(journal_events, game) for game in HOUSE},
    "pages": {"regions": regions, "pins": pins, "limits": limits},
}
"""The pages, each with its generated parts."""


def path_of(page: str) -> Path:
    """Return the file of a page."""
    return FOLDER / f"{page}.md"


def written(page: str) -> str:
    """Return a page with its generated parts updated."""
    text = path_of(page).read_text(encoding="utf-8")
    return generated.written(text, **{name: part() for name, part in PAGES[page].items()})


if __name__ == "__main__":
    for each in PAGES:
        path_of(each).write_text(written(each), encoding="utf-8")
