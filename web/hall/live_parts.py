"""The live parts of a hall page when it opens."""

from __future__ import annotations

import time
from collections.abc import Hashable

from markupsafe import Markup

from web.hall.context import hall_context
from web.hall.feeds import FeedKey, fill_ages
from web.words import language, words

NO_TOKEN = 'name="csrf" value=""'
"""The start of forms in live parts. Parts are the same for everybody, so each page inserts its own token."""


def live_parts(kind: str, about: Hashable = "") -> dict[str, object]:
    """Return the variables of a live page's template: `parts`, complete for readers without JavaScript, and the
    rest.
    """
    context, lang = hall_context(), language()
    parts, shown = context.feeds.page(FeedKey(kind, lang, about))
    html = fill_ages("\n".join(parts.values()), lambda seconds: age_text(seconds, lang))
    return {
        "parts": Markup(html.replace(NO_TOKEN, f'name="csrf" value="{context.forms.token("")}"')),
        "feed": f"/stream/{kind}/{about}".rstrip("/"),
        "shown": shown,
        "now": round(time.monotonic(), 1),
        "at": round(time.time(), 1),
    }


def age_text(seconds: float, lang: str) -> str:
    """Return a duration as `12 s`, `4 min` or `1 h 05`."""
    say, whole = words(lang), int(seconds)
    if whole < 60:
        return say("hall.age_s", s=whole)
    if whole < 3600:
        return say("hall.age_min", min=whole // 60)
    return say("hall.age_h", h=whole // 3600, min=f"{whole // 60 % 60:02d}")
