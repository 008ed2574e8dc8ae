"""The contents of the common regions for a game: places, hand, choices, chance, standing facts, sides."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping

from companion.engine import Amounts, Choice, Event, Offer, PartedOffer, Seat, layout_for, legal, seen, tags_with
from companion.engine.board import cells_named, plays_on_board
from companion.engine.event import fields_of
from companion.engine.game import View
from companion.games import teller_of
from companion.mechanics.seals import NONCE_FIELD
from companion.mechanics.signs import signs_for
from companion.mechanics.telling import SentenceContext, capital, seat_fields, seats
from companion.mechanics.view import Fact
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.board_words import stock_sentence
from web.presenters.card_names import say_card
from web.presenters.choices import ChoiceGroup, SayEvent, SayValue, choice_groups, only_kinds
from web.presenters.hand import HandCard, hand_and_rest, marked
from web.presenters.match_log import players_of, table_of
from web.presenters.natural_order import in_natural_order
from web.presenters.places import CardShown, PlaceShown, places_shown
from web.presenters.sealed_choices import own_sealed, shown_at_last_opening
from web.presenters.standings import Standing, standings_of, totals_of
from web.words import package, words


class HouseRegions:
    """The contents of regions at one moment, each made on first use."""

    def __init__(self, snapshot: Snapshot, view: View) -> None:
        self._snapshot = snapshot
        self._view = view
        self._views: dict[int, View] = {}
        self._places: dict[tuple[str, int | None], tuple[PlaceShown, ...]] = {}
        self._chances: dict[tuple[str, int | None], tuple[ChoiceGroup, ...]] = {}
        self._hands: dict[tuple[int, str], tuple[tuple[HandCard, ...], tuple[ChoiceGroup, ...]]] = {}

    def places(self, lang: str, seat: int | None = None) -> tuple[PlaceShown, ...]:
        """Return the places with their cards as a seat, or everybody, sees them; none for a game without a layout."""
        snapshot, game, state = self._snapshot, self._snapshot.game, self._snapshot.state
        if state is None or not seen(game):
            return ()
        if (lang, seat) not in self._places:
            say = words(lang, package(game))
            layout = layout_for(game, state, snapshot.known_as(seat))
            self._places[lang, seat] = places_shown(
                game.places(len(players_of(snapshot))), layout, players_of(snapshot), say, say_card(snapshot, say)
            )
        return self._places[lang, seat]

    def pieces_left(self, lang: str) -> tuple[str, ...]:
        """Return the limited pieces that each seat can still put on the board ("6 cubes"); empty if none are
        limited.
        """
        snapshot, game, state = self._snapshot, self._snapshot.game, self._snapshot.state
        limits: Mapping[str, int] = getattr(game, "piece_counts", {})
        if state is None or not limits or not seen(game):
            return ()
        say = words(lang, package(game))
        standing = itertools.chain.from_iterable(layout_for(game, state, snapshot.known_as(None)).pieces.values())
        there = Counter([(piece.kind, piece.owner) for piece in standing])
        return tuple([
            ", ".join([stock_sentence(kind, most - there[kind, Seat(seat)], say) for kind, most in limits.items()])
            for seat in range(len(players_of(snapshot)))
        ])  # fmt: skip

    def me(self, seat: int) -> View:
        """Return the seat's own view."""
        if seat not in self._views:
            self._views[seat] = self._snapshot.view(Seat(seat))
        return self._views[seat]

    def facts(self, lang: str) -> tuple[str, ...]:
        """Return lasting public facts, such as trumps or the dealer, as sentences."""
        return self._say_facts(getattr(self._view, "facts", ()), lang)

    def own_facts(self, seat: int, lang: str) -> tuple[str, ...]:
        """Return lasting facts known only to this seat, as sentences."""
        public = getattr(self._view, "facts", ())
        return self._say_facts([fact for fact in getattr(self.me(seat), "facts", ()) if fact not in public], lang)

    def _say_facts(self, facts: Iterable[Fact], lang: str) -> tuple[str, ...]:
        """Return facts as sentences; none after the end."""
        snapshot = self._snapshot
        teller, say, players = teller_of(snapshot.game), words(lang, package(snapshot.game)), players_of(snapshot)
        shown = () if snapshot.over else facts
        return tuple([teller.fact(fact, players, say, table_of(snapshot)) for fact in shown])

    def opened(self, lang: str) -> tuple[tuple[int, str], ...]:
        """Return the choices opened together last, by seat. They stay until the next opening, so that everybody can
        read them.
        """
        return tuple([(each[0].seat, self._say_secret(*each, lang)) for each in shown_at_last_opening(self._snapshot)])

    # --- a seat's own -------------------------------------------------------------------------------

    def hand(self, seat: int, lang: str) -> tuple[HandCard, ...]:
        """Return the cards in a seat's hand as far as the machine knows them; for that seat only.

        During a pause none of them is a button.
        """
        hand, sealed = self._hand_and_rest(seat, lang)[0], own_sealed(self._snapshot, Seat(seat))
        if self._snapshot.paused:
            hand = tuple([HandCard(each.card, each.label) for each in hand])
        if not hand or sealed is None:
            return hand
        secrets = [fields_of(sealed[0])[field] for field in sealed[1]]
        each = [card for value in secrets for card in (value if isinstance(value, tuple) else (value,))]
        return marked(hand, [card for card in each if isinstance(card, str)])

    def sealed(self, seat: int, lang: str) -> str:
        """Return a seat's secret, unrevealed choice, for that seat only; empty for none."""
        found = own_sealed(self._snapshot, Seat(seat))
        return "" if found is None else self._say_secret(*found, lang)

    def _say_secret(self, event: Event, fields: tuple[str, ...], lang: str) -> str:
        """Return the secret part of an event, such as its card."""
        say = self._say_value(lang)
        fields = tuple([field for field in fields if field != NONCE_FIELD])
        values = [fields_of(event)[field] for field in fields]
        if all([isinstance(value, bool) or value is None for value in values]):
            return self.say_event(lang)(event)
        said = [say(type(event), field, value) for field, value in zip(fields, values, strict=True)]
        return capital(", ".join(said))

    def choices_at_any_moment(self, seat: int, lang: str) -> tuple[ChoiceGroup, ...]:
        """Return a seat's choices that are possible on anybody's turn, for that seat only."""
        game, state = self._snapshot.game, self._snapshot.state
        if state is None or not state.agenda:
            return ()
        return self._choices([each for each in game.standing(state) if each.by == seat and not each.chance], lang)

    def choices_besides_hand(self, seat: int, lang: str) -> tuple[ChoiceGroup, ...]:
        """Return a seat's choices besides playing a card of its hand, for that seat only."""
        return self._hand_and_rest(seat, lang)[1]

    def _hand_and_rest(self, seat: int, lang: str) -> tuple[tuple[HandCard, ...], tuple[ChoiceGroup, ...]]:
        """Return a seat's hand, and the choices that its cards do not show."""
        if (seat, lang) not in self._hands:
            view, say = self.me(seat), say_card(self._snapshot, words(lang, package(self._snapshot.game)))
            offers = [offer for offer in view.offers if not offer.chance]
            if plays_on_board(self._snapshot.game):  # events that name a cell are chosen on the map
                offers = [without_cells(offer) for offer in offers]
            choices = self._choices(offers, lang)
            held = [name for name in getattr(view, "own_cards", ()) if name]
            cards = [CardShown(name, say(name)) for name in in_natural_order(held)]
            self._hands[seat, lang] = hand_and_rest(cards, choices, pages_of(self._snapshot.game).from_hand)
        return self._hands[seat, lang]

    def signs(self, seat: int) -> dict[str, str]:
        """Return the sign's sentence for a seat at moments that have several, for that seat only.

        Empty for a seat without offers: its sign says what others do.
        """
        game, state = self._snapshot.game, self._snapshot.state
        offers = [] if state is None or not state.agenda else [each for each in legal(game, state) if each.by == seat]
        return signs_for(teller_of(game).signs, offers) if offers else {}

    # --- chance -------------------------------------------------------------------------------------

    def chance_choices(self, lang: str, seat: int | None = None) -> tuple[ChoiceGroup, ...]:
        """Return the chance that people may enter now; if the companion deals, only the part that the game permits.

        A seat's page asks about its own seat or nobody's; a shared page asks about all, seat by seat.
        """
        game, state, setup = self._snapshot.game, self._snapshot.state, self._snapshot.setup
        if state is None or not state.agenda or setup is None:
            return ()
        if (lang, seat) not in self._chances:
            known = (None, seat)
            offers = [each for each in legal(game, state) if each.chance and (seat is None or each.by in known)]
            if offers and setup.deck == "dealt":
                entered = tags_with(game.events, lambda facts: facts.entered)
                offers = [only_kinds(offer, entered) for offer in offers if entered]
            self._chances[lang, seat] = self._choices(offers, lang, seated=True)
        return self._chances[lang, seat]

    def chance_to_trigger(self, lang: str) -> str:
        """Return the key of the chance that a person triggers now (`choice.<step>`) if the companion deals; empty
        for none.
        """
        game, state, setup = self._snapshot.game, self._snapshot.state, self._snapshot.setup
        step = state.agenda[0] if state is not None and state.agenda else None
        if setup is None or setup.deck != "dealt" or step is None or not step.triggered:
            return ""
        say = words(lang, package(game))
        return say(key) if say.has(key := f"choice.{step.name}") else say("house.draw")

    def _choices(self, offers: Iterable[Offer], lang: str, seated: bool = False) -> tuple[ChoiceGroup, ...]:
        """Return offers as controls, in a language."""
        found = tuple(offers)
        return choice_groups(found, self.say_event(lang), self._say_value(lang), seated) if found else ()

    def _say_value(self, lang: str) -> SayValue:
        """Return a function that words a value of an event's field, in a language."""
        say = words(lang, package(self._snapshot.game))
        card, teller = say_card(self._snapshot, say), teller_of(self._snapshot.game)
        context = SentenceContext(players_of(self._snapshot), say, table=table_of(self._snapshot))

        def say_value(kind: type[Event], field: str, value: object) -> str:
            if field in seat_fields(kind):
                return str(seats(value, context))
            said = teller.format(field, value, context)
            return card(value) if said is value and isinstance(value, str) else str(said)

        return say_value

    def say_event(self, lang: str) -> SayEvent:
        """Return a function that words an event as a choice, in a language."""
        snapshot, say = self._snapshot, words(lang, package(self._snapshot.game))
        players, teller, table = players_of(snapshot), teller_of(snapshot.game), table_of(snapshot)
        return lambda event: teller.choice(event, players, say, table)

    # --- sides --------------------------------------------------------------------------------------

    def standings(self) -> tuple[Standing, ...]:
        """Return the ranking of a finished match, best first; nothing before its end."""
        state, game, setup = self._snapshot.state, self._snapshot.game, self._snapshot.setup
        return standings_of(game, setup, state) if setup is not None and state is not None and state.over else ()

    def winners(self) -> tuple[int, ...]:
        """Return the winning seats; empty before the end."""
        state, game = self._snapshot.state, self._snapshot.game
        return game.winners(state) if state is not None and state.over else ()

    def totals(self) -> tuple[Standing, ...]:
        """Return the running scores by side if people have partners and scores are public."""
        state, game, setup = self._snapshot.state, self._snapshot.game, self._snapshot.setup
        public = bool(getattr(self._view, "scores", None)) and state is not None and not state.over
        return totals_of(game, setup, state) if public and setup is not None and state is not None else ()


def without_cells(offer: Offer) -> Offer:
    """Return an offer without the events that name a cell; ranges of amounts and offers by parts name none."""
    if isinstance(offer, Amounts | PartedOffer):
        return offer
    return Choice(offer.by, tuple([event for event in offer if not cells_named(event)]))
