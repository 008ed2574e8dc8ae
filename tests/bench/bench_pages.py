"""Measures the bytes of pages over the wire: at first, with the browser's cache, and at each move.

`python -m tests.bench pages [SEED]`. The figures are compressed bytes as a browser receives them, without headers.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from companion.bots.bot import policy_of
from companion.engine import AnyGame, legal
from companion.match.actor import Actor
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room
from web.game_pages import OFFERED
from web.live.channels import ChannelKey, Stream
from web.serving.compression import Packing

PLAIN = ("/", "/join", "/host", "/past/")
KINDS = ("seat", "table", "host", "watch")
BROWSER = {"Accept-Encoding": "gzip, deflate"}
MOST_MOVES = 300
GOAL = (90_000, 5_000)
"""The limits in bytes of a first page and of a move."""


class Page(NamedTuple):
    """The bytes of a page with all its files, for an empty and for a filled cache."""

    cold: int
    warm: int


def load(room: Room, path: str) -> Page:
    """Return the bytes that a browser receives for a page."""
    answer = room.anybody.get(path, **BROWSER)
    text = answer.text if "Content-Encoding" not in answer.headers else room.anybody.get(path).text
    cold = warm = len(answer.data)
    todo, seen = links(text), set[str]()
    while todo:
        link = todo.pop()
        if link in seen:
            continue
        seen.add(link)
        with room.anybody.get(link, **BROWSER) as found:
            cold += len(found.data)
            if "max-age" not in found.headers["Cache-Control"]:
                warm += len(found.data)
        if link.endswith(".css"):
            todo |= letters(room.anybody.get(link).text)
    return Page(cold, warm)


def links(html: str) -> set[str]:
    """Return the files that a page loads: style sheets, scripts, pictures, and the worker that holds its stream.

    The icon for the home screen is left out, because a browser loads it only when the page is added there.
    """
    html = re.sub(r'<link rel="apple-touch-icon"[^>]*>', "", html)
    return set(re.findall(r'(?:src|href|data-streams)="(/static/[^"#]+)', html))


def letters(sheet: str) -> set[str]:
    """Return the fonts and pictures that a style sheet names."""
    return set(re.findall(r'url\("(/static/[^"#]+)', sheet))


def move(room: Room, game: AnyGame, luck: random.Random) -> None:
    """Let the next event happen."""
    snapshot = room.table.snapshot()
    state, mind = snapshot.state, policy_of(game, "sensible")
    assert state is not None and snapshot.setup is not None
    for seat in mind.asked(state):
        event = mind.choose(mind.look(state, seat), luck.random)
        if event is not None:
            room.table.propose(event, Actor.at_seat(seat))
            return
    if snapshot.setup.deck == "dealt":
        room.table.draw(Actor.TABLE)
    else:
        offer = next(offer for offer in legal(game, state) if offer.chance)
        room.table.propose(offer.pick(luck.random), Actor.TABLE)


def follow(room: Room, game: AnyGame, luck: random.Random) -> dict[str, list[int]]:
    """Play, and return the bytes that each kind of page receives over its stream at each move."""
    hub, match = room.context.hub, room.table.snapshot().match_id
    streams: dict[str, tuple[Stream, Packing]] = {}
    for kind in KINDS:
        key = ChannelKey(match, kind, 0 if kind == "seat" else None, "en")
        page = hub.page(key)
        assert page is not None
        opened = hub.open(key, kind, page.id)
        assert opened is not None
        packing = Packing()
        packing.pack(b"retry: 1000\n\n")
        streams[kind] = opened[0], packing
    sent: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for _ in range(MOST_MOVES):
        if room.table.snapshot().over:
            break
        move(room, game, luck)  # a program that opens too soon is refused and retries
        hub.refresh()
        for kind, (stream, packing) in streams.items():
            waiting = [message for message in (stream.outbox.get() for _ in range(len(stream.outbox))) if message]
            if waiting:
                sent[kind].append(sum(len(packing.pack(message)) for message in waiting))
    return sent


def tell(label: str, page: Page, moves: list[int] | None = None) -> None:
    """Print a page's bytes, with a mark where they exceed the goal."""
    over = page.cold > GOAL[0] or max(moves or [0]) > GOAL[1]
    said = f"{label:28} first {page.cold:7,}   again {page.warm:6,}"
    if moves:
        middle = sorted(moves)[len(moves) // 2]
        said += f"   a move {middle:6,} in the middle, {max(moves):6,} at most ({len(moves)} moves)"
    print(said + ("   TOO MUCH" if over else ""), flush=True)


def main(arguments: list[str]) -> None:
    """Print the bytes of plain pages, then of each game's with the most players."""
    luck = random.Random(int(arguments[0]) if arguments else 1)
    print("bytes over the wire, compressed")
    with tempfile.TemporaryDirectory() as folder, Room(Path(folder)) as room:
        for path in PLAIN:
            tell(path, load(room, path))
    for name, game in OFFERED.items():
        with tempfile.TemporaryDirectory() as folder, board_room(Path(folder), max(game.seats), game) as room:
            paths = {
                "seat": room.seats[0],
                "table": room.page("tablet"),
                "host": room.host,
                "watch": room.page("watch"),
            }
            sent = follow(room, game, luck)
            for kind in KINDS:  # the pages as they are in the middle of a game
                tell(f"{name}, {kind}", load(room, paths[kind]), sent[kind])


if __name__ == "__main__":
    main(sys.argv[1:])
