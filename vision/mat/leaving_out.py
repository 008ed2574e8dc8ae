"""What a mat gives up where not everything fits: places for tokens that a camera could read, outlines of piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Place, TokenPlace
from vision.mat.token_sizes import is_money, kind_of


def fewer_piles(places: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
    """Yield the places, then those without the common piles, then those without any: what a camera reads is kept."""
    yield places
    without_common = tuple([place for place in places if place.kind != "pile" or place.seat is not None])
    without = tuple([place for place in places if place.kind != "pile"])
    read = {place.seat for place in without}
    if read >= {place.seat for place in places if place.seat is not None} and without:
        yield from (kept for kept in dict.fromkeys((without_common, without)) if kept != places)


def fewer_tokens(tokens: Sequence[TokenPlace]) -> Iterator[tuple[TokenPlace, ...]]:
    """Yield the places for tokens, then fewer and fewer, at last none.

    The seats' places go kind by kind, the one that the game names last goes first, and money after all others.
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
