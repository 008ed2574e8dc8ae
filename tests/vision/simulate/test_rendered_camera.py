"""Tests of the rendered table as a camera: a hand moves a card on a message from the bus."""

from __future__ import annotations

import numpy as np

from companion.messages import CardLaid, TokensLaid
from tests.support.vision.discs import DISCS
from tests.support.vision.photographing import mat_for
from tests.support.vision.token_mats import token_mat
from vision.mat import find
from vision.print.cards import faces
from vision.simulate.rendered_camera import FRAMES, RenderedCamera
from vision.simulate.rendered_table import RenderedTable


def test_hand_moves_a_card_and_leaves_it_there() -> None:
    """Glances show a moving hand, then the card at its new place, and an invalid move changes nothing."""
    mat = mat_for(2, paper="a3")
    table = RenderedTable(mat, faces("take-a-train"), difficulty="easy", size=(1152, 648))
    camera = RenderedCamera(table, clock=lambda: 7)
    picture, at = camera.still()
    assert at == 7 and picture.shape == (648, 1152, 3) and find(picture, mat) is not None
    empty = camera.glance()
    assert empty.shape == (180, 320)
    camera.lay(CardLaid("no-such-card", "market"))
    camera.lay(CardLaid("coal-200", "market"))
    assert (camera.lying(), camera.to_move()) == ((), 2)
    glances = [camera.glance()]
    assert camera.to_move() == 1
    glances += [camera.glance() for _ in range(3 * FRAMES - 1)]
    assert [(each.place, each.card) for each in camera.lying()] == [("market", "coal-200")] and not camera.to_move()
    assert set(camera.places()) == {slot.place for slot in mat.slots}
    assert [(each.place, each.card) for each in table.truth()] == [("market", "coal-200")]
    moved = [np.abs(each.astype(int) - empty).max() > 40 for each in glances]
    assert moved[1] and moved[-1]  # first the hand, then the card
    assert np.abs(glances[-1].astype(int) - glances[-2]).max() < 40
    camera.lock()
    camera.close()


def test_hands_lay_tokens_and_take_them_away() -> None:
    """The requested tokens lie on the table once the hand has left, and an unknown token or place changes nothing."""
    table = RenderedTable(token_mat(2, "a3"), {}, difficulty="easy", size=(1152, 648))
    table.tokens.use(DISCS)
    camera = RenderedCamera(table, clock=lambda: 7)
    empty = camera.glance()
    camera.lay(TokensLaid("seat.1.money", ("no-such-token",)))
    camera.lay(TokensLaid("seat.1.cellar", ("money-50",)))
    camera.lay(TokensLaid("seat.1.money", ("money-50", "money-500")))
    assert (list(table.tokens.lying.all()), camera.to_move()) == ([], 3)
    glances = [camera.glance()]
    while camera.to_move():
        glances.append(camera.glance())
    assert len(glances) == FRAMES + 1 and np.abs(glances[2].astype(int) - empty).max() > 40
    assert sorted(each.token for each in table.tokens.lying.all()) == ["money-50", "money-500"]
    camera.lay(TokensLaid("seat.1.money", heaped=True))
    camera.glance()
    while camera.to_move():
        camera.glance()
    assert not list(table.tokens.lying.all())
