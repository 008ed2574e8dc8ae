"""`companion enrol --tokens`: puts tokens into a deck's file, from drawings or from photographs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click
import cv2
import numpy as np

from companion.commands.terminal import out, print_json, remarks
from vision.commands.picture_files import files_in, read_picture, report_unread
from vision.deck import DeckError, load
from vision.deck.stored_decks import put_inside
from vision.enrolment.paper_sheet import find_sheet
from vision.enrolment.token_likeness import alike_faces
from vision.enrolment.tokens_on_paper import tokens_on_paper
from vision.image import Image
from vision.tokens.store import pack_tokens
from vision.tokens.token_set import TokenFace, TokenSet

SECOND = re.compile(r"_\d$")
"""How the file of a token's second face ends."""
SHOWN = 24
"""So many pairs of tokens that look alike are printed."""


def enrol_tokens(folder: Path, target: Path, as_json: bool) -> None:
    """Put the tokens of a folder's pictures into a deck's file, and report which look alike."""
    try:
        name = load(target).name
        faces, unread = read_faces(folder)
        if not faces:
            raise DeckError("\n".join(unread))
        tokens = TokenSet(name, faces)
        half = target.with_name(f".{target.name}.{os.getpid()}")
        half.write_bytes(put_inside(target.read_bytes(), pack_tokens(tokens)))
        half.replace(target)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    pairs = alike_faces(tokens.faces)
    if as_json:
        alike = [{"tokens": [pair.first, pair.second], "margin": pair.margin} for pair in pairs]
        print_json({"tokens": tokens.names, "alike": alike})
    else:
        for pair in pairs[:SHOWN]:
            remarks().print(
                f"{pair.first} and {pair.second} look alike: {pair.margin:.2f} (0: the same, 1: different)."
            )
        out().print(f"{target}: tokens: {len(tokens.names)}, pictures: {len(tokens.faces)}")
    report_unread(unread, len(faces) + len(unread))


def read_faces(folder: Path) -> tuple[list[TokenFace], list[str]]:
    """Return the faces that a folder's pictures show, and a sentence for each picture that shows none."""
    faces: list[TokenFace] = []
    unread: list[str] = []
    for name, paths in files_in(folder).items():
        for path in paths:
            try:
                faces.append(read_face(path, SECOND.sub("", name)))
            except DeckError as error:
                unread.append(str(error))
    return faces, unread


def read_face(path: Path, name: str) -> TokenFace:
    """Return a drawing's face, or that of the one token on a photographed sheet; raise `DeckError` with a sentence."""
    picture = read_picture(path)
    drawn = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if drawn is not None and drawn.ndim == 3 and drawn.shape[2] == 4:
        return _drawn_face(path, name, drawn)
    sheet = find_sheet(picture)
    if sheet is None:
        raise DeckError(f"{path} shows no whole sheet of A4 or letter paper on a darker table.")
    found = tokens_on_paper(sheet)
    if len(found) != 1:
        raise DeckError(f"{path} shows {len(found)} tokens on the sheet of paper: it must be one.")
    return TokenFace(name, found[0].face.picture, found[0].face.mask)


def _drawn_face(path: Path, name: str, drawn: Image) -> TokenFace:
    """Return the face of a drawing, which is transparent outside its outline."""
    mask = np.where(drawn[:, :, 3] > 127, 255, 0).astype(np.uint8)
    if drawn.shape[0] != drawn.shape[1] or not mask.any():
        raise DeckError(f"{path} is no square picture with a token in its middle.")
    bare = drawn[:, :, :3].copy()
    bare[mask == 0] = 255
    return TokenFace(name, bare, mask)
