"""Shows a hall on three nodes of a NATS cluster, with tables that play by themselves: `make hall NODES=3`.

It prints a command that ends a node. One may go at any time; the board reports when most are gone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from companion.hall.self_play import SelfPlayingTable
from tests.support.hall_nodes import HallOnNodes
from tests.support.hall_pages import serve_pages
from tests.support.nats import NatsCluster, nats_server
from web.hall.demonstration import GAMES, PACE_S
from web.hall.settings import PORT

TABLES = 10


def main() -> None:
    """Show a hall until Ctrl-C."""
    if nats_server() is None:
        sys.exit("There is no nats-server: apt install nats-server")
    with tempfile.TemporaryDirectory(prefix="companion-hall-") as name:
        folder = Path(name)
        cluster = NatsCluster(folder / "nodes")
        try:
            show(folder, cluster, int(sys.argv[1]) if len(sys.argv) > 1 else PORT)
        finally:
            cluster.close()


def show(folder: Path, cluster: NatsCluster, port: int) -> None:
    """Show a hall on a cluster."""
    room = HallOnNodes(folder, cluster, TABLES)
    command = [sys.executable, "-m", "tests.tools.hall_nodes", "--tables", *map(str, room.folders)]
    playing = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    try:
        print(f"The board: http://127.0.0.1:{port}/", flush=True)
        for place, process in enumerate(cluster.processes, 1):
            print(f"  to kill node {place}: kill -9 {process.pid if process is not None else '-'}", flush=True)
        serve_pages(room.hall, port)
    finally:
        assert playing.stdin is not None
        playing.stdin.close()
        playing.wait()
        room.close()


def play(folders: Iterable[Path]) -> None:
    """Play at tables until standard input ends."""
    tables = [SelfPlayingTable(folder, n, PACE_S, GAMES[n % len(GAMES)]) for n, folder in enumerate(folders)]
    for table in tables:
        table.start()
    sys.stdin.read()
    for table in tables:
        table.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tables"]:
        play([Path(name) for name in sys.argv[2:]])
    else:
        main()
