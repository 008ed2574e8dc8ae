"""Generates hostile requests for all routes of the application from a seed."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from werkzeug.routing import Rule

import web
from companion.demo_records import KEY_HEADER
from companion.engine import event_kinds, legal
from tests.fuzz.values import BYTES, anything, text
from tests.fuzz.worlds import KEY, World
from web.forms import event_fields

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FROB")
READS = re.compile(r'(?:form|args|values|files)\.get(?:list)?\(\s*"(\w+)"|read_number\("(\w+)"|read_seat\("(\w+)"')
HOSTS = (
    "localhost",
    "127.0.0.1:8080",
    "[::1]:8080",
    "evil.example",
    "",
    "a@b",
    "localhost:0",
    "\xff",
    "[::1",
    "x" * 300,
)
"""Values of the Host header; the first is used nearly always."""
SOME = {
    "game": ("take-a-train", "game-of-trains", "express", "x", "..", "é"),
    "cards": ("tokyo", "family", "all", "coal-50=2", "x", "..", "é", "=", "x=99999"),
    "board": ("country", "x", "..", "é"),
    "paper": ("a4", "a0", "letter", "..", "é"),
    "players": ("3", "0", "99", "9" * 30),
    "match": ("1", "2", "0", "99", "9" * 30, "-1", "é", "1.0", "01", "%00"),
    "lang": ("en", "fr", "xx", "..", "é"),
    "step": ("0", "1", "99", "-1", "9" * 30, "é", "1.0", "%00"),
    "filename": ("img/icon.svg", "../app.py", "%2e%2e/app.py", "css/layout.css", "js", "\x00", "x" * 300),
    "name": (
        "live+trains.0123456789abcdef.css",
        "plain.0123456789abcdef.js",
        "a.jpg",
        "export.deck",
        "../a.jpg",
        ".jpg",
        "x.png",
        "\x00.jpg",
        "%2e%2e%2fa.jpg",
        "x" * 300 + ".jpg",
    ),
}
"""Values for the variable parts of a path, beside random ones."""


def names() -> tuple[str, ...]:
    """Return all field names that the web reads, from its source."""
    sources = [path.read_text(encoding="utf-8") for path in Path(web.__file__).parent.rglob("*.py")]
    found = {name for source in sources for groups in READS.findall(source) for name in groups if name}
    return tuple(
        sorted(found | {"csrf", "then", "then1_card", "event", "seat", "name", "colour", "shape", "number", "value"})
    )


NAMES = names()


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    endpoint: str


class Asker:
    """A generator of requests to one world."""

    def __init__(self, world: World, luck: random.Random) -> None:
        self.world, self.luck = world, luck
        self.rules = sorted(world.app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))

    def each_route(self) -> list[tuple[Rule, str]]:
        """Return each route with all its methods and one that it lacks, shuffled."""
        found = [(rule, method) for rule in self.rules for method in sorted(rule.methods or ())]
        found += [(rule, self.luck.choice(sorted({*METHODS} - (rule.methods or set())))) for rule in self.rules]
        self.luck.shuffle(found)
        return found

    def any_route(self) -> tuple[Rule, str]:
        """Return a random route with a method, mostly one that it has and mostly POST."""
        rule = self.luck.choice(self.rules)
        turn = self.luck.random()
        if turn < 0.3:
            rule = self.luck.choice([each for each in self.rules if each.endpoint.endswith("propose")])
        elif turn < 0.7:
            rule = self.luck.choice([each for each in self.rules if "POST" in (each.methods or ())])
        own = sorted((rule.methods or set()) - {"OPTIONS"})
        return rule, self.luck.choice(METHODS) if self.luck.random() < 0.1 else self.luck.choice(own)

    def ask(self, rule: Rule, method: str) -> Asked:
        """Return a request to a route."""
        token = self.token(rule)
        path = self.path(rule, token)
        headers = self.headers(token)
        body = b""
        if method not in ("GET", "HEAD", "OPTIONS", "TRACE") or self.luck.random() < 0.1:
            body, kind = self.body(rule.endpoint, token)
            headers["Content-Type"] = kind
        query = self.shared() if rule.endpoint == "shared.stream" else self.query()
        return Asked(method, path + (f"?{query}" if query else ""), headers, body, rule.endpoint)

    def token(self, rule: Rule) -> str:
        """Return a token that mostly fits the route's access rule."""
        tokens, luck = self.world.tokens, self.luck
        if "<token>" not in rule.rule:
            return ""
        if not tokens or luck.random() < 0.08:
            return luck.choice(("x" * 43, "-", "é", "\x00", "a" * 1500, *tokens.values()))
        if "<tablet>" in rule.rule:
            return tokens["handed"]
        door = {"h": "host", "t": "tablet", "w": "watch"}.get(rule.rule[1:2])
        return tokens[door] if door else luck.choice([v for k, v in tokens.items() if k.startswith("seat")])

    def path(self, rule: Rule, token: str) -> str:
        """Return a rule's path with a value in each variable part."""

        def filled(found: re.Match[str]) -> str:
            name = found.group(1)
            if name == "token":
                return quote(token, safe="")
            if name == "tablet":
                return quote(
                    self.world.tokens.get("tablet", "x") if self.luck.random() < 0.9 else text(self.luck), safe=""
                )
            said = self.luck.choice(SOME[name]) if self.luck.random() < 0.8 else text(self.luck)[:300]
            return quote(said, safe="%/" if name == "filename" else "%")

        return re.sub(r"<(?:\w+:)?(\w+)>", filled, rule.rule)

    def query(self) -> str:
        """Return a query, mostly empty."""
        if self.luck.random() < 0.6:
            return ""
        if self.luck.random() < 0.1:
            return quote(text(self.luck), safe="&=%")
        return urlencode([(self.luck.choice(NAMES), text(self.luck)[:900]) for _ in range(self.luck.randrange(1, 5))])

    def shared(self) -> str:
        """Return a query for one stream of several pages, some of which exist."""
        luck, tokens = self.luck, self.world.tokens
        pages = [f"/{luck.choice('hstw')}/{luck.choice([*tokens.values(), 'x'])}/" for _ in range(luck.randrange(4))]
        pages += [f"/t/{tokens.get('tablet', 'x')}/s/{tokens.get('handed', 'x')}/", text(luck)[:300]]
        luck.shuffle(pages)
        fields = [
            (name, luck.choice((page, "en", "fr", text(luck)[:99]))) for page in pages for name in ("lang", "last")
        ]
        return urlencode([*[("at", page) for page in pages], *fields])

    def headers(self, token: str) -> dict[str, str]:
        """Return headers, most of them valid."""
        luck, found = self.luck, {}
        found["X-CSRF"] = self.world.csrf(token) if luck.random() < 0.92 else header(luck)
        if luck.random() < 0.7:
            found["HX-Request"] = "true"
        for name, chance in (
            ("Accept-Language", 0.3), ("Last-Event-ID", 0.3), ("User-Agent", 0.1), ("Referer", 0.1), ("Range", 0.1),
            ("If-None-Match", 0.05), ("If-Modified-Since", 0.05), ("Accept", 0.1), ("Cookie", 0.03),
            ("Content-Encoding", 0.03),
            ("X-Forwarded-For", 0.05), ("Authorization", 0.03), ("Origin", 0.02), ("Sec-Fetch-Site", 0.02),
            ("Expect", 0.01),
            ("Transfer-Encoding", 0.0), (KEY_HEADER, 0.2),
        ):  # fmt: skip
            if luck.random() < chance:
                found[name] = luck.choice((header(luck), "fr", "bytes=0-", KEY, "visit=x; known=" + "a" * 32, "0-1"))
        if luck.random() < 0.03:
            found["Host"] = luck.choice(HOSTS)
        return found

    def body(self, endpoint: str, token: str) -> tuple[bytes, str]:
        """Return a body and its declared content type."""
        luck = self.luck
        turn = luck.random()
        if endpoint.endswith("propose") and turn < 0.75:
            return self.proposal()
        if turn < 0.75:
            return urlencode(self.form(endpoint)).encode(), "application/x-www-form-urlencoded"
        if turn < 0.85:
            return self.multipart(endpoint)
        if turn < 0.93:
            return packed(anything(luck)), "application/json"
        kind = luck.choice(("application/json", "application/x-www-form-urlencoded", "text/plain", "",
                            "multipart/form-data",
                            "multipart/form-data; boundary=" + "x" * 200,
                            "application/json; charset=utf-7"))  # fmt: skip
        return luck.choice(BYTES), kind

    def form(self, endpoint: str) -> list[tuple[str, str]]:
        """Return a form's fields: likely ones, with likely and hostile values."""
        luck, found = self.luck, []
        likely = {
            "do": ("begin", "capture", "photograph", "enrol", "forget", "finish", "use", "import", "undo", "choose",
            "right",
                   "lies", "take", "put", "turn", "settle"),
            "seat": ("0", "1", "2"), "pin": ("1110", "1111", "4711", "0000", "17"), "room": (self.world.pin,),
            "deck": ("our cards", "new", "ours", "dealt"),
            "on": ("0", "1"), "sure": ("1",), "line": ("1", "2", "3"), "high": ("0", "1"), "what": ("off",
            "restart", "cash"),
            "contact": ("closed", "held"), "game": ("take-a-train", "game-of-trains", "express"), "lang": ("en", "fr"),
            "corners": ("[[0,0],[1,0],[1,1],[0,1]]", "[[0,0],[1,0]]", "[[1e999,0]]", "[[0,0],[0,0],[0,0],[0,0]]"),
            "board": ("",
            '{"board":"osaka","corners":[[0.1,0.1],[0.9,0.1],[0.9,0.9],[0.1,0.9]],"moved":{"B2":[0.3,0.3]}}',
            '{"board":"osaka","corners":[[1e999,0],[1,0],[1,1],[0,1]]}', '{"board":"..","corners":[]}'),
            "place": ("market", "seat.1.train.1"), "card": ("coal-200", "steam-1", "42"), "at": ("0", "1", "-1"),
            "speed": ("0", "1", "4"), "players": ("3",), "yes": ("0", "1"), "to": ("5000", "0", "-5"),
            "amount": ("300",),
            "choose": ("take-a-train", "game-of-trains", "express"), "name": ("Jane", "Bill", "Tom"),
            "colour": ("red", "blue", "green"),
            "shape": ("circle", "square", "star"), "seen": ("",), "picture": ("a.jpg",), "number": ("10",),
            "kind": ("closed", "held"), "right": ("0", "1"), "address": ("127.0.0.1:1", "[::1]:1"),
            "code": ("ACDEFH", "????"), "table_name": ("Window",),
        }  # fmt: skip
        for _ in range(luck.randrange(8)):
            name = luck.choice(NAMES) if luck.random() < 0.9 else text(luck)[:60]
            good = likely.get(name, ())
            found.append((name, luck.choice(good) if good and luck.random() < 0.6 else text(luck)))
        if luck.random() < 0.5:
            found += [(name, luck.choice(likely[name])) for name in ("do", "seat", "deck", "pin", "room", "on")]
        if endpoint == "setup.begin":
            for name, colour, shape_ in (
                ("Jane", "red", "circle"),
                ("Bill", "blue", "square"),
                ("Tom", "green", "star"),
            ):
                found += [("name", name), ("colour", colour), ("shape", shape_)]
        return found

    def proposal(self) -> tuple[bytes, str]:
        """Return an event: one that is legal now, one of the game's with hostile fields, or no event at all."""
        luck, snapshot = self.luck, self.world.table.snapshot()
        if luck.random() < 0.3:
            return luck.choice([each for each in BYTES if each.startswith(b"{")]), "application/json"
        if not snapshot.match_id:
            return packed(anything(luck)), "application/json"
        events = event_kinds(snapshot.game.events)
        name = luck.choice(sorted(events))
        data: dict[str, Any] = {"event": name}
        if snapshot.state is not None and snapshot.state.agenda and luck.random() < 0.5:
            data = msgspec.to_builtins(luck.choice(legal(snapshot.game, snapshot.state)).pick(luck.random))
            if luck.random() < 0.7 and len(data) > 1:
                data[luck.choice([field for field in data if field != "event"])] = anything(luck)
        else:
            for field in event_fields(events[name]):
                if luck.random() < 0.9:
                    data[field] = anything(luck)
        if luck.random() < 0.2:
            data["then"] = luck.choice(([luck.choice(sorted(events))], [dict(data)], anything(luck), ["passed"] * 9))
        if luck.random() < 0.4:
            data[luck.choice(NAMES)] = [anything(luck) for _ in range(luck.randrange(1, 5))]
        channels = list(self.world.context.hub.channels.values())
        if channels and luck.random() < 0.2:
            channel = luck.choice(channels)
            data["seen"] = luck.choice((channel.id, f"{channel.tag}-{'9' * 5000}", f"{channel.tag}-²", channel.tag))
        if luck.random() < 0.5:
            return packed(data), "application/json"
        flat = [
            (key, str(item)) for key, value in data.items() for item in (value if isinstance(value, list) else [value])
        ]
        return urlencode(flat, errors="replace").encode(), "application/x-www-form-urlencoded"

    def multipart(self, endpoint: str) -> tuple[bytes, str]:
        """Return a form with files."""
        luck, parts = self.luck, []
        for name, value in self.form(endpoint):
            parts.append(
                f'Content-Disposition: form-data; name="{header(luck) if luck.random() < 0.1 else name}"\r\n\r\n{value}'
            )
        for _ in range(luck.choice((0, 1, 1, 2, 13))):
            filename = luck.choice(("a.jpg", "x.deck", "", "../x", "é.png", header(luck)))
            content = luck.choice(("DECKnew", "\xff\xd8\xff\xe0junk", "", "x" * 2000, "\x89PNG\r\n\x1a\n"))
            parts.append(f'Content-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n{content}')
        body = "".join(f"--edge\r\n{part}\r\n" for part in parts) + luck.choice(("--edge--\r\n", "", "--edge"))
        return body.encode("latin-1", "replace"), "multipart/form-data; boundary=edge"


def header(luck: random.Random) -> str:
    """Return a hostile header value that a server passes on: one line of Latin-1."""
    return text(luck).encode("utf-8", "replace").decode("latin-1").translate({10: None, 13: None, 0: None})[:3000]


def packed(value: Any) -> bytes:
    """Return a value as JSON."""
    return msgspec.json.encode(value)
