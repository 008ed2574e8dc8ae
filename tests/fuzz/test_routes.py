"""Tests of all routes with hostile requests: no 5xx, no traceback, and refused requests write nothing."""

from __future__ import annotations

import faulthandler
import logging
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.fuzz.requests import Asked, Asker
from tests.fuzz.worlds import KEY, KEY_VARIABLE, KINDS, World
from tests.support.web.visitors import said
from web.live.regions import Region
from web.words import words

pytestmark = pytest.mark.filterwarnings(
    # The last reference to files that a malformed form left partly read closes them.
    "ignore:Exception ignored in. .function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
REQUESTS = 300
"""The number of requests in all worlds together, beside each route with each method once per world."""
MANY = 25_000
"""The number of requests for `make fuzz`."""
ROUND = 100
"""The number of requests after which a world's game is set up again if it was ended."""
LONGEST = 120.0
"""The seconds after which a round counts as a hang: a thousand times its usual duration."""
SEED = "COMPANION_FUZZ_SEED"
BUSY = ("error.too_many_screens", "error.journal", "cue.ending_off", "cue.ending_restart")
"""Sentences with which a page may answer 503."""


class Log(logging.Handler):
    """A handler that keeps errors and records with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        if record.exc_info or record.levelno >= logging.ERROR:
            self.found.append(logging.Formatter().format(record))


@pytest.fixture
def log() -> Iterator[Log]:
    """Yield the kept records."""
    found = Log()
    logging.getLogger().addHandler(found)
    yield found
    logging.getLogger().removeHandler(found)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start no programs, use the test's own frames folder, and raise a template's errors."""

    monkeypatch.setattr("web.pdf_printer.PdfPrinter._run", lambda self, command, path: "nothing is printed here")
    monkeypatch.setattr("web.plugins.demonstration.beside.Demonstration.start", lambda self, game, players: None)
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    monkeypatch.setattr(Region, "strict", True)


def seed() -> int:
    """Return the requested seed, else a fixed one, or a random one for many requests."""
    return int(os.environ.get(SEED, "1"))


def send(world: World, asked: Asked) -> TestResponse:
    """Send a request and read at most the first chunk of its answer, because streams never end."""
    streams = asked.endpoint.endswith("stream")
    answer = world.anybody.client.open(
        asked.path, method=asked.method, headers=asked.headers, data=asked.body, buffered=not streams
    )
    if streams and answer.mimetype == "text/event-stream":
        next(iter(answer.response), None)
    return answer


def wrong(world: World, answer: TestResponse, log: Log) -> list[str]:
    """Return the faults of an answer and of its effects."""
    found = [f"logged: {each}" for each in log.found]
    log.found.clear()
    busy = answer.status_code == 503 and said(answer) in {words(lang)(key) for lang in ("en", "fr") for key in BUSY}
    if answer.status_code >= 500 and not busy:
        found.append(f"status {answer.status_code}: {answer.text[-300:]}")
    written = world.watch.written()
    if answer.status_code >= 400:
        found += [f"written though refused with {answer.status_code}: {each}" for each in written]
    return found


def fuzz(folder: Path, kind: str, count: int, number: int, log: Log) -> Counter[int]:
    """Send the given number of requests to a world, and return the number of answers by status."""
    luck, told = random.Random(f"{number} {kind}"), Counter[int]()
    with World(folder, kind, luck) as world:
        world.renew()
        if kind != "empty":
            world.plug_in()
        asker = Asker(world, luck)
        routes = asker.each_route()
        for at in range(len(routes) + count):
            if at % ROUND == 0:
                faulthandler.dump_traceback_later(LONGEST, exit=True)
                world.renew()
                world.watch.written()
            rule, method = routes[at] if at < len(routes) else asker.any_route()
            asked = asker.ask(rule, method)
            answer = send(world, asked)
            told[answer.status_code] += 1
            problems = wrong(world, answer, log)
            answer.close()
            assert not problems, f"{SEED}={number}, {kind}, request {at}: {asked}\n" + "\n".join(problems)
        faulthandler.cancel_dump_traceback_later()
    return told


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_requests_get_a_sentence(tmp_path: Path, kind: str, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request that our pages never send gets an answer, and refused ones write nothing."""
    if kind == "stage":
        monkeypatch.setenv(KEY_VARIABLE, KEY)
    told = fuzz(tmp_path, kind, REQUESTS // len(KINDS), seed(), log)
    print(f"{SEED}={seed()} {kind}: {sum(told.values())} requests, {dict(sorted(told.items()))}")
    if kind not in ("empty",):
        assert {200, 204, 403, 404, 405, 409, 422} <= set(told), "the fuzzer reaches no page any more"


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", KINDS)
def test_many_hostile_requests(tmp_path: Path, kind: str, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds for more requests, with another seed each time."""
    number = int(os.environ.get(SEED, "0")) or int.from_bytes(os.urandom(4), "big")
    print(f"{SEED}={number}")
    if kind == "stage":
        monkeypatch.setenv(KEY_VARIABLE, KEY)
    told = fuzz(tmp_path, kind, MANY // len(KINDS), number, log)
    print(f"{SEED}={number} {kind}: {sum(told.values())} requests, {dict(sorted(told.items()))}")
