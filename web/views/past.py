"""Past games: the list, how each ended, the chart of its scores, and its text. Reading does not disturb the
journal's writer.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, g, render_template, request

from companion.games import GAMES, teller_of
from companion.i18n import UnreadableWords
from companion.journal.journal import Journal, JournalError, Summary
from companion.match.notation import export
from companion.ops.backup.backup import has_secrets
from companion.table.table import TableOccupied
from web.context import context
from web.finished.matches import FinishedMatch
from web.finished.turning import has_turning_points
from web.forms import InvalidForm
from web.names import as_shown
from web.presenters.board_moves import board_view
from web.presenters.chart import chart
from web.presenters.dates import long_date
from web.presenters.report import Wordings, report_sections, turning_point
from web.presenters.standings import names_by_side, sides_with_partners, standings_of
from web.presenters.turning import ShownPoint, shown_points
from web.security import known_devices
from web.security.access import Viewer
from web.security.pin_limits import TooMany
from web.views import knock as knocking
from web.views import responses, viewer_pages
from web.views.setup import read_host_pin, table_is_free
from web.words import language, package, words

bp = Blueprint("past", __name__, url_prefix="/past")


@bp.get("/")
def page() -> str:
    """Show all games, the latest first."""
    return games_page(context().table.matches())


def games_page(games: tuple[Summary, ...], refused: str = "", wrong: str = "") -> str:
    """Return the page that lists games; `wrong` is why the one named `refused` was not resumed."""
    return render_template(
        "past.html",
        games=games,
        who={each.id: names_by_side(GAMES.get(each.game), each.setup) for each in games},
        titles={name: game_title(name) for name in {each.game for each in games}},
        dates={each.id: long_date(each.started, language()) for each in games},
        current=context().snapshot().match_id,
        free=table_is_free(),
        refused=refused,
        wrong=wrong,
        here="/past/",
    )


def game_title(name: str) -> str:
    """Return a game's title; its name if this companion lacks the game or cannot read its words."""
    game = GAMES.get(name)
    try:
        return name if game is None else words(language(), package(game))("game.title")
    except UnreadableWords:
        return name


def summary(match: str) -> Summary:
    """Return a game's line in the list."""
    found = next((s for s in context().table.matches() if s.id == match), None)
    if found is None:
        raise responses.PageGone("error.no_such_game")
    return found


def ended_summary(match: str) -> Summary:
    """Return a finished game's line in the list; raise `PageGone` for an unfinished one."""
    line = summary(match)
    if line.ended is None:
        raise responses.PageGone("error.not_ended", 403)
    if is_being_told(match):
        raise responses.PageGone("error.not_told", 403)
    return line


def is_being_told(match: str) -> bool:
    """Whether a match has ended and its ceremony is not over yet."""
    snapshot = context().snapshot()
    return snapshot.match_id == match and snapshot.over and not snapshot.told


def open_ended_match(match: str) -> FinishedMatch:
    """Return a finished game; raise `PageGone` for an unfinished one."""
    found = context().finished.open(ended_summary(match))
    g.shown_game = found.match.game
    return found


@bp.get("/<match>/")
def game(match: str) -> str:
    """Show how a game ended, everybody's scores and the game's own tables; for an unfinished one, how to continue."""
    line = summary(match)
    if line.ended is None:
        return games_page((line,))
    finished = open_ended_match(match)
    found = finished.match
    say = words(language(), package(found.game))
    teller = teller_of(found.game)
    players = as_shown(found.setup.seated())
    wordings = Wordings(found.game, players, say, found.state.table)
    history = [found.game.scores(state) for state in finished.states]
    sides, winners = found.game.sides(found.setup), found.game.winners(found.state)
    points = points_of(line, finished)
    turn = 0 if points else turning_point(history, sides, winners)
    return render_template(
        "game.html",
        match=line,
        date=long_date(line.started, language()),
        who=names_by_side(found.game, found.setup),
        title=say("game.title"),
        players=players,
        sides=sides_with_partners(found.game, found.setup),
        standings=standings_of(found.game, found.setup, found.state),
        won=say.plural("ending.wins", len(winners), name=teller.names(winners, players, say)),
        chart=chart(history, players, sides, turn),
        turn=turn,
        turning=finished.replay.sentences(turn, language()),
        points=points,
        searching=points is None and has_turning_points(line.game) and not context().turning.failed(line),
        sections=report_sections(found.game, finished.steps, wordings),
        score=lambda amount: teller.score(amount, say),
        board=board_view(found.game, found.state, players, say),
        seed=found.seed,
        seed_hash=found.setup.seed_hash,
        words=say,
    )


def points_of(line: Summary, finished: FinishedMatch) -> tuple[ShownPoint, ...] | None:
    """Return a match's turning points in words; None if they are not known, or its game has none."""
    found = context().turning.of(line) if has_turning_points(line.game) else None
    if found is None:
        return None
    game, lang = finished.match.game, language()
    players, say = as_shown(finished.match.setup.seated()), words(lang, package(game))
    events = [entry.event for entry in finished.match.entries]
    told = partial(finished.replay.sentences, lang=lang)
    return shown_points(game, found, finished.states, events, players, say, told)


@bp.get("/<match>/game.jsonl")
def text(match: str) -> Response:
    """Return a finished game as text, one record per line, including one that the rules no longer accept."""
    ended_summary(match)
    with Journal(context().journal, read_only=True) as journal:
        body = "\n".join(export(journal, match)) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="game-{int(match)}.jsonl"'}
    return Response(body, mimetype="application/x-ndjson", headers=headers)


@bp.post("/<match>/resume")
def resume(match: str) -> Response:
    """Put an unfinished game on the table again. Its host may do so; anybody may if it has no host here and no
    secrets.
    """
    if not table_is_free():
        return responses.message_page("error.game_runs", 409)
    if summary(match).ended is not None:
        raise responses.PageGone("error.ended", 409)
    credentials, pin = context().access.credentials(match), request.form.get("pin", "")
    if credentials is None:
        with Journal(context().journal, read_only=True) as journal:
            if has_secrets(journal, journal.summary(match)):  # anybody could take any seat
                raise responses.PageGone("error.doors_lost", 403, command=context().host_pin_command(match))
    access, table = context().access, context().table
    try:
        if credentials is not None and not access.enter_host(match, pin, known_devices.requesting_device()):
            wrong = knocking.wrong_pin_sentence("error.wrong_pin", access.door("host", match))
            return Response(games_page(table.matches(), match, wrong), 403)
        if credentials is None:
            token = access.begin(read_host_pin(), lambda keeps: table.resume(match, keeps, if_free=True))
        else:
            table.resume(match, if_free=True)
            token = access.admit(Viewer("host", match))
    except TooMany as problem:
        return Response(games_page(table.matches(), match, knocking.wait_sentence(problem)), 429)
    except InvalidForm as error:  # the new PIN has too few digits
        return Response(games_page(table.matches(), match, words(language())(error.key, **error.fields)), 422)
    except JournalError as error:
        raise responses.PageGone("error.journal", 503, why=str(error)) from None
    except TableOccupied:
        raise responses.PageGone("error.game_began", 409) from None
    context().new_match()
    return viewer_pages.redirect_to_page(Viewer("host", match), token)
