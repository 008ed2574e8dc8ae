"""Test streams: they send only changes, without gaps or duplicates, and never exceed the number of places."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest

from companion.engine import legal
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import Room, messages, regions, said
from web.live import channels
from web.live.channels import ChannelKey, Stream
from web.live.regions import BROKEN, Region
from web.presenters.scene import Scene
from web.serving.event_stream import sent_messages as sending
from web.serving.slow_clients import pushed_streams, stream_places
from web.serving.slow_clients.stream_places import StreamsFull
from web.words import words


def key(room: Room, role: str, seat: int | None = None, lang: str = "en") -> ChannelKey:
    """Return a viewer's channel."""
    return ChannelKey(room.table.snapshot().match_id, role, seat, lang)


def opened(room: Room, where: ChannelKey, page: str = "p", last: str = "") -> tuple[Stream, list[bytes]]:
    """Open a stream on the hub."""
    found = room.context.hub.open(where, page, last)
    assert found is not None
    return found


def waiting(stream: Stream) -> list[bytes]:
    """Return a stream's queued messages."""
    queue = stream.outbox
    return [message for message in (queue.get() for _ in range(len(queue))) if message is not None]


def moves(sent: list[bytes]) -> list[bytes]:
    """Return the numbered messages: those of regions."""
    return [message for message in sent if b"event: regions" in message]


def apply(page: dict[str, str], sent: list[bytes]) -> dict[str, str]:
    """Return a page's regions after it has received these messages."""
    for message in messages(sent):
        page = page | message["regions"]
    return page


def test_a_move_sends_only_what_changed(game: Room) -> None:
    """A stream gets exactly the regions that a move changed, each as on a new page."""
    where = key(game, "seat", 0)
    before = game.context.hub.page(where)
    assert before is not None
    stream, missed = opened(game, where, last=before.id)
    assert missed == []
    game.begin()
    sent = waiting(stream)
    after = game.context.hub.page(where)
    assert after is not None
    assert apply(before.regions, sent) == after.regions
    assert messages(sent)[-1]["id"] == after.id
    for message in messages(sent):
        assert "people" not in message["regions"]
    assert before.regions["people"] == after.regions["people"]


def test_a_stream_goes_on_where_it_stopped(game: Room) -> None:
    """After any message that a page saw last, the stream continues without gaps or duplicates."""
    where = key(game, "seat", 1)
    first = game.context.hub.page(where)
    assert first is not None
    stream, _ = opened(game, where, last=first.id)
    game.begin()
    state = game.table.snapshot().state
    assert state is not None
    sent = moves(waiting(stream))
    ids = [first.id, *(message["id"] for message in messages(sent))]
    assert len(ids) == 3
    now = game.context.hub.page(where)
    assert now is not None
    for seen, last in enumerate(ids):
        _, missed = opened(game, where, page=f"again{seen}", last=last)
        assert missed == sent[seen:]
        assert apply(apply(first.regions, sent[:seen]), missed) == now.regions


@pytest.mark.parametrize("last", ["", "nonsense", "00000000-1", "-", "x-y", "0" * 500])
def test_a_stream_that_remembers_nothing_gets_everything(game: Room, last: str) -> None:
    """A page from before a restart, or in another language, gets every region once."""
    where = key(game, "table")
    game.begin()
    page = game.context.hub.page(where)
    assert page is not None
    _, missed = opened(game, where, last=last)
    assert len(missed) == 1
    assert messages(missed)[0]["regions"] == page.regions and messages(missed)[0]["id"] == page.id


def test_after_a_restart_one_message_makes_the_page_whole(game: Room) -> None:
    """A stream that returns after a restart gets all regions once, instead of a message that it cannot use."""
    before = game.context.hub.page(key(game, "seat", 0))
    game.begin()
    game.restart()
    now = game.context.hub.page(key(game, "seat", 0))
    assert before is not None and now is not None
    _, missed = opened(game, key(game, "seat", 0), last=before.id)
    assert len(missed) == 1 and apply(before.regions, missed) == now.regions


