"""What a form of the hall says, who acts by it, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlencode

from flask import Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.devices.hall_link.messages import NAME_LENGTH, fits
from companion.hall.checks import HallError
from web.forms import InvalidForm
from web.hall.roles import ORGANISER, has_role
from web.whole_numbers import NotWhole, whole_number

JUDGE_COOKIE = "hall_judge"
SCRIPTED = "X-Hall"
"""The header with which a page's own script sends a form: it wants no page, for the stream brings what has changed."""


class TypedFault(HallError):
    """Something typed that cannot be taken; `tournament.fault.KEY` is the sentence."""

    def __init__(self, key: str, /, **fields: object) -> None:
        super().__init__(key, **fields)
        self.key = f"tournament.fault.{key}"


def whole(said: str) -> int:
    """Return a typed whole number; raise `HallError` for anything else."""
    if not said.strip():
        raise HallError("not_a_number")
    try:
        return whole_number(said)
    except NotWhole:
        raise TypedFault("no_number", said=said.strip()[:NAME_LENGTH]) from None


def typed_number(field: str, empty: str = "") -> int:
    """Return a whole number that was typed, or what an empty field stands for; raise `HallError` for anything else."""
    return whole(request.form.get(field) or empty)


def typed_text(field: str) -> str:
    """Return a text that was typed, without spaces around it."""
    return " ".join(request.form.get(field, "").split())


def judge_name() -> str:
    """Return the name under which this browser's judge acts; empty if there is none yet."""
    name = unquote(request.cookies.get(JUDGE_COOKIE, "")).strip()
    return name if fits(name) else ""


def acting() -> str:
    """Return who acts in this request, as entries name them: `organiser`, `judge NAME` or `judge`."""
    return "organiser" if has_role(ORGANISER) else f"judge {judge_name()}".strip()


def signed() -> str:
    """Return who signs a judge's decision; raise `InvalidForm` for a judge who has not said a name."""
    if judge_name():
        return f"judge {judge_name()}"
    if not has_role(ORGANISER):
        raise InvalidForm("hall.fault.judge_unnamed")
    return "organiser"


def back_to(where: str) -> Response:
    """Return the answer after a form has done something: the page to go on with."""
    if SCRIPTED in request.headers:
        return Response(status=204)
    return Response(status=303, headers={"Location": where})


def sure_page(
    title: str, text: str, *, fields: Mapping[str, object] = {}, lines: Sequence[str] = (), sure: str = "",
    also: str = "", back: str = "/organiser", possible: bool = True,
) -> ResponseReturnValue:  # fmt: skip
    """Return the page that asks before something is done; a button elsewhere that wants it done leads there.

    `lines` say what follows, `sure` is a box that must be ticked, `also` one that may be. Its button sends `fields` and
    `sure` to the address that asked; where it is not `possible`, there is none.
    """
    if request.method == "POST":
        return redirect(f"{request.path}?{urlencode(fields)}", 303)
    return render_template(
        "hall/sure.html", title=title, text=text, act=request.path, fields=fields, lines=lines, sure=sure, also=also,
        back=back, possible=possible,
    )  # fmt: skip
