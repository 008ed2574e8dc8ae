"""`companion rules`: list the rules of a game by number."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import click

from companion.commands.terminal import as_json, game_argument, out, print_json
from companion.engine import Game
from companion.games import package
from companion.i18n import LANGUAGES


def rule_table(game: Game[Any], lang: str) -> list[dict[str, Any]]:
    """Return every rule with its number, its text and the options that change it."""
    file = resources.files(package(game)).joinpath("words", f"rules.{lang}.toml")
    if not file.is_file():
        raise click.ClickException(f"The rules of {game.name} are not written down in {lang!r}.")
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    found = data.get("rules", data)
    return [
        {"id": number, "text": entry["text"].strip(), "options": list(entry.get("options", []))}
        for number, entry in found.items()
        if isinstance(entry, dict) and "text" in entry
    ]


@click.command("rules", short_help="List a game's rules by number.")
@game_argument
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the rules.")
@as_json
def command(game: Game[Any], lang: str, as_json: bool) -> None:
    """List the rules of GAME by number, with the options that change them.

    Refusals and journals name rules by these numbers.
    """
    rules = rule_table(game, lang)
    if as_json:
        print_json(rules)
        return
    from rich.text import Text

    for rule in rules:
        options = f" ({', '.join(rule['options'])})" if rule["options"] else ""
        out().print(Text.assemble((rule["id"], "bold"), f"  {rule['text']}", (options, "dim")))
