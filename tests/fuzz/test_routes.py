"""Every route with hostile requests: no 5xx, no traceback, and refused requests write nothing."""

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
    # What a malformed form with files left half read: the last reference to it closes it.
    "ignore:Exception ignored in. .function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
REQUESTS = 300
"""Requests in all worlds together, besides every route with every method once in each."""
MANY = 25_000
"""The same where they are asked for (`make fuzz`)."""
ROUND = 100
"""Requests after which a world is laid again where it was taken off the table."""
LONGEST = 120.0
"""Seconds that a round may take before it counts as a hang: a thousand times what it takes."""
SEED = "COMPANION_FUZZ_SEED"
BUSY = ("error.too_many_screens", "error.journal", "cue.ending_off", "cue.ending_restart")
"""Sentences with which a page may say 503."""


class Log(logging.Handler):
    """Keeps what is logged with a traceback, or as an error."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        if record.exc_info or record.levelno >= logging.ERROR:
            self.found.append(logging.Formatter().format(record))


@pytest.fixture
def log() -> Iterator[Log]:
    """Give what is logged."""
    found = Log()
    logging.getLogger().addHandler(found)
    yield found
    logging.getLogger().removeHandler(found)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start no programs, use the test's own frames' folder, and raise a template's errors."""

    monkeypatch.setattr("web.pdf_printer.PdfPrinter._run", lambda self, command, path: "nothing is printed here")
    monkeypatch.setattr("web.plugins.demonstration.beside.Demonstration.start", lambda self, game, players: None)
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    monkeypatch.setattr(Region, "strict", True)


def seed() -> int:
    """Return the seed that was asked for, else the same one always, or any where many requests are made."""
    return int(os.environ.get(SEED, "1"))


def send(world: World, asked: Asked) -> TestResponse:
    """Send a request and read at most the first piece of its answer, as streams never end."""
    streams = asked.endpoint.endswith("stream")
    answer = world.anybody.client.open(
        asked.path, method=asked.method, headers=asked.headers, data=asked.body, buffered=not streams
    )
    if streams and answer.mimetype == "text/event-stream":
        next(iter(answer.response), None)
    return answer


def wrong(world: World, answer: TestResponse, log: Log) -> list[str]:
    """Return what is wrong with an answer and with what it left behind."""
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
    """Send so many requests to a world; return how often each status was answered."""
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
    """Requests that no page of ours sends are all answered, and refused ones write nothing."""
    if kind == "stage":
        monkeypatch.setenv(KEY_VARIABLE, KEY)
    told = fuzz(tmp_path, kind, REQUESTS // len(KINDS), seed(), log)
    print(f"{SEED}={seed()} {kind}: {sum(told.values())} requests, {dict(sorted(told.items()))}")
    if kind not in ("empty",):
        assert {200, 204, 403, 404, 405, 409, 422} <= set(told), "the fuzzer reaches no page any more"


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", KINDS)
def test_many_hostile_requests(tmp_path: Path, kind: str, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, more of them, from another seed each time."""
    number = int(os.environ.get(SEED, "0")) or int.from_bytes(os.urandom(4), "big")
    print(f"{SEED}={number}")
    if kind == "stage":
        monkeypatch.setenv(KEY_VARIABLE, KEY)
    told = fuzz(tmp_path, kind, MANY // len(KINDS), number, log)
    print(f"{SEED}={number} {kind}: {sum(told.values())} requests, {dict(sorted(told.items()))}")
