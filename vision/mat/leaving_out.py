"""Leave out places that do not fit on a mat: places for tokens, and outlines of piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Place, TokenPlace
from vision.mat.token_sizes import is_money, kind_of


def fewer_piles(places: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
    """Yield the places, then without the common piles, then without any piles. The places that a camera reads are
    kept."""
    yield places
    without_common = tuple([place for place in places if place.kind != "pile" or place.seat is not None])
    without = tuple([place for place in places if place.kind != "pile"])
    read = {place.seat for place in without}
    if read >= {place.seat for place in places if place.seat is not None} and without:
        yield from (kept for kept in dict.fromkeys((without_common, without)) if kept != places)


def fewer_tokens(tokens: Sequence[TokenPlace]) -> Iterator[tuple[TokenPlace, ...]]:
    """Yield the places for tokens, then ever fewer, and finally none.

    The seats' places go kind by kind, from the game's last kind to its first, and money goes last.
    """
    kept = tuple(tokens)
    kinds = list(dict.fromkeys([kind_of(place) for place in tokens if place.seat is not None and not is_money(place)]))
    while kinds:
        yield kept
        gone = kinds.pop()
        kept = tuple([place for place in kept if place.seat is None or kind_of(place) != gone])
    yield kept
    if kept:
        yield ()
