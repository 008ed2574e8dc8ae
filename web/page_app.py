"""Common parts of the applications of a table and of a hall: limits, headers, HTTP errors, return links,
preferences.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any, cast

from flask import Flask, Response, current_app, request
from jinja2 import BytecodeCache, PackageLoader, Template
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import Rule

from companion.i18n import LANGUAGES, Words
from web.security import csrf
from web.serving import assets, compression
from web.words import COOKIE, NAMES, language, words

LOG = logging.getLogger(__name__)
KEYS = {404: "not_found", 405: "not_found", 413: "too_big", 429: "too_many", 400: "malformed", 415: "malformed"}
THEMES = ("auto", "light", "dark")
PLAIN = (FunctionType, MethodType, Words)
"""Types of template callables that take no context unless they declare it."""
YEAR_S = 365 * 24 * 3600


class TemplatesInMemory(BytecodeCache):
    """Compiled templates that the applications of a process share, identified by their text."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template if it is stored."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a template."""
        assert bucket.code is not None
        self._kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = TemplatesInMemory()


class PageRule(Rule):
    """A route that compiles its addresses when the first one is made. Compiling all routes takes a Raspberry Pi 0.3
    s.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)
        return lambda rule, /, **values: compiled(append_unknown)(rule, **values)


class PageApp(Flask):
    """Our pages' limits, headers, bundled files and templates. Its log has no paths: they contain tokens."""

    url_rule_class = PageRule

    def __init__(
        self, error_answer: Callable[[str, int], tuple[str, int]], largest: int = csrf.MAX_BODY, testing: bool = False
    ) -> None:
        """`error_answer` makes a page from a sentence's key and a status; `largest` is the largest body in bytes.

        Applications on trial (`testing`) share their compiled templates.
        """
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
        self.jinja_options = {"cache_size": -1}  # the number of templates is bounded
        self.jinja_loader = PackageLoader("web")
        self.jinja_env.trim_blocks = self.jinja_env.lstrip_blocks = True
        self.jinja_env.template_class, self.jinja_env.context_class = PageTemplate, PageContext
        self.jinja_env.globals |= {"once": once, "kept": draw}
        if testing:
            self.jinja_env.bytecode_cache = COMPILED
        self.after_request(compression.compress)  # last: Flask calls them in reverse
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


class PageContext(Context):
    """A template context that calls ordinary functions and macros without checking whether they take a context."""

    def call(self, called: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        """Call a function or a macro from a template."""
        kind: type = type(called)
        if kind is not Macro and (kind not in PLAIN or hasattr(called, "jinja_pass_arg")):
            return super().call(called, *given, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(self.eval_ctx, *given, **named) if kind is Macro else called(*given, **named)


class PageTemplate(Template):
    """A template. If it has macros, the importing region's `kept` imports it."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> TemplateModule:
        """Return the module made before, if it reads only values that never change."""
        keep = getattr((vars or {}).get("kept"), "module", None)
        if keep is not None and shared:
            found: TemplateModule | None = keep(
                self, {**(vars or {}), **locals} if locals else vars, super().make_module
            )
            if found is not None:
                return found
        return super().make_module(vars, shared, locals)


def draw(macro: Macro, *given: object) -> str:
    """Return a macro's output; a page without a cache draws it each time."""
    return macro(*given)


def once(mark: object, macro: Macro) -> str:
    """Return a macro's output for a record, cached as long as the record lives. The macro may read nothing else."""
    kept = vars(mark)
    if macro.name not in kept:
        kept[macro.name] = macro(mark)
    return cast(str, kept[macro.name])


def appearance() -> dict[str, object]:
    """Return every template's context: words, theme, current place, and addresses of sheets and scripts."""
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
    """Store the form's language or theme in this browser; return the answer."""
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
    """Serve a bundled sheet or script."""
    found = assets.serve(name)
    if found is None:
        raise NotFound
    return found


def address_here() -> str:
    """Return this page's path; for the answer to a form, that of the nearest parent page that can be opened."""
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
