"""A separate low-priority process that answers questions for advice; it starts when it is first needed.

The table writes each question to its standard input and reads the answer from its standard output. `python -m
companion.bots.adviser` is that process.
"""

from __future__ import annotations

import io
import os
import pickle
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import BinaryIO, cast

import msgspec

from companion.bots.advice import Question, answer
from companion.engine import AnyGame, Event
from companion.games import GAMES
from companion.mechanics.policy import Ranked, Term

NICENESS = 15
"""The increment of the process's nice value, so that the table's own processes come first."""
PATIENCE = 20.0
"""Seconds after which a question fails; a normal answer takes far less."""
IDLE = 900.0
"""Seconds without a question after which the process ends to free its memory."""
MOST = 3
"""The number of the best options in an answer."""
LENGTH = 4
"""The number of bytes that encode a message's length."""


class AdviceFailed(RuntimeError):
    """A question failed to get an answer."""


class Adviser:
    """The table's end: starts the process when it is needed, and again after it has ended. Safe in any thread."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "companion.bots.adviser")) -> None:
        self.command = tuple(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def process(self) -> int | None:
        """The id of the running process; None if none is running."""
        running = self._process
        return running.pid if running is not None and running.poll() is None else None

    def warm_up(self) -> None:
        """Start the process early, so that the first answer comes sooner."""
        with self._lock:
            self._running()

    def ask(self, question: Question, patience: float = PATIENCE) -> tuple[Ranked, ...]:
        """Return the best options, best first; raise `AdviceFailed` if the process ends or takes too long."""
        with self._lock:
            process = self._running()
            try:
                write(cast(BinaryIO, process.stdin), pickle.dumps(question))
                found = read(cast(BinaryIO, process.stdout), time.monotonic() + patience)
            except OSError:
                found = None
            if not found:
                self._end()
                raise AdviceFailed(f"no advice for {question.game}")
        return decoded(GAMES[question.game], found)

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._closed = True
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, after starting it if necessary."""
        if self._closed:
            raise AdviceFailed("the table closes")
        if self.process is None:
            self._end()
            try:
                self._process = subprocess.Popen(
                    self.command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
            except OSError as error:
                raise AdviceFailed(str(error)) from error
        assert self._process is not None
        return self._process

    def _end(self) -> None:
        """Kill the process, if any; it has nothing to save."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                cast(BinaryIO, pipe).close()


# --- messages -------------------------------------------------------------------------------------


def write(pipe: BinaryIO, message: bytes) -> None:
    """Write a message with its length."""
    rest = memoryview(len(message).to_bytes(LENGTH, "big") + message)
    while rest:
        rest = rest[pipe.write(rest) :]


def read(pipe: BinaryIO, until: float) -> bytes | None:
    """Return the next message; None at the pipe's end, or if it is incomplete at the deadline (of the monotonic
    clock)."""
    head = read_bytes(pipe, LENGTH, until)
    return None if head is None else read_bytes(pipe, int.from_bytes(head, "big"), until)


def read_bytes(pipe: BinaryIO, count: int, until: float) -> bytes | None:
    """Return the given number of bytes; None if they do not arrive in time."""
    found = bytearray()
    while len(found) < count:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        more = pipe.read(count - len(found)) if ready else b""
        if not more:
            return None
        found += more
    return bytes(found)


def encoded(found: Sequence[Ranked]) -> bytes:
    """Return an answer as bytes."""
    return msgspec.msgpack.encode([(each.event, each.value, each.terms) for each in found[:MOST]])


def decoded(game: AnyGame, message: bytes) -> tuple[Ranked, ...]:
    """Return an answer from bytes; raise `AdviceFailed` for invalid ones."""
    try:
        found = msgspec.msgpack.decode(message)
        return tuple(
            [
                Ranked(
                    cast(Event, msgspec.convert(event, game.events)), value, msgspec.convert(terms, tuple[Term, ...])
                )
                for event, value, terms in found
            ]
        )
    except (msgspec.DecodeError, TypeError, ValueError) as error:
        raise AdviceFailed(f"an unreadable answer: {error}") from error


# --- the process ----------------------------------------------------------------------------------


def serve(questions: BinaryIO, answers: BinaryIO, idle: float = IDLE) -> None:
    """Answer questions until there are no more, or none has arrived for a while. A question that fails gets an empty
    answer."""
    while (message := read(questions, time.monotonic() + idle)) is not None:
        try:
            found = encoded(answer(pickle.loads(message)))  # only the table writes to this pipe
        except Exception as error:  # the game's own code may raise anything
            print(f"no advice: {type(error).__name__}: {error}", file=sys.stderr)
            found = b""
        write(answers, found)


def main() -> None:
    """Run the process."""
    os.nice(NICENESS)
    questions, answers = io.FileIO(os.dup(0)), io.FileIO(os.dup(1), "w")
    os.dup2(2, 1)  # a game that prints must not disturb the answers
    serve(cast(BinaryIO, questions), cast(BinaryIO, answers))


if __name__ == "__main__":
    main()
