"""Test the effect of every option's choices."""

from __future__ import annotations

import pytest

from companion.engine import BadSetup, CellName, Seat, Setup, State
from companion.games.trains.catalogue import BASIC, EXPRESS, LIMITED, NORMAL, RAILS
from companion.games.trains.events import CardsDrawn, FirstNamed, KingdomDrawn, Played, Rebuilt, StartPlaced
from companion.games.trains.options import HOLIDAY, SETS, TOKYO, Options
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table
from tests.games.proofs import proves
from tests.games.trains.build import A, B, after, begun, declines, offered, turn, why


def starting(**options: str) -> State[Table]:
    """Return a game of two before the first cubes are placed."""
    hands = [CardsDrawn(seat, (NORMAL,) * 5) for seat in (A, B)]
    return after(begun(2, **options), FirstNamed(A), *hands)


@proves("board=tokyo", "board=osaka", "R-02")
@pytest.mark.parametrize(("board", "label", "remote"), [("tokyo", "Kawagoe", 6), ("osaka", "Kyoto", 8)])
def test_the_board(board: str, label: str, remote: int) -> None:
    """Tokyo and Osaka each have their own places."""
    state = begun(2, board=board)
    found = RULES.board(state)
    assert (found.name, RULES.view(state, None).board) == (board, board)
    assert label in {cell.label for cell in found.cells}
    assert sum(cell.kind == "remote" for cell in found.cells) == remote


@proves("kingdom", "R-02")
@pytest.mark.parametrize("name", [name for name in SETS["kingdom"] if name != "first_game"])
def test_a_set_of_cards(name: str) -> None:
    """The supply has ten of each of the eight kinds in a set, beside the basic cards."""
    kinds = SETS["kingdom"][name]
    supply = begun(2, kingdom=kinds).table.supply
    assert {card: left for card, left in supply.items() if card not in BASIC} == dict.fromkeys(kinds, 10)


@proves("draw_kingdom=no", "draw_kingdom=yes", "R-02")
def test_a_drawn_kingdom() -> None:
    """A drawn kingdom replaces the chosen cards; otherwise they are in the supply at once."""
    chosen = begun(2, draw_kingdom="no")
    assert set(TOKYO) < set(chosen.table.supply)
    assert why(chosen, KingdomDrawn(HOLIDAY)) == ("R-00", "wrong_phase", None)
    drawn = begun(2, draw_kingdom="yes", kingdom=TOKYO)
    assert not set(TOKYO) & set(drawn.table.supply)
    assert set(HOLIDAY) < set(after(drawn, KingdomDrawn(HOLIDAY)).table.supply)


@proves("river_start=yes", "river_start=no", "A-01")
def test_rivers_at_the_start() -> None:
    """A seat may begin on a river unless the option forbids it, and never in the sea."""
    river = StartPlaced(A, CellName("A6"))
    assert river in offered(starting(river_start="yes"), A)
    assert why(starting(river_start="no"), river) == ("R-05", "water", None)
    for choice in ("yes", "no"):
        assert why(starting(river_start=choice), StartPlaced(A, CellName("E9"))) == ("R-05", "water", None)


@proves("ironworks_on=rail_cards", "ironworks_on=lay_rails", "A-12", "K11")
@pytest.mark.parametrize(("choice", "tunnel"), [("rail_cards", 2), ("lay_rails", 0)])
def test_what_feeds_ironworks(choice: str, tunnel: int) -> None:
    """Ironworks bring two coins for every Rail card, or only for Lay Rails."""
    hand = [RAILS, "tunnel"]
    state = turn(hand, active=["ironworks"], rails=(("A5",), ("A7",)), ironworks_on=choice)
    assert declines(state, RAILS).table.coins == 2
    assert declines(state, "tunnel").table.coins == tunnel


@proves("wagon_factory=any_card", "wagon_factory=train_only", "wagon_factory=up_to_3", "A-04", "K30")
@pytest.mark.parametrize(
    ("choice", "possible"),
    [
        ("any_card", {(EXPRESS, LIMITED), (RAILS, LIMITED)}),
        ("train_only", {(EXPRESS, LIMITED)}),
        ("up_to_3", {(EXPRESS, EXPRESS), (EXPRESS, LIMITED)}),
    ],
)
def test_what_the_wagon_works_makes(choice: str, possible: set[tuple[str, str]]) -> None:
    """The wagon factory accepts any card or only Trains, for exactly or at most three coins more."""
    state = after(turn(["wagon_factory", EXPRESS, RAILS], wagon_factory=choice), Played(A, "wagon_factory"))
    found = {(event.card, event.gained) for event in offered(state, A) if isinstance(event, Rebuilt)}
    assert found == possible


@proves("edition=okazu", "edition=later", "R-23")
@pytest.mark.parametrize(("edition", "ranks"), [("okazu", ((A, B),)), ("later", ((B,), (A,)))])
def test_ties_of_the_editions(edition: str, ranks: tuple[tuple[Seat, ...], ...]) -> None:
    """Equal totals share the victory. In the later edition, more cubes on the board decide."""
    assert RULES.ranking(turn(rails=(("A5",), ("A7", "A6")), edition=edition)) == ranks


@proves("edition=later", "K28")
def test_the_subway_of_the_later_edition() -> None:
    """In the later edition, the subway also makes remote places free. In the first edition they cost their number."""
    hand = ["subway_excavation"]
    for edition, dear in (("okazu", True), ("later", False)):
        state = turn(hand, rails=(("A9",), ("A7",)), edition=edition)
        cells = [getattr(e, "cell", "") for e in offered(after(state, Played(A, "subway_excavation")), A)]
        assert ("A10" in cells) is not dear


@proves("R-02")
def test_the_defaults() -> None:
    """The defaults are Tokyo, its set, the first edition and our rulings, and an unknown option is refused."""
    assert Options() == Options("tokyo", TOKYO, "no", "okazu", "yes", "rail_cards", "any_card")
    with pytest.raises(BadSetup, match="sidings"):
        RULES.begin(Setup(RULES.name, 2, {"sidings": "yes"}))
