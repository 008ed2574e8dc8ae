"""The content of the hall's forms, their sender and the answer."""

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
"""A page's own script sends forms with this header and needs no page back, because the stream brings the changes."""


class TypedFault(HallError):
    """Invalid input; `tournament.fault.KEY` is the sentence."""

    def __init__(self, key: str, /, **fields: object) -> None:
        super().__init__(key, **fields)
        self.key = f"tournament.fault.{key}"


def whole(said: str) -> int:
    """Return a whole number that somebody entered; raise `HallError` for anything else."""
    if not said.strip():
        raise HallError("not_a_number")
    try:
        return whole_number(said)
    except NotWhole:
        raise TypedFault("no_number", said=said.strip()[:NAME_LENGTH]) from None


def typed_number(field: str, empty: str = "") -> int:
    """Return a typed whole number, or the default for an empty field; raise `HallError` for anything else."""
    return whole(request.form.get(field) or empty)


def typed_text(field: str) -> str:
    """Return a typed text without surrounding spaces."""
    return " ".join(request.form.get(field, "").split())


def judge_name() -> str:
    """Return the name of this browser's judge; empty if not given yet."""
    name = unquote(request.cookies.get(JUDGE_COOKIE, "")).strip()
    return name if fits(name) else ""


def acting() -> str:
    """Return the name under which entries record this request: `organiser`, `judge NAME` or `judge`."""
    return "organiser" if has_role(ORGANISER) else f"judge {judge_name()}".strip()


def signed() -> str:
    """Return the name that signs a judge's decision; raise `InvalidForm` for a judge without a name."""
    if judge_name():
        return f"judge {judge_name()}"
    if not has_role(ORGANISER):
        raise InvalidForm("hall.fault.judge_unnamed")
    return "organiser"


def back_to(where: str) -> Response:
    """Return the answer after a form has taken effect: the page to continue with."""
    if SCRIPTED in request.headers:
        return Response(status=204)
    return Response(status=303, headers={"Location": where})


def sure_page(
    title: str, text: str, *, fields: Mapping[str, object] = {}, lines: Sequence[str] = (), sure: str = "",
    also: str = "", back: str = "/organiser", possible: bool = True,
) -> ResponseReturnValue:  # fmt: skip
    """Return the page that asks for confirmation; a button on another page leads there.

    `lines` state the consequences. `sure` is a box that must be ticked, `also` an optional one. Its button sends
    `fields` and `sure` to the address that asked; unless `possible`, there is no button.
    """
    if request.method == "POST":
        return redirect(f"{request.path}?{urlencode(fields)}", 303)
    return render_template(
        "hall/sure.html", title=title, text=text, act=request.path, fields=fields, lines=lines, sure=sure, also=also,
        back=back, possible=possible,
    )  # fmt: skip
