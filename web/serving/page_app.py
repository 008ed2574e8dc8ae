"""What the applications of a table and of a hall share: a log without paths, sentences for HTTP errors, ways back."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, current_app, request
from werkzeug.exceptions import HTTPException

LOG = logging.getLogger(__name__)
KEYS = {404: "not_found", 405: "not_found", 413: "too_big", 429: "too_many", 400: "malformed", 415: "malformed"}


class PageApp(Flask):
    """Logs errors without the request's path: paths hold tokens."""

    def log_exception(self, exc_info: Any) -> None:
        """Log an error with its traceback."""
        LOG.error("a page failed (%s %s)", request.method, request.endpoint, exc_info=exc_info)


def error_key(code: int) -> str:
    """Return the key of the sentence for a status code from 400 on."""
    return f"error.{KEYS.get(code, 'broken' if code >= 500 else 'malformed')}"


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
