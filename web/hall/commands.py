"""The command `companion hall`."""

from __future__ import annotations

import os
import ssl
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

from companion import config
from companion.commands.terminal import data_folder, remark
from companion.devices.bus import BusError
from companion.ops.network_address import LOOPBACK, own_address, page_address
from web.commands import (
    KEPT_IN,
    SERVICE_LOG,
    Row,
    announce,
    checker,
    data_option,
    host_option,
    print_findings,
    why_unusable,
)
from web.hall.settings import PORT, read_database

BROKER_PORT = 1884
NEEDED = ("cryptography", "spake2")
FOLDER, DATABASE = "hall", "hall.sqlite"
ROLES = (("organiser", "Organiser"), ("judge", "Judge"), ("viewer", "Viewer"))


@click.command("hall", short_help="Start a hall of many tables: board, judges, tournament.")
@host_option
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--https-port", type=click.IntRange(1, 65535),
              help="Port of the pages for organisers and judges. [default: the next one]")  # fmt: skip
@click.option("--broker-port", default=BROKER_PORT, show_default=True, type=click.IntRange(1, 65534),
              help="Port at which tables reach the broker; the next one is the hall's own.")  # fmt: skip
@data_option
@click.option("--name", default="", help="The hall's name, such as 'Spring Cup'.")
@click.option("--new-passwords", is_flag=True, help="Make new passwords; the old ones end.")
@click.option("--passwords-only", is_flag=True,
              help="Make new passwords and end; a hall that runs takes them when it is started again.")  # fmt: skip
@click.option("--demonstration", "tables", type=click.IntRange(1, 50), metavar="TABLES",
              help="Show a hall with so many tables that play by themselves; nothing is kept.")  # fmt: skip
def command(
    host: str, port: int, https_port: int | None, broker_port: int, data: Path | None, name: str, new_passwords: bool,
    passwords_only: bool, tables: int | None,
) -> None:  # fmt: skip
    """Start a hall of many tables, with its board, its judges' page and its tournament.

    Prints the address and, at the first start, a password for each role; a hall on 127.0.0.1 needs none. Organisers and
    judges connect over HTTPS with a certificate whose fingerprint is printed. Tables join with a code from the
    organiser's page. Requires mosquitto, which it starts and stops itself.
    """
    if passwords_only:
        only_passwords(data_folder(data) / FOLDER)
        return
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        raise click.ClickException(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed, which a hall needs: "
            "pip install 'table-companion[hall]'"
        )
    with ExitStack() as stack:
        if tables is not None:
            host, name = LOOPBACK, name or "Demonstration"
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-hall-")))
        start(
            data_folder(data), HallPorts(host, port, https_port or port + 1, broker_port), name, new_passwords, tables
        )


def only_passwords(own: Path) -> None:
    """Make new passwords for a hall, and print them."""
    from web.hall.roles import open_access

    try:
        _, made = open_access(own, new=True)
    except OSError as error:
        raise unwritable(error, own) from None
    for part, kind, note in password_rows(made):
        click.echo(f"{part:<9} {kind:<11} {note}".rstrip())


def unwritable(error: OSError, own: Path) -> click.ClickException:
    """Return the error message for a hall folder that is not writable."""
    return click.ClickException(f"{error.filename or own} cannot be written: {error.strerror}.")


class HallPorts(NamedTuple):
    """Where a hall listens."""

    host: str
    pages: int
    secure: int
    broker: int

    def why_unusable(self) -> str:
        """Return the reason why a hall cannot listen on an address, as a sentence; empty if it can."""
        ports = (*self[1:], self.broker + 1)
        if len(set(ports)) < len(ports):
            return (
                f"Two of the hall's ports are the same: {', '.join(map(str, ports))}. Choose others (--help says how)."
            )
        places = zip((self.host,) * 3 + (LOOPBACK,), ports, strict=True)
        return next(filter(None, (why_unusable(*place) for place in places)), "")


