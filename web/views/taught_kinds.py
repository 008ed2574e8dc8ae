"""Cards and tokens on the pages of enrolment: their addresses, words, requests, and page contents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from flask import request

from companion.devices.camera_requests import enrolment as enrolling
from companion.devices.camera_requests.decks import ListDecks
from web.context import context
from web.presenters import enrolment as presenter
from web.presenters.card_names import BACK, CardPickGroup, card_groups_of
from web.views import responses
from web.views.camera import ask
from web.views.decks import is_free
from web.words import language

LEAST_CARDS = 2
"""The fewest cards of a finished deck, because a single card has nothing to compare."""
Facts = dict[str, Any]
"""The context of a template."""
Pictures = Mapping[str, Sequence[str]]
"""Files of enrolled pictures by name."""
Captured = enrolling.CaptureAnswer | None
FAULTS = ("several", "cut", "small", "blur", "dark", "glare")
"""Faults of a capture for which the pages have a sentence."""
NOTHING = ("no_sheet", "several")
"""Faults that explain why a picture shows no card or token to name, in order of importance."""


class TaughtKind(ABC):
    """Cards or tokens, as the pages of enrolment treat them."""

    address: ClassVar[str]
    """The address of the page; the comparison is at `report` below it."""
    report: ClassVar[str]
    template: ClassVar[str]
    field: ClassVar[str]
    """The form field with the name of a card or token."""
    words: ClassVar[str]
    """The section with the words for this kind."""
    most_photographs: ClassVar[int] = 1
    """Photographs in one upload."""
    capture: ClassVar[type[enrolling.Capture]]
    enrol: ClassVar[type[enrolling.EnrolPicture]]
    forget: ClassVar[type[enrolling.ForgetPicture]]
    read: ClassVar[type[enrolling.ReadEnrolled]]
    compare: ClassVar[type[enrolling.CompareEnrolled]]

    def fault_of(self, captured: enrolling.CaptureAnswer) -> str:
        """Return why nothing waits for a name after a capture; empty if something does."""
        return "" if captured.waiting else next((why for why in NOTHING if why in captured.faults), "none")

    def may_look(self) -> bool:
        """Whether the camera may take a picture now."""
        return True

    @abstractmethod
    def sayer(self, deck: str) -> Callable[[str], str]:
        """Return a function from a name in the deck to the name for people."""

    @abstractmethod
    def describe(self, deck: str, pairs: Sequence[enrolling.AlikePair]) -> Sequence[presenter.LookalikeCards]:
        """Return look-alike pairs in words, the most important first."""

    @abstractmethod
    def facts(self, deck: str, enrolled: Pictures, captured: Captured) -> Facts:
        """Return the page's content for a deck; `captured` waits for its name."""

    def report_facts(self, deck: str) -> Facts:
        """Return the additional content of the comparison page besides the pairs."""
        return {}


class TaughtCards(TaughtKind):
    """Cards: one picture shows one or many, and the deck is made when enough are enrolled."""

    address, report, field, words = "enrolment", "report", "card", "enrolment"
    template = "card_teaching.html"
    most_photographs = 12
    capture = enrolling.Capture
    enrol = enrolling.EnrolPicture
    forget = enrolling.ForgetPicture
    read = enrolling.ReadEnrolled
    compare = enrolling.CompareEnrolled

    def sayer(self, deck: str) -> Callable[[str], str]:
        """Return the game's names, or, for cards of no game, the deck's own."""
        return str if is_free(deck) else presenter.card_sayer(context().snapshot(), language())

    def describe(self, deck: str, pairs: Sequence[enrolling.AlikePair]) -> Sequence[presenter.LookalikeCards]:  # noqa: D102
        say = self.sayer(deck)
        return [presenter.describe_pair(pair, say) for pair in pairs]

    def facts(self, deck: str, enrolled: Pictures, captured: Captured) -> Facts:  # noqa: D102
        snapshot, cards = context().snapshot(), frozenset(enrolled)
        groups = () if is_free(deck, cards) else card_groups_of(snapshot, language())
        picks = {pick.card: pick.name for group in groups for pick in group.picks}
        waiting, sheet = _waiting_cards(captured)
        at = chosen(len(waiting))
        now = waiting[at] if waiting else None
        return {
            "groups": groups,
            "done": cards,
            "there": len([card for card in cards if not groups or card in picks]),
            "whole": sum(len(group.picks) for group in groups),
            "missing": [name for card, name in picks.items() if card not in cards],
            "now": now,
            "likely": presenter.likely(now, groups, cards, request.args.get("last", ""), self.sayer(deck)),
            "last": request.args.get("last", "")[:40],
            "waiting": waiting,
            "photographed": sheet,
            "at": at,
            "enough": sum(not card.startswith(BACK) for card in cards) >= LEAST_CARDS,
            "tokens": bool(groups) and bool(presenter.token_groups_of(snapshot.game, language())),
        }


