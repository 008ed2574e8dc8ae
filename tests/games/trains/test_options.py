"""Options: what each choice changes."""

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
    """Return two players who are about to place their first cubes."""
    hands = [CardsDrawn(seat, (NORMAL,) * 5) for seat in (A, B)]
    return after(begun(2, **options), FirstNamed(A), *hands)


@proves("board=tokyo", "board=osaka", "R-02")
@pytest.mark.parametrize(("board", "label", "remote"), [("tokyo", "Kawagoe", 6), ("osaka", "Kyoto", 8)])
def test_the_board(board: str, label: str, remote: int) -> None:
    """Tokyo or Osaka, each with its own places."""
    state = begun(2, board=board)
    found = RULES.board(state)
    assert (found.name, RULES.view(state, None).board) == (board, board)
    assert label in {cell.label for cell in found.cells}
    assert sum(cell.kind == "remote" for cell in found.cells) == remote


@proves("kingdom", "R-02")
@pytest.mark.parametrize("name", [name for name in SETS["kingdom"] if name != "first_game"])
def test_a_set_of_cards(name: str) -> None:
    """Ten of each of its eight kinds lie out, beside the basic ones."""
    kinds = SETS["kingdom"][name]
    supply = begun(2, kingdom=kinds).table.supply
    assert {card: left for card, left in supply.items() if card not in BASIC} == dict.fromkeys(kinds, 10)


@proves("draw_kingdom=no", "draw_kingdom=yes", "R-02")
def test_a_drawn_kingdom() -> None:
    """Chance decides instead of the list; without it the chosen cards lie out at once."""
    chosen = begun(2, draw_kingdom="no")
    assert set(TOKYO) < set(chosen.table.supply)
    assert why(chosen, KingdomDrawn(HOLIDAY)) == ("R-00", "wrong_phase", None)
    drawn = begun(2, draw_kingdom="yes", kingdom=TOKYO)
    assert not set(TOKYO) & set(drawn.table.supply)
    assert set(HOLIDAY) < set(after(drawn, KingdomDrawn(HOLIDAY)).table.supply)


@proves("river_start=yes", "river_start=no", "A-01")
def test_rivers_at_the_start() -> None:
    """By default a river is no water; the option says that it is. The sea always is."""
    river = StartPlaced(A, CellName("A6"))
    assert river in offered(starting(river_start="yes"), A)
    assert why(starting(river_start="no"), river) == ("R-05", "water", None)
    for choice in ("yes", "no"):
        assert why(starting(river_start=choice), StartPlaced(A, CellName("E9"))) == ("R-05", "water", None)


@proves("ironworks_on=rail_cards", "ironworks_on=lay_rails", "A-12", "K11")
@pytest.mark.parametrize(("choice", "tunnel"), [("rail_cards", 2), ("lay_rails", 0)])
def test_what_feeds_ironworks(choice: str, tunnel: int) -> None:
    """Every Rail card or Lay Rails alone brings two coins when it is played."""
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
    """Any card or a Train, into a Train of exactly three or at most three coins more."""
    state = after(turn(["wagon_factory", EXPRESS, RAILS], wagon_factory=choice), Played(A, "wagon_factory"))
    found = {(event.card, event.gained) for event in offered(state, A) if isinstance(event, Rebuilt)}
    assert found == possible


@proves("edition=okazu", "edition=later", "R-23")
@pytest.mark.parametrize(("edition", "ranks"), [("okazu", ((A, B),)), ("later", ((B,), (A,)))])
def test_ties_of_the_editions(edition: str, ranks: tuple[tuple[Seat, ...], ...]) -> None:
    """Equal totals share the victory; in the later edition more cubes on the board win."""
    assert RULES.ranking(turn(rails=(("A5",), ("A7", "A6")), edition=edition)) == ranks


@proves("edition=later", "K28")
def test_the_subway_of_the_later_edition() -> None:
    """There a remote place is free, too; in the first edition it costs its number."""
    hand = ["subway_excavation"]
    for edition, dear in (("okazu", True), ("later", False)):
        state = turn(hand, rails=(("A9",), ("A7",)), edition=edition)
        cells = [getattr(e, "cell", "") for e in offered(after(state, Played(A, "subway_excavation")), A)]
        assert ("A10" in cells) is not dear


@proves("R-02")
def test_the_defaults() -> None:
    """A first game: Tokyo, the rulebook's set for it, the first edition, our rulings."""
    assert Options() == Options("tokyo", TOKYO, "no", "okazu", "yes", "rail_cards", "any_card")
    with pytest.raises(BadSetup, match="sidings"):
        RULES.begin(Setup(RULES.name, 2, {"sidings": "yes"}))
