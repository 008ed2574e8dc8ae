"""Test the pages of Game of Trains: every moment can be drawn, taps make moves, and nobody sees another hand."""

from __future__ import annotations

import random
import re
from html import unescape
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.engine import Event, Seat
from companion.games import game_of_trains
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.extras import extras, places
from companion.games.game_of_trains.lines import rising
from companion.games.game_of_trains.table import DISCARD, HANDS, PILE
from companion.i18n import LANGUAGES
from companion.match.history import HistoryEntry
from companion.mechanics.zones import OPEN, ZoneCard, Zones
from companion.messages import Press
from companion.table.snapshot import Snapshot
from tests.support.web import game_of_trains as trains
from tests.support.web.visitors import Room, regions
from tests.web.live.test_cue_publisher import told
from tests.web.live.test_streams import key as viewing
from tests.web.live.test_streams import opened, waiting
from tests.web.security.test_secrecy import drawn
from web.words import words

MOVES, EACH = 60, 2
"""The number of random moves, and how often the pages of each moment are drawn."""
FOLDER = Path(game_of_trains.__file__).parent
PLAYERS = 3
NOT_YET = {
    "en": "Too soon: your turn had only just begun. Press again if you mean it.",
    "fr": "Trop tôt\N{NO-BREAK SPACE}: ton tour venait à peine de commencer. Appuie encore si tu le veux vraiment.",
}


def page(room: Room, where: str) -> dict[str, str]:
    """Return the regions of a page."""
    room.context.hub.refresh()
    return regions(room.anybody.get(where).text)


