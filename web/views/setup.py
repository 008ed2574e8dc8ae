"""Setting up a game: which one, who plays, with which cards and options. The game refuses impossible set-ups."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, request
from werkzeug.datastructures import MultiDict

from companion.engine import COLOURS, SHAPES, AnyGame, BadSetup, Player, Setup
from companion.engine.names import TYPED
from companion.games import definition_of
from companion.i18n import Words
from companion.match.match import MatchError
from companion.mechanics.definition import nothing
from companion.mechanics.telling import listed
from companion.ops import host_pin as pins
from companion.table.table import TableOccupied
from web.context import context
from web.forms import InvalidForm
from web.game_pages import DECKS, OFFERED, pages_of
from web.names import check_alike, read_name
from web.presenters.option_fields import SetupField, draw, fields_of, read_decided, read_options, value_name
from web.presenters.standings import sides_with_partners
from web.security.access import HOST_PIN, Viewer
from web.views import responses, viewer_pages
from web.words import language, package, words

bp = Blueprint("setup", __name__)


class GameOffer(NamedTuple):
    """A game to choose: its name, the folder of its templates, and its own words."""

    name: str
    folder: str
    title: str
    tagline: str
    seats: str


class PlayerRow(NamedTuple):
    """A player's row in the form: what was typed or is suggested, and a text for each option that is one's own."""

    name: str
    colour: str
    shape: str
    own: tuple[str, ...] = ()


def decks_of(game: AnyGame) -> tuple[str, ...]:
    """Return the decks that the game can be played with."""
    return tuple([deck for deck in DECKS if deck in pages_of(game).catalogues])


def offers() -> tuple[GameOffer, ...]:
    """Return all games that can be set up, in their own words."""
    found = []
    for name, game in OFFERED.items():
        say = words(language(), package(game))
        key = "setup.seats" if len(game.seats) > 1 else "setup.seats_only"
        seats = say(key, least=game.seats[0], most=game.seats[-1])
        folder = package(game).rpartition(".")[2]
        found.append(GameOffer(name, folder, say("game.title"), say("game.tagline"), seats))
    return tuple(found)


def entered_form() -> MultiDict[str, str]:
    """Return the form as it was sent, or as it was kept under the name in the address."""
    return request.form if request.method == "POST" else context().drafts.find(request.args.get("draft", ""))


def draft_address(game: AnyGame) -> str:
    """Return the address of the form that was sent, without its PIN and with what a button asks for filled in."""
    form = request.form.copy()
    fields = {field.name: field for each in fields_of(game).values() for field in each}
    form["at"] = fill_in_pick(fields, form) or form.get("at", "")
    form.poplist("draw")
    form.poplist("preset")
    return f"/setup?draft={context().drafts.keep(form)}"


def chosen_game() -> AnyGame:
    """Return the game that was just chosen, else the form's, else the first."""
    entered = entered_form()
    for name in (entered.get("choose"), entered.get("game"), request.args.get("game")):
        if name in OFFERED:
            return OFFERED[name]
        if name and request.method == "POST":
            raise responses.PageGone("error.malformed", 422)
    return next(iter(OFFERED.values()))


def table_is_free() -> bool:
    """Whether no game is being played, so that anybody may set one up."""
    snapshot = context().snapshot()
    return not snapshot.match_id or snapshot.over


@bp.get("/setup")
def page() -> Response:
    """Show the form, or say who may set up a game now."""
    return setup_form() if table_is_free() else responses.message_page("error.game_runs", 409)


def setup_form(wrong: str = "", at: str = "") -> Response:
    """Return the form as it was filled in, for the chosen game. `at`: the option that `wrong` is about."""
    game = chosen_game()
    groups, entered = fields_of(game), entered_form().copy()
    fields = {field.name: field for each in groups.values() for field in each}
    at = at or entered.get("at", "")
    own = {"name", "colour", "shape", "deck", "pin", "game", "choose", "at", "csrf", *fields}
    all_fields = [field for offered in OFFERED.values() for group in fields_of(offered).values() for field in group]
    # Choices for one game are kept while somebody looks at another.
    elsewhere = {field.name for field in all_fields} - own
    each = [field for field in fields.values() if field.control == "each"]
    rows = player_rows(game, each)
    named = sum(bool(row.name.strip()) for row in rows)
    say = words(language(), package(game))
    page = render_template(
        "setup.html",
        game=game,
        offers=offers(),
        rows=rows,
        count=min(max(named, game.seats[0]), game.seats[-1]),
        partners=rows_by_side(game, say),
        colours=COLOURS,
        shapes=SHAPES,
        decks=decks_of(game),
        listed=definition_of(game).sheet is not nothing,
        groups=groups,
        one_each=each,
        picked={name: picked_values(field, entered) for name, field in fields.items() if field.control == "pick"},
        at=at,
        asked_first=pages_of(game).asked_first,
        suggested=suggested_options(game),
        entered=entered,
        aside=[(name, value) for name, values in entered.lists() if name in elsewhere for value in values],
        wrong=wrong,
        host_digits=HOST_PIN,
        longest_name=TYPED,
        words=say,
        value_name=partial(value_name, game, say=say),
        **({"here": draft_address(game)} if request.method == "POST" else {}),
    )
    return Response(page, 422 if wrong else 200)


def rows_by_side(game: AnyGame, say: Words) -> str:
    """Return which rows of the form play together, for each number of players; empty if everybody plays alone."""
    found = {}
    for players in game.seats:
        sides = sides_with_partners(game, Setup(game.name, players))
        rows = [listed([str(seat + 1) for seat in side], say) for side in sides]
        found[players] = ", ".join([say("setup.side", rows=each) for each in rows])
    if len(found) == 1:
        return "".join(found.values())
    return "; ".join([say("setup.sides_of", players=players, sides=sides) for players, sides in found.items() if sides])


