"""Setting up a game: who plays, with which cards, edition and options. What cannot be is refused by the game."""

from __future__ import annotations

import importlib
import typing
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, request

from companion.engine import COLOURS, SHAPES, BadSetup, Game, Player, Setup
from web import shared
from web.access import HOST_PIN, Viewer
from web.brought import extras_of
from web.house import house
from web.offered import OFFERED
from web.proposals import Unfit, whole
from web.sentences import language, package, words

bp = Blueprint("setup", __name__)
DECKS = ("dealt", "ours", "box")
LONGEST_NAME = 24
FEWEST_HOST_DIGITS = 4
TOKENS = 6


class Field(NamedTuple):
    """An option as a control: its values, or none where it is a number or (`many`) a row of numbers."""

    name: str
    values: tuple[str, ...]
    many: bool
    default: Any
    edition: bool
    """Whether the edition decides it where nobody says otherwise."""


def options_of(game: Game[Any]) -> dict[str, tuple[Field, ...]]:
    """Return the game's options as controls, by group."""
    module = importlib.import_module(package(game) + ".options")
    hints = typing.get_type_hints(module.Options)
    preset = {name for given in module.PRESETS.values() for name in given}
    defaults = dict(zip(module.Options.__struct_fields__, module.Options.__struct_defaults__, strict=True))

    def field(name: str) -> Field:
        literal = typing.get_origin(hints[name]) is typing.Literal
        values = tuple(map(str, typing.get_args(hints[name]))) if literal else ()
        return Field(name, values, not literal and hints[name] is not int, defaults[name], name in preset)

    return {group: tuple(map(field, names)) for group, names in extras_of(game).OPTION_GROUPS.items()}


def free() -> bool:
    """Whether no game is being played, so that anybody may set one up."""
    snapshot = house().snapshot()
    return not snapshot.match_id or snapshot.over


@bp.get("/setup")
def page() -> Response:
    """Show the form, or say who may set up a game now."""
    return form() if free() else shared.page_of("error.game_runs", 409)


def form(wrong: str = "") -> Response:
    """Return the form as it was filled in."""
    game = next(iter(OFFERED.values()))
    say = words(language(), package(game))
    said = request.form
    rows = list(zip(said.getlist("name"), said.getlist("colour"), said.getlist("shape"), strict=False))
    rows += [("", COLOURS[n], SHAPES[n]) for n in range(len(rows), game.seats[-1])]
    page = render_template(
        "setup.html",
        game=game,
        rows=rows,
        colours=COLOURS,
        shapes=SHAPES,
        decks=DECKS,
        groups=options_of(game),
        asked_first=extras_of(game).ASKED_FIRST,
        suggested=suggested(),
        said=said,
        wrong=wrong,
        host_digits=HOST_PIN,
        words=say,
    )
    return Response(page, 422 if wrong else 200)


def suggested() -> dict[str, str]:
    """Return what the form proposes besides the game's own defaults: with buttons, fists open at a signal."""
    board = house().switchboard
    return {"reveal": "signal"} if board is not None and board.buttons.alive else {}


@bp.post("/setup")
def begin() -> Response:
    """Begin the game that the form describes; show the form again with what does not fit."""
    if not free():
        return shared.page_of("error.game_runs", 409)
    game = next(iter(OFFERED.values()))
    say = words(language(), package(game))
    try:
        players = seated(game)
        options = chosen(game)
        pin = host_pin()
    except Unfit as error:
        return form(say(error.key, **error.fields))
    deck = request.form.get("deck", "dealt")
    home = house()
    try:
        setup = Setup(
            game=game.name,
            players=players,
            options=options,
            catalogue="box" if deck == "box" else "reconstruction",
            deck=typing.cast(Any, deck if deck in DECKS else "dealt"),
        )
        match = home.table.start(setup)
    except BadSetup as error:
        return form(shared.plainly(error.refusal))
    home.access.open_doors(match, pin)
    home.new_match()
    return shared.to(f"/h/{home.access.admit(Viewer('host', match))}/")


def host_pin() -> str:
    """Return the PIN that brings the host back."""
    pin = request.form.get("pin", "").strip()
    if not (pin.isascii() and pin.isdigit() and FEWEST_HOST_DIGITS <= len(pin) <= HOST_PIN):
        raise Unfit("error.host_pin_digits", least=FEWEST_HOST_DIGITS, most=HOST_PIN)
    return pin


def seated(game: Game[Any]) -> tuple[Player, ...]:
    """Return the players in the order of the form's rows; rows without a name are nobody."""
    found: list[Player] = []
    asked = request.form
    for name, colour, shape in zip(
        asked.getlist("name"), asked.getlist("colour"), asked.getlist("shape"), strict=False
    ):
        name = " ".join(name.split())
        if not name:
            continue
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise Unfit("error.name_long", most=LONGEST_NAME)
        if colour not in COLOURS or shape not in SHAPES:
            raise Unfit("error.colour", name=name)
        found.append(Player(name, colour, shape))
    if len(found) not in game.seats:
        raise Unfit("error.player_count", least=game.seats[0], most=game.seats[-1], players=len(found))
    for key, kept in (
        ("name", [p.name.casefold() for p in found]),
        ("colour", [p.colour for p in found]),
        ("shape", [p.shape for p in found]),
    ):
        if len(set(kept)) < len(kept):
            raise Unfit(f"error.same_{key}")
    return tuple(found)


def chosen(game: Game[Any]) -> dict[str, Any]:
    """Return the options that were chosen; those left as they usually are, or to the edition, are not among them."""
    found: dict[str, Any] = {}
    for fields in options_of(game).values():
        for field in fields:
            if field.many:
                texts = [text.strip() for text in request.form.getlist(field.name)][:TOKENS]
                if any(texts):
                    row = [whole(field.name, text) if text else None for text in texts]
                    found[field.name] = row + [None] * (TOKENS - len(row))
                continue
            text = request.form.get(field.name, "").strip()
            if text and (field.edition or text != str(field.default)):
                found[field.name] = text if field.values else whole(field.name, text)
    return found