# --- every moment ---------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", ["dealt", "ours", "box"])
def test_every_moment_is_drawn_for_everybody(room: Room, deck: str) -> None:
    """At each new moment in the first part of a random game, every viewer's page can be drawn."""
    trains.lay(room, PLAYERS, deck, training="yes")
    luck = random.Random(3)
    seen: dict[str, int] = {}
    for _ in range(MOVES):
        moment = trains.view(room).moment
        seen[moment] = seen.get(moment, 0) + 1
        if seen[moment] <= EACH:
            for role, seat in (("table", None), ("host", None), ("watch", None), ("seat", 0), ("seat", 1)):
                drawn(room, room.table.snapshot(), role, seat)
        trains.wander(room, luck)
    wanted = {"name_first", "choose", "act", "place"}
    assert set(seen) >= wanted | (set() if deck == "dealt" else {"deal", "draw", "refill"})
    assert "read_ability" in seen or deck != "box"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_victory_is_celebrated_everywhere(room: Room, lang: str) -> None:
    """Every page shows the winning line and its owner's name, and offers no move."""
    trains.opened(room)
    trains.rise(room)
    assert trains.view(room).winner == 0
    room.context.hub.refresh()
    say = words(lang, game_of_trains.__name__)
    for path in (*room.seats, room.host, room.page("tablet"), room.page("watch")):
        shown = regions(room.visitor(lang).get(path).text)
        assert say("ui.winner", name="Jane") in unescape(shown["ending"])
        assert re.findall(r'data-wagon="(\d+)"', shown["ending"]) == [str(card) for card in trains.RISING]
        assert "propose" not in shown.get("picks", "") + shown.get("actions", "") + shown.get("turnup", "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_press_just_before_ones_turn_is_answered_in_words(room: Room, lang: str) -> None:
    """If Jane presses just before her turn begins, the press does nothing and her page gives the reason."""
    trains.opened(room)
    stream, _ = opened(room, viewing(room, "seat", 0, lang))
    waiting(stream)
    before = room.table.snapshot().seq
    room.table.press(Press(0, room.table.referee.since))
    shown = room.table.snapshot()
    assert [entry.seq for entry in shown.entries if entry.seq > before] == []
    assert [mark.outcome for mark in shown.verdicts[-1].marks] == ["not_open"]
    assert [each["sentence"] for each in told(waiting(stream), "said")] == [words(lang)("refusal.R-00.not_open")]
    assert words(lang)("refusal.R-00.not_open") == NOT_YET[lang]


def test_every_word_that_a_template_says_is_there() -> None:
    """Every sentence that the templates use exists in each language."""
    package = game_of_trains.__name__
    for lang in LANGUAGES:
        say = words(lang, package)
        for file in sorted((FOLDER / "templates").glob("*.html")):
            for key in re.findall(r'words\("([\w.\-]+)"[,)]', file.read_text(encoding="utf-8")):
                assert key in say, (lang, file.name, key)


def test_every_picture_that_a_template_shows_is_drawn() -> None:
    """The game's own sprite contains exactly the abilities and pictures that the templates show."""
    sprite = (FOLDER / "static" / "sprite.svg").read_text(encoding="utf-8")
    drawn_there = set(re.findall(r'<symbol id="([\w]+)"', sprite))
    shown = set(trains.ABILITY.values()) | {"unread"}
    for file in (FOLDER / "templates").glob("*.html"):
        text = file.read_text(encoding="utf-8")
        shown |= set(re.findall(r'(?<!\bm\.)pic\("(\w+)"', text)) | set(re.findall(r"sprite\.svg#(\w+)\"", text))
    assert shown == drawn_there


def test_a_games_own_pictures_and_styles_are_served(room: Room) -> None:
    """The server sends the game's sprite and style sheet from its folder, and browsers may cache them."""
    sheet = re.search(
        r'href="(/static/joined/[^"]*game_of_trains[^"]*\.css)"',
        room.anybody.get(room.set_up(2, game="game-of-trains")).text,
    )
    assert sheet is not None and b"#region-status" in room.anybody.get(sheet[1]).data
    for path in ("/static/game_of_trains/sprite.svg", sheet[1]):
        with room.anybody.get(path) as answer:
            assert answer.status_code == 200 and "no-store" not in answer.headers["Cache-Control"]


# --- the opening ----------------------------------------------------------------------------------


def test_lines_of_real_cards_are_entered(room: Room) -> None:
    """Each seat enters its own seven numbers, the tablet everybody's, and numbers in entered lines are no longer
    offered."""
    trains.lay(room, PLAYERS, "ours")
    tablet = room.page("tablet")
    assert page(room, tablet)["turnup"].count('value="line_dealt"') == PLAYERS
    own = page(room, room.seats[1])["picks"]
    assert own.count('value="line_dealt"') == 1 and '<input type="hidden" name="seat" value="1">' in own
    falling = [int(n) for n in re.findall(r'name="cards" value="(\d+)"', own)]
    assert falling == list(range(84, 0, -1))
    assert room.anybody.say(room.seats[1], "line_dealt", seat=1, cards=list(trains.LINES[1])).status_code == 204
    assert not re.search(r'name="cards" value="84"', page(room, tablet)["turnup"])
    assert "turnup" in page(room, room.seats[1]) and "line_dealt" not in page(room, room.seats[1])["picks"]
    assert room.anybody.say(room.seats[1], "line_dealt", seat=0, cards=list(trains.LINES[0])).status_code == 409
    assert room.anybody.say(tablet, "line_dealt", seat=0, cards=list(trains.LINES[0])).status_code == 204


def test_what_is_drawn_for_the_exchange_is_seen_by_its_drawer_alone(room: Room) -> None:
    """When the companion deals, each page shows its own cards for the exchange and only the number of the others'."""
    trains.lay(room, PLAYERS)
    assert room.anybody.say(room.seats[0], "first_named", seat=1).status_code == 204
    own = page(room, room.seats[1])["picks"]
    assert len(re.findall(r'type="radio" name="card"', own)) == 1
    assert 'type="radio"' not in page(room, room.seats[0])["picks"]
    card = re.search(r'type="radio" name="card" value="(\d+)"', own)
    assert card is not None
    assert room.anybody.say(room.seats[0], "kept", card=card[1], position=1).status_code == 409
    assert room.anybody.say(room.seats[1], "kept", card=card[1], position=1).status_code == 204
    assert len(re.findall(r'type="radio" name="card"', page(room, room.seats[2])["picks"])) == 2


# --- turns ----------------------------------------------------------------------------------------


def test_a_pool_card_opens_to_its_ways(room: Room) -> None:
    """Each use of a pool card is a button for the seat on turn; other seats can read the uses but have no buttons."""
    trains.opened(room)
    own, other = page(room, room.seats[0])["picks"], page(room, room.seats[1])["picks"]
    assert own.count('value="swapped"') == 6 + 5 and own.count('value="shifted"') == 5
    assert '<button class="use-do' in own and '<button class="use-do' not in other
    assert other.count("use-do") == own.count("use-do")
    assert 'id="pool-uses"' in own and "pool-plan" not in own, "what is to be done lies open"
    assert 'id="pool-uses"' not in other and '<details class="fold pool-plan"' in other, "a plan is no task"
    form = {"card": 80, "left": 2, "right": 3}
    assert room.anybody.say(room.seats[1], "swapped", **form).status_code == 409
    assert room.anybody.say(room.seats[0], "swapped", **form).status_code == 204
    assert [card.number for card in trains.view(room).seats[0].line if card][:3] == [15, 47, 61]


def test_a_padlock_is_not_lost_unwarned(room: Room) -> None:
    """A move that would cost a padlock says so and asks first."""
    trains.opened(room)
    lock = next(card for card, ability in trains.ABILITY.items() if ability == "protect" and card in trains.free(room))
    trains.turn(room, 0, lock, 7)
    for seat in (1, 2, 0):
        trains.turn(room, seat, trains.spare(room), 7)
    trains.say(room, ev.Protected(Seat(1), lock, 4))
    for seat in (2, 0):
        trains.turn(room, seat, trains.spare(room), 7)
    own = page(room, room.seats[1])["picks"]
    assert set(re.findall(r'popovertarget="drop-drew1-(\d)"', own)) == {"4"}
    assert 'id="drop-drew1-4"' in own and words("en", game_of_trains.__name__)("ui.drops_at_one", position=4) in own
    assert {int(n) for n in re.findall(r'class="wg-pick" name="position" value="(\d)"', own)} == {1, 2, 3, 5, 6, 7}


def test_a_removal_is_led_step_by_step(room: Room) -> None:
    """After a removal pages name the seats that refill, clockwise from the user, and accept cards in that order
    only."""
    trains.opened(room)
    trains.turn(room, 0, 1, 3)  # 47 goes to the pool and then uncouples the left end
    assert trains.ABILITY[47] == "remove_left"
    trains.say(room, ev.Removed(Seat(1), 47))
    trains.tell_abilities(room)
    while trains.view(room).moment == "keep_odd":
        trains.say(room, ev.OddKept(trains.view(room).asked[0].number))
    assert trains.view(room).refills == (1, 2, 0)
    tablet = room.page("tablet")
    told = re.findall(r'<ol class="refills">(.*?)</ol>', page(room, tablet)["play"], re.S)[0]
    assert re.findall(r'class="name">(\w+)<', told) == ["Bill", "Tom", "Jane"]
    assert 'value="refilled"' in page(room, tablet)["turnup"]
    assert 'value="refilled"' in page(room, room.seats[1])["picks"]
    assert 'value="refilled"' not in page(room, room.seats[2]).get("picks", "")
    assert room.anybody.say(room.seats[2], "refilled", seat=2, position=1, card=2).status_code == 409
    for seat, card in ((1, 2), (2, 4), (0, 6)):
        assert room.anybody.say(room.seats[seat], "refilled", seat=seat, position=1, card=card).status_code == 204
    assert "refills" not in page(room, tablet)["play"]
    assert trains.view(room).turn == 2


def test_the_shared_tablet_is_enough_for_real_cards(room: Room) -> None:
    """With real cards the tablet offers every move of the seat on turn, and a spectator's page none."""
    trains.opened(room)
    tablet, watch = room.page("tablet"), room.page("watch")
    turnup = page(room, tablet)["turnup"]
    assert turnup.count('value="swapped"') == 11 and 'value="drew"' in turnup
    assert "propose" not in "".join(page(room, watch).values())
    assert room.anybody.say(tablet, "swapped", seat=0, card=80, left=1, right=2).status_code == 204


def test_who_owns_the_box_is_asked_for_each_ability_once(room: Room) -> None:
    """Eight buttons ask for the ability of a box's card when it first comes to the pool, and then it is known."""
    trains.lay(room, PLAYERS, "box")
    for seat, line in enumerate(trains.LINES):
        trains.say(room, ev.LineDealt(Seat(seat), line))
    trains.say(room, ev.FirstNamed(Seat(0)), ev.Kept(Seat(0), 15, 1))
    asked = page(room, room.seats[2])["picks"]
    assert len(re.findall(r'name="ability" value="\w+"', asked)) == 8 and "80" in asked
    assert room.anybody.say(room.seats[2], "ability_read", card=80, ability="protect").status_code == 204
    assert trains.view(room).moment == "choose"
    assert trains.view(room).pool[0].ability == "protect"


# --- secrets --------------------------------------------------------------------------------------


def other_hands(snapshot: Snapshot, seat: int | None) -> Snapshot:
    """Return the same table with other cards in all hands but the seat's, and with other rejected cards."""
    state = snapshot.state
    assert state is not None
    zones = state.table.zones
    spare, changed = list(zones.remaining(PILE)), dict[int, int]()

    def other(card: ZoneCard[int]) -> ZoneCard[int]:
        if not spare or card.name is None or card.known == OPEN:
            return card
        changed[card.name] = found = spare.pop(0)
        return replace(card, name=found)

    hidden = [DISCARD, *[HANDS[each] for each in range(state.table.fixed.players) if each != seat]]
    swapped = {zone: replace(zones.zones[zone], cards=tuple(map(other, zones.zones[zone].cards))) for zone in hidden}
    unknown = Zones({**zones.zones, **swapped}, (tuple(sorted([*spare, *changed])),))
    after = replace(state, table=replace(state.table, zones=unknown))
    entries = [replace(e, event=other_event(e, changed)) for e in snapshot.entries]
    entries[-1] = replace(entries[-1], after=after)
    return replace(snapshot, state=after, entries=tuple(entries))


def other_event(entry: HistoryEntry, changed: dict[int, int]) -> Event:
    """Return an entry's event with its exchanged cards replaced."""
    match entry.event:
        case ev.HandsDrawn(hands):
            return ev.HandsDrawn(tuple([tuple([changed.get(card, card) for card in hand]) for hand in hands]))
        case ev.CardDrawn(card):
            return ev.CardDrawn(changed.get(card, card))
    return entry.event


@pytest.mark.parametrize("deck", ["dealt", "ours"])
def test_other_hands_change_no_byte(room: Room, deck: str) -> None:
    """In whole random games, other cards in other people's hands change no byte of anybody's regions."""
    trains.lay(room, PLAYERS, deck)
    luck = random.Random(9)
    compared = own = 0
    for move in range(MOVES):
        trains.wander(room, luck)
        if not any(seat.holds for seat in trains.view(room).seats):
            continue
        snapshot = room.table.snapshot()
        for role, seat in (("table", None), ("host", None), ("watch", None), *(("seat", s) for s in range(PLAYERS))):
            changed = other_hands(snapshot, seat)
            assert drawn(room, snapshot, role, seat) == drawn(room, changed, role, seat), (move, role, seat)
            compared += changed != snapshot
            mine = other_hands(snapshot, None)
            own += seat is not None and drawn(room, snapshot, role, seat) != drawn(room, mine, role, seat)
    assert compared > 20
    assert own > 2  # the comparison can fail: a seat's own page does change


def amend_line(room: Room, line: int) -> tuple[int, str]:
    """Return the status and the text of the host's page for amending a line of the log."""
    shown = re.search(r'data-shown="([^"]+)"', room.anybody.get(room.host).text)
    assert shown is not None
    answer = room.anybody.get(f"{room.host}amend?line={line}&seen={shown[1]}")
    return answer.status_code, answer.text


def test_a_card_that_is_not_yet_placed_cannot_be_put_right_and_so_not_be_seen(room: Room) -> None:
    """For no line does the page for amending reveal a number in a seat's hand; a placed card can be amended."""
    trains.opened(room)
    trains.say(room, ev.Drew(Seat(0)), ev.CardDrawn(73))
    lines = range(1, 12)
    assert [line for line in lines if 'value="73"' in amend_line(room, line)[1]] == []
    trains.say(room, ev.Placed(Seat(0), 3))
    drawn_at = next(line for line in lines if '<option value="73" selected' in amend_line(room, line)[1])
    status, text = amend_line(room, drawn_at + 1)
    assert status == 200 and f"amend?line={drawn_at}&amp;" in text
    form = {"line": str(drawn_at), "card": "37", "sure": "1", "seen": ""}
    assert room.anybody.follow(room.host + "amend", form, room.host).status_code == 200
    card = trains.view(room).seats[0].line[2]
    assert card is not None and card.number == 37


# --- what the game brings -------------------------------------------------------------------------


def test_rising_wagons_are_as_many_as_are_counted(room: Room) -> None:
    """The highlighted wagons are a longest rising sequence, as long as the progress says."""
    luck = random.Random(1)
    for _ in range(300):
        line = tuple([0 if luck.random() < 0.1 else card for card in luck.sample(range(1, 85), 7)])
        found = rising(line)
        cards = [line[at - 1] for at in found]
        assert cards == sorted(cards) and 0 not in cards
        count = game_of_trains.rules.in_order(line)
        assert len(found) == (count if count > 1 else 0)


def test_numbers_to_pick_lie_nowhere_open(room: Room) -> None:
    """The numbers to pick are all that are neither in a line nor in the pool, including those of the closed discard."""
    trains.opened(room)
    trains.turn(room, 0, 1, 3)
    state = room.table.snapshot().state
    assert state is not None
    numbers = extras(state)["numbers"]
    lying = {card for line in state.table.lines for card in line} | set(state.table.pool)
    assert set(numbers) == set(range(1, 85)) - lying
    assert set(state.table.discard) <= set(numbers)


def test_an_old_place_is_put_right_among_the_seven(room: Room) -> None:
    """A card's place can be corrected to any of seven positions, which show the wagons that were there."""
    trains.opened(room)
    before = room.table.snapshot().state
    assert before is not None
    found = places(before, ev.Placed(Seat(0), 3), "position")
    assert found[:3] == ((1, 1, "wagon-15"), (2, 2, "wagon-61"), (3, 3, "wagon-47"))
    assert places(before, ev.FirstNamed(Seat(0)), "seat") == ()