def chosen(count: int) -> int:
    """Return the number of the waiting picture that the address chooses; the first one if it chooses none."""
    number = request.args.get("at", "")
    return min(request.args.get("at", 0, int) if number.isdecimal() else 0, max(0, count - 1))


def _waiting_cards(captured: Captured) -> tuple[tuple[enrolling.CapturedCard, ...], str]:
    """Return the cards that wait for their names, and the file of the picture that shows several."""
    if not isinstance(captured, enrolling.CardCaptureAnswer) or not captured.waiting:
        return (), ""
    alone = enrolling.CapturedCard(captured.picture, (), captured.faults, captured.likeliest)
    return captured.cards or (alone,), captured.sheet


class TaughtTokens(TaughtKind):
    """Tokens: one picture shows many, and each joins the deck's set as soon as it is named."""

    address, report, field, words = "tokens", "tokens-report", "token", "token_enrolment"
    template = "token_teaching.html"
    capture = enrolling.CaptureTokens
    enrol = enrolling.EnrolToken
    forget = enrolling.ForgetToken
    read = enrolling.ReadTokens
    compare = enrolling.CompareTokens

    def may_look(self) -> bool:
        """Whether the game hides no place for tokens from the camera."""
        return presenter.may_look(context().snapshot())

    def groups(self) -> tuple[CardPickGroup, ...]:
        """Return all faces of the game's tokens; raise `PageGone` if it has none."""
        groups = presenter.token_groups_of(context().snapshot().game, language())
        if not groups:
            raise responses.PageGone("error.not_found")
        return groups

    def sayer(self, deck: str) -> Callable[[str], str]:  # noqa: D102
        return presenter.token_sayer(self.groups())

    def describe(self, deck: str, pairs: Sequence[enrolling.AlikePair]) -> Sequence[presenter.LookalikeCards]:  # noqa: D102
        return presenter.alike_tokens(pairs, context().snapshot().game, self.sayer(deck))

    def report_facts(self, deck: str) -> Facts:
        """Return whether the tokens' deck is finished."""
        return {"made": any(each.name == deck and each.made for each in ask(ListDecks()).decks)}

    def facts(self, deck: str, enrolled: Pictures, captured: Captured) -> Facts:  # noqa: D102
        wanted, say = presenter.wanted_pictures(context().snapshot().game), self.sayer(deck)
        waiting = captured.tokens if isinstance(captured, enrolling.TokenCaptureAnswer) else ()
        at = chosen(len(waiting))
        now = waiting[at] if waiting else None
        none, one_face = presenter.missing_tokens(wanted, enrolled)
        last = request.args.get("last", "")
        names = presenter.likely_tokens(now, wanted, enrolled, last) if now is not None else ()
        return {
            "groups": self.groups(),
            "done": frozenset(enrolled) - frozenset(one_face),
            "there": sum([min(len(enrolled.get(name, ())), most) for name, most in wanted.items()]),
            "whole": sum(wanted.values()),
            "missing": [say(name) for name in none],
            "one_face": [say(name) for name in one_face],
            "now": now,
            "likely": [(name, say(name), name in enrolled) for name in names],
            "last": last[: len(max(wanted, key=len))],
            "waiting": waiting,
            "paper": captured.picture if captured is not None else "",
            "at": at,
        }


CARDS, TOKENS = TaughtCards(), TaughtTokens()
