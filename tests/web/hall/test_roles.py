"""Test roles: each opens its own pages and none above, with passwords that are slow to guess."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.threads.quotas import Quotas, Rate, Turns
from tests.support.web.hall_pages import TOKEN, HallPages
from web.hall.app import create_hall_app
from web.hall.context import HallContext
from web.hall.roles import COOKIE, FILE, ROLES, SECURE_COOKIE, VIEWER, RoleAccess, open_access
from web.security.rate_limits import Rates

PAGES = {
    "/": "viewer", "/wall": "viewer", "/table/table001": "viewer", "/judge": "judge", "/judge/sheet": "judge",
    "/organiser": "organiser",
    "/organiser/qr.svg": "organiser", "/organiser/results.csv": "organiser", "/organiser/forget": "organiser",
    "/organiser/remove/table001": "organiser", "/organiser/codes": "organiser",
}  # fmt: skip
STREAMS = {
    "/stream/board": "viewer", "/stream/wall": "viewer", "/stream/table/table001": "viewer", "/stream/judge": "judge",
    "/stream/organiser": "organiser",
}  # fmt: skip
ACTS = {
    **dict.fromkeys(
        [f"/judge/{act}" for act in ("name", "take", "close", "result", "announce", "minutes", "said")], "judge"
    ),
    **dict.fromkeys(
        [f"/organiser/{act}" for act in ("admit", "refuse", "code", "number", "names", "advice", "undo", "forget")],
        "organiser",
    ),
    **dict.fromkeys([f"/organiser/codes{act}" for act in ("", "/again", "/admit")], "organiser"),
    "/organiser/remove/table001": "organiser",
}


@pytest.fixture
def passwords() -> dict[str, str]:
    """Return an empty mapping of roles to passwords, which `pages` fills in."""
    return {}


@pytest.fixture
def pages(tmp_path: Path, passwords: dict[str, str], cheap_hashes: None) -> Iterator[HallPages]:
    """Yield a hall with passwords."""
    access, made = open_access(tmp_path / "hall")
    passwords |= made
    found = HallPages(tmp_path, access)
    found.add_table(1)
    yield found
    found.close()


@pytest.mark.parametrize("role", ["", *ROLES])
def test_a_role_opens_what_it_may_and_nothing_above(pages: HallPages, passwords: dict[str, str], role: str) -> None:
    """A page without the role leads to the password, and a stream or form is refused and records nothing."""
    browser = pages.browser()
    if role:
        assert browser.post("/enter", password=passwords[role], next="/").status_code == 303
    rank = ROLES.index(role) if role else -1
    before = pages.hall.state
    for path, needed in PAGES.items():
        answer = browser.get(path)
        if ROLES.index(needed) <= rank:
            assert answer.status_code == 200, path
        else:
            assert (answer.status_code, answer.headers["Location"]) == (303, f"/enter?next={path.replace('/', '%2F')}")
    for path, needed in STREAMS.items():
        answer = browser.get(f"{path}?lang=en", buffered=False)
        assert answer.status_code == (200 if ROLES.index(needed) <= rank else 403), path
        answer.close()
    for path, needed in ACTS.items():
        if ROLES.index(needed) > rank:
            assert browser.post(path).status_code == 403, path
    assert pages.hall.state is before


def test_the_bar_leads_only_where_a_role_may_go(pages: HallPages, passwords: dict[str, str]) -> None:
    """A judge's bar has no link to the organiser's page."""
    browser = pages.browser()
    browser.post("/enter", password=passwords["judge"])
    page = browser.get("/").text
    assert 'href="/judge"' in page
    assert 'href="/organiser"' not in page


def test_passwords_are_read_as_people_type_them(pages: HallPages, passwords: dict[str, str]) -> None:
    """Upper case, dashes and spaces in a password do not matter, and a wrong one is refused with a sentence."""
    browser = pages.browser()
    typed = passwords["judge"].lower().replace("-", " ")
    assert browser.post("/enter", password=typed, next="/judge").headers["Location"] == "/judge"
    stranger = pages.browser()
    answer = stranger.post("/enter", password="2222-2222")
    assert (answer.status_code, "opens nothing" in answer.text) == (403, True)
    assert stranger.get("/").status_code == 303


def test_guesses_are_limited(pages: HallPages, passwords: dict[str, str]) -> None:
    """After some wrong passwords even the right one must wait, except a judge's; right ones cost nothing."""
    pages.context.guesses = Quotas(Rate(3, 0))
    judge, browser = pages.browser(), pages.browser()
    for _ in range(5):
        assert judge.post("/enter", password=passwords["judge"]).status_code == 303
    for _ in range(3):
        browser.post("/enter", password="2222-2222")
    for phone in (browser, pages.browser()):
        assert phone.post("/enter", password=passwords["organiser"]).status_code == 429
        assert phone.get("/organiser").status_code == 303
    assert judge.post("/enter", password=passwords["organiser"]).status_code == 303


