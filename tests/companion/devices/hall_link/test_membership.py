"""A table shows each hall a different key, and its first key where that key is already known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.hall_link.joining import JoinGrant
from companion.devices.hall_link.membership import KEY, KNOWING, MEMBERSHIP, MatchReport, Membership, MembershipStore
from companion.devices.hall_link.signing import TableKey
from companion.table.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Yield a table that has not been in any hall yet."""
    with Table(tmp_path / "matches.sqlite") as found:
        yield found


def membership(hall: str) -> Membership:
    """Return a table's membership of a hall."""
    grant = JoinGrant(
        hall=hall, hall_name=hall, table="ab12cd34", port=1883, tls=False, user="ab12cd34", password="word"
    )
    return Membership(grant, "127.0.0.1", "127.0.0.1")


def test_each_hall_knows_another_key(table: Table, tmp_path: Path) -> None:
    """The key for a hall stays the same, even if the table joins another hall in between."""
    store = MembershipStore(table, tmp_path)
    spring = store.key("spring").public
    store.keep(membership("spring"), spring)
    autumn = store.key("autumn").public
    store.keep(membership("autumn"), autumn)
    store.forget()
    again = MembershipStore(table, tmp_path)
    assert (again.key("spring").public, again.key("autumn").public) == (spring, autumn)
    assert len({spring, autumn, again.key("").public}) == 3


def test_a_hall_that_admitted_the_table_before_keys_differed_knows_it_still(table: Table, tmp_path: Path) -> None:
    """A hall that knows the table's first key keeps it after the table leaves, and no other hall gets it."""
    old = TableKey.generate()
    table.keep_all({KEY: old.raw, MEMBERSHIP: msgspec.json.encode(membership("spring"))})
    store = MembershipStore(table, tmp_path)
    assert store.key("spring").public == old.public
    store.keep(membership("autumn"), store.key("autumn").public)
    store.forget()
    assert store.key("spring").public == old.public
    assert old.public != store.key("autumn").public == old.for_hall("autumn").public


def test_what_a_hall_is_to_hear_is_kept_when_the_table_joins_it_again(table: Table, tmp_path: Path) -> None:
    """Reports that a hall has not confirmed are kept when the table rejoins it, and are hidden from other halls."""
    store = MembershipStore(table, tmp_path)
    store.keep(membership("spring"), b"")
    store.keep_report("m1", MatchReport(2, owed=True))
    store.keep(membership("spring"), b"")
    assert store.reports() == {"m1": MatchReport(2, owed=True)}
    store.keep(membership("autumn"), b"")
    assert store.reports() == {}


def test_a_hall_that_does_not_say_who_it_is_gets_the_first_key(table: Table, tmp_path: Path) -> None:
    """A hall without an id gets the first key, and keeps it when its id becomes known."""
    store = MembershipStore(table, tmp_path)
    first = store.key("").public
    assert store.key("spring").public != first
    store.keep(membership("spring"), first)
    assert store.key("spring").public == first
    assert table.read_value(KNOWING) == b'["spring"]'
