"""More about finished matches: the report as files, the replay, and records over all matches."""

from __future__ import annotations

import hashlib
import secrets

import msgspec
from flask import Blueprint, Response, g, render_template, request
from markupsafe import Markup, escape

from companion.games import GAMES, teller_of
from companion.i18n import LANGUAGES
from web.context import context
from web.finished.matches import FinishedMatch
from web.finished.records import game_records
from web.names import as_shown
from web.presenters.csv_tables import Cells, tables_text
from web.presenters.dates import long_date
from web.presenters.podium import fitting, podium_of
from web.presenters.report import ShownSection, Wordings, report_sections
from web.presenters.standings import standings_of
from web.views import responses
from web.views.past import is_being_told, open_ended_match, points_of, summary
from web.views.viewer_pages import region_section
from web.words import language, package, words

bp = Blueprint("report", __name__, url_prefix="/past")
STARTED = secrets.token_hex(8)
"""A value unique to this process: a later companion may draw the same step differently."""
KEEP = "private, max-age=31536000, immutable"
LONGEST_STEP = 7
"""The most digits of a step's number."""


# --- files ----------------------------------------------------------------------------------------


def file_sections(finished: FinishedMatch) -> tuple[ShownSection, ...]:
    """Return the game's tables with names as they were typed."""
    found = finished.match
    say = words(language(), package(found.game))
    wordings = Wordings(found.game, found.setup.seated(), say, found.state.table)
    return report_sections(found.game, finished.steps, wordings)


def standing_rows(finished: FinishedMatch) -> list[Cells]:
    """Return the ranking: place, players, score."""
    found = finished.match
    names = [player.name for player in found.setup.seated()]
    standings = standings_of(found.game, found.setup, found.state)
    return [(each.place, ", ".join([names[seat] for seat in each.seats]), each.score) for each in standings]


def course_rows(finished: FinishedMatch) -> list[Cells]:
    """Return for every event its number, its wall clock, its text, and every seat's score after it."""
    found, lang = finished.match, language()
    return [
        (step, entry.at, " ".join(finished.replay.sentences(step, lang)), *found.game.scores(entry.after))
        for step, entry in enumerate(found.entries, 1)
    ]


@bp.get("/<match>/report.csv")
def as_csv(match: str) -> Response:
    """Return the report as tables below one another, for spreadsheets."""
    finished = open_ended_match(match)
    say = words(language(), package(finished.match.game))
    names = [player.name for player in finished.match.setup.seated()]
    heads = [say(f"report.column.{head}") for head in ("step", "clock", "happened")]
    tables: list[tuple[str, list[Cells]]] = [(say("report.standings"), standing_rows(finished))]
    for each in file_sections(finished):
        tables.append((each.title, [[cell.value for cell in row] for row in (each.heads, *each.rows)]))
    tables.append((say("report.course"), [(*heads, *names), *course_rows(finished)]))
    return attachment(tables_text(tables, language()), "text/csv; charset=utf-8", f"game-{finished.match.id}.csv")


@bp.get("/<match>/report.json")
def as_json(match: str) -> Response:
    """Return the report for programs."""
    finished = open_ended_match(match)
    found = finished.match
    body = {
        "match": found.id,
        "game": found.game.name,
        "started": found.started,
        "ended": finished.ended,
        "language": language(),
        "players": [player.name for player in found.setup.seated()],
        "standings": [dict(zip(("place", "players", "score"), row, strict=True)) for row in standing_rows(finished)],
        "sections": [
            {
                "key": each.key,
                "title": each.title,
                "columns": [head.value for head in each.heads],
                "rows": [[cell.value for cell in row] for row in each.rows],
            }
            for each in file_sections(finished)
        ],
        "course": [
            {"step": step, "at": at, "told": told, "scores": scores}
            for step, at, told, *scores in course_rows(finished)
        ],
    }
    text = msgspec.json.format(msgspec.json.encode(body), indent=1).decode()
    return attachment(text + "\n", "application/json", f"game-{found.id}.json")


@bp.get("/<match>/podium.svg")
def as_picture(match: str) -> Response:
    """Return a picture of the podium to keep, made from the ranking."""
    finished = open_ended_match(match)
    found = finished.match
    say, teller = words(language(), package(found.game)), teller_of(found.game)
    players, winners = as_shown(found.setup.seated()), found.game.winners(found.state)
    won = say.plural("ending.wins", len(winners), name=teller.names(winners, players, say))
    picture = render_template(
        "podium.svg",
        podium=podium_of(standings_of(found.game, found.setup, found.state), players, lambda n: teller.score(n, say)),
        won=won,
        headline=fitting(won, 1080, 68),
        title=say("game.title"),
        date=long_date(found.started, language()),
    )
    return attachment(picture, "image/svg+xml", f"podium-{found.id}.svg")


def attachment(text: str, kind: str, name: str) -> Response:
    """Return a file as a download."""
    return Response(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


# --- the replay -----------------------------------------------------------------------------------


def version_of(finished: FinishedMatch) -> str:
    """Return a version for a match's drawn steps, which browsers cache for good."""
    key = f"{STARTED} {finished.match.id} {finished.ended} {finished.match.seq}"
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def read_step(text: str, last: int) -> int:
    """Return a step's number; raise `PageGone` if the match has no such step."""
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_STEP and int(text) <= last):
        raise responses.PageGone("error.no_line", 404)
    return int(text)


@bp.get("/<match>/replay")
def replay(match: str) -> str:
    """Show a finished match step by step, starting at the address's step."""
    finished = open_ended_match(match)
    found, shown = finished.match, finished.replay
    say = words(language(), package(found.game))
    step = read_step(request.args.get("step", "0"), shown.last)
    line = summary(match)
    return render_template(
        "replay.html",
        title=say("game.title"),
        match=line,
        players=as_shown(found.setup.seated()),
        points=points_of(line, finished),
        step=step,
        last=shown.last,
        version=version_of(finished),
        regions={name: region_section(name, html) for name, html in shown.regions(step, language()).items()},
        told=shown.sentences(step, language()),
        words=say,
    )


@bp.get("/<match>/replay/<lang>/<step>")
def step(match: str, lang: str, step: str) -> Response:
    """Return one step: its event in words, and the public regions of the table after it. It never changes."""
    finished = open_ended_match(match)
    if lang not in LANGUAGES:
        raise responses.PageGone("error.not_found", 404)
    number = read_step(step, finished.replay.last)
    told = Markup(" ").join([escape(each) for each in finished.replay.sentences(number, lang)])
    sections = [region_section(name, html) for name, html in finished.replay.regions(number, lang).items()]
    body = Markup("<p data-told>{}</p>{}").format(told, Markup("").join(sections))
    if request.args.get("v") != version_of(finished):
        return Response(body)
    g.kept_for_good = True
    return Response(body, headers={"Cache-Control": KEEP})


# --- records --------------------------------------------------------------------------------------


@bp.get("/records")
def records() -> str:
    """Show each player's matches and wins, game by game, as far as they have been counted."""
    ended = [line for line in context().table.matches() if line.ended is not None and line.game in GAMES]
    lines = [line for line in ended if not is_being_told(line.id)]
    found = context().records.sums(lines)
    sums = [each for each in found if each is not None]
    played = [name for name in GAMES if any(each.game == name for each in sums)]
    return render_template(
        "records.html",
        games=[game_records(name, sums, words(language(), package(GAMES[name]))) for name in played],
        counted=len(found),
        all=len(lines),
    )
