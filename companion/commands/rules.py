"""`companion rules`: list the rules of a game by number."""

from __future__ import annotations

import click

from companion.commands.game_argument import game_argument
from companion.commands.terminal import as_json, out, print_json
from companion.engine import AnyGame
from companion.games import game_words
from companion.i18n import LANGUAGES
from companion.ops.rule_texts import RuleText, rules_of, said_sources


@click.command("rules", short_help="List a game's rules by number.")
@game_argument
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the rules.")
@as_json
def command(game: AnyGame, lang: str, as_json: bool) -> None:
    """List the rules of GAME by number, with their sources and the options that change them.

    Refusals and journals name rules by these numbers.
    """
    rules = rules_of(game, lang)
    if not rules:
        raise click.ClickException(f"The rules of {game.name} are not written down in {lang!r}.")
    if as_json:
        print_json([rule_data(rule) for rule in rules])
        return
    from rich.text import Text

    say = game_words(game, lang)
    for rule in rules:
        options = f" ({', '.join(rule.options)})" if rule.options else ""
        source = f" [{said}]" if (said := said_sources(rule, say)) else ""
        title = f"{rule.title}. " if rule.title else ""
        out().print(Text.assemble((rule.number, "bold"), f"  {title}{rule.text}", (options + source, "dim")))


def rule_data(rule: RuleText) -> dict[str, object]:
    """Return a rule as data; each source has its kind and, for a rulebook, the place in it."""
    sources = [source._asdict() for source in rule.sources]
    return {"id": rule.number, "text": rule.text, "options": list(rule.options), "sources": sources}
