"""`companion address`: the address of the pages, as text and as a QR code."""

from __future__ import annotations

import click

from companion.commands.terminal import print_code
from companion.ops import avahi
from companion.ops.network_address import LOOPBACK, machine_suffix, own_address, page_address, published_names

NOWHERE = (
    "This machine is not on a network. Plug in a cable, join a Wi-Fi network, or start one: sudo companion hotspot on"
)


@click.command("address", short_help="Show the table's address and its QR code.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--number", is_flag=True, help="Print only the IP address, such as 192.168.1.20.")
@click.option("--suffix", is_flag=True, help="Print only what tells this machine from others, such as k7q2.")
@click.option("--names", is_flag=True, help="Print only the names to publish, without .local.")
@click.option("--console", is_flag=True, help="Text for a screen where nobody is logged in.")
def command(port: int, number: bool, suffix: bool, names: bool, console: bool) -> None:
    """Print the address of the pages as text and as a QR code for tablets to scan.

    The address is this machine's IP address in the local network. A running table is not required. A name stands beside
    it only while it leads here: at a club companion.local may be another table's.
    """
    if suffix or names:
        click.echo(machine_suffix() if suffix else "\n".join(published_names()))
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
    print_code(address)
