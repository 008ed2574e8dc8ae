"""Beginning a match: choosing cards and options. The game refuses impossible set-ups.

People begin matches in the lobby (`lobby_host`); programs, such as a demonstration's, send one form.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from companion.engine import COLOURS, SHAPES, AnyGame, BadSetup, Player, Setup
from companion.games import definition_of, files, folder_of
from companion.match.match import MatchError
from companion.mechanics.definition import nothing
from companion.ops import host_pin as pins
from companion.table.session import Keeps
from companion.table.table import TableOccupied
from web.context import context
from web.forms import InvalidForm
from web.game_pages import DECKS, OFFERED, pages_of
from web.names import check_alike, read_name
from web.presenters.option_fields import SetupField, draw, fields_of, read_decided, read_options, value_name
from web.security.access import Viewer
from web.serving import assets
from web.views import responses, viewer_pages
from web.words import language, package, words

bp = Blueprint("setup", __name__)
COVER = "cover.webp"
"""The picture on a game's box, in its static folder."""
WEIGHTS = ("light", "middling", "heavy")
"""A game's complexity in words, with a number from 1."""


class GameOffer(NamedTuple):
    """A game as a box on the shelf: its name, the folder of its templates, and its own words."""

    name: str
    folder: str
    title: str
    tagline: str
    seats: str
    minutes: str
    age: str
    weight: str
    decks: tuple[str, ...]
    cover: str
    """The address of its picture; empty if it has none, for which the page shows the game's sign."""


class SetupRefused(Exception):
    """An invalid set-up: the sentence, and the option that it concerns."""

    def __init__(self, sentence: str, option: str = "", code: int = 422) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.option = option
        self.code = code


def decks_of(game: AnyGame) -> tuple[str, ...]:
    """Return the decks that the game can be played with."""
    return tuple([deck for deck in DECKS if deck in pages_of(game).catalogues])


def offers() -> tuple[GameOffer, ...]:
    """Return all playable games, in their own words."""
    return tuple([offer(game) for game in OFFERED.values()])


def offer(game: AnyGame) -> GameOffer:
    """Return a game as a box on the shelf, leaving out facts that its words lack."""
    say = words(language(), package(game))

    def told(key: str) -> str:
        return say(f"game.{key}") if say.has(f"game.{key}") else ""

    weight = told("weight")
    return GameOffer(
        game.name,
        package(game).rpartition(".")[2],
        say("game.title"),
        say("game.tagline"),
        f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0]),
        told("minutes"),
        told("age"),
        WEIGHTS[int(weight) - 1] if weight in ("1", "2", "3") else "",
        decks_of(game),
        cover_of(game),
    )


def cover_of(game: AnyGame) -> str:
    """Return the address of a game's box picture; empty if it has none."""
    if not files(game, "static").joinpath(COVER).is_file():
        return ""
    return assets.hashed(f"/static/{folder_of(game)}/{COVER}")


def table_is_free() -> bool:
    """Whether no game is being played, so that anybody may begin one."""
    snapshot = context().snapshot()
    return not snapshot.match_id or snapshot.over


# --- options and cards ----------------------------------------------------------------------------


def option_page(game: AnyGame, entered: MultiDict[str, str], players: int, at: str = "") -> dict[str, object]:
    """Return the contents of the folds of options and cards: as filled in, else as the game suggests."""
    groups = fields_of(game)
    fields = {field.name: field for each in groups.values() for field in each}
    say = words(language(), package(game))
    return {
        "game": game,
        "count": min(max(players, game.seats[0]), game.seats[-1]),
        "decks": decks_of(game),
        "listed": definition_of(game).sheet is not nothing,
        "groups": groups,
        "one_each": [field for field in fields.values() if field.control == "each"],
        "picked": {name: picked_values(field, entered) for name, field in fields.items() if field.control == "pick"},
        "at": at,
        "asked_first": pages_of(game).asked_first,
        "suggested": suggested_options(game),
        "entered": entered,
        "value_name": partial(value_name, game, say=say),
    }


def fill_in_pick(game: AnyGame, entered: MultiDict[str, str]) -> str:
    """Fill in a set of values, or values drawn at random, as a button asks; return the option's name, or empty."""
    fields: Mapping[str, SetupField] = {field.name: field for each in fields_of(game).values() for field in each}
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
    """Return the picked values: from the form, else the default."""
    given = entered.getlist(field.name) if field.name in entered else field.default
    return frozenset(map(str, given)) & frozenset(field.values)


