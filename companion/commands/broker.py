"""`companion broker`: configure mosquitto so that buttons or camera can run on another machine."""

from __future__ import annotations

import socket
from pathlib import Path

import click

from companion.devices.bus.address import PORTS, PREFIX, SERVICE, check_prefix
from companion.devices.bus.mosquitto import CONFIGURATION, LISTENER, RADIO, MosquittoFiles, write_files
from companion.ops import avahi

DONE = {"new": "new password", "kept": "password kept", "elsewhere": "password kept; its file is on another machine"}


@click.command("broker", short_help="Configure an MQTT broker for the bus.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--prefix", default=PREFIX, show_default=True, help="Prefix of all topics; different for each table.")
@click.option("--host", default="", help="The broker's network name or address. [default: this machine's name]")
@click.option("--port", default=PORTS["mqtt"], show_default=True, type=click.IntRange(1, 65535), help="Its port.")
@click.option("--bind", default="", metavar="ADDRESS", help="Where it listens. [default: everywhere]")
@click.option("--also", multiple=True, type=click.Choice((RADIO, LISTENER)),
              help="Also allow wireless buttons, or a read-only listener. May be given twice.")  # fmt: skip
@click.option("--renew", is_flag=True, help="Create new passwords; every machine then needs its new file.")
def command(folder: Path, prefix: str, host: str, port: int, bind: str, also: tuple[str, ...], renew: bool) -> None:
    """Write mosquitto's configuration, rights and passwords to FOLDER, and print the lines for companion.toml.

    Each service has its own user, random password and rights; nobody else gets in. You can run it again at any time:
    the passwords stay the same. See docs/bus.md for uses.
    """
    check_prefix(prefix, "--prefix")
    folder = folder.absolute()
    done = write_files(folder, prefix, port, bind, tuple(dict.fromkeys(also)), renew)
    for each in done:
        click.echo(f"{each.user:<24} {DONE[each.done]}: {each.file}")
    click.echo()
    own = host or avahi.own_name() or f"{socket.gethostname()}.local"
    print_settings(folder, own, port, prefix, done)


def print_settings(folder: Path, host: str, port: int, prefix: str, done: tuple[MosquittoFiles, ...]) -> None:
    """Print how to start the broker, and the settings of each machine."""
    where = host if port == PORTS["mqtt"] else f"{host}:{port}"
    click.echo(f"Broker: mosquitto -c {folder / CONFIGURATION}")
    click.echo(f"    (as a service: sudo ln -sf {folder / CONFIGURATION} /etc/mosquitto/conf.d/companion.conf")
    click.echo("     and sudo systemctl restart mosquitto)")
    for machine, file in (("this machine", str(folder / SERVICE)), ("the other machine", SERVICE)):
        click.echo()
        click.echo(f"companion.toml of {machine}:")
        click.echo("    [bus]")
        click.echo(f'    url = "mqtt://{where}/{prefix}"')
        click.echo(f'    password_file = "{file}.password"')
    click.echo()
    click.echo("Copy buttons.password or camera.password to the other machine, next to its companion.toml, and protect")
    click.echo("it there (chmod 600). The table's password stays here.")
    for each in done:
        if each.service == RADIO:
            click.echo(f"Wireless buttons: user {each.user}, topics {prefix}/seat-1 and so on (docs/buttons.md).")
        elif each.service == LISTENER:
            click.echo(f"Read-only listener: user {each.user}, topics {prefix}/here/+ and {prefix}/down/all.")
