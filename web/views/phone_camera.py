"""A phone as the camera: a page that takes a picture and sends it to the camera's service.

The browser blackens everything outside the table before it sends the picture. Nothing is stored.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.table import HandPicture
from web.views import photographs, responses, viewer_pages
from web.views.camera import refusal_response
from web.words import language, words

bp = Blueprint("phone_camera", __name__)


@bp.get("/camera/phone")
def page(token: str) -> str:
    """Show the page on which a phone takes pictures of the table."""
    viewer_pages.require_viewer("host", "table")
    return render_template("phone.html")


@bp.post("/camera/phone")
def hand_in(token: str) -> Response:
    """Ask the camera's service to read the table in a picture."""
    viewer_pages.require_viewer("host", "table")
    say, file = words(language()), request.files.get("file")
    if file is None:
        raise responses.PageGone("error.malformed", 422)
    wrong = photographs.why_unfit(file.read(photographs.LARGEST + 1))
    if wrong:
        return responses.message(say(wrong, file=say("phone.title"), most=photographs.LARGEST // 2**20), 422)
    try:
        photographs.capture_photograph(file, HandPicture)
    except CameraRefusal as refusal:
        if refusal.key == "absent":
            return responses.message(say("phone.absent"), 409)
        return refusal_response(refusal)
    return responses.message(say("phone.sent"))