def test_few_passwords_are_hashed_at_once(pages: HallPages, passwords: dict[str, str]) -> None:
    """A few hashes from one address may queue, and other addresses and judges do not wait."""
    judge, browser = pages.browser(), pages.browser()
    judge.post("/enter", password=passwords["judge"])
    pages.context.hashing = Turns(2, 1, 1)
    pages.context.hashing._waiting.update(["127.0.0.1", "10.0.0.9"])
    assert browser.post("/enter", password=passwords["viewer"]).status_code == 429
    assert judge.post("/enter", password=passwords["organiser"]).status_code == 303
    pages.context.hashing._waiting.clear()
    assert browser.post("/enter", password=passwords["viewer"]).status_code == 303


@pytest.mark.parametrize("role", ROLES)
def test_each_browser_has_a_pot_of_its_own(pages: HallPages, passwords: dict[str, str], role: str) -> None:
    """The limit counts by the signed cookie instead of a name that browsers may choose, or by the address for an old
    cookie."""
    pages.context.rates = Rates(Rate(2, 0), Rate(9, 0))
    one, two = pages.browser(), pages.browser()
    for browser in (one, two):
        browser.post("/enter", password=passwords[role])
    codes = []
    for _ in range(3):
        one.client.delete_cookie("visit")
        codes.append(one.post("/preferences", lang="fr").status_code)
    assert codes == [303, 303, 429]
    assert two.post("/preferences", lang="fr").status_code == 303
    old = pages.browser()
    cookie = str(pages.context.access._signer.dumps(role))
    old.client.set_cookie(COOKIE if role == VIEWER else SECURE_COOKIE, cookie)
    assert old.get("/" if role == VIEWER else f"/{role}").status_code == 200
    assert pages.context.access.browser_in(cookie) == ""


def test_a_way_back_leads_nowhere_else(pages: HallPages, passwords: dict[str, str]) -> None:
    """The form's address of another site is not followed."""
    answer = pages.browser().post("/enter", password=passwords["viewer"], next="//evil.example/")
    assert answer.headers["Location"] == "/"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(pages: HallPages, passwords: dict[str, str]) -> None:
    """The cookie is signed, so a forged one opens nothing, and leaving ends it."""
    browser = pages.browser()
    cookie = browser.post("/enter", password=passwords["organiser"]).headers.getlist("Set-Cookie")[0]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    browser.post("/leave")
    assert browser.get("/organiser").status_code == 303
    forged = pages.browser()
    for name in (COOKIE, SECURE_COOKIE):
        forged.client.set_cookie(name, RoleAccess.unguarded().session("organiser"))
    assert forged.get("/organiser").status_code == 303


@pytest.mark.parametrize("role", ["judge", "organiser"])
def test_a_password_that_came_in_clear_opens_nothing(pages: HallPages, passwords: dict[str, str], role: str) -> None:
    """A password sent over HTTP is reported as exposed, and the HTTP page has a link to HTTPS instead of a field."""
    plain = pages.browser(secure=False)
    page = plain.get("/enter?next=/judge").text
    assert "Password for viewers" in page and 'href="https://localhost:8091/enter?next=%2Fjudge"' in page
    assert 'href="/p"' in page, "players need no password"
    answer = plain.post("/enter", password=passwords[role], next="/organiser")
    assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (403, [])
    assert "treat it as known" in answer.text and passwords[role] not in answer.text
    assert plain.get(f"/{role}").status_code == 303
    assert plain.client.post("/enter", data={"password": passwords[role]}).status_code == 403


