"""What pages ask of the camera, and its answers. Knows the service's parts; refuses to know pages and rules.

What needs the camera is done by the service's loop, all else by a thread of its own, one question after the other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion.devices.frames import put
from companion.findings import answer_of
from companion.messages import Answered, Asked
from vision.deck import DeckError
from vision.deck.library import RequestRefused
from vision.image import Image
from vision.mat import MatError
from vision.mat.manual import shown
from vision.service.examination import CameraReading, judge, light, read_deck

if TYPE_CHECKING:
    from vision.service.loop import CameraService

Fields = dict[str, Any]
LOG = logging.getLogger(__name__)


class CameraRequests:
    """Takes questions from the bus's thread."""

    def __init__(self, service: CameraService) -> None:
        self._service = service
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="asked")
        self._closed = False
        enrolling = service.enrolling
        self._in_loop: dict[str, Callable[[Fields], Fields]] = {
            "watch": self._watch,
            "name": self._name,
            "places": self._places,
            "calibrate": self._calibrate,
            "lying": self._lying,
        }
        self._aside: dict[str, Callable[[Fields], Fields]] = {
            "capture": self._capture,
            "enrol": lambda f: enrolling.enrol(_text(f, "deck"), _text(f, "card"), _text(f, "picture")),
            "forget": lambda f: enrolling.forget(_text(f, "deck"), _text(f, "card"), str(f.get("picture") or "")),
            "making": lambda f: enrolling.making(_text(f, "deck")),
            "report": lambda f: enrolling.report(_text(f, "deck")),
            "finish": self._finish,
            "decks": self._decks,
            "use": self._use,
            "export": self._export,
            "import": self._import,
            "examine": self._examine,
        }

    def take(self, asked: Asked) -> None:
        """Take a question; the answer is sent when it is there."""
        if asked.what in self._in_loop:
            self._service.later(lambda: self._answer(asked, self._in_loop[asked.what]))
        elif asked.what in self._aside:
            self._later(lambda: self._answer(asked, self._aside[asked.what]))
        else:
            self._service.answer(Answered(asked.number, False, "unknown"))

    def load_deck(self, named: Callable[[], str]) -> None:
        """Have a deck read, and then used; its name is asked for aside, too: it may have to be made first."""

        def load() -> None:
            try:
                self._load(named())
            except (DeckError, OSError) as error:
                LOG.warning("the deck cannot be made: %s", error)
                self._load("")

        self._later(load)

    def close(self) -> None:
        """Take no more questions; what is being done is not waited for."""
        self._closed = True
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _later(self, errand: Callable[[], object]) -> None:
        if not self._closed:
            self._worker.submit(errand)

    def _answer(self, asked: Asked, do: Callable[[Fields], Fields]) -> None:
        try:
            answer = Answered(asked.number, True, "", do(asked.fields))
        except RequestRefused as error:
            answer = Answered(asked.number, False, error.key, dict(error.fields))
        except MatError as error:
            answer = Answered(asked.number, False, "bad_places", {"said": str(error)})
        except (DeckError, OSError) as error:
            LOG.warning("%s", error)
            answer = Answered(asked.number, False, "failed", {"said": str(error)})
        except Exception:
            LOG.exception("%s could not be done", asked.what)
            answer = Answered(asked.number, False, "failed")
        self._service.answer(answer)

    # --- done by the loop -------------------------------------------------------------------------

    def _watch(self, fields: Fields) -> Fields:
        self._service.live.watch(_number(fields, "seconds", 5.0), self._service.clock())
        return {}

    def _name(self, fields: Fields) -> Fields:
        card = fields.get("card") or ""
        if not self._service.name(_text(fields, "place"), int(_number(fields, "at", 0)), str(card)):
            raise RequestRefused("no_card")
        return {}

    def _places(self, fields: Fields) -> Fields:
        service = self._service
        corners, slots = fields.get("corners"), fields.get("slots")
        if not corners and not slots:
            service.where.show(None)
            service.look_again()
            return {}
        players = int(_number(fields, "players", 0)) or service.where.players()
        size = fields.get("size") or service.where.default_size(players)
        try:
            taps = service.live.tapped(corners or [])
            drawn = [{"place": s["place"], "corners": service.live.tapped(s["corners"])} for s in slots or ()]
        except (TypeError, ValueError, KeyError, IndexError):
            raise RequestRefused("bad_places") from None
        service.where.show(shown(taps, size, players, drawn))
        service.look_again()
        return {"size": [float(side) for side in size], "players": players}

    def _calibrate(self, fields: Fields) -> Fields:
        self._service.calibrate()
        return {}

    def _lying(self, fields: Fields) -> Fields:
        camera = self._service.rendered()
        cards = [{"place": each.place, "card": each.card, "face": each.face} for each in camera.lying()]
        return {"cards": cards, "moving": camera.to_move(), "places": camera.places()}

    # --- done aside -------------------------------------------------------------------------------

    def _capture(self, fields: Fields) -> Fields:
        deck = _text(fields, "deck")
        file = str(fields.get("file") or "")
        self._service.enrolling.begin(deck)
        return self._service.enrolling.capture(deck, self._photograph(file) if file else self._still())

    def _photograph(self, name: str) -> Image:
        """Return a photograph of the shelf, turned as its camera was held."""
        try:
            data = self._service.enrolling.shelved(name).read_bytes()
        except OSError:
            raise RequestRefused("no_picture") from None
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            picture = None
        if picture is None:
            raise RequestRefused("bad_file")
        return np.asarray(picture, dtype=np.uint8)

    def _still(self) -> Image:
        """Return the camera's picture, taken by the loop."""
        future: Future[Image] = Future()

        def take() -> None:
            try:
                future.set_result(self._service.still())
            except Exception as error:
                future.set_exception(error)
                if not isinstance(error, RequestRefused):
                    raise

        self._service.later(take)
        try:
            return future.result(10.0)
        except TimeoutError:
            raise RequestRefused("late") from None

    def _examine(self, fields: Fields) -> Fields:
        """Say how the camera is, from what is known and one picture."""
        service = self._service
        state = service.state
        picture = self._still() if state.looking not in ("none", "starting") else None
        deck = read_deck(service.decks, state.deck or service.settings.deck or service.decks.used())
        seen = light(picture) if picture is not None else None
        return answer_of(judge(CameraReading(state, service.source, service.held, seen, deck)))

    def _finish(self, fields: Fields) -> Fields:
        deck = self._service.enrolling.finish(_text(fields, "deck"))
        self._load(deck.name)
        return {"deck": deck.name, "cards": len(deck.cards) + len(deck.backs)}

    def _decks(self, fields: Fields) -> Fields:
        kept = [{"name": each.name, "cards": each.cards, "made": each.made} for each in self._service.decks.kept()]
        return {"decks": kept, "used": self._service.state.deck}

    def _use(self, fields: Fields) -> Fields:
        name = _text(fields, "deck")
        self._service.decks.use(name)
        trouble = self._load(name)
        if trouble:
            raise RequestRefused("bad_file", deck=name)
        return {"deck": name}

    def _load(self, name: str) -> str:
        loaded = self._service.reading.load(name)
        self._service.later(lambda: self._service.use(loaded))
        return loaded.trouble.key

    def _export(self, fields: Fields) -> Fields:
        name = _text(fields, "deck")
        path = self._service.decks.path(name)
        if not path.is_file():
            raise RequestRefused("no_deck", deck=name)
        file = self._service.enrolling.shelved("export.deck")
        put(file, path.read_bytes())
        return {"file": file.name}

    def _import(self, fields: Fields) -> Fields:
        path: Path = self._service.enrolling.shelved(_text(fields, "file"))
        if not path.is_file():
            raise RequestRefused("no_picture")
        name = self._service.decks.take_in(path, str(fields.get("deck") or ""))
        path.unlink(missing_ok=True)
        return {"deck": name}


def _text(fields: Fields, key: str) -> str:
    """Return a field that must be a text."""
    found = fields.get(key)
    if not isinstance(found, str) or not found:
        raise RequestRefused("bad_name", f"{key} is missing")
    return found


def _number(fields: Fields, key: str, default: float) -> float:
    found = fields.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise RequestRefused("failed", f"{key} is no number")
    return float(found)