def suggested_options(game: AnyGame) -> Mapping[str, str]:
    """Return the form's suggestions instead of the game's defaults if the table has buttons."""
    board = context().registry
    return pages_of(game).with_buttons if board is not None and board.buttons.alive else {}


# --- a match --------------------------------------------------------------------------------------


def read_setup(
    game: AnyGame, form: MultiDict[str, str], players: Sequence[Player], rows: Mapping[int, str] | None = None
) -> Setup:
    """Return a form's set-up for these players; raise `SetupRefused`.

    `rows`: the players' names by the row of the form, if that is not their seat.
    """
    rows = dict(enumerate([player.name for player in players])) if rows is None else rows
    fields = [field for group in fields_of(game).values() for field in group]
    try:
        check_players(game, players)
        options = read_decided(game, form) | read_options(fields, form, rows)
    except InvalidForm as error:
        say, at = words(language(), package(game)), str(error.fields.get("option", ""))
        titled = {"option": say(f"option.{at}.title")} if at else {}
        raise SetupRefused(say(error.key, **(error.fields | titled)), at) from None
    decks, deck = decks_of(game), form.get("deck", "")
    deck = deck if deck in decks else decks[0]
    return Setup(
        game=game.name,
        players=tuple(players),
        options=options,
        catalogue=pages_of(game).catalogue(deck, options),
        deck=typing.cast(Any, deck),
    )


def check_players(game: AnyGame, players: Sequence[Player]) -> None:
    """Raise `InvalidForm` for a number of people that the game does not allow, or for names too much alike."""
    if len(players) not in game.seats:
        raise InvalidForm("error.player_count", least=game.seats[0], most=game.seats[-1], players=len(players))
    check_alike([player.name for player in players])
    for key in ("colour", "shape"):
        if len({getattr(player, key) for player in players}) < len(players):
            raise InvalidForm(f"error.same_{key}")


def start_match(game: AnyGame, setup: Setup, begin: Callable[[Callable[[Keeps], object]], None]) -> None:
    """Put a match on the table through `begin`; raise `SetupRefused` if the game or the table refuses it."""
    try:
        begin(lambda keeps: context().table.start(setup, keeps, if_free=True))
    except BadSetup as error:
        raise SetupRefused(responses.setup_refusal(error.refusal, game, setup.seated())) from None
    except TableOccupied:
        raise SetupRefused(words(language())("error.game_began"), code=409) from None
    except MatchError as error:  # the error is in the game's own code
        raise SetupRefused(str(error)) from None
    context().new_match()


@bp.get("/setup")
def page() -> Response:
    """Redirect older links to the first page, which now shows the games."""
    return responses.redirect_to("/")


@bp.post("/setup")
def begin() -> Response:
    """Begin the match that one form describes, with its players in rows, as programs send it."""
    if not table_is_free():
        return responses.message_page("error.game_runs", 409)
    if context().lobby.waiting is not None:
        return responses.message_page("error.lobby_open", 409)
    game = OFFERED.get(request.form.get("game", next(iter(OFFERED))))
    if game is None:
        raise responses.PageGone("error.malformed", 422)
    token: list[str] = []
    try:
        players, pin = read_players(), read_host_pin()
        rows = {row: name for row, name in enumerate(request.form.getlist("name")) if name.strip()}
        setup = read_setup(game, request.form, players, rows)
        start_match(game, setup, lambda lay: token.append(context().access.begin(pin, lay)))
    except InvalidForm as error:
        return responses.message(words(language(), package(game))(error.key, **error.fields), 422)
    except SetupRefused as error:
        return responses.message(error.sentence, error.code)
    return viewer_pages.redirect_to_page(Viewer("host", context().snapshot().match_id), token[0])


def read_host_pin() -> str:
    """Return the PIN with which the host can return."""
    pin = request.form.get("pin", "").strip()
    if not pins.is_valid_pin(pin):
        raise InvalidForm("error.host_pin_digits", least=pins.LEAST, most=pins.MOST)
    return pin


def read_players() -> tuple[Player, ...]:
    """Return the players in the order of the form's rows, without empty rows."""
    found: list[Player] = []
    rows = zip(*[request.form.getlist(key) for key in ("name", "colour", "shape")], strict=False)
    for name, colour, shape in rows:
        name = read_name(name)
        if not name:
            continue
        if colour not in COLOURS or shape not in SHAPES:
            raise InvalidForm("error.colour", name=name)
        found.append(Player(name, colour, shape))
    return tuple(found)
