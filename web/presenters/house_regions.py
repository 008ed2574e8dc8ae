"""What the house's own regions show of a game: places, hand, choices, chance, standing facts, sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.engine import Choice, Offer, PartedOffer, legal, seen, tags_with
from companion.engine.board import cells_named, plays_on_board
from companion.games import teller_of
from companion.mechanics.signs import signs_for
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.card_names import say_card
from web.presenters.choices import ChoiceGroup, SayEvent, choice_groups, only_kinds
from web.presenters.hand import HandCard, hand_and_rest
from web.presenters.match_log import players_of, table_of
from web.presenters.places import CardShown, PlaceShown, places_shown
from web.presenters.standings import Standing, standings_of, totals_of
from web.words import package, words


class HouseRegions:
    """The contents of regions at one moment, each made when a page first asks for it."""

    def __init__(self, snapshot: Snapshot, view: Any, me: Callable[[int], Any]) -> None:
        self._snapshot = snapshot
        self._view = view
        self._me = me
        self._places: dict[str, tuple[PlaceShown, ...]] = {}
        self._chances: dict[str, tuple[ChoiceGroup, ...]] = {}
        self._hands: dict[tuple[int, str], tuple[tuple[HandCard, ...], tuple[ChoiceGroup, ...]]] = {}

    def places(self, lang: str) -> tuple[PlaceShown, ...]:
        """Return the places of the table with their cards; none for a game without a layout."""
        snapshot, game, state = self._snapshot, self._snapshot.game, self._snapshot.state
        if state is None or not seen(game):
            return ()
        if lang not in self._places:
            say = words(lang, package(game))
            self._places[lang] = places_shown(game, state, players_of(snapshot), say, say_card(snapshot, say))
        return self._places[lang]

    def facts(self, lang: str) -> tuple[str, ...]:
        """Return what holds for a while and everybody may know, such as trumps or the dealer, as sentences."""
        snapshot = self._snapshot
        teller, say, players = teller_of(snapshot.game), words(lang, package(snapshot.game)), players_of(snapshot)
        facts = () if snapshot.over else getattr(self._view, "facts", ())
        return tuple([teller.fact(fact, players, say, table_of(snapshot)) for fact in facts])

    # --- a seat's own -------------------------------------------------------------------------------

    def hand(self, seat: int, lang: str) -> tuple[HandCard, ...]:
        """Return the cards in a seat's hand as far as the machine knows them, for that seat alone."""
        return self._hand_and_rest(seat, lang)[0]

    def choices_besides_hand(self, seat: int, lang: str) -> tuple[ChoiceGroup, ...]:
        """Return what a seat may do besides playing a card of its hand, for that seat alone."""
        return self._hand_and_rest(seat, lang)[1]

    def _hand_and_rest(self, seat: int, lang: str) -> tuple[tuple[HandCard, ...], tuple[ChoiceGroup, ...]]:
        """Return a seat's hand, and the choices that its cards do not show."""
        if (seat, lang) not in self._hands:
            view, say = self._me(seat), say_card(self._snapshot, words(lang, package(self._snapshot.game)))
            offers = [offer for offer in view.offers if not offer.chance]
            if plays_on_board(self._snapshot.game):
                # Events that name a cell are chosen on the map.
                offers = [each if isinstance(each, PartedOffer) else without_cells(each) for each in offers]
            choices = self._choices(offers, lang)
            cards = [CardShown(name, say(name)) for name in getattr(view, "own_cards", ()) if name]
            self._hands[seat, lang] = hand_and_rest(cards, choices, pages_of(self._snapshot.game).from_hand)
        return self._hands[seat, lang]

    def signs(self, seat: int) -> dict[str, str]:
        """Return which sentence the sign says to a seat at each moment that has several, for that seat alone."""
        game, state = self._snapshot.game, self._snapshot.state
        if state is None or not state.agenda:
            return {}
        return signs_for(teller_of(game).signs, [offer for offer in legal(game, state) if offer.by == seat])

    # --- chance -------------------------------------------------------------------------------------

    def chance_choices(self, lang: str) -> tuple[ChoiceGroup, ...]:
        """Return what people may enter of chance now; where the companion deals, only what the game lets them enter."""
        game, state, setup = self._snapshot.game, self._snapshot.state, self._snapshot.setup
        entered = tags_with(game.events, lambda facts: facts.entered)
        if state is None or not state.agenda or setup is None or (setup.deck == "dealt" and not entered):
            return ()
        if lang not in self._chances:
            offers: list[Offer] = [offer for offer in legal(game, state) if offer.chance]
            if setup.deck == "dealt":
                offers = [only_kinds(offer, entered) for offer in offers]
            self._chances[lang] = self._choices(offers, lang, seated=True)
        return self._chances[lang]

    def chance_to_trigger(self, lang: str) -> str:
        """Return what a person sets off now where the companion deals (`choice.<step>`), empty for nothing."""
        game, state, setup = self._snapshot.game, self._snapshot.state, self._snapshot.setup
        step = state.agenda[0] if state is not None and state.agenda else None
        if setup is None or setup.deck != "dealt" or step is None or not step.triggered:
            return ""
        say = words(lang, package(game))
        return say(key) if say.has(key := f"choice.{step.name}") else say("house.draw")

    def _choices(self, offers: Iterable[Offer], lang: str, seated: bool = False) -> tuple[ChoiceGroup, ...]:
        """Return offers as controls, in a language."""
        card = say_card(self._snapshot, words(lang, package(self._snapshot.game)))
        players = players_of(self._snapshot)

        def say_value(field: str, value: object) -> str:
            if field == "seat" and isinstance(value, int):
                return players[value].name
            return card(value) if isinstance(value, str) else str(value)

        return choice_groups(offers, self.say_event(lang), say_value, seated)

    def say_event(self, lang: str) -> SayEvent:
        """Return what says an event as a choice, in a language."""
        snapshot, say = self._snapshot, words(lang, package(self._snapshot.game))
        players, teller, table = players_of(snapshot), teller_of(snapshot.game), table_of(snapshot)
        return lambda event: teller.choice(event, players, say, table)

    # --- sides --------------------------------------------------------------------------------------

    def standings(self) -> tuple[Standing, ...]:
        """Return the ranking of a finished match, best first; nothing before its end."""
        state, game, setup = self._snapshot.state, self._snapshot.game, self._snapshot.setup
        return standings_of(game, setup, state) if setup is not None and state is not None and state.over else ()

    def winners(self) -> tuple[int, ...]:
        """Return the seats that won; nobody before the end."""
        state, game = self._snapshot.state, self._snapshot.game
        return game.winners(state) if state is not None and state.over else ()

    def totals(self) -> tuple[Standing, ...]:
        """Return the running scores by side where people have partners and scores are public."""
        state, game, setup = self._snapshot.state, self._snapshot.game, self._snapshot.setup
        public = bool(getattr(self._view, "scores", None)) and state is not None and not state.over
        return totals_of(game, setup, state) if public and setup is not None and state is not None else ()


def without_cells(offer: Offer) -> Choice:
    """Return an offer without the events that name a cell."""
    return Choice(offer.by, tuple([event for event in offer if not cells_named(event)]))