def fill_in_pick(fields: Mapping[str, SetupField], entered: MultiDict[str, str]) -> str:
    """Fill in a set of values, or values drawn at random, as a button asks; return the option's name, or empty."""
    name, _, chosen = entered.get("preset", "").partition(":")
    drawn = fields.get(entered.get("draw", ""))
    if drawn is not None and drawn.control == "pick":
        entered.setlist(drawn.name, ["", *draw(drawn)])
        return drawn.name
    if name in fields and chosen in fields[name].sets:
        given = fields[name].sets[chosen]
        entered.setlist(name, ["", *(draw(fields[name], given=given) if fields[name].is_drawn(chosen) else given)])
        for other, value in fields[name].with_sets.get(chosen, {}).items():
            entered.setlist(other, [value])
        return name
    return ""


def picked_values(field: SetupField, entered: MultiDict[str, str]) -> frozenset[str]:
    """Return the values that are picked: as the form says, else the default."""
    given = entered.getlist(field.name) if field.name in entered else field.default
    return frozenset(map(str, given)) & frozenset(field.values)


def player_rows(game: AnyGame, each: Sequence[SetupField]) -> list[PlayerRow]:
    """Return all rows that were typed, even too many, which the game refuses, and empty ones up to the game's seats."""
    entered, most = entered_form(), game.seats[-1]
    texts = [entered.getlist(field.name) for field in each]
    typed = zip(entered.getlist("name"), entered.getlist("colour"), entered.getlist("shape"), strict=False)
    found = [
        PlayerRow(*row, own=tuple([text[at] if at < len(text) else "" for text in texts]))
        for at, row in enumerate(typed)
    ]
    found = found if any(row.name.strip() for row in found) else assigned_rows(len(each))
    spare = max(0, most - sum(bool(row.name.strip()) for row in found))
    kept: list[PlayerRow] = []
    for row in found:
        if row.name.strip() or spare:
            kept.append(row)
            spare -= not row.name.strip()
    for _ in range(spare):
        colour = next((each for each in COLOURS if each not in [row.colour for row in kept]), COLOURS[0])
        shape = next((each for each in SHAPES if each not in [row.shape for row in kept]), SHAPES[0])
        kept.append(PlayerRow("", colour, shape, ("",) * len(texts)))
    return kept


def assigned_rows(own: int) -> list[PlayerRow]:
    """Return rows of those who are known to play here, such as by a hall's word, in the order of seats."""
    return [
        PlayerRow(name, COLOURS[at % len(COLOURS)], SHAPES[at % len(SHAPES)], ("",) * own)
        for at, name in enumerate(context().plugins.players())
    ]


def suggested_options(game: AnyGame) -> Mapping[str, str]:
    """Return what the form suggests instead of the game's defaults where the table has buttons."""
    board = context().registry
    return pages_of(game).with_buttons if board is not None and board.buttons.alive else {}


@bp.post("/setup")
def begin() -> Response:
    """Begin the game that the form describes, or show the form again with what is wrong."""
    if not table_is_free():
        return responses.message_page("error.game_runs", 409)
    game = chosen_game()
    if {"choose", "draw", "preset"} & set(request.form):
        return responses.redirect_to(draft_address(game))
    say = words(language(), package(game))
    try:
        players = read_players(game)
        fields = [field for group in fields_of(game).values() for field in group]
        seated = {row: name for row, name in enumerate(request.form.getlist("name")) if name.strip()}
        options = read_decided(game, request.form) | read_options(fields, request.form, seated)
        pin = read_host_pin()
    except InvalidForm as error:
        at = str(error.fields.get("option", ""))
        titled = {"option": say(f"option.{at}.title")} if at else {}
        return setup_form(say(error.key, **(error.fields | titled)), at)
    decks = decks_of(game)
    deck = request.form.get("deck", "")
    deck = deck if deck in decks else decks[0]
    try:
        setup = Setup(
            game=game.name,
            players=players,
            options=options,
            catalogue=pages_of(game).catalogue(deck, options),
            deck=typing.cast(Any, deck),
        )
        token = context().access.begin(pin, lambda keeps: context().table.start(setup, keeps, if_free=True))
    except BadSetup as error:
        return setup_form(responses.setup_refusal(error.refusal, game, players))
    except TableOccupied:
        return responses.message_page("error.game_began", 409)
    except MatchError as error:  # the game's own code fails
        return setup_form(str(error))
    context().new_match()
    return viewer_pages.redirect_to_page(Viewer("host", context().snapshot().match_id), token)


def read_host_pin() -> str:
    """Return the PIN that brings the host back."""
    pin = request.form.get("pin", "").strip()
    if not pins.is_valid_pin(pin):
        raise InvalidForm("error.host_pin_digits", least=pins.LEAST, most=pins.MOST)
    return pin


def read_players(game: AnyGame) -> tuple[Player, ...]:
    """Return the players in the order of the form's rows; rows without a name are left out."""
    found: list[Player] = []
    rows = zip(*[request.form.getlist(key) for key in ("name", "colour", "shape")], strict=False)
    for name, colour, shape in rows:
        name = read_name(name)
        if not name:
            continue
        if colour not in COLOURS or shape not in SHAPES:
            raise InvalidForm("error.colour", name=name)
        found.append(Player(name, colour, shape))
    if len(found) not in game.seats:
        raise InvalidForm("error.player_count", least=game.seats[0], most=game.seats[-1], players=len(found))
    check_alike([player.name for player in found])
    for key in ("colour", "shape"):
        if len({getattr(player, key) for player in found}) < len(found):
            raise InvalidForm(f"error.same_{key}")
    return tuple(found)
