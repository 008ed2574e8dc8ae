"""Peers of the engine: other rules engines playing random games as their own users run them."""

from __future__ import annotations

import json
import logging
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

Play = Callable[[], int]
"""A function that plays whole random games and returns the number of moves, including chance."""


def pyminion() -> Play:
    """Return a function that plays deck-building (pyminion); actions, treasures and buys are moves."""
    from pyminion.bots.bot import Bot, BotDecider
    from pyminion.expansions import base
    from pyminion.game import Game

    logging.disable(logging.CRITICAL)
    luck = random.Random(9)
    wanted = [base.province, base.gold, base.market, base.festival, base.laboratory]
    wanted += [base.duchy, base.smithy, base.village, base.silver, base.estate]
    moves = 0

    class Anyhow(BotDecider):  # type: ignore[misc, unused-ignore]
        def action_priority(self, player: Any, game: Any) -> Iterator[Any]:
            nonlocal moves
            hand = [card for card in player.hand.cards if "Action" in str(card.type)]
            if hand:
                moves += 1
                yield luck.choice(hand)

        def buy_priority(self, player: Any, game: Any) -> Iterator[Any]:
            nonlocal moves
            can = [card for card in wanted if card.get_cost(player, game) <= player.state.money]
            if can:
                moves += 1
                yield luck.choice(can[:3])

        def treasure_phase_decision(self, valid_cards: Any, player: Any, game: Any) -> Any:
            nonlocal moves
            moves += len(valid_cards)
            return valid_cards

    kingdom = [base.smithy, base.village, base.market, base.festival, base.laboratory]

    def play() -> int:
        nonlocal moves
        moves = 0
        bots = [Bot(decider=Anyhow(), player_id=name) for name in "ab"]
        Game(players=bots, expansions=[base.base_set], kingdom_cards=kingdom, log_stdout=False).play()
        return moves

    return play


def rlcard() -> Play:
    """Return a function that plays gin rummy (RLCard) with two random players, without its encoding of observations."""
    import rlcard as library

    core = library.make("gin-rummy", config={"seed": 1}).game
    luck = random.Random(2)

    def play() -> int:
        core.init_game()
        moves = 0
        while not core.is_over():
            core.step(luck.choice(core.judge.get_legal_actions()))
            moves += 1
        return moves

    return play


JAVASCRIPT = """
const { CreateGameReducer, InitializeGame } = require('boardgame.io/internal');
const heads = n => n === 55 ? 7 : n % 11 === 0 ? 5 : n % 10 === 0 ? 3 : n % 5 === 0 ? 2 : 1;
const weight = row => row.reduce((sum, card) => sum + heads(card), 0);
const place = (G, seat, card) => {
  let best = -1;
  G.rows.forEach((row, i) => {
    const last = row[row.length - 1];
    if (last < card && (best < 0 || last > G.rows[best][G.rows[best].length - 1])) best = i;
  });
  const low = best < 0;
  if (low) best = G.rows.map((row, i) => [weight(row), i]).sort((a, b) => a[0] - b[0])[0][1];
  if (low || G.rows[best].length === 5) { G.points[seat] += weight(G.rows[best]); G.rows[best] = [card]; }
  else G.rows[best].push(card);
};
const game = {
  setup: ({ random }) => {
    const deck = random.Shuffle(Array.from({ length: 104 }, (_, i) => i + 1));
    return { hands: [0, 1, 2, 3].map(s => deck.slice(10 * s, 10 * s + 10)),
             rows: deck.slice(40, 44).map(card => [card]), points: [0, 0, 0, 0], chosen: {} };
  },
  turn: { activePlayers: { all: 'choose' } },
  moves: { choose: ({ G, playerID }, card) => {
    const at = G.hands[playerID].indexOf(card);
    if (playerID in G.chosen || at < 0) return 'INVALID_MOVE';
    G.hands[playerID].splice(at, 1);
    G.chosen[playerID] = card;
    if (Object.keys(G.chosen).length < 4) return;
    Object.entries(G.chosen).sort((a, b) => a[1] - b[1]).forEach(([seat, card]) => place(G, seat, card));
    G.chosen = {};
  } },
  endIf: ({ G }) => G.hands.every(hand => hand.length === 0) ? { points: G.points } : undefined,
};
const reducer = CreateGameReducer({ game });
const play = () => {
  let state = InitializeGame({ game, numPlayers: 4 }), moves = 0;
  while (state.ctx.gameover === undefined) {
    const seat = [0, 1, 2, 3].find(s => !(String(s) in state.G.chosen));
    const hand = state.G.hands[seat];
    const args = [hand[Math.random() * hand.length | 0]];
    const payload = { type: 'choose', args, playerID: String(seat) };
    const next = reducer(state, { type: 'MAKE_MOVE', payload });
    if (next === state) throw new Error('refused');
    state = next; moves += 1;
  }
  return moves;
};
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const until = process.hrtime.bigint() + BigInt(Math.round(parseFloat(line) * 1e9));
  const begun = process.hrtime.bigint();
  let moves = 0;
  do { moves += play(); } while (process.hrtime.bigint() < until);
  console.log(JSON.stringify([moves, Number(process.hrtime.bigint() - begun) / 1e9]));
});
"""


@contextmanager
def boardgame_io() -> Iterator[Callable[[float], float]]:
    """Play row sorting for four (boardgame.io's reducer in Node); yield a function from seconds to moves per second."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        npm, node = shutil.which("npm"), shutil.which("node")
        if not npm or not node:
            raise RuntimeError("Node.js and npm are not here")
        subprocess.run([npm, "install", "--silent", "boardgame.io@0.50.2"], cwd=folder, check=True, capture_output=True)
        (folder / "rows.js").write_text(JAVASCRIPT)
        process = stack.enter_context(subprocess.Popen([node, "rows.js"], cwd=folder, stdin=-1, stdout=-1, text=True))

        def measure(seconds: float) -> float:
            assert process.stdin and process.stdout
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
            moves, took = json.loads(process.stdout.readline())
            return float(moves / took)

        try:
            yield measure
        finally:
            process.kill()
