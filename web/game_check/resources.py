"""A game's templates can be read, and its style sheets hold what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import TemplateError

from companion.engine import AnyGame
from companion.games import files as game_file
from companion.games import folder_of
from companion.ops.game_check import Check, Shortcoming
from companion.ops.game_check.game_files import GameFiles
from web.game_check.trial_table import trial_table

CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
CSS_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
CSS_URL = re.compile(r"url\(([^)]*)\)")


def style_sheets(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Style sheets have closed blocks, and the pictures that they name are there."""
    static = game_file(game, "static")
    for sheet in sorted(static.iterdir(), key=lambda each: each.name) if static.is_dir() else ():
        if not sheet.name.endswith(".css"):
            continue
        text = CSS_COMMENT.sub("", sheet.read_text(encoding="utf-8"))
        plain, file = CSS_TEXT.sub("", text), files.path("static", sheet.name)
        if plain.count("{") != plain.count("}"):
            yield Shortcoming(file, "Not every { has its }: browsers leave out what follows.")
        for address in [found.strip("'\" ").partition("#")[0] for found in CSS_URL.findall(text)]:
            if address and ":" not in address and not address.startswith("/") and not (static / address).is_file():
                yield Shortcoming(file, f"There is no {address}, which url() names.")


def templates(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every template of the game can be read."""
    if not game_file(game, "templates").is_dir():
        return
    with trial_table(game) as (app, _, _):
        for name in app.jinja_env.list_templates(["html"]):
            if name.startswith(f"{folder_of(game)}/"):
                try:
                    app.jinja_env.get_template(name)
                except TemplateError as error:
                    line = getattr(error, "lineno", None)
                    where = f"line {line}: " if line else ""
                    yield Shortcoming(files.path("templates", name.partition("/")[2]), f"{where}{error}")


CHECKS: tuple[Check, ...] = (templates, style_sheets)
