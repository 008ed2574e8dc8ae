"""Make a set of tokens from a game's drawings, without photographs."""

from __future__ import annotations

from vision.print.token_pictures import OTHER, token_pictures
from vision.tokens.token_set import PX, TokenFace, TokenSet


def drawn_tokens(game: str) -> TokenSet:
    """Return the set of a game's drawn tokens. Raise `DrawError` if it draws none."""
    faces = []
    for name, (picture, mask) in token_pictures(game, PX).items():
        bare = picture.copy()
        bare[mask < 128] = 255
        faces.append(TokenFace(name.removesuffix(OTHER), bare, mask))
    return TokenSet(game, faces)
