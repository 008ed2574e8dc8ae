"""Setting up a game: which one, who plays, with which cards and options. The game refuses impossible set-ups."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, request

from companion.engine import COLOURS, SHAPES, AnyGame, BadSetup, Player, Setup
from companion.games import part
from companion.ops import host_pin as pins
from companion.table.service import TableOccupied
from web.context import context
from web.forms import InvalidForm, read_number
from web.game_pages import DECKS, OFFERED, extras_of
from web.security.access import HOST_PIN, Viewer
from web.views import answers, pages
from web.words import language, package, words

bp = Blueprint("setup", __name__)
LONGEST_NAME = 24
LONGEST_ROW = 6
"""Numbers of an option that is a row of numbers."""


class SetupField(NamedTuple):
    """An option as a control: its values, or none for a number or (`many`) a row of numbers."""

    name: str
    values: tuple[str, ...]
    many: bool
    default: Any
    edition: bool
    """Whether the edition sets it by default."""


class GameOffer(NamedTuple):
    """A game to choose: its name, the folder of its templates, and its own words."""

    name: str
    folder: str
    title: str
    tagline: str
    seats: str


def options_of(game: AnyGame) -> dict[str, tuple[SetupField, ...]]:
    """Return the game's options as controls, by group."""
    module = part(game, "options")
    if module is None:
        return {}
    hints = typing.get_type_hints(module.Options)
    preset = {name for given in getattr(module, "PRESETS", {}).values() for name in given}
    defaults = dict(zip(module.Options.__struct_fields__, module.Options.__struct_defaults__, strict=True))

    def field(name: str) -> SetupField:
        literal = typing.get_origin(hints[name]) is typing.Literal
        values = tuple(map(str, typing.get_args(hints[name]))) if literal else ()
        return SetupField(name, values, not literal and hints[name] is not int, defaults[name], name in preset)

    return {group: tuple(map(field, names)) for group, names in extras_of(game).OPTION_GROUPS.items()}


def decks_of(game: AnyGame) -> tuple[str, ...]:
    """Return the decks that the game can be played with."""
    return tuple([deck for deck in DECKS if deck in extras_of(game).CATALOGUES])


def offers() -> tuple[GameOffer, ...]:
    """Return all games that can be set up, in their own words."""
    found = []
    for name, game in OFFERED.items():
        say = words(language(), package(game))
        seats = say("setup.seats", least=game.seats[0], most=game.seats[-1])
        folder = package(game).rpartition(".")[2]
        found.append(GameOffer(name, folder, say("game.title"), say("game.tagline"), seats))
    return tuple(found)


def chosen_game() -> AnyGame:
    """Return the game that was just chosen, else the form's, else the first."""
    for name in (request.form.get("choose"), request.form.get("game"), request.args.get("game")):
        if name in OFFERED:
            return OFFERED[name]
    return next(iter(OFFERED.values()))


def table_is_free() -> bool:
    """Whether no game is being played, so that anybody may set one up."""
    snapshot = context().snapshot()
    return not snapshot.match_id or snapshot.over


@bp.get("/setup")
def page() -> Response:
    """Show the form, or say who may set up a game now."""
    return setup_form() if table_is_free() else answers.message_page("error.game_runs", 409)


def setup_form(wrong: str = "") -> Response:
    """Return the form as it was filled in, for the chosen game."""
    game = chosen_game()
    groups, entered = options_of(game), request.form
    own = {"name", "colour", "shape", "deck", "pin", "game", "choose", "csrf"}
    own |= {field.name for fields in groups.values() for field in fields}
    elsewhere = options_elsewhere() - own
    page = render_template(
        "setup.html",
        game=game,
        offers=offers(),
        rows=player_rows(game),
        colours=COLOURS,
        shapes=SHAPES,
        decks=decks_of(game),
        groups=groups,
        asked_first=extras_of(game).ASKED_FIRST,
        suggested=suggested_options(game),
        entered=entered,
        aside=[(name, value) for name, values in entered.lists() if name in elsewhere for value in values],
        wrong=wrong,
        host_digits=HOST_PIN,
        words=words(language(), package(game)),
    )
    return Response(page, 422 if wrong else 200)


def options_elsewhere() -> set[str]:
    """Return the options of all games: choices for one are kept while somebody looks at another."""
    return {field.name for game in OFFERED.values() for fields in options_of(game).values() for field in fields}


