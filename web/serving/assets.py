"""Style sheets and scripts: bundled for each kind of page and compressed once, at addresses with their hash."""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from flask import Response, request

from companion.games import GAMES, files, folder_of, package_of

FOLDERS = {folder_of(game): package_of(game) for game in GAMES.values() if files(game, "static").is_dir()}
"""Packages of games with their own pictures and styles, by their folder below /static/."""
WHERE = "/static/joined/"
FOREVER = "public, max-age=31536000, immutable"
SHEET, SCRIPT = "css", "js"
MIMETYPES = {SHEET: "text/css", SCRIPT: "text/javascript"}
PLAIN, SEAT, LIVE, CAMERA, STAGE, HALL, WHOLE = "plain", "seat", "live", "camera", "stage", "hall", "whole"
GROUP_OF = (
    {"seat": SEAT}
    | dict.fromkeys(("table", "host"), LIVE)
    | dict.fromkeys(("camera", "teach"), CAMERA)
    | {"stage": STAGE, "hall": HALL}
    | dict.fromkeys(
        ("start", "join", "lobby", "past", "rules", "print", "error", "shutdown", "handover", "demonstration",
         "offline"), PLAIN)
)  # fmt: skip
"""Groups of pages that share a sheet and a script, by the `kind` of their template; other pages get everything."""
OF_CAMERA = frozenset({"area_corners.js", "camera.css", "camera.js", "box_board.js", "phone.js", "teach.js"})
OF_STAGE = frozenset({"stage.css", "stage.js"})
OF_OTHERS = frozenset(
    {"card_table.css", "card_table.js", "pins_panel.css", "pins_panel.js", "collection.js", "update.js"}
)
OF_PLAIN = frozenset(
    {
        "check.css", "join.js", "lobby.js", "lobby.css", "plain_collection.css", "plain_panel.css", "plain_reading.css",
        "plain_setup.css", "plain_start.css",
    }
)  # fmt: skip
OF_TABLE = frozenset(
    {
        "htmx.min.js", "sha256.min.js", "announce.js", "board.js", "cards.js", "clock.js", "costs.js", "cues.js",
        "drag.js",
        "ending.js", "guide.js", "help.js", "moments.js", "on_the_wall.js", "seals.css", "seals.js", "sight.js",
        "sound.js", "takeback.js",
        "voice.js", "camera_sight.css", "ending.css", "goodbye.css", "guide.css", "help.css", "moments.css",
        "takeback.css", "wall.css",
    }
)  # fmt: skip
OF_SEAT = frozenset({"advice.css", "action_bar.css", "action_bar.js", "press.css", "press.js"})
OF_OTHER_SCREENS = frozenset({"host.css", "host.js", "on_the_wall.js", "wall.css"})
OF_GUIDE = frozenset({"guide.css", "guide.js"})
OF_PAST = frozenset({"report.css", "replay.js"})
OF_HALL = frozenset({"hall.css", "hall.js", "hall_tournament.css", "hall_tournament.js"})
NOT_LIVE = OF_CAMERA | OF_STAGE | OF_OTHERS | OF_PAST | OF_PLAIN | OF_HALL | {"annotations.js"}
LEFT_OUT = {
    PLAIN: (
        OF_CAMERA | OF_OTHERS | OF_SEAT | OF_TABLE | OF_HALL | {"annotations.js", "plain_collection.css", "stage.js"}
    )
    - {"collection.js"},
    SEAT: NOT_LIVE | OF_OTHER_SCREENS,
    LIVE: NOT_LIVE | OF_SEAT | OF_GUIDE,
    CAMERA: OF_STAGE | OF_OTHERS | OF_PAST | OF_HALL,
    STAGE: (OF_CAMERA | OF_OTHERS | OF_SEAT | OF_TABLE | OF_PAST | OF_HALL) - {"camera.css", "pins_panel.css"},
    HALL: frozenset[str](),
    WHOLE: frozenset[str](),
}
"""Files that a group of pages omits, including a game's files of that name. Unlisted files are on every page."""
ONLY = {
    HALL: OF_HALL | {"posted.js", "sound.js", "layout.css", "plain_pages.css", "small_screens.css", "text_size.css"}
}
"""The files of a group that shares almost nothing with the others."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
REMARK = re.compile(r"""^((?:[^"'`]|"[^"]*"|'[^']*'|`[^`]*`)*?[;{}(),]) +// [^"'`]*$""")
"""A comment at the end of a script's line. There must be no quotes in it or around it, so that nothing else matches."""
ADDRESS = re.compile(r"""url\((["']?)(?!data:|/|#)([^"')]+?)(#[^"')]*)?\1\)""")
"""A relative address in a style sheet."""
NAME = re.compile(r"([a-z]+)((?:\+[a-z_]+)*)\.([0-9a-f]{16})\.(css|js)", re.ASCII)


class Joined(NamedTuple):
    """A bundle of files: its content, plain and compressed, and its hash."""

    plain: bytes
    packed: bytes
    hash: str


def folders() -> dict[str, Traversable]:
    """Return the folders below /static/, by name; ours has the empty name."""
    ours = resources.files("web").joinpath("static")
    return {"": ours} | {name: resources.files(where).joinpath("static") for name, where in FOLDERS.items()}


def listed(place: Traversable, ending: str) -> list[Traversable]:
    """Return a folder's files with a suffix, in order."""
    return sorted((file for file in place.iterdir() if file.name.endswith(ending)), key=lambda file: file.name)


def lean(text: str) -> str:
    """Return a script or a sheet without indentation and comments."""
    lines = [REMARK.sub(r"\1", line.strip()) for line in text.splitlines()]
    return "\n".join([line for line in lines if line and not line.startswith("//")])


def sheet_text(file: Traversable, folder: str) -> str:
    """Return a style sheet with absolute addresses, each with the hash of its file."""

    def absolute(found: re.Match[str]) -> str:
        path, part = found[2], found[3] or ""
        base = f"{folder}/" if folder else "css/"
        whole = path.removeprefix("../") if path.startswith("../") else base + path
        return f'url("{hashed("/static/" + whole)}{part}")'

    return lean(ADDRESS.sub(absolute, COMMENT.sub("", file.read_text(encoding="utf-8"))))


def script_text(file: Traversable) -> str:
    """Return a script for use in a bundle: in strict mode, and isolated so that its error stops none of the others."""
    text = file.read_text(encoding="utf-8")
    if file.name.endswith(".min.js"):
        return text
    return f"try{{(()=>{{\n{lean(text)}\n}})()}}catch(e){{setTimeout(()=>{{throw e}})}}"


@cache
def hashed(path: str) -> str:
    """Return the address of a static file with the hash of its content: browsers cache it for good."""
    first, _, rest = path.removeprefix("/static/").partition("/")
    place = folders()[first].joinpath(rest) if first in FOLDERS else folders()[""].joinpath(first, rest)
    return f"{path}?{hashlib.sha256(place.read_bytes()).hexdigest()[:10]}"


@cache
def joined(group: str, games: tuple[str, ...], ending: str) -> Joined:
    """Return the sheet or the script of a group of pages, with the sheets of some games."""
    ours, left_out = folders()[""], LEFT_OUT[group]

    def wanted(file: Traversable) -> bool:
        return file.name in ONLY[group] if group in ONLY else file.name not in left_out

    if ending == SHEET:
        texts = [sheet_text(f, "") for f in listed(ours / "css", ".css") if wanted(f)]
        of_games = [(f, game) for game in games for f in listed(folders()[game], ".css")]
        texts += [sheet_text(f, game) for f, game in of_games if wanted(f)]
    else:
        found = [*listed(ours / "vendor", ".js"), *listed(ours / "js", ".js")]
        texts = [script_text(f) for f in found if wanted(f)]
    plain = "\n".join(texts).encode()
    return Joined(plain, gzip.compress(plain, 9, mtime=0), hashlib.sha256(plain).hexdigest()[:16])


def address(kind: str, ending: str, games: tuple[str, ...] = ()) -> str:
    """Return the address of a page's sheet or script."""
    group = GROUP_OF.get(kind, WHOLE)
    of_games = "".join([f"+{game}" for game in games])
    return f"{WHERE}{group}{of_games}.{joined(group, games, ending).hash}.{ending}"


def serve(name: str) -> Response | None:
    """Return a bundle; None for an unknown name. An old hash gets the current content."""
    found = NAME.fullmatch(name)
    if found is None or found[1] not in LEFT_OUT:
        return None
    games = tuple(found[2].split("+")[1:])
    if not set(games) <= set(FOLDERS) or len(set(games)) < len(games) or (games and found[4] == SCRIPT):
        return None
    file = joined(found[1], tuple(sorted(games)), found[4])
    packed = request.accept_encodings.quality("gzip") > 0
    answer = Response(file.packed if packed else file.plain, mimetype=MIMETYPES[found[4]])
    answer.headers["Cache-Control"] = FOREVER if file.hash == found[3] else "no-cache"
    answer.headers["Vary"] = "Accept-Encoding"
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_etag(file.hash + ("-gzip" if packed else ""))
    answer.make_conditional(request)
    return answer


def keep_for_good(response: Response) -> Response:
    """Let browsers cache a static file for good if its address has the right hash, and others for a while."""
    blueprint, _, kind = (request.endpoint or "").rpartition(".")
    found = request.method in ("GET", "HEAD") and response.status_code in (200, 304)
    if kind != "static" or blueprint == "joined" or not found or not request.query_string:
        return response
    if posixpath.normpath(request.path) != request.path:  # one address per file, because addresses stay in memory
        return response
    if f"{request.path}?{request.query_string.decode(errors='replace')}" == hashed(request.path):
        response.headers["Cache-Control"] = FOREVER
    return response


def prepare() -> None:
    """Bundle and compress the files that all games' pages need, before anybody waits for them."""
    for group in (PLAIN, SEAT, LIVE):
        joined(group, (), SCRIPT)
        joined(group, (), SHEET)
    for game in FOLDERS:
        joined(SEAT, (game,), SHEET)
        joined(LIVE, (game,), SHEET)
