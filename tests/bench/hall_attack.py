"""Runs processes for the bench of joining: a hall with passwords, and people with a few phones who attack it.

`python -m tests.bench.hall_attack hall FOLDER PORT BROKER_PORT` serves, and prints each role's cookie, the codes of a
sheet and the HTTPS port as JSON. `... attackers FOLDER PORT BROKER_PORT` reads the viewer's cookie and an admitted
table, attacks from its own addresses in all ways at once until its input ends, and prints the results.
"""

from __future__ import annotations

import http.client
import json
import secrets
import socket
import sys
import threading
import urllib.parse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.cluster_link import ClusterLink
from companion.devices.hall_link.joining import JoiningTable
from companion.devices.hall_link.signing import TableKey
from companion.hall.approval import TableApproval
from companion.hall.broker import HallBroker
from companion.hall.certificates import ensure_certificate
from companion.hall.hall import Hall
from companion.hall.sqlite import EntryStore, sqlite_url
from tests.support.hall_pages import LOOP, serve_pages
from tests.support.web.hall_pages import TOKEN
from web.hall.roles import ROLES, open_access
from web.hall.server import STARTING_S
from web.server import open_listener
from web.serving.tls import SecureEntrance, server_context

PHONES = 4
"""The number of addresses from which each attack comes."""


def hall(folder: Path, port: int, broker_port: int) -> None:
    """Serve a hall; create a sheet's codes for twenty tables, and print them with the cookies."""
    access, _ = open_access(folder)
    broker = HallBroker(folder / "broker", LOOP, broker_port, lambda fault: None)
    found = Hall(EntryStore(sqlite_url(folder / "hall.sqlite")), broker.address, "The bench")
    approval = TableApproval(found, broker)
    approval.desk.print_codes(range(1, 22))
    broker.start()
    broker.wait(STARTING_S)
    found.start()
    certificate = ensure_certificate(folder)
    secure = SecureEntrance(open_listener(LOOP, 0), server_context(certificate.file, certificate.key_file))
    cookies = {role: access.session(role) for role in ROLES}
    codes = [code.shown for code in approval.desk.printed()]
    secure_port = secure.listener.getsockname()[1]
    print(json.dumps({"cookies": cookies, "codes": codes, "secure_port": secure_port}), flush=True)
    approval.desk.listen(lambda: approval.admit_numbered("organiser"))  # admit tables with a code of the sheet
    serve_pages(found, port, approval, access, secure)
    found.close()
    broker.close()


def ask(source: str, port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """Return status and body of an answer to a request from one of this machine's addresses."""
    connection = http.client.HTTPConnection(LOOP, port, timeout=20, source_address=(source, 0))
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def table_link(folder: Path, broker_port: int, user: str, password: str) -> ClusterLink:
    """Return a started connection of an admitted table to the broker."""
    file = folder / f"{user}.password"
    file.write_text(password)
    link = ClusterLink(BrokerAddress(LOOP, broker_port, m.PREFIX, user, password_file=file), user, m.up(user, "here"))
    link.start()
    return link


class Attackers:
    """All attacks that have ever stopped a hall, from a few addresses each, as fast as possible."""

    def __init__(self, folder: Path, port: int, broker_port: int) -> None:
        given = json.loads(sys.stdin.readline())
        self.port, self.cookie, self.hall = port, f"hall={given['viewer']}", given["hall"]
        self.user, self.key = given["table"], TableKey.from_bytes(bytes.fromhex(given["key"]))
        self.link = table_link(folder, broker_port, self.user, given["password"])
        self.opening = JoiningTable("7-222222", "x", self.key.for_hall).opening()
        self.came: Counter[str] = Counter()
        self.streams: list[socket.socket] = []
        self.over = threading.Event()

    def run(self) -> None:
        """Attack until the input ends."""
        kinds = (self.open, self.guess_code, self.guess_password, self.stream, self.talk)
        for kind, attack in enumerate(kinds):
            for phone in range(PHONES):
                source = f"127.0.{kind + 1}.{phone + 1}"
                threading.Thread(target=self._again, args=(attack, source), daemon=True).start()
        sys.stdin.readline()
        self.over.set()
        print(json.dumps(self.came), flush=True)

    def _again(self, attack: Callable[[str], str], source: str) -> None:
        while not self.over.is_set():
            try:
                came = attack(source)
            except OSError as error:
                came = type(error).__name__
            self.came[f"{attack.__name__} {came}"] += 1

    def open(self, source: str) -> str:
        """Begin to join and never continue."""
        return str(ask(source, self.port, "POST", "/join", self.opening)[0])

    def guess_code(self, source: str) -> str:
        """Try a wrong code of a table."""
        table = JoiningTable(f"{1 + secrets.randbelow(20)}-222222", "x", self.key.for_hall)
        status, opened = ask(source, self.port, "POST", "/join", table.opening())
        return str(ask(source, self.port, "POST", "/join", table.confirmation(opened))[0] if status == 200 else status)

    def guess_password(self, source: str) -> str:
        """Try a wrong password."""
        found = TOKEN.search(ask(source, self.port, "GET", "/enter", Cookie="visit=x")[1].decode())
        form = urllib.parse.urlencode({"csrf": found[1] if found else "", "password": secrets.token_hex(4)})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": "visit=x"}
        return str(ask(source, self.port, "POST", "/enter", form.encode(), **kind)[0])

    def stream(self, source: str) -> str:
        """Open another stream of a board with the viewers' password, and keep it open."""
        stream = socket.create_connection((LOOP, self.port), 20, (source, 0))
        head = f"GET /stream/board?lang=en HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\n\r\n"
        stream.sendall(head.encode())
        status = stream.recv(16)[9:12].decode()
        self.streams.append(stream)
        if len(self.streams) > 500:
            self.streams.pop(0).close()
        return status

    def talk(self, source: str) -> str:
        """Call a judge, report a match and send another message, as an admitted table."""
        name = secrets.token_hex(8)
        placings = (m.Placing((0,), 1, 9), m.Placing((1,), 2, 4))
        result = m.Result(
            hall=self.hall, table=self.user, match=name, sequence=1, game="trains", names=("Ada", "Ben"),
            placings=placings,
        )  # fmt: skip
        self.link.publish(m.up(self.user, "call"), m.encode(m.JudgeCall(name)), 1)
        self.link.publish(m.up(self.user, "result"), m.encode(self.key.sign(result)), 1)
        self.link.publish(m.up(self.user, "summary"), m.encode(m.TableSummary(match=name)), 1, True)
        self.over.wait(0.002)
        return "said"


if __name__ == "__main__":
    what, where, *ports = sys.argv[1:]
    if what == "hall":
        hall(Path(where), *map(int, ports))
    else:
        Attackers(Path(where), *map(int, ports)).run()
