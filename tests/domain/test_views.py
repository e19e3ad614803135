"""What one viewer sees of the table."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import events
from domain.cards import faces_of, size
from domain.chance import PracticeChance, fair_terms
from domain.decide import decide
from domain.events import AnyEvent, Created, Placed, Watch
from domain.evolve import evolve, fold, initial_state
from domain.lobby import close, open_table, sit
from domain.moves import Ask, Discard, LayMelds, Resign
from domain.playing import begin
from domain.positions import state_from
from domain.redaction import Viewer, redact, redacted_bytes
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.state import State
from domain.views import View, encode_view, record_is_public, view_for, viewer_now
from tests.domain.golden_games import NAMES, events_of, states_of
from tests.domain.tables import MASTER, begun, seated
from tests.domain.two_worlds import drive, first_hand, other_world


def viewers(state: State) -> list[Viewer]:
    return [*range(state.table.rules.players), "watcher"]


def placed(**keys: Any) -> State:
    return state_from({"ruleset": "samba-official", "players": 4, "dealer": 3, **keys})


# --- the two laws ---


@pytest.mark.parametrize("name", NAMES)
def test_the_view_of_a_viewers_own_fold_is_the_view_of_the_whole_fold(name: str) -> None:
    happened, states = events_of(name), states_of(name)
    for viewer in viewers(states[0]):
        first = events.decode(redacted_bytes(happened[0], viewer))
        assert isinstance(first, Created)
        own = initial_state(first)
        assert view_for(own, viewer) == view_for(states[0], viewer)
        for event, state in zip(happened[1:], states[1:], strict=True):
            public = redact(event, viewer)
            read = events.decode(events.encode(public))
            assert read == public
            own = evolve(own, read)
            assert encode_view(own, viewer) == encode_view(state, viewer), (viewer, event)


@pytest.mark.parametrize("name", NAMES)
def test_two_games_that_differ_in_unknown_cards_only_look_alike_to_the_byte(name: str) -> None:
    before, hand = first_hand(name)
    random = Random(name)
    last = next((n for n, event in enumerate(hand) if isinstance(event, events.Drew) and event.recycled), len(hand))
    compared = differing = 0
    for viewer in viewers(before):
        for _ in range(4):
            # Early moments leave many cards unseen, late ones many events to compare.
            until = random.randint(2, random.randint(2, last))
            other = other_world(before, hand, until, viewer, random)
            assert events.encode(other) != events.encode(hand[0])
            compared += compare_worlds(before, hand[:until], other, viewer)
            worlds = [encode_view(evolve(before, dealt), "everyone") for dealt in (other, hand[0])]
            differing += worlds[0] != worlds[1]
    assert compared > 25 * len(viewers(before))
    assert differing > len(viewers(before))


def compare_worlds(before: State, hand: list[AnyEvent], other: AnyEvent, viewer: Viewer) -> int:
    """Play the recorded moves in the other world too; how many events and views were found alike."""
    assert redacted_bytes(other, viewer) == redacted_bytes(hand[0], viewer)
    compared = 0
    there, here = evolve(before, other), evolve(before, hand[0])
    assert encode_view(there, viewer) == encode_view(here, viewer)
    for event, state, recorded in drive(there, hand, here):
        assert redacted_bytes(event, viewer) == redacted_bytes(hand[compared + 1], viewer)
        assert encode_view(state, viewer) == encode_view(recorded, viewer)
        compared += 1
    return compared


# --- holdings ---


def test_a_seat_sees_its_own_cards_and_of_the_others_how_many_they_are() -> None:
    state = begun()
    view = view_for(state, 2)
    assert view.seat == 2
    assert [holding.count for holding in view.holdings] == [15, 15, 15, 15]
    assert [holding.cards for holding in view.holdings] == [None, None, faces_of(state.holdings[2]), None]


def test_a_watcher_sees_nobodys_cards() -> None:
    view = view_for(begun(), "watcher")
    assert view.seat is None
    assert [holding.cards for holding in view.holdings] == [None] * 4


def test_everyone_sees_every_holding_of_a_public_record() -> None:
    state = begun()
    assert [holding.cards for holding in view_for(state, "everyone").holdings] == list(map(faces_of, state.holdings))


def test_holdings_lie_open_once_the_hand_is_over_and_no_longer_when_the_next_is_dealt() -> None:
    name = next(name for name in NAMES if name.startswith("g1-"))
    happened, states = events_of(name), states_of(name)
    ends = [n for n, event in enumerate(happened) if isinstance(event, events.HandEnded)]
    view = view_for(states[ends[0]], "watcher")
    assert view.phase == "hand_over"
    assert all(holding.cards is not None and len(holding.cards) == holding.count for holding in view.holdings)
    ended = happened[ends[0]]
    assert isinstance(ended, events.HandEnded)
    assert view.lines == ended.lines
    following = view_for(states[ends[0] + 1], "watcher")
    assert following.lines == ()
    assert [holding.cards for holding in following.holdings] == [None] * 4


def test_a_game_given_up_in_mid_hand_shows_no_holding_before_the_reveal() -> None:
    happened, states = events_of("g2-samba-official-6p"), states_of("g2-samba-official-6p")
    assert [type(event).__name__ for event in happened[-3:]] == ["Resigned", "GameEnded", "Revealed"]
    assert not record_is_public(states[-2])
    assert viewer_now(states[-2], 0) == 0
    assert [holding.cards is None for holding in view_for(states[-2], 0).holdings] == [False] + [True] * 5
    assert record_is_public(states[-1])
    assert viewer_now(states[-1], 0) == "everyone"


def test_a_practice_game_is_public_as_soon_as_it_has_ended() -> None:
    state = begun(origin={"kind": "seed", "seed": "00"})
    assert not record_is_public(state)
    resigned = decide(state, state.turn, Resign())
    assert not isinstance(resigned, Refusal)
    assert record_is_public(fold(state, resigned))


# --- the turn ---


def asked() -> State:
    """Seat 0 has asked its partner whether it may go out, and said how."""
    samba, canasta = ["4S", "5S", "6S", "7S", "8S", "9S", "TS"], ["KH"] * 3 + ["KD"] * 3 + ["KS"]
    laid = [{"id": "m1", "kind": "sequence", "cards": samba}, {"id": "m2", "kind": "group", "cards": canasta}]
    state = placed(
        phase="play",
        holdings=[["8H", "8H", "8D", "5C"], 13, 14, 15],
        melds=[laid, []],
        stock={"count": 20},
    )
    question = decide(state, 0, Ask((LayMelds(new=(("8H", "8H", "8D"),)), Discard(("5C",)))))
    assert not isinstance(question, Refusal), question
    return fold(state, question)


def test_the_seat_to_act_is_the_one_whose_turn_it_is() -> None:
    view = view_for(placed(phase="draw", turn=1), "watcher")
    assert (view.turn, view.to_act) == (1, 1)


def test_while_an_answer_is_awaited_the_partner_is_to_act() -> None:
    view = view_for(asked(), 3)
    assert (view.phase, view.turn, view.to_act) == ("answer", 0, 2)


def test_a_question_is_public_and_what_is_planned_only_the_askers() -> None:
    state = asked()
    shown = {viewer: view_for(state, viewer).ask for viewer in (0, 1, 2, 3, "watcher", "everyone")}
    assert all(ask is not None and ask.seat == 0 for ask in shown.values())
    assert {viewer for viewer, ask in shown.items() if ask is not None and ask.then} == {0, "everyone"}


def test_nobody_is_to_act_in_the_lobby_or_between_hands() -> None:
    for state in (seated(), placed(phase="hand_over", ended={"by": 0, "reason": "out", "concealed": False})):
        view = view_for(state, "watcher")
        assert (view.turn, view.to_act) == (None, None)


# --- the table ---


def test_melds_show_their_points_the_set_they_are_and_whether_they_are_closed() -> None:
    melds = [
        {"id": "m1", "kind": "sequence", "cards": ["4S", "5S", "6S", "7S", "8S", "9S", "TS"]},
        {"id": "m2", "kind": "group", "cards": ["KH", "KH", "KH", "KD", "KD", "KD", "KS"]},
        {"id": "m3", "kind": "group", "cards": ["QH", "QH", "QH", "QD", "QD", "QD", "2S"]},
        {"id": "m4", "kind": "group", "cards": ["7H", "7D", "JK"]},
    ]
    view = view_for(placed(melds=[[], melds]), "watcher")
    assert view.melds[0] == ()
    shown = [(meld.id, meld.points, meld.set, meld.closed) for meld in view.melds[1]]
    assert shown == [
        ("m1", 50, "samba", True),
        ("m2", 70, "natural_canasta", False),
        ("m3", 80, "mixed_canasta", False),
        ("m4", 60, None, False),
    ]


def test_a_full_wild_meld_is_a_wild_canasta() -> None:
    wild = {"id": "m1", "kind": "wild", "cards": ["JK", "JK", "JK", "2S", "2S", "2S", "2H"]}
    view = view_for(placed(ruleset="bolivia", melds=[[wild], []]), 0)
    assert (view.melds[0][0].set, view.melds[0][0].closed) == ("wild_canasta", True)


def test_the_pile_is_public_with_its_upcard_last() -> None:
    view = view_for(placed(pile=["3S", "JK", "5H"]), 1)
    assert (view.pile, view.upcard) == (("3S", "JK", "5H"), "5H")
    assert view_for(placed(), 1).upcard is None


def test_the_pile_is_shown_frozen_to_the_side_that_has_not_melded() -> None:
    eights = {"id": "m1", "kind": "group", "cards": ["8S", "8H", "8D"]}
    classic = placed(ruleset="canasta-classic", pile=["5H"], melds=[[eights], []])
    assert view_for(classic, 1).frozen == (None, "not_melded")
    frozen = placed(ruleset="canasta-classic", pile=["2H", "5H"], melds=[[eights], []])
    assert view_for(frozen, 1).frozen == ("wild_in_pile", "wild_in_pile")


def test_sets_of_seats_are_lists() -> None:
    melded, had = [False, True, False, True], [True, False, False, True]
    view = view_for(placed(barred=[1, 2], has_melded=melded, had_turn=had), 0)
    assert (view.barred, view.has_melded, view.had_turn) == ((1, 2), (1, 3), (0, 3))


def test_the_requirement_follows_each_sides_own_sheet_total() -> None:
    assert view_for(placed(scores=[-5, 3000]), 0).requirement == (15, 120)


def test_once_the_hand_is_over_the_requirement_is_that_of_the_next() -> None:
    ended = {"by": 0, "reason": "out", "concealed": False}
    state = placed(phase="hand_over", scores=[1400, 0], holdings=[[], ["AS"], [], []], ended=ended)
    view = view_for(state, 0)
    assert view.scores == (1400, 0)
    assert view.totals == (1600, -20)
    assert view.requirement == (90, 15)


# --- what the table is ---


def test_the_lobby_shows_who_sits_where() -> None:
    view = view_for(seated(), "watcher")
    assert (view.status, view.phase, view.hand, view.dealer) == ("open", "lobby", 0, None)
    assert [seat and seat.player for seat in view.seats] == ["p0", "p1", "p2", "p3"]
    assert (view.holdings, view.melds, view.pile, view.stock) == ((), (), (), 0)


def test_the_view_names_the_seats_whose_nonces_are_due() -> None:
    state = seated(mode="players")
    assert view_for(state, 0).nonces_due == ()
    state = fold(state, close(state, [None, "a" * 64, None, "b" * 64]))
    assert view_for(state, 0).nonces_due == (1, 3)


@pytest.mark.parametrize(
    ("mode", "commitments", "alone"),
    [
        ("server_only", [None] * 4, True),
        ("players", [None] * 4, True),
        ("players", ["a" * 64, None, None, None], False),
    ],
)
def test_a_table_is_labelled_where_the_server_alone_chose(
    mode: str, commitments: list[str | None], alone: bool
) -> None:
    state = seated(mode=mode)
    before = view_for(state, 0).fairness
    assert before is not None
    assert (before.server_alone, before.chosen_by) == (None, None)
    after = view_for(fold(state, close(state, commitments)), 0).fairness
    assert after is not None
    assert (after.mode, after.server_alone) == (mode, alone)
    assert after.commitment == fair_terms("players", MASTER)["commitment"]


def test_a_practice_game_is_marked_and_does_not_tell_its_seed() -> None:
    view = encode_view(begun(origin={"kind": "seed", "seed": "c0ffee"}), 1)
    shown = msgspec.json.decode(view)
    assert shown["practice"] is True
    assert shown["origin"] == {"kind": "seed", "game": None, "n": None}
    assert b"c0ffee" not in view


def test_a_stand_in_is_marked_until_the_turn_is_over() -> None:
    state = begun()
    state = fold(state, [events.StoodIn(n=state.version + 1, seat=state.turn, reason="absence")])
    assert view_for(state, 3).stood_in


# --- its form ---


def test_a_view_reads_back_as_it_was_written() -> None:
    for state in (seated(), begun(), asked()):
        for viewer in (*viewers(state), "everyone"):
            assert msgspec.json.decode(encode_view(state, viewer), type=View) == view_for(state, viewer)


def test_a_state_kept_and_one_loaded_give_the_same_bytes() -> None:
    state = asked()
    unsorted = Ask((LayMelds(add={"m2": ("KD",), "m10": ("5C",)}),)).then
    other = Ask((LayMelds(add={"m10": ("5C",), "m2": ("KD",)}),)).then
    assert encode_view(replace(state, ask=unsorted), 0) == encode_view(replace(state, ask=other), 0)


@pytest.mark.parametrize("phase", ["draw", "play", "hand_over"])
def test_a_game_from_a_position_obeys_the_law_too(phase: str) -> None:
    ended = {"by": 0, "reason": "out", "concealed": False} if phase == "hand_over" else None
    position = {
        "ruleset": "samba-official", "players": 4, "phase": phase, "holdings": [["AS", "JK"], ["3H"], 4, 5],
        "stock": {"count": 30}, "pile": ["4S"], "ended": ended,
    }  # fmt: skip
    state = begun(origin={"kind": "position", "position": position, "seed": "01"})
    assert check_own_folds(state) > 0


def check_own_folds(end: State) -> int:
    """Replay a practice table's events for each viewer, as `begun` makes them."""
    created = open_table(
        resolve("samba-official"), 4, watch=Watch("anyone", 0), engine="test/1", origin=end.table.origin
    )
    happened: list[AnyEvent] = [created]
    state = initial_state(created)
    for seat in range(4):
        sat = sit(state, seat, f"p{seat}")
        happened += sat
        state = fold(state, sat)
    closed = close(state, [None] * 4)
    begun, after = begin(fold(state, closed), PracticeChance())
    happened += [*closed, *begun]
    assert any(isinstance(event, Placed) for event in happened)
    assert view_for(after, "everyone") == view_for(end, "everyone")
    checked = 0
    for viewer in viewers(end):
        whole, own = initial_state(created), initial_state(redact(created, viewer))
        for event in happened[1:]:
            whole = evolve(whole, event)
            own = evolve(own, events.decode(redacted_bytes(event, viewer)))
            assert encode_view(own, viewer) == encode_view(whole, viewer)
            checked += 1
    return checked


def test_sizes_stay_right_where_nothing_of_a_holding_is_known() -> None:
    name = NAMES[0]
    for state in states_of(name):
        view = view_for(state, "watcher")
        assert Counter(holding.count for holding in view.holdings) == Counter(map(size, state.holdings))
