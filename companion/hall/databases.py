"""Open a hall's database by its address."""

from __future__ import annotations

from companion.hall.sqlite import EntryStore
from companion.hall.store import AnyStore, StoreError


def open_store(url: str) -> AnyStore:
    """Open `sqlite:///PATH` or `postgresql://…`; raise `StoreError` if that is impossible."""
    if not url.startswith("postgresql"):
        return EntryStore(url)
    try:
        from companion.hall.postgresql import PostgresqlStore
    except ImportError as error:
        raise StoreError("psycopg is not installed, which PostgreSQL needs: pip install 'psycopg[binary]'") from error
    return PostgresqlStore(url)
