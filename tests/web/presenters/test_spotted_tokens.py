"""Test how a page names the tokens that the camera sees."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.devices.frames import LiveFrame, TokenOutline, write_frame
from companion.engine import tokens_seen
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.messages import Sighted, TokenSighting
from tests.support.web.camera_double import jpeg, seated
from web.presenters.spotted_tokens import SpottedToken, spot_token, token_lines, token_name, tokens_to_show
from web.words import package, words

GAME = GAMES["take-a-train"]
ROUND = ((0.4, 0.4), (0.5, 0.4), (0.45, 0.5))
SEEN = (
    TokenOutline(TokenSighting("seat.2.money", "money-500"), ROUND),
    TokenOutline(TokenSighting("auction.token", "back-auction"), ROUND),
    TokenOutline(TokenSighting("seat.2.money", doubt="covered"), ROUND),
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_token_and_place_has_a_name(lang: str) -> None:
    """Every token and place has a name, so that no page shows a file's name."""
    assert tokens_seen(GAME)
    say = words(lang, package(GAME))
    backs = {kind.back for kind in GAME.token_kinds if kind.back}
    for name in (*[kind.name for kind in GAME.token_kinds], *backs):
        assert "-" not in token_name(name, GAME.token_kinds, say).replace("P-", ""), name
    for place in GAME.token_places(2):
        key = ".".join([part for part in place.name.split(".") if not part.isdecimal()])
        assert say.has(f"place.{key}")


def test_tokens_are_named_place_by_place() -> None:
    """Money has its amount in dollars, a back its own name, and an unnamed token a question mark."""
    say = words("en", package(GAME))
    live = LiveFrame(1, tokens=SEEN)
    found = [spot_token(each, GAME, (), say) for each in tokens_to_show(live, None)]
    assert found[0] == SpottedToken("the auction token's place", "face down", "named", ROUND)
    assert [(each.name, each.sure) for each in found[1:]] == [("$500", "named"), ("?", "unknown")]
    assert [names for _, names in token_lines(found)] == [["face down"], ["$500", "?"]]
    read = Sighted(1, 1, tokens=(TokenSighting("seat.1.sequence", "sequence-2"),))
    assert [spot_token(each, GAME, (), say).name for each in tokens_to_show(None, read)] == ["no. 2"]


def test_the_camera_page_draws_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's data contain an outline for each token and a line for each place."""
    with seated(tmp_path, monkeypatch, join=False) as room:
        room.camera()
        write_frame(room.context.frames, jpeg(), LiveFrame(time.monotonic_ns(), tokens=SEEN))
        found = room.anybody.get(room.host + "camera/live.json").json
        assert found is not None
        assert [each["outline"] for each in found["tokens"]] == [[list(corner) for corner in ROUND]] * 3
        assert found["token_lines"][1] == ["Bill's money", ["$500", "?"]]
