"""What the applications of a table and of a hall share: limits, headers, HTTP errors, ways back, preferences."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, cast

from flask import Flask, Response, current_app, request
from jinja2 import PackageLoader
from jinja2.runtime import Macro
from werkzeug.exceptions import HTTPException, NotFound

from companion.i18n import LANGUAGES
from web.security import csrf
from web.serving import assets, compression
from web.words import COOKIE, NAMES, language, words

LOG = logging.getLogger(__name__)
KEYS = {404: "not_found", 405: "not_found", 413: "too_big", 429: "too_many", 400: "malformed", 415: "malformed"}
THEMES = ("auto", "light", "dark")
YEAR_S = 365 * 24 * 3600


class PageApp(Flask):
    """Our pages' limits, headers, joined files and templates. Its log has no paths: these hold tokens."""

    def __init__(
        self, error_answer: Callable[[str, int], tuple[str, int]], largest: int = csrf.MAX_BODY, testing: bool = False
    ) -> None:
        """`error_answer` makes a page of a sentence's key and a status; `largest` is the most bytes of a body."""
        super().__init__("web")
        self.error_answer = error_answer
        self.testing = testing
        self.config.update(
            MAX_CONTENT_LENGTH=largest,
            MAX_FORM_MEMORY_SIZE=largest,
            MAX_FORM_PARTS=csrf.MAX_PARTS,
            SEND_FILE_MAX_AGE_DEFAULT=30 * 24 * 3600,
            PROPAGATE_EXCEPTIONS=False,
        )
        self.jinja_loader = PackageLoader("web")
        self.jinja_env.trim_blocks = self.jinja_env.lstrip_blocks = True
        self.jinja_env.globals["once"] = once
        self.after_request(compression.compress)  # the last one: Flask calls them in reverse
        self.after_request(assets.keep_for_good)
        self.after_request(csrf.add_headers)
        self.context_processor(appearance)
        self.register_error_handler(HTTPException, self.answer_http_error)
        self.add_url_rule(f"{assets.WHERE}<name>", endpoint="joined.static", view_func=joined_file)

    def log_exception(self, exc_info: Any) -> None:
        """Log an error with its traceback."""
        LOG.error("a page failed (%s %s)", request.method, request.endpoint, exc_info=exc_info)

    def answer_http_error(self, problem: HTTPException) -> Response | tuple[str, int]:
        """Answer an HTTP error with a sentence."""
        code = problem.code or 500
        if code < 400:
            return Response(status=code, headers=list(problem.get_headers()))
        key = KEYS.get(code, "broken" if code >= 500 else "malformed")
        return self.error_answer(f"error.{key}", code)


def once(mark: object, macro: Macro) -> str:
    """Return what a macro draws of a record, drawn once as long as the record lives. It may read nothing else."""
    kept = vars(mark)
    if macro.name not in kept:
        kept[macro.name] = macro(mark)
    return cast(str, kept[macro.name])


def appearance() -> dict[str, object]:
    """Return what every template gets: words, theme, where we are, and where sheets and scripts lie."""
    lang, theme = language(), request.cookies.get("theme", "auto")
    return {
        "words": words(lang),
        "lang": lang,
        "languages": NAMES,
        "theme": theme if theme in THEMES else "auto",
        "themes": THEMES,
        "here": address_here(),
        "sheet": lambda kind: assets.address(kind, assets.SHEET),
        "script": lambda kind: assets.address(kind, assets.SCRIPT),
        "hashed": assets.hashed,
        "static": "/static",
        "seat": None,
    }


def store_preferences(answer: Response) -> Response:
    """Have this browser keep the language or the theme that the form names; return the answer."""
    lang, theme = request.form.get("lang", ""), request.form.get("theme", "")
    if lang in LANGUAGES:
        answer.set_cookie(COOKIE, lang, max_age=YEAR_S, samesite="Lax")
    if theme in THEMES:
        answer.set_cookie("theme", theme, max_age=YEAR_S, samesite="Lax")
    return answer


def local_address(where: str) -> str:
    """Return an address if it is our own, else the first page's."""
    ours = where.startswith("/") and not where.startswith("//") and "\\" not in where and where.isprintable()
    return where if ours else "/"


def joined_file(name: str) -> Response:
    """Serve a sheet or a script that several files were joined to."""
    found = assets.serve(name)
    if found is None:
        raise NotFound
    return found


def address_here() -> str:
    """Return the path of this page; for the answer to a form, of the nearest page above it that can be opened."""
    path = request.path
    if request.method in ("GET", "HEAD"):
        return path
    urls = current_app.url_map.bind("")
    while path != "/":
        try:
            urls.match(path, "GET")
            return path
        except HTTPException:
            path = path.removesuffix("/") if path.endswith("/") else path[: path.rfind("/") + 1]
    return path
