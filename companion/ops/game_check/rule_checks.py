"""Checks of the rules: the engine's requirements, rule numbers, refusals' rules, boards, players."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice

from companion.engine import COLOURS, SHAPES, AnyGame, SeatEvent, event_kinds, legal
from companion.engine.board import faults, plays_on_board
from companion.games import fault_of_part, why_unusable
from companion.i18n import LANGUAGES
from companion.mechanics.definition import PART_KINDS
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.refusals import declared_reasons
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings, at_source
from companion.ops.game_check.walk import steps_of, walk

RULE = re.compile(r"([A-Za-z]+)-?0*(\d+)")
"""A rule's number: R-4 and R-04 are the same."""


def parts(game: AnyGame, files: GameFiles) -> Shortcomings:
    """People can play the game, and every declared part can be loaded and has its declared type."""
    if why := why_unusable(game):
        yield Shortcoming(str(files.folder), f"The game is not offered to anybody: {why}", why)
    for name in PART_KINDS:
        if why := fault_of_part(game, name):
            yield Shortcoming(files.path("__init__.py"), f"The part {name!r} cannot be used: {why}")


def step_kinds(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Each ready-made step has its game's methods, and events of the required form."""
    for step in steps_of(files.package):
        for name in dir(step):
            if getattr(getattr(step, name, None), "__isabstractmethod__", False):
                yield at_source(step, f"The step {step.__name__} has no `{name}`, which each game says for itself.")
        for name, (base, fields) in step.needs.items():
            kind = getattr(step, name, None)
            asked = [*(["seat"] if base is SeatEvent else []), *fields]
            shape = f"an event with {' and '.join(asked)}" if asked else "an event"
            if not (isinstance(kind, type) and issubclass(kind, base)):
                why = f"needs `{name}`: {shape}"
            elif kind not in event_kinds(game.events).values():
                why = f"takes {kind.__name__}, which is not in the events of the game"
            elif fields and not set(fields) <= set(kind.__struct_fields__):
                why = f"needs {shape} as its `{name}`, not {kind.__name__}"
            else:
                continue
            yield at_source(step, f"The step {step.__name__} {why}.")


def events_named(game: AnyGame, files: GameFiles) -> Shortcomings:
    """The game declares every event that it offers: tablets and journals know no others."""
    known, walks = set(event_kinds(game.events).values()), [*walk(game), *walk(game, "dealt")]
    offers = [offer for _, state in walks if state.agenda for offer in legal(game, state)]
    for kind in sorted({type(event) for offer in offers for event in islice(offer, 1)} - known, key=str):
        yield at_source(kind, f"{kind.__name__} is offered, but not in `events` of {type(game).__name__}.")


def sealed_observed(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Only its own seat may enter a sealed event."""
    for _, state in walk(game, "dealt"):
        for offer in state.agenda[0].legal(state.table) if state.agenda else ():
            event = None if offer.chance else next(iter(offer), None)
            if event is not None and event.facts.observed and state.agenda[0].conceals(event):
                text = f"{type(event).__name__} is sealed, but `observed`: anybody at the table could enter it."
                yield at_source(type(event), text)
                return


def players(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every seat has its own colour and shape."""
    for what, known in (("colours", COLOURS), ("shapes", SHAPES)):
        if game.seats[-1] > len(known):
            text = f"{game.seats[-1]} players are more than the house has {what}: there are {len(known)}."
            yield Shortcoming(files.rules_module, text)


def rule_numbers(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Numbered rules have a text, the same numbers in every language, and no number twice."""
    first = files.rules(LANGUAGES[0])
    for lang in LANGUAGES:
        file, rules = files.rules_file(lang), files.rules(lang)
        if not rules:
            yield Shortcoming(file, f"The rules are not written down in {lang!r}.")
            continue
        for number in rules:
            if not isinstance(rules[number], dict) or not rules[number].get("text"):
                yield Shortcoming(file, f"{number} has no text.")
        for number in [number for number in first if number not in rules]:
            yield Shortcoming(file, f"{number} is missing.")
        for number in [number for number in rules if first and number not in first]:
            yield Shortcoming(files.rules_file(LANGUAGES[0]), f"{number} is missing, which {lang!r} has.")
        same = defaultdict(list)
        for number in rules:
            found = RULE.fullmatch(number)
            same[found.groups() if found else (number,)].append(number)
        for numbers in same.values():
            if len(numbers) > 1:
                yield Shortcoming(file, f"One rule number is there {len(numbers)} times: {', '.join(numbers)}.")


def refused_by_rule(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every declared reason names an existing rule; R-00 is the house's own."""
    known = {*files.rules(LANGUAGES[0]), "R-00"}
    for path, reason in declared_reasons(files.package):
        if reason.rule not in known:
            yield Shortcoming(path, f"The refusal {reason.key!r} names {reason.rule}, which is no rule of the game.")


def boards(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Boards have no contradictions."""
    for board in game.boards if plays_on_board(game) else ():
        for fault in faults(board):
            yield Shortcoming(files.rules_module, f"The board {board.name!r}: {fault}")


CHECKS = (
    parts,
    step_kinds,
    events_named,
    sealed_observed,
    players,
    rule_numbers,
    refused_by_rule,
    boards,
)
