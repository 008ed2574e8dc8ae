"""Read requests and answers from the bus."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.devices.camera_requests import decks, enrolment, table
from companion.devices.camera_requests.camera_request import A, CameraAnswer, CameraRefusal, CameraRequest, Name
from companion.messages import Answered

AnyRequest = (
    table.Watch | table.NameCard | table.SetPlaces | table.OutlineBoard | table.SetBoard | table.Calibrate
    | table.ReadRenderedTable | enrolment.Capture | enrolment.EnrolPicture | enrolment.ForgetPicture
    | enrolment.ReadEnrolled | enrolment.CompareEnrolled | decks.FinishDeck | decks.ListDecks | decks.UseDeck
    | decks.ExportDeck | decks.ImportDeck | enrolment.CaptureTokens | enrolment.ReadTokens | enrolment.EnrolToken
    | enrolment.ForgetToken | enrolment.CompareTokens | table.Examine | table.HandPicture
)  # fmt: skip
REQUESTS: dict[str, type[AnyRequest]] = {kind.what: kind for kind in AnyRequest.__args__}
"""Every request by its name on the bus."""


def read_request(what: str, fields: Mapping[str, object]) -> AnyRequest:
    """Return the request received from the bus.

    Raise `CameraRefusal`: `unknown`; `bad_name` for a missing or wrong text, `failed` for such a number, `bad_places`
    for such an outline.
    """
    kind = REQUESTS.get(what)
    if kind is None:
        raise CameraRefusal("unknown")
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        raise CameraRefusal(_refusal_of(kind, fields)) from None


def _refusal_of(kind: type[AnyRequest], fields: Mapping[str, object]) -> str:
    """Return the key of the first unreadable field."""
    for field in msgspec.structs.fields(kind):
        value = fields.get(field.encode_name, field.default)
        try:
            msgspec.convert(value, field.type)
        except (msgspec.ValidationError, TypeError):
            return {int: "failed", float: "failed", str: "bad_name", Name: "bad_name"}.get(field.type, "bad_places")
    return "failed"


def answer_fields(answer: CameraAnswer) -> dict[str, object]:
    """Return an answer's fields for the bus."""
    fields: dict[str, object] = msgspec.to_builtins(answer)
    return fields


def read_answer(request: CameraRequest[A], answer: Answered) -> A:
    """Return the answer received from the bus; raise `CameraRefusal` if the request was not fulfilled."""
    if not answer.done:
        raise CameraRefusal(answer.key, answer.fields)
    try:
        return request.answer.read(answer.fields)  # type: ignore[return-value]
    except msgspec.ValidationError:
        raise CameraRefusal("failed") from None
