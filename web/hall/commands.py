"""The command `companion hall`."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import click

from companion import config
from companion.commands.terminal import data_folder, remarks
from companion.devices.bus import BusError
from companion.ops.network_address import LOOPBACK, own_address, page_address
from web.commands import KEPT_IN, announce, checker, data_option, host_option, print_findings, why_unusable
from web.hall.settings import PORT, read_hall_settings

BROKER_PORT = 1884
NEEDED = ("cryptography", "spake2", "sqlalchemy")
FOLDER, DATABASE = "hall", "hall.sqlite"
ROLES = (("organiser", "Organiser"), ("judge", "Judge"), ("viewer", "Viewer"))


@click.command("hall", short_help="Start a hall of many tables: board, judges, tournament.")
@host_option
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--broker-port", default=BROKER_PORT, show_default=True, type=click.IntRange(1, 65534),
              help="Port at which tables reach the broker; the next one is the hall's own.")  # fmt: skip
@data_option
@click.option("--name", default="", help="The hall's name, such as 'Spring Cup'.")
@click.option("--new-passwords", is_flag=True, help="Make new passwords; the old ones end.")
@click.option("--demonstration", "tables", type=click.IntRange(1, 50), metavar="TABLES",
              help="Show a hall with so many tables that play by themselves; nothing is kept.")  # fmt: skip
def command(
    host: str, port: int, broker_port: int, data: Path | None, name: str, new_passwords: bool, tables: int | None
) -> None:
    """Start a hall of many tables, with its board, its judges' page and its tournament.

    Prints the address, and at the first start a password for each role; a hall on 127.0.0.1 needs none. Tables join
    with a code from the organiser's page. Needs mosquitto, which it starts and ends itself.
    """
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
        start(data_folder(data), host, port, broker_port, name, new_passwords, tables)


def start(
    folder: Path, host: str, port: int, broker_port: int, name: str, new_passwords: bool, tables: int | None
) -> None:
    """Serve a hall with the data of a folder until told to stop."""
    from companion.hall.admission import TableAdmission
    from companion.hall.messages import NAME_LENGTH, fits
    from companion.hall.store import StoreError, sqlite_url
    from web.hall.access import RoleAccess, open_access
    from web.hall.demonstration import HallDemonstration
    from web.hall.server import HallSettings, serve
    from web.security.host_names import WebSettings, web_settings_in
    from web.server import PortInUse

    why = why_unusable(host, port) or why_unusable(host, broker_port) or why_unusable(LOOPBACK, broker_port + 1)
    if why:
        raise click.ClickException(why)
    if not fits(name):
        raise click.ClickException(f"A hall's name has at most {NAME_LENGTH} characters that can be shown.")
    print_findings(checker().left_out(folder))
    own = folder / FOLDER
    web = web_settings_in(folder)
    # A name or an address in the settings means that others come by a proxy on this machine.
    local = host in (LOOPBACK, "::1", "localhost") and web == WebSettings()
    try:
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        access, made = (RoleAccess.unguarded(), {}) if local else open_access(own, new_passwords)
        database = read_hall_settings(config.read(folder)).database or sqlite_url(own / DATABASE)
    except config.ConfigError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or own} cannot be written: {error.strerror}.") from None
    everywhere = host in ("0.0.0.0", "::", "")
    shown = own_address() if everywhere else host
    if everywhere and shown == LOOPBACK:
        remarks().print("This machine is not on a network: no table but its own can join.")
    address = page_address(shown, port)
    rows = [(title, "password", made[role]) for role, title in ROLES if role in made]
    if made:
        rows.append(("", "", "Write them down: they are shown this once. --new-passwords makes new ones."))
    announce(address, own, [("Hall", KEPT_IN, str(own)), *rows], what="hall")

    def demonstrate(admission: TableAdmission) -> HallDemonstration:
        demonstration = HallDemonstration(admission, port, own / "tables", tables or 0)
        demonstration.start()
        return demonstration

    settings = HallSettings(own, database, host, port, broker_port, name, "" if everywhere else address, web.names)
    try:
        serve(settings, access, (lambda admission: demonstrate(admission).close) if tables else None)
    except (PortInUse, BusError, StoreError) as error:
        raise click.ClickException(str(error)) from None
