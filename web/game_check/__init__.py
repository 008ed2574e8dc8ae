"""What a game's pages lack, or show broken, for `companion game check`.

May import web and companion. Enter at `examine`.
"""

from companion.engine import AnyGame
from companion.ops.game_check import Check, Shortcoming, run_checks
from web.game_check import extras, help, pages, resources

CHECKS: tuple[Check, ...] = (*extras.CHECKS, *help.CHECKS, *resources.CHECKS, *pages.CHECKS)


def examine(game: AnyGame) -> list[Shortcoming]:
    """Return what the pages of a game lack, or show broken."""
    return run_checks(game, CHECKS)
