"""Two hall servers on one PostgreSQL, which `COMPANION_POSTGRES=postgresql+psycopg://USER@HOST/DATABASE` selects."""

from __future__ import annotations

import os
import threading

import pytest

from companion.devices.bus.address import BrokerAddress
from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.databases import open_store
from companion.hall.hall import Hall

URL = os.environ.get("COMPANION_POSTGRES", "")
WRITES = 30


@pytest.mark.skipif(not URL, reason="COMPANION_POSTGRES names no database for tests")
def test_two_servers_that_write_at_once_agree() -> None:
    """Two servers that write at once record every entry exactly once, and each respects the other's entries."""
    pytest.importorskip("psycopg")
    halls = [Hall(open_store(URL), BrokerAddress("127.0.0.1", 1, "hall")) for _ in range(2)]
    halls[0].forget("organiser")
    for hall in halls:
        hall._record.refresh()

    def enter(hall: Hall, letter: str) -> None:
        for number in range(WRITES):
            hall.record("organiser", e.PlayersEntered((f"{letter}{number}",)))

    threads = [threading.Thread(target=enter, args=pair) for pair in zip(halls, "ab", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for hall in halls:
        hall._record.refresh()
    assert halls[0].state == halls[1].state and len(halls[0].state.players) == 2 * WRITES
    with pytest.raises(HallError, match="player_twice"):
        halls[1].record("organiser", e.PlayersEntered(("Zoë", "A1")))
    halls[0].forget("organiser")
    halls[1]._record.refresh()
    assert not halls[1].state.players and halls[0].state == halls[1].state
    for hall in halls:
        hall._record.store.close()
