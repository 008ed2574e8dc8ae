"""Cards and tokens on the pages of enrolment: their addresses, words and requests, and what their pages show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from flask import request

from companion.devices.camera_requests.decks import ListDecks
from companion.devices.camera_requests.enrolment import (
    AlikePair,
    Capture,
    CaptureAnswer,
    CaptureTokens,
    CompareEnrolled,
    CompareTokens,
    EnrolledAnswer,
    EnrolPicture,
    EnrolToken,
    ForgetPicture,
    ForgetToken,
    ReadEnrolled,
    ReadTokens,
    TokenCaptureAnswer,
)
from web.context import context
from web.presenters.card_names import BACK, CardPickGroup, card_groups_of
from web.presenters.enrolment import (
    LookalikeCards,
    alike_tokens,
    card_sayer,
    describe_pair,
    likely,
    likely_tokens,
    may_look,
    missing_tokens,
    token_groups_of,
    token_sayer,
    wanted_pictures,
)
from web.views import answers
from web.views.camera import ask
from web.views.decks import is_free
from web.words import language

LEAST_CARDS = 2
"""A deck can be finished from so many cards on: of one card there is nothing to compare."""
FAULTS = ("several", "cut", "small", "blur", "dark", "glare")
"""Faults of a capture that the pages have a sentence for."""


class TaughtKind(ABC):
    """Cards or tokens."""

    address: ClassVar[str]
    """Of the page; below it, `report` is that of the comparison."""
    report: ClassVar[str]
    template: ClassVar[str]
    field: ClassVar[str]
    """The form's field with the name of a card or token."""
    words: ClassVar[str]
    """The section of the words that belong to this kind alone."""
    may_leave: ClassVar[bool] = False
    """Whether what was captured may be left out, without a name."""
    most_photographs: ClassVar[int] = 1
    """Photographs in one upload."""
    capture: ClassVar[type[Capture]]
    enrol: ClassVar[type[EnrolPicture]]
    forget: ClassVar[type[ForgetPicture]]
    read: ClassVar[type[ReadEnrolled]]
    compare: ClassVar[type[CompareEnrolled]]

    def fault_of(self, captured: CaptureAnswer) -> str:
        """Return why nothing waits for a name after a capture; empty where something does."""
        return "" if captured.waiting else "no_sheet" if "no_sheet" in captured.faults else "none"

    def may_look(self) -> bool:
        """Whether the camera may take a picture now."""
        return True

    @abstractmethod
    def sayer(self, deck: str) -> Callable[[str], str]:
        """Return a function from a name in the deck to the name for people."""

    @abstractmethod
    def describe(self, deck: str, pairs: Sequence[AlikePair]) -> Sequence[LookalikeCards]:
        """Return pairs that look alike in words, the most important first."""

    @abstractmethod
    def facts(self, deck: str, answer: EnrolledAnswer, captured: CaptureAnswer | None) -> dict[str, Any]:
        """Return what the page shows of a deck; `captured` waits for its name."""

    def report_facts(self, deck: str) -> dict[str, Any]:
        """Return what the page of the comparison shows besides the pairs."""
        return {}


class TaughtCards(TaughtKind):
    """Cards: one picture shows one, and many of a deck's cards are not enrolled until it is finished."""

    address, report, field, words = "enrolment", "report", "card", "enrolment"
    template = "card_teaching.html"
    most_photographs = 12
    capture, enrol, forget, read, compare = Capture, EnrolPicture, ForgetPicture, ReadEnrolled, CompareEnrolled

    def sayer(self, deck: str) -> Callable[[str], str]:
        """Return the game's names, or for cards of no game their own."""
        return str if is_free(deck) else card_sayer(context().snapshot(), language())

    def describe(self, deck: str, pairs: Sequence[AlikePair]) -> Sequence[LookalikeCards]:  # noqa: D102
        say = self.sayer(deck)
        return [describe_pair(pair, say) for pair in pairs]

    def facts(self, deck: str, answer: EnrolledAnswer, captured: CaptureAnswer | None) -> dict[str, Any]:  # noqa: D102
        snapshot, cards = context().snapshot(), frozenset(answer.pictures)
        groups = () if is_free(deck, cards) else card_groups_of(snapshot, language())
        picks = {pick.card: pick.name for group in groups for pick in group.picks}
        return {
            "groups": groups,
            "done": cards,
            "there": len([card for card in cards if not groups or card in picks]),
            "whole": sum(len(group.picks) for group in groups),
            "missing": [name for card, name in picks.items() if card not in cards],
            "now": captured,
            "likely": likely(captured, groups, cards, request.args.get("last", ""), self.sayer(deck)),
            "last": request.args.get("last", "")[:40],
            "enough": sum(not card.startswith(BACK) for card in cards) >= LEAST_CARDS,
            "tokens": bool(groups) and bool(token_groups_of(snapshot.game, language())),
        }


class TaughtTokens(TaughtKind):
    """Tokens: one picture shows many, and each is kept at once."""

    address, report, field, words = "tokens", "tokens-report", "token", "token_enrolment"
    template = "token_teaching.html"
    may_leave = True
    capture, enrol, forget, read, compare = CaptureTokens, EnrolToken, ForgetToken, ReadTokens, CompareTokens

    def may_look(self) -> bool:
        """Whether the game hides no place for tokens from the camera."""
        return may_look(context().snapshot())

    def groups(self) -> tuple[CardPickGroup, ...]:
        """Return all faces of the game's tokens; raise `PageGone` where it has none."""
        groups = token_groups_of(context().snapshot().game, language())
        if not groups:
            raise answers.PageGone("error.not_found")
        return groups

    def sayer(self, deck: str) -> Callable[[str], str]:  # noqa: D102
        return token_sayer(self.groups())

    def describe(self, deck: str, pairs: Sequence[AlikePair]) -> Sequence[LookalikeCards]:  # noqa: D102
        return alike_tokens(pairs, context().snapshot().game, self.sayer(deck))

    def report_facts(self, deck: str) -> dict[str, Any]:
        """Return whether the tokens' deck is finished."""
        return {"made": any(each.name == deck and each.made for each in ask(ListDecks()).decks)}

    def facts(self, deck: str, answer: EnrolledAnswer, captured: CaptureAnswer | None) -> dict[str, Any]:  # noqa: D102
        wanted, say = wanted_pictures(context().snapshot().game), self.sayer(deck)
        waiting = captured.tokens if isinstance(captured, TokenCaptureAnswer) else ()
        number = request.args.get("at", "")
        at = min(request.args.get("at", 0, int) if number.isdecimal() else 0, max(0, len(waiting) - 1))
        now = waiting[at] if waiting else None
        none, one_face = missing_tokens(wanted, answer.pictures)
        last = request.args.get("last", "")
        names = likely_tokens(now, wanted, answer.pictures, last) if now is not None else ()
        return {
            "groups": self.groups(),
            "done": frozenset(answer.pictures) - frozenset(one_face),
            "there": sum([min(len(answer.pictures.get(name, ())), most) for name, most in wanted.items()]),
            "whole": sum(wanted.values()),
            "missing": [say(name) for name in none],
            "one_face": [say(name) for name in one_face],
            "now": now,
            "likely": [(name, say(name), name in answer.pictures) for name in names],
            "last": last[: len(max(wanted, key=len))],
            "waiting": waiting,
            "paper": captured.picture if captured is not None else "",
            "at": at,
        }


CARDS, TOKENS = TaughtCards(), TaughtTokens()
