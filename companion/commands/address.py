"""`companion address`: the address of the pages, as text and as a QR code."""

from __future__ import annotations

import itertools

import click

from companion.commands.terminal import code_lines, print_code
from companion.files.untrusted import printable
from companion.ops import avahi
from companion.ops.hotspot import Hotspot, read_hotspot
from companion.ops.network_address import LOOPBACK, machine_suffix, own_address, page_address, published_names

NOWHERE = (
    "This machine is not on a network. Plug in a cable, join a Wi-Fi network, or start one: sudo companion hotspot on"
)

JOIN, OPEN, GAP = "1. Join this Wi-Fi", "2. Open the table", 3
"""The captions above the two codes, and the number of columns between the codes."""


@click.command("address", short_help="Show the table's address and its QR code.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--number", is_flag=True, help="Print only the IP address, such as 192.168.1.20.")
@click.option("--suffix", is_flag=True, help="Print only what tells this machine from others, such as k7q2.")
@click.option("--names", is_flag=True, help="Print only the names to publish, without .local.")
@click.option("--hotspot", is_flag=True, help="Print only how to join this machine's own Wi-Fi, if it is on.")
@click.option("--console", is_flag=True, help="Text for a screen where nobody is logged in.")
def command(port: int, number: bool, suffix: bool, names: bool, hotspot: bool, console: bool) -> None:
    """Print the address of the pages as text and as a QR code for tablets to scan.

    The address is this machine's IP address in the local network. The table need not run. A name follows only while it
    leads to this machine: at a club, companion.local may be another table's.
    """
    if suffix or names:
        click.echo(machine_suffix() if suffix else "\n".join(published_names()))
        return
    wifi = read_hotspot() if hotspot or console else None
    if wifi is not None and (hotspot or not wifi.address):  # the Wi-Fi is just being switched on
        show_hotspot(wifi)
        return
    if hotspot:
        return
    own = own_address()
    if own == LOOPBACK:
        raise click.ClickException(NOWHERE)
    if number:
        click.echo(own)
        return
    address = page_address(own, port)
    click.echo(f"The live table is at  {address}")
    name = avahi.name_to_show() if console else ""
    if name:
        click.echo(f"or, from most devices  {page_address(name, port)}")
    click.echo()
    if wifi is None:
        print_code(address)
    else:
        show_both(wifi, address)


def show_hotspot(wifi: Hotspot) -> None:
    """Print name, password and code of the machine's own Wi-Fi; the caller then prints the address."""
    tell_hotspot(wifi)
    click.echo()
    print_code(wifi.code())
    click.echo()
    click.echo("First scan this to join, then the table's address:")
    click.echo()


def tell_hotspot(wifi: Hotspot) -> None:
    """Print the name and the password of the machine's own Wi-Fi."""
    click.echo(f"Wi-Fi:     {printable(wifi.name)}")
    click.echo(f"Password:  {printable(wifi.password)}")


def show_both(wifi: Hotspot, address: str) -> None:
    """Print the codes of Wi-Fi and address side by side: one above the other, they would not fit a small screen."""
    left, right = code_lines(wifi.code()), code_lines(address)
    tell_hotspot(wifi)
    if not left:
        return
    width = max(map(len, left)) + GAP
    click.echo()
    click.echo(f"{JOIN:{width}}{OPEN}")
    for one, other in itertools.zip_longest(left, right, fillvalue=""):
        click.echo(f"{one:{width}}{other}".rstrip())
