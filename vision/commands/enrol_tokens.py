"""`companion enrol --tokens`: put tokens into a deck's file, from drawings or from photographs."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from companion.commands.terminal import remarks
from vision.commands.picture_files import EnrolledPictures, files_in, read_each, read_picture
from vision.deck.deck_file import FILE, load
from vision.deck.stored_decks import put_inside
from vision.enrolled_file import DeckError
from vision.enrolment.paper_sheet import find_sheet
from vision.enrolment.token_likeness import alike_faces
from vision.enrolment.tokens_on_paper import tokens_on_paper
from vision.image import Image
from vision.tokens.token_file import pack_tokens
from vision.tokens.token_set import TokenFace, TokenSet

SECOND = re.compile(r"_\d$")
"""The end of the file name of a token's second face."""
SHOWN = 24
"""The maximum number of similar pairs to print."""


def enrol_tokens(folder: Path, target: Path) -> EnrolledPictures:
    """Put the tokens of a folder's pictures into a deck's file, or raise `DeckError`."""
    name = load(target).name
    files = files_in(folder)
    faces, unread = read_each(files, lambda path, named: read_face(path, SECOND.sub("", named)))
    tokens = TokenSet(name, [face for each in faces.values() for face in each])
    FILE.save(target, put_inside(target.read_bytes(), pack_tokens(tokens)))
    pairs = alike_faces(tokens.faces)

    def show() -> None:
        for pair in pairs[:SHOWN]:
            remarks().print(
                f"{pair.first} and {pair.second} look alike: {pair.margin:.2f} (0: the same, 1: different)."
            )

    alike = [{"tokens": [pair.first, pair.second], "margin": pair.margin} for pair in pairs]
    counted = f"tokens: {len(tokens.names)}, pictures: {len(tokens.faces)}"
    data: dict[str, object] = {"tokens": tokens.names, "alike": alike}
    return EnrolledPictures(data, show, counted, unread, sum(map(len, files.values())))


def read_face(path: Path, name: str) -> TokenFace:
    """Return a drawing's face, or that of the only token on a photographed sheet. Raise `DeckError` with a sentence."""
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