def test_what_was_forgotten_is_sent_whole(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose last message is older than the buffer gets every region."""
    monkeypatch.setattr(channels, "RING", 1)
    where = key(game, "watch")
    first = game.context.hub.page(where)
    assert first is not None
    game.begin()
    _, missed = opened(game, where, last=first.id)
    now = game.context.hub.page(where)
    assert now is not None
    assert len(missed) == 1 and messages(missed)[0]["regions"] == now.regions


def test_a_page_has_one_stream(game: Room) -> None:
    """A newer stream of a page ends the older one, but not another page's."""
    where = key(game, "table")
    old, _ = opened(game, where, "mine")
    other, _ = opened(game, where, "other")
    new, _ = opened(game, where, "mine")
    assert old.ended and list(sending(old.outbox, 0.01)) == []
    assert not new.ended and not other.ended


def test_too_many_screens_are_refused_politely(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """One spectator too many gets a sentence with a time to try again."""
    monkeypatch.setitem(stream_places.RESERVED, "watch", 4)  # one address may have half of the places
    paths = [game.page("watch") for _ in range(3)]
    answers = [game.anybody.get(path + "stream?page=p") for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 503]
    assert int(answers[2].headers["Retry-After"]) > 0
    assert said(answers[2]) == words("en")("error.too_many_screens")
    for answer in answers:
        answer.close()


def test_spectators_take_no_player_s_place(game: Room) -> None:
    """Eighty streams on one spectator's address, and any number on many, leave every place at the table free."""
    path = game.page("watch")
    answers = [game.anybody.get(f"{path}stream?page=p{number}") for number in range(80)]
    assert [answer.status_code for answer in answers].count(200) == stream_places.OF_TOKEN
    where = key(game, "watch")
    for number in range(stream_places.RESERVED["watch"] - stream_places.OF_TOKEN):
        opened(game, where, f"token{number}/p")
    with pytest.raises(StreamsFull):
        opened(game, where, "another/p")
    tablets = [key(game, "table"), key(game, "host"), *(key(game, "seat", seat) for seat in range(3))]
    for number, each in enumerate(tablets):
        assert not opened(game, each, f"player{number}/p")[0].ended
    for answer in answers:
        answer.close()


def test_a_player_s_newest_page_wins(game: Room) -> None:
    """A seat's ninth page closes that seat's oldest page only, and a returning page closes none."""
    where = key(game, "seat", 0)
    pages = [opened(game, where, f"mine/{number}")[0] for number in range(stream_places.OF_TOKEN)]
    handed, _ = opened(game, where, "tablet/p")
    newest, _ = opened(game, where, "mine/new")
    assert [stream.ended for stream in pages] == [True] + [False] * (stream_places.OF_TOKEN - 1)
    assert not handed.ended and not newest.ended
    opened(game, where, "mine/1")
    assert [stream.ended for stream in pages] == [True, True] + [False] * (stream_places.OF_TOKEN - 2)


def test_who_came_first_keeps_its_place(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If all spectators' places are taken, an earlier spectator can return and replaces the newest one."""
    monkeypatch.setitem(stream_places.RESERVED, "watch", 3)
    where = key(game, "watch")
    first, _ = opened(game, where, "first/p")
    others = [opened(game, where, f"other{number}/p")[0] for number in range(2)]
    first.put(None)
    game.context.hub.close(first)
    third, _ = opened(game, where, "third/p")
    assert not opened(game, where, "first/q")[0].ended
    assert third.ended and not any(other.ended for other in others)
    with pytest.raises(StreamsFull):
        opened(game, where, "third/q")


def test_one_address_has_half_of_the_spectators_places(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tokens from one address leave places for others, and seats are not counted by address."""
    monkeypatch.setitem(stream_places.RESERVED, "watch", 4)
    monkeypatch.setitem(stream_places.RESERVED, "players", 4)
    watch, seat, hub = key(game, "watch"), key(game, "seat", 0), game.context.hub

    def come(where: ChannelKey, page: str, address: str) -> None:
        hub.open(where, page, "", Stream(where, page, address))

    for number in range(2):
        come(watch, f"near{number}/p", "10.0.0.1")
    with pytest.raises(StreamsFull):
        come(watch, "near/p", "10.0.0.1")
    come(watch, "far/p", "10.0.0.2")
    for number in range(4):
        come(seat, f"seat{number}/p", "10.0.0.1")


def test_a_place_is_given_back(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that ends, even if nobody has read it, releases its place."""
    monkeypatch.setitem(stream_places.RESERVED, "players", 1)
    for _ in range(3):
        answer = game.anybody.get(game.seats[0] + "stream?page=z")
        assert answer.status_code == 200
        answer.close()
    assert game.context.hub.streams == 0


def test_a_sleeping_screen_is_ended_not_fed(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream whose client reads nothing keeps a few messages at most and then ends; its page catches up later."""
    monkeypatch.setattr(pushed_streams, "BACKLOG", 1)
    where = key(game, "seat", 2)
    page = game.context.hub.page(where)
    assert page is not None
    asleep, _ = opened(game, where, last=page.id)
    game.begin()
    assert asleep.ended and len(asleep.outbox) <= 2


def test_the_first_byte_comes_at_once(game: Room) -> None:
    """A stream sends a greeting before anything happens, as server-sent events that are not cached."""
    last = game.context.hub.page(key(game, "seat", 0))
    assert last is not None
    answer = game.anybody.get(game.seats[0] + f"stream?page=z&lang=en&last={last.id}")
    assert answer.mimetype == "text/event-stream" and answer.headers["Cache-Control"] == "no-store"
    sent: Iterator[bytes] = answer.iter_encoded()
    assert next(sent) == b"retry: 1000\n\n"
    answer.close()


def test_the_header_says_where_to_go_on(game: Room) -> None:
    """The browser's own `Last-Event-ID` takes precedence over the address."""
    where = key(game, "seat", 0)
    first = game.context.hub.page(where)
    assert first is not None
    game.begin()
    now = game.context.hub.page(where)
    assert now is not None
    answer = game.anybody.get(game.seats[0] + f"stream?page=z&lang=en&last={first.id}", **{"Last-Event-ID": now.id})
    assert next(answer.iter_encoded()) == b"retry: 1000\n\n"
    answer.close()


def test_a_heartbeat_in_silence() -> None:
    """While nothing happens, a comment shows that the connection works."""
    stream = Stream(ChannelKey("1", "watch", None, "en"), "p")
    sent = sending(stream.outbox, 0.001)
    assert next(sent) == b": beat\n\n"
    stream.put(b"data")
    stream.put(None)
    assert list(sent) == [b"data"]


def test_two_tabs_of_one_seat_see_the_same(game: Room) -> None:
    """Two pages of one seat have a stream each and get the same bytes."""
    where = key(game, "seat", 0)
    page = game.context.hub.page(where)
    assert page is not None
    one, _ = opened(game, where, "one", page.id)
    two, _ = opened(game, where, "two", page.id)
    game.begin()
    assert waiting(one) == waiting(two) != []


def test_a_secret_move_is_no_tick(room: Room) -> None:
    """A changed bid in a closed fist sends a message to its own seat only, and changes not even a number for others."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("preemption")
    assert room.anybody.say(room.seats[1], "committed", amount=300).status_code == 204
    others = [key(room, "seat", 0), key(room, "seat", 2), key(room, "table"), key(room, "watch"), key(room, "host")]
    streams = []
    for where in others:
        page = room.context.hub.page(where)
        assert page is not None
        streams.append((where, page, opened(room, where, last=page.id)[0]))
    own = room.context.hub.page(key(room, "seat", 1))
    assert own is not None
    mine, _ = opened(room, key(room, "seat", 1), last=own.id)
    assert room.anybody.say(room.seats[1], "committed", amount=450).status_code == 204
    assert "450" in messages(waiting(mine))[0]["regions"]["actions"]
    for where, page, stream in streams:
        assert waiting(stream) == []
        assert room.context.hub.page(where) == page
    assert room.anybody.say(room.seats[0], "committed", amount=0).status_code == 204
    for _, page, stream in streams:
        tag = page.id.partition("-")[0]
        numbers = [int(message["id"].removeprefix(f"{tag}-")) for message in messages(waiting(stream))]
        assert numbers == [int(page.id.removeprefix(f"{tag}-")) + 1]


def test_other_languages_have_channels_of_their_own(game: Room) -> None:
    """A French page is streamed in French, even if its browser now uses another language."""
    page = game.context.hub.page(key(game, "seat", 0, "fr"))
    french = words("fr", "companion.games.take_a_train")
    assert page is not None and french("moment.name_starter.you") in unescape(page.regions["status"])
    answer = game.anybody.get(game.seats[0] + "stream?page=z&lang=fr&last=")
    sent = next(answer.iter_encoded())
    answer.close()
    assert messages([sent])[0]["regions"] == page.regions


def test_the_seat_that_acts_sees_it_first(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The acting seat's screen gets a change before the others are drawn, and screens without viewers come last."""
    any_game.lay(room, "game-of-trains", 3)
    while room.table.draw(Actor.TABLE).accepted:
        pass
    snapshot = room.table.snapshot()
    assert snapshot.state is not None
    offer = legal(snapshot.game, snapshot.state)[0]
    assert offer.by is not None
    actor = int(offer.by)
    for role, seat in (("table", None), *(("seat", seat) for seat in range(3) if seat != actor), ("seat", actor)):
        opened(room, key(room, role, seat), page=f"{role}{seat}")
    unwatched = key(room, "host")
    assert room.context.hub.page(unwatched) is not None
    done = record_work(monkeypatch)
    assert room.table.propose(next(iter(offer)), Actor.at_seat(actor)).accepted
    room.context.hub.refresh()
    assert done[0][0] == "drawn" and done.index(("sent", actor)) < done.index(("drawn", "table"))
    assert done.index(("drawn", "host")) > max(
        at for at, each in enumerate(done) if each[0] == "sent" and each[1] != "host"
    )


def test_a_raise_reaches_all_screens_together(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """While seats compete in pressing, all their screens are drawn before any of them is sent."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("open")
    game, state = room.table.snapshot().game, room.table.snapshot().state
    assert state is not None
    cards = ["steam-1", "diesel-1", "electric-1"][: game.view(state, None).reveal]  # type: ignore[attr-defined]
    assert room.anybody.say(room.seats[0], "locos_revealed", cards=cards).status_code == 204
    state = room.table.snapshot().state
    assert state is not None
    opening = next(each for offer in legal(game, state) for each in offer if offer.by == 0)
    assert room.table.propose(opening, Actor.at_seat(0)).accepted
    for seat in range(3):
        opened(room, key(room, "seat", seat), page=f"{seat}")
    scene = room.context.hub.look()
    assert scene is not None and scene.press.kind == "raising" and scene.first_served() == ()
    done = record_work(monkeypatch)
    leader = scene.press.leader
    assert scene.snapshot.state is not None
    offer = next(each for each in legal(scene.snapshot.game, scene.snapshot.state) if each.by not in (None, leader))
    assert room.table.propose(next(iter(offer)), Actor.at_seat(int(offer.by or 0))).accepted
    room.context.hub.refresh()
    assert [what for what, _ in done[:6]] == ["drawn"] * 3 + ["sent"] * 3


def record_work(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | str]]:
    """Return a list that grows with every channel drawn and sent."""
    done: list[tuple[str, int | str]] = []
    render, publish = channels.Channel.render, channels.Channel.publish

    def drawn(self: channels.Channel, scene: Scene) -> None:
        done.append(("drawn", self.key.role if self.key.seat is None else self.key.seat))
        render(self, scene)

    def sent(self: channels.Channel, scene: Scene) -> None:
        done.append(("sent", self.key.role if self.key.seat is None else self.key.seat))
        publish(self, scene)

    monkeypatch.setattr(channels.Channel, "render", drawn)
    monkeypatch.setattr(channels.Channel, "publish", sent)
    return done


def test_the_next_game_ends_the_pages_of_the_last(game: Room) -> None:
    """The streams of a match end when another match is put on the table."""
    stream, _ = opened(game, key(game, "seat", 0))
    game.anybody.tap(game.host, "leave", {"sure": "1"})
    game.set_up(2)
    assert stream.ended
    assert game.anybody.get(game.seats[0] + "stream?page=z").status_code == 404


def test_a_page_says_whether_it_is_ones_turn(game: Room) -> None:
    """The stream tells a seat when its turn begins."""
    where = key(game, "seat", 1)
    page = game.context.hub.page(where)
    assert page is not None
    stream, _ = opened(game, where, last=page.id)
    assert game.anybody.say(game.seats[0], "starter_named", seat=1).status_code == 204
    assert [message["turn"] for message in messages(waiting(stream))] == [True]
    assert 'data-turn="1"' in game.anybody.get(game.seats[1]).text


def test_pages_and_streams_agree(game: Room) -> None:
    """A page opens with exactly the regions that the hub would send."""
    game.begin()
    for path, where in ((game.seats[0], key(game, "seat", 0)), (game.host, key(game, "host"))):
        page = game.context.hub.page(where)
        assert page is not None
        shown = regions(game.anybody.get(path).text)
        assert {name: html.strip() for name, html in shown.items()} == {
            name: html.strip() for name, html in page.regions.items()
        }


def test_a_broken_region_breaks_nothing_else(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A region that cannot be rendered leaves a gap and a line in the log, and the others are sent."""
    monkeypatch.setattr(Region, "strict", False)
    where = key(game, "seat", 0)
    page = game.context.hub.page(where)
    assert page is not None
    stream, _ = opened(game, where, last=page.id)
    channel = game.context.hub.channels[where]
    broken = channel.regions["play"][0]
    monkeypatch.setattr(broken, "template", game.app.jinja_env.from_string("{{ view.moment }}{{ 1 // 0 }}"))
    broken.past.clear()
    game.begin()
    now = apply(page.regions, waiting(stream))
    assert now["play"] == BROKEN
    assert now["status"] != page.regions["status"] and BROKEN not in now["status"]