def start(folder: Path, ports: HallPorts, name: str, new_passwords: bool, tables: int | None) -> None:
    """Serve a hall with the data of a folder until stopped."""
    from companion.devices.hall_link.messages import NAME_LENGTH, fits
    from companion.hall.approval import TableApproval
    from companion.hall.certificates import ensure_certificate
    from companion.hall.sqlite import sqlite_url
    from companion.hall.store import StoreError
    from web.hall.demonstration import HallDemonstration
    from web.hall.roles import RoleAccess, open_access
    from web.hall.server import BROKER, HallSettings, serve
    from web.security.host_names import WebSettings, read_web_settings
    from web.server import PortInUse
    from web.serving.tls import server_context

    if why := ports.why_unusable():
        raise click.ClickException(why)
    if not fits(name):
        raise click.ClickException(f"A hall's name has at most {NAME_LENGTH} characters that can be shown.")
    print_findings(checker().left_out(folder))
    own, host = folder / FOLDER, ports.host
    everywhere = host in ("0.0.0.0", "::", "")
    shown = own_address() if everywhere else host
    address, secure = page_address(shown, ports.pages), page_address(shown, ports.secure).replace("http", "https", 1)
    try:
        settings = config.read(folder)
        database = read_database(settings) or sqlite_url(own / DATABASE)
        web = read_web_settings(settings)
        # A name or an address in the settings means that a proxy on this machine forwards requests.
        local = host in (LOOPBACK, "::1", "localhost") and web == WebSettings()
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        access, made = (RoleAccess.unguarded(), {}) if local else open_access(own, new_passwords)
        certificate = None if local else ensure_certificate(own / BROKER)
        tls = None if certificate is None else server_context(certificate.file, certificate.key_file)
    except config.ConfigError as error:
        raise click.ClickException(str(error)) from None
    except ssl.SSLError:
        raise click.ClickException(
            f"The hall's certificate or its key in {own / BROKER} is damaged: put back copies of both. Without copies, "
            "delete both; the hall then makes new ones, and every table has to join again."
        ) from None
    except OSError as error:
        raise unwritable(error, own) from None
    if everywhere and shown == LOOPBACK:
        remark("This machine is not on a network: no table but its own can join.")
    tell(address, own, made, "" if local else secure, certificate.fingerprint if certificate else "")

    def demonstrate(approval: TableApproval) -> Callable[[], object]:
        demonstration = HallDemonstration(approval, ports.pages, own / "tables", tables or 0)
        demonstration.start()
        return demonstration.close

    found = HallSettings(
        own, database, host, ports.pages, ports.broker, name, "" if everywhere else address, web.names,
        0 if local else ports.secure, tls, web.address if web.address.startswith("https:") else "",
    )  # fmt: skip
    try:
        serve(found, access, demonstrate if tables else None)
    except (PortInUse, BusError, StoreError) as error:
        raise click.ClickException(str(error)) from None


def tell(address: str, own: Path, made: Mapping[str, str], secure: str, fingerprint: str) -> None:
    """Print the hall's address and folder, and any new passwords with the addresses to type them at. Keep passwords
    out of a service's log.
    """
    rows: list[Row] = [("Hall", KEPT_IN, str(own))]
    if secure:
        rows.append(("Staff", "HTTPS", f"{secure} for organisers and judges"))
        rows.append(("", "SHA-256", f"{fingerprint} (the certificate's fingerprint)"))
    announce(address, own, [*rows, *password_rows(made)], what="hall")
    if SERVICE_LOG in os.environ:
        for part, kind, note in rows:
            click.echo(f"{part:<9} {kind:<11} {note}")
        if made:
            click.echo("Passwords are not written to this log: sudo companion hall --passwords-only prints new ones.")


def password_rows(made: Mapping[str, str]) -> list[Row]:
    """Return the printed lines about new passwords."""
    note = ("", "", "Write them down: they are shown this once. --new-passwords makes new ones.")
    return [*((title, "password", made[role]) for role, title in ROLES if made), *([note] if made else [])]
