"""The hall's doors: passwords for people, the code for tables, and this browser's preferences.

Judges and organisers type their passwords over HTTPS only: pages over HTTP link there and have no field for them.
"""

from __future__ import annotations

import logging
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.devices.hall_link.joining import JoinAnswer
from companion.threads.quotas import QuotaExceeded
from web.hall import roles
from web.hall.context import hall_context, say
from web.hall.form_handling import back_to
from web.page_app import local_address, store_preferences
from web.security.client_network import client_network, request_address

LOG = logging.getLogger(__name__)
bp = Blueprint("doors", __name__)
LARGEST_STEP = 8 * 1024
"""Bytes of a joining table's message. The desk has a lower limit and reports it."""


@bp.get("/enter")
def page(wrong: str = "", role: str = "") -> str:
    """Ask for a password, then lead to an address; `wrong` is the key of the fault's sentence."""
    here, https, where = say(), request.is_secure, local_address(request.values.get("next", "/"))
    address = "" if https else hall_context().secure_page(request.host)
    return render_template(
        "hall/enter.html", next=where, wrong=here(wrong, role=here(f"hall.role.{role}")) if wrong else "", https=https,
        secure=address and f"{address}/enter?{urlencode({'next': where})}",
    )  # fmt: skip


@bp.post("/enter")
def enter() -> ResponseReturnValue:
    """Give this browser the role that a password opens. A password sent unencrypted gives at most the viewer's role."""
    context, where = hall_context(), local_address(request.form.get("next", "/"))
    trusted = roles.is_trusted()  # anybody can get any number of viewers' cookies
    sender = roles.current_sender() if trusted else client_network(request_address())
    if not context.guesses.take(sender):
        return page("hall.enter.wait"), 429
    try:
        with context.hashing.turn(sender, trusted):
            role = context.access.role_of(request.form.get("password", ""))
    except QuotaExceeded:
        return page("hall.enter.wait"), 429
    if not role:
        return page("hall.enter.wrong"), 403
    context.guesses.take(sender, -1)  # a right password does not count as a guess
    if role != roles.VIEWER and not request.is_secure:
        LOG.warning("The %s's password has come over HTTP, where others can read it: make new ones.", role)
        return page("hall.enter.known", role), 403
    answer = redirect(where, 303)
    roles.give_role(answer, role)
    return answer


@bp.post("/leave")
def leave() -> Response:
    """Remove this browser's role."""
    answer = back_to("/enter")
    roles.take_roles(answer)
    return answer


@bp.post("/preferences")
def preferences() -> Response:
    """Store this browser's language or theme."""
    return store_preferences(back_to(local_address(request.form.get("back", "/"))))


@bp.post("/join")
def join() -> Response:
    """Answer a joining table."""
    context, sender = hall_context(), request_address()
    if context.approval is None or not context.joining.address(sender):
        return table_answer(429, msgspec.json.encode(JoinAnswer(fault="hall.fault.busy")))
    request.max_content_length = LARGEST_STEP
    return table_answer(*context.approval.desk.answer(request.get_data(cache=False), sender, client_network(sender)))


def table_answer(code: int, body: bytes) -> Response:
    """Return the answer to a joining table."""
    return Response(body, code, mimetype="application/json")


@bp.get("/health")
def health() -> Response:
    """Report that the hall is running."""
    return Response("ok\n", mimetype="text/plain")
