"""The figures in match reports must agree with the rules' results."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from companion.bots.simulation import play, policies_for
from companion.engine import Setup
from companion.games import GAMES, definition_of
from companion.games.express.events import WentOut
from companion.games.take_a_train import report as train_report
from companion.games.take_a_train.events import Profited, Sold
from companion.games.take_a_train.purposes import ids, prize
from companion.games.take_a_train.table import START_CASH
from companion.mechanics.report import PercentCell, ReportSection, ReportStep, ScoreCell, SeatsCell, WordCell

SEEDS = (1, 2, 3)


@cache
def steps(name: str, seed: int, players: int = 4) -> tuple[ReportStep, ...]:
    """Return the steps of a whole match between bots."""
    game, found = GAMES[name], []
    players = min(players, game.seats[-1])
    policies = policies_for(game, "sensible", players)
    play(game, Setup(name, players), policies, Random(seed).random, lambda *step: found.append(ReportStep(*step)))
    return tuple(found)


def tables(name: str, seed: int) -> dict[str, ReportSection]:
    """Return the tables of a match's report by key."""
    report = definition_of(GAMES[name]).report()
    assert report is not None
    return {each.key: each for each in report.sections(steps(name, seed))}


def amounts(row: Any) -> list[int]:
    """Return the amounts in a row."""
    return [cell.amount for cell in row if isinstance(cell, ScoreCell)]


@pytest.mark.parametrize("seed", SEEDS)
def test_take_a_train_s_money_adds_up(seed: int) -> None:
    """Each seat's payments lead from its starting cash to its final cash."""
    cash = steps("take-a-train", seed)[-1].after.table.cash
    rows = tables("take-a-train", seed)["money"].rows
    for seat, row in enumerate(rows):
        start, *flows, end = amounts(row)
        assert (row[0], start, start + sum(flows), end) == (SeatsCell((seat,)), START_CASH, cash[seat], cash[seat])


@pytest.mark.parametrize("seed", SEEDS)
def test_take_a_train_s_locomotives_are_those_that_were_sold(seed: int) -> None:
    """The table lists every sold locomotive with its profit, and replacements account for the remaining profit."""
    played = steps("take-a-train", seed)
    effects = [effect for step in played for effect in step.after.effects]
    sold = [effect for effect in effects if isinstance(effect, Sold)]
    rows = tables("take-a-train", seed)["locomotives"].rows
    assert len(rows) == len(sold)
    assert all(paid + balance == profit for paid, profit, balance in map(amounts, rows))
    assert [amounts(row)[2] for row in rows] == sorted([amounts(row)[2] for row in rows], reverse=True)
    earned = sum([effect.amount for effect in effects if isinstance(effect, Profited)])
    replaced = [each.record.profit for each in train_report.purchases(played) if not each.record.loco]
    assert sum([amounts(row)[1] for row in rows]) + sum(replaced) == earned


@pytest.mark.parametrize("seed", SEEDS)
def test_take_a_train_s_auctions_and_purposes(seed: int) -> None:
    """The report states prices as a percentage of the powers, and its purposes add up to the claimed prizes."""
    found, table = tables("take-a-train", seed), steps("take-a-train", seed)[-1].after.table
    for row in found["auctions"].rows:
        (least, paid), share = amounts(row), row[-1]
        assert share == PercentCell(round(100 * paid / least)) and paid >= least
    assert [row[0] for row in found["auctions"].rows] == [1, 2, 3]
    claimed = sum([prize(table, purpose) for mask in table.claimed for purpose in ids(mask)])
    assert sum([amounts(row)[0] for row in found["purposes"].rows]) == claimed
    assert sum([amounts(row)[0] for row in found["purposes"].rows]) == sum(
        [row[found["money"].heads.index("purposes")].amount for row in found["money"].rows]  # type: ignore[union-attr]
    )


def test_take_a_train_s_feats_name_each_purchase_and_the_best_of_each_round() -> None:
    """Every purchase is a feat, and so is the best balance of each of the three auctions."""
    played = steps("take-a-train", 1)
    found = train_report.feats(played)
    auctions = [each for each in found if each.kind == "auction"]
    assert len(auctions) == 3 and all(each.seats for each in auctions)
    assert len(found) - 3 == len(tables("take-a-train", 1)["locomotives"].rows)
    bought = list(train_report.purchases(played))
    for number, feat in enumerate(auctions, 1):
        sums = [sum([each.balance for each in bought if each.round == number and each.seat == s]) for s in range(4)]
        assert feat.seats == tuple([seat for seat, amount in enumerate(sums) if amount == max(sums)])
        assert isinstance(feat.what, WordCell)


@pytest.mark.parametrize("seed", SEEDS)
def test_trains_points_add_up_to_the_score(seed: int) -> None:
    """Points by source add up to the score, and rails, stations and cards match the final state."""
    played = steps("trains", seed)
    state, found = played[-1].after, tables("trains", seed)
    for seat, row in enumerate(found["points"].rows):
        *parts, total = amounts(row)
        assert (sum(parts), total) == (total, GAMES["trains"].scores(state)[seat])
    laid = [row[1] for row in found["turns"].rows]
    assert laid == [len(rails) - 1 for rails in state.table.rails]
    assert sum([int(str(row[2])) for row in found["turns"].rows]) == sum(state.table.stations.values())
    bought = [sum(column) for column in zip(*[row[1:] for row in found["cards"].rows], strict=True)]
    assert bought == [row[3] for row in found["turns"].rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_express_s_hands_add_up_to_the_totals(seed: int) -> None:
    """The points of all hands add up to the totals, and each going out counts once."""
    played = steps("express", seed)
    state, found = played[-1].after, tables("express", seed)
    for row in (*found["hands"].rows, *found["totals"].rows):
        *parts, points = amounts(row)
        assert sum(parts) == points
    assert [amounts(row)[-1] for row in found["totals"].rows] == list(state.table.match.totals)
    assert len(found["hands"].rows) == len(state.table.match.totals) * state.table.match.played
    out = sum([isinstance(step.event, WentOut) for step in played])
    assert sum([int(str(row[1])) for row in found["deeds"].rows]) == out


@pytest.mark.parametrize("seed", SEEDS)
def test_game_of_trains_counts_every_turn_once(seed: int) -> None:
    """The abilities add up to each seat's uses, and the winner's line has seven wagons in order."""
    found, scores = (
        tables("game-of-trains", seed),
        GAMES["game-of-trains"].scores(steps("game-of-trains", seed)[-1].after),
    )
    assert [row[3] for row in found["lines"].rows] == list(scores) and max(scores) == 7
    used = [int(str(row[2])) for row in found["lines"].rows]
    by_ability = [sum(column) for column in zip(*[row[1:] for row in found["abilities"].rows], strict=True)]
    assert used == by_ability