@pytest.mark.parametrize("role", ["judge", "organiser"])
def test_a_role_over_https_is_none_over_http(pages: HallPages, passwords: dict[str, str], role: str) -> None:
    """A cookie of a role over HTTPS is rejected over HTTP under either name."""
    answer = pages.browser().post("/enter", password=passwords[role])
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-") and "; Secure" in cookie and "; Path=/" in cookie and "Domain" not in cookie
    plain = pages.browser(secure=False)
    for name in (COOKIE, SECURE_COOKIE):
        plain.client.set_cookie(name, pages.context.access.session(role))
    for path in ("/", "/judge", "/organiser"):
        assert plain.get(path).status_code == 303, path
    assert plain.get("/stream/judge?lang=en").status_code == 403
    assert plain.post("/judge/name", name="Mo").status_code == 403


def test_a_viewer_comes_by_either_door(pages: HallPages, passwords: dict[str, str]) -> None:
    """A viewer's cookie is valid for HTTP and HTTPS, because it opens nothing else, and does not replace a judge's
    over HTTP."""
    for secure in (False, True):
        browser = pages.browser(secure=secure)
        answer = browser.post("/enter", password=passwords["viewer"])
        assert answer.status_code == 303 and "Secure" not in answer.headers["Set-Cookie"]
        assert browser.get("/").status_code == 200 and browser.get("/judge").status_code == 303
        browser.post("/leave")
        assert browser.get("/").status_code == 303


def test_behind_a_proxy_the_way_leads_to_the_proxy(pages: HallPages) -> None:
    """Behind a proxy the link leads to an address of the proxy."""
    app = create_hall_app(
        HallContext(pages.hall, None, pages.context.access, secure="https://hall.example"), testing=True
    )
    client = app.test_client()
    assert 'href="https://hall.example/enter?next=%2F"' in client.get("/enter").text
    assert client.get("/enter", base_url="https://hall.example").status_code == 200


def test_passwords_stay_until_new_ones_are_made(tmp_path: Path, cheap_hashes: None) -> None:
    """Reopening prints no passwords; new ones invalidate the old ones and every session, and the file contains only
    hashes."""
    first, made = open_access(tmp_path)
    file = tmp_path / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not [password for password in made.values() if password.replace("-", "") in file.read_text()]
    again, none = open_access(tmp_path)
    assert none == {}
    assert again.role_of(made["judge"]) == "judge"
    assert again.role_in(first.session("judge")) == "judge"
    newer, others = open_access(tmp_path, new=True)
    assert newer.role_of(made["judge"]) == ""
    assert newer.role_of(others["judge"]) == "judge"
    assert newer.role_in(first.session("judge")) == ""


@pytest.mark.parametrize("content", ["", "{", '{"salt":"","secret":"","hashes":{}}'])
def test_a_file_that_cannot_be_used_is_replaced(tmp_path: Path, cheap_hashes: None, content: str) -> None:
    """An unusable file is replaced, so that nobody is locked out and nobody gets in without a password."""
    (tmp_path / FILE).write_text(content)
    access, made = open_access(tmp_path)
    assert set(made) == set(ROLES)
    assert access.guarded
    assert access.role_in("") == ""


def test_forms_of_other_pages_and_hosts_are_refused(pages: HallPages, passwords: dict[str, str]) -> None:
    """A form without this browser's token, from another site or to another host name does nothing."""
    browser = pages.browser()
    browser.post("/enter", password=passwords["organiser"])
    before = pages.hall.state
    assert browser.post("/organiser/names", token="made up", how="initials").status_code == 403
    found = TOKEN.search(pages.browser().get("/enter").text)
    assert found is not None
    assert browser.post("/organiser/names", token=found[1], how="initials").status_code == 403
    own = TOKEN.search(browser.get("/").text)
    assert own is not None
    foreign = {"Sec-Fetch-Site": "cross-site"}
    form = {"csrf": own[1], "how": "initials"}
    assert browser.client.post("/organiser/names", data=form, headers=foreign).status_code == 403
    assert browser.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert pages.hall.state is before
    assert browser.client.post("/organiser/names", data=form).status_code == 303


def test_every_page_has_the_headers_of_the_tables(pages: HallPages, passwords: dict[str, str]) -> None:
    """Pages have no third-party scripts, cannot be framed, and are not cached."""
    answer = pages.browser().get("/enter")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] == "no-store"
