"""Answer requests to the camera (companion/devices/camera_requests).

The loop does the work that needs the camera. A worker thread does the rest, one request at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from companion.devices.camera_requests import decks, enrolment, table
from companion.devices.camera_requests.camera_request import CameraAnswer, CameraRefusal
from companion.devices.camera_requests.decoding import AnyRequest, answer_fields, read_request
from companion.devices.frames import replace_file
from companion.messages import Answered, Asked
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.enrolment.camera_view import CameraView
from vision.enrolment.card_kind import CardsKind
from vision.enrolment.enrolment import Enrolment
from vision.enrolment.frames_shelf import FramesShelf
from vision.enrolment.token_kind import TokensKind
from vision.mat import MatError
from vision.mat.manual import check_places
from vision.service.board_requests import outline_board, set_board
from vision.service.examination import CameraReading, judge, light, read_deck
from vision.service.table_watch import TableWatch
from vision.settings import CameraSettings
from vision.tokens.token_file import unpack_tokens

STILL_SECONDS = 10.0
"""The seconds that the worker waits for the loop to take a picture."""
EXPORTED = "export.deck"
"""The file in the frames folder for an exported deck."""
LARGE = 16 << 20
"""The size in bytes above which a photograph is read at half its size, because its pixels would take hundreds of
megabytes."""
T = TypeVar("T")
LOG = logging.getLogger(__name__)
FOR_LOOP = (
    table.Watch,
    table.NameCard,
    table.SetPlaces,
    table.OutlineBoard,
    table.SetBoard,
    table.Calibrate,
    table.ReadRenderedTable,
)
"""The requests that the loop answers."""


class CameraRequests:
    """Accepts requests from the bus's thread."""

    def __init__(
        self,
        watch: TableWatch,
        settings: CameraSettings,
        decks: DeckLibrary,
        frames: Path,
        later: Callable[[Callable[[], None]], None],
        send: Callable[[Answered], None],
    ) -> None:
        """Create the handler.

        later: lets the loop run a job. send: sends an answer, from any thread.
        """
        self._watch, self._settings, self._decks, self._shelf = watch, settings, decks, FramesShelf(frames)
        self._later, self._send = later, send
        self._cards = CardsKind(decks, settings.card)
        self._enrolments = {
            "card": Enrolment(self._cards, self._shelf),
            "token": Enrolment(TokensKind(decks), self._shelf),
        }
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="asked")
        self._closed = False

    def take(self, asked: Asked) -> None:
        """Accept a request, and send its answer when ready."""
        try:
            request = read_request(asked.what, asked.fields)
        except CameraRefusal as refusal:
            self._send(Answered(asked.number, False, refusal.key))
            return
        in_order = self._later if isinstance(request, FOR_LOOP) else self._aside
        in_order(lambda: self._answer(asked.number, request))

    def load_deck(self, find_name: Callable[[], str]) -> None:
        """Let the worker load a deck and the loop use it.

        find_name: may be slow, because the deck may have to be made.
        """

        def load() -> None:
            try:
                self._load(find_name())
            except (DeckError, OSError) as error:
                LOG.warning("the deck cannot be made: %s", error)
                self._load("")

        self._aside(load)

    def close(self) -> None:
        """Accept no more requests, without waiting for the current one."""
        self._closed = True
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _aside(self, job: Callable[[], None]) -> None:
        if not self._closed:
            self._worker.submit(job)

    def _answer(self, number: int, request: AnyRequest) -> None:
        try:
            answer = Answered(number, True, "", answer_fields(self._fulfil(request)))
        except RequestRefused as error:
            answer = Answered(number, False, error.key, dict(error.fields))
        except MatError as error:
            answer = Answered(number, False, "bad_places", {"said": str(error)})
        except (DeckError, OSError) as error:
            LOG.warning("%s", error)
            answer = Answered(number, False, "failed", {"said": str(error)})
        except Exception:
            LOG.exception("%s could not be done", request.what)
            answer = Answered(number, False, "failed")
        self._send(answer)

    def _fulfil(self, request: AnyRequest) -> CameraAnswer:
        """Return the answer to a request. Raise exceptions that `_answer` turns into refusals."""
        match request:
            case table.Watch():
                whole = request.whole and self._watch.board.locator.may_be_set
                self._watch.live.watch(request.seconds, self._watch.clock(), whole)
                return CameraAnswer()
            case table.NameCard():
                if not self._watch.name(request.place, request.at, request.card):
                    raise RequestRefused("no_card")
                return CameraAnswer()
            case table.SetPlaces():
                return self._set_places(request)
            case table.OutlineBoard():
                return outline_board(self._watch, request)
            case table.SetBoard():
                return set_board(self._watch, request)
            case table.Calibrate():
                self._watch.calibrate()
                return CameraAnswer()
            case table.ReadRenderedTable():
                return self._watch.simulated().read_table()
            case enrolment.Capture():
                enrolling = self._enrolments[request.kind]
                enrolling.begin(request.deck)
                return enrolling.capture(request.deck, self._view(request.file))
            case enrolment.EnrolPicture():
                return self._enrolments[request.kind].enrol(request.deck, request.picture, request.name)
            case enrolment.ForgetPicture():
                return self._enrolments[request.kind].forget(request.deck, request.name, request.picture)
            case enrolment.ReadEnrolled():
                return self._enrolments[request.kind].read(request.deck)
            case enrolment.CompareEnrolled():
                return self._enrolments[request.kind].compare(request.deck)
            case decks.FinishDeck():
                return self._finish(request.deck)
            case decks.ListDecks():
                return decks.DecksAnswer(self._decks.list_decks(), self._watch.status.state.deck)
            case decks.UseDeck():
                return self._use(request.deck)
            case decks.ExportDeck():
                return self._export(request.deck)
            case decks.ImportDeck():
                return self._import(request)
            case table.Examine():
                return self._examine()
            case table.HandPicture():
                return self._hand_in(request.file)

    # --- done by the loop -------------------------------------------------------------------------

    def _set_places(self, request: table.SetPlaces) -> table.PlacesAnswer:
        places, live = self._watch.places, self._watch.live
        if not request.corners and not request.slots:
            places.set_by_hand(None)
            self._watch.look_again()
            return table.PlacesAnswer()
        players = request.players or places.players()
        size = request.size or places.default_size(players)
        slots = [{"place": slot.place, "corners": live.unrotate(slot.corners)} for slot in request.slots]
        places.set_by_hand(check_places(live.unrotate(request.corners), size, players, slots))
        self._watch.look_again()
        return table.PlacesAnswer((float(size[0]), float(size[1])), players)

    # --- done by the worker -----------------------------------------------------------------------

    def _view(self, photograph: str) -> CameraView:
        """Return a photograph from the frames folder, upright by its EXIF orientation, or the camera's picture."""
        if not photograph:
            places = self._watch.places
            return self._from_loop(lambda: CameraView(self._watch.still(), places.pose, places.mat))
        try:
            data = self._shelf.path(photograph).read_bytes()
        except OSError:
            raise RequestRefused("no_picture") from None
        try:
            size = cv2.IMREAD_REDUCED_COLOR_2 if len(data) > LARGE else cv2.IMREAD_COLOR
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), size)
        except cv2.error:
            picture = None
        if picture is None:
            raise RequestRefused("bad_file")
        return CameraView(np.asarray(picture, dtype=np.uint8))

    def _hand_in(self, file: str) -> CameraAnswer:
        """Let the loop read a picture taken with a phone."""
        picture = self._view(file).picture
        self._from_loop(lambda: self._watch.hand(picture))
        return CameraAnswer()

    def _from_loop(self, job: Callable[[], T]) -> T:
        future: Future[T] = Future()

        def take() -> None:
            try:
                future.set_result(job())
            except Exception as error:
                future.set_exception(error)
                if not isinstance(error, RequestRefused):
                    raise

        self._later(take)
        try:
            return future.result(STILL_SECONDS)
        except TimeoutError:
            raise RequestRefused("late") from None

    def _examine(self) -> table.ExamineAnswer:
        watch, settings, decks = self._watch, self._settings, self._decks
        state = watch.status.state
        picture = self._from_loop(watch.still) if state.looking not in ("none", "starting") else None
        deck = read_deck(decks, state.deck or settings.deck or decks.last_used())
        reading = light(picture) if picture is not None else None
        locked = watch.locked or bool(settings.focus)
        status = watch.status
        found = CameraReading(state, watch.source, locked, reading, deck, status.unfocused, status.small_memory)
        return table.ExamineAnswer(tuple(judge(found)))

    def _finish(self, name: str) -> decks.FinishAnswer:
        deck = self._cards.finish(name)
        self._load(deck.name)
        return decks.FinishAnswer(deck.name, len(deck.cards) + len(deck.backs))

    def _use(self, name: str) -> decks.DeckAnswer:
        self._decks.use(name)
        trouble = self._load(name)
        if trouble:
            raise RequestRefused("bad_file", deck=name)
        return decks.DeckAnswer(name)

    def _load(self, name: str) -> str:
        """Load a deck, let the loop use it, and return the key of any trouble."""
        loaded = self._watch.reader.load(name)
        self._later(lambda: self._watch.use(loaded))
        return loaded.trouble.key

    def _export(self, name: str) -> decks.ExportAnswer:
        replace_file(self._shelf.path(EXPORTED), self._decks.hand_out(name))
        return decks.ExportAnswer(EXPORTED)

    def _import(self, request: decks.ImportDeck) -> decks.DeckAnswer:
        path = self._shelf.path(request.file)
        if not path.is_file():
            raise RequestRefused("no_picture")
        name = self._decks.take_in(path, request.deck, unpack_tokens)
        path.unlink(missing_ok=True)
        return decks.DeckAnswer(name)
