"""Test the parts that the applications of a table and of a hall share."""

from __future__ import annotations

import pytest
from flask import url_for
from werkzeug.routing import BuildError, Rule

from web.page_app import PageApp


def test_addresses_are_compiled_when_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses are the same as Flask's, and are compiled only when one is first used."""
    compiled: list[bool] = []
    compile_one = Rule._compile_builder

    def counted(rule: Rule, append_unknown: bool = True) -> object:
        compiled.append(append_unknown)
        return compile_one(rule, append_unknown)

    monkeypatch.setattr(Rule, "_compile_builder", counted)
    app = PageApp(lambda key, code: (key, code))
    app.add_url_rule("/s/<token>/at/<int:rule>", endpoint="at", view_func=lambda token, rule: "")
    with app.test_request_context():
        assert compiled == []
        assert url_for("at", token="a b", rule=3) == "/s/a%20b/at/3"
        assert url_for("at", token="c", rule=4, more="&") == "/s/c/at/4?more=%26"
        assert url_for("at", token="d", rule=5) == "/s/d/at/5"
        with pytest.raises(BuildError):
            url_for("at", token="e")
    assert len(compiled) == 1