def player_rows(game: AnyGame) -> list[tuple[str, str, str]]:
    """Return the players' rows: all that were typed, and empty ones with free colours up to the game's seats.

    Nobody who was typed is dropped: beginning the game refuses too many players.
    """
    entered, most = request.form, game.seats[-1]
    found = list(zip(entered.getlist("name"), entered.getlist("colour"), entered.getlist("shape"), strict=False))
    spare = max(0, most - sum(bool(name.strip()) for name, _, _ in found))
    kept = []
    for name, colour, shape in found:
        if name.strip() or spare:
            kept.append((name, colour, shape))
            spare -= not name.strip()
    for _ in range(spare):
        colour = next((each for each in COLOURS if each not in [row[1] for row in kept]), COLOURS[0])
        shape = next((each for each in SHAPES if each not in [row[2] for row in kept]), SHAPES[0])
        kept.append(("", colour, shape))
    return kept


def suggested_options(game: AnyGame) -> Mapping[str, str]:
    """Return what the form suggests instead of the game's defaults where the table has buttons."""
    board = context().registry
    return extras_of(game).WITH_BUTTONS if board is not None and board.buttons.alive else {}


@bp.post("/setup")
def begin() -> Response:
    """Begin the game that the form describes, or show the form again with what is wrong."""
    if not table_is_free():
        return answers.message_page("error.game_runs", 409)
    if "choose" in request.form:
        return setup_form()
    game = chosen_game()
    say = words(language(), package(game))
    try:
        players = read_players(game)
        options = read_options(game)
        pin = read_host_pin()
    except InvalidForm as error:
        return setup_form(say(error.key, **error.fields))
    decks, catalogues = decks_of(game), extras_of(game).CATALOGUES
    deck = request.form.get("deck", "")
    deck = deck if deck in decks else decks[0]
    try:
        setup = Setup(
            game=game.name,
            players=players,
            options=options,
            catalogue=catalogues[deck],
            deck=typing.cast(Any, deck),
        )
        token = context().access.begin(pin, lambda keeps: context().table.start(setup, keeps, if_free=True))
    except BadSetup as error:
        return setup_form(answers.setup_refusal(error.refusal, game))
    except TableOccupied:
        return answers.message_page("error.game_began", 409)
    context().new_match()
    return pages.redirect_to_page(Viewer("host", context().snapshot().match_id), token)


def read_host_pin() -> str:
    """Return the PIN that brings the host back."""
    pin = request.form.get("pin", "").strip()
    if not pins.is_valid_pin(pin):
        raise InvalidForm("error.host_pin_digits", least=pins.LEAST, most=pins.MOST)
    return pin


def read_players(game: AnyGame) -> tuple[Player, ...]:
    """Return the players in the order of the form's rows; rows without a name are left out."""
    found: list[Player] = []
    asked = request.form
    for name, colour, shape in zip(
        asked.getlist("name"), asked.getlist("colour"), asked.getlist("shape"), strict=False
    ):
        name = " ".join(name.split())
        if not name:
            continue
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise InvalidForm("error.name_long", most=LONGEST_NAME)
        if colour not in COLOURS or shape not in SHAPES:
            raise InvalidForm("error.colour", name=name)
        found.append(Player(name, colour, shape))
    if len(found) not in game.seats:
        raise InvalidForm("error.player_count", least=game.seats[0], most=game.seats[-1], players=len(found))
    for key, kept in (
        ("name", [p.name.casefold() for p in found]),
        ("colour", [p.colour for p in found]),
        ("shape", [p.shape for p in found]),
    ):
        if len(set(kept)) < len(kept):
            raise InvalidForm(f"error.same_{key}")
    return tuple(found)


def read_options(game: AnyGame) -> dict[str, object]:
    """Return the chosen options, without those left at their default or to the edition."""
    found: dict[str, object] = {}
    for fields in options_of(game).values():
        for field in fields:
            if field.many:
                texts = [text.strip() for text in request.form.getlist(field.name)][:LONGEST_ROW]
                if any(texts):
                    row = [read_number(field.name, text) if text else None for text in texts]
                    found[field.name] = row + [None] * (LONGEST_ROW - len(row))
                continue
            text = request.form.get(field.name, "").strip()
            if text and (field.edition or text != str(field.default)):
                found[field.name] = text if field.values else read_number(field.name, text)
    return found
