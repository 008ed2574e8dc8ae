"""Describe the concessions that let a mat fit the table: wrapped lines, piles without an outline, and tokens without
a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Place, TokenPlace
from companion.i18n import LANGUAGES, Words
from vision.mat.drawing import title, token_title, words
from vision.mat.mat import Mat


def concessions(
    mat: Mat, places: Sequence[Place], game: Words | None = None, tokens: Sequence[TokenPlace] = ()
) -> Iterator[str]:
    """Yield one sentence for each concession of the mat of these places.

    game: the game's words, in English.
    """
    yield from dict.fromkeys([_wrapped(mat, place, title(place.name, game)) for place in places if _lines(mat, place)])
    drawn = {slot.place for slot in mat.slots}
    missing = list(dict.fromkeys([title(place.name, game) for place in places if place.name not in drawn]))
    if missing:
        yield f"There is no room for the outlines of piles, which the camera does not read: {', '.join(missing)}."
    drawn = {slot.place for slot in mat.token_slots}
    own = words(LANGUAGES[0])
    typed = list(dict.fromkeys([token_title(place.name, own, game) for place in tokens if place.name not in drawn]))
    if typed:
        yield f"There is no room for places of tokens, which are typed instead: {', '.join(typed)}."


def _lines(mat: Mat, place: Place) -> list[int]:
    """Return the number of cards in each line of a wrapped place, or nothing if it does not wrap."""
    lines = [slot.most for slot in mat.slots if slot.place == place.name]
    return lines if len(lines) > 1 else []


def _wrapped(mat: Mat, place: Place, name: str) -> str:
    lines = _lines(mat, place)
    whose = name if place.seat is None else f"{name} of each seat"
    return f"{whose}: the {place.most} cards lie in {len(lines)} lines of up to {lines[0]}, filled one after the other."
