"""What an act would change, told before it is applied."""

import msgspec

from domain.tournaments.formats import Swiss
from domain.tournaments.previews import Preview, changes
from domain.tournaments.rated import ranks_of
from domain.tournaments.terms import Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, swiss
from tests.domain.tournaments.scenarios import QUICK, terms_of


def under_way() -> Event:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.next_round()
    return tournament


def empty(preview: Preview) -> bool:
    told = msgspec.structs.asdict(preview)
    return not any(value for key, value in told.items() if not key.startswith("status"))


def test_between_a_state_and_itself_nothing_changes() -> None:
    state = under_way().state
    assert empty(changes(state, state))


def test_showing_an_act_changes_nothing() -> None:
    tournament = under_way()
    before = msgspec.structs.asdict(tournament.state)
    shown = tournament.show("disqualify", entrant="e1", reason="conduct")
    assert not empty(shown)
    assert msgspec.structs.asdict(tournament.state) == before


def test_a_preview_is_written_as_json_and_read_again() -> None:
    shown = under_way().show("disqualify", entrant="e1", reason="conduct")
    assert msgspec.json.decode(msgspec.json.encode(shown), type=Preview) == shown


def test_a_pairing_is_shown_with_its_byes_and_round() -> None:
    tournament = event(swiss(), 5)
    tournament.begin()
    shown = tournament.show("pair")
    assert [(each.old, each.new) for each in shown.pairings] == [
        (None, (("e1",), ("e3",))),
        (None, (("e2",), ("e4",))),
    ]
    assert [(each.entrant, each.old, each.new) for each in shown.byes] == [("e5", None, "bye")]
    assert [(each.round, each.old, each.new) for each in shown.rounds] == [(1, None, "paired")]


def test_a_substitution_is_shown_with_both_line_ups() -> None:
    shown = under_way().show("substitute", entrant="e1", outgoing="p1x1", incoming="p50")
    (changed,) = shown.entrants
    assert (changed.players_old, changed.players_new) == (("p1x0", "p1x1"), ("p1x0", "p50"))


def test_who_is_there_and_byes_beforehand_are_shown() -> None:
    tournament = under_way()
    (there,) = tournament.act("check_in", entrants=["e3"]).entrants
    assert (there.checked_in_old, there.checked_in_new, there.byes_asked_new) == (False, True, {})
    tournament.act("give_bye", entrant="e3", rounds=[2], bye="half_bye")
    (sitting_out,) = tournament.act("give_bye", entrant="e3", rounds=[3], bye="bye").entrants
    assert (sitting_out.old, sitting_out.new, sitting_out.checked_in_old) == ("entered", "entered", True)
    assert sitting_out.byes_asked_old == {2: "half_bye"}
    assert sitting_out.byes_asked_new == {2: "half_bye", 3: "bye"}


def test_pairs_kept_apart_and_allowed_again_are_shown() -> None:
    tournament = under_way()
    apart = tournament.act("forbid_pairing", pair=["e5", "e2"])
    assert [(each.pair, each.old, each.new) for each in apart.forbidden] == [(("e2", "e5"), False, True)]
    together = tournament.act("allow_pairing", pair=["e2", "e5"])
    assert [(each.pair, each.old, each.new) for each in together.forbidden] == [(("e2", "e5"), True, False)]


def test_who_is_missing_is_shown_with_whom_was_known_to_be() -> None:
    tournament = under_way()
    first, second = tournament.sides(1)[0]
    tournament.act("note_no_show", match="r1m1", entrant=first)
    shown = tournament.act("note_no_show", match="r1m1", entrant=second)
    assert [(each.match, each.old, each.new) for each in shown.missing] == [("r1m1", (first,), (first, second))]


def test_time_called_without_a_clock_is_shown() -> None:
    without = msgspec.structs.replace(QUICK, minutes=None)
    tournament = event(terms_of(Stage(format=Swiss(rounds=2), match=without), pace=BY_HAND), 6)
    tournament.begin()
    tournament.next_round()
    of_one = tournament.act("call_time", round=1, matches=["r1m2"])
    assert [(each.round, each.match, each.old, each.new) for each in of_one.called] == [(1, "r1m2", False, True)]
    of_all = tournament.act("call_time", round=1)
    assert [(each.match, each.old, each.new) for each in of_all.called] == [
        (None, False, True),
        ("r1m1", False, True),
        ("r1m3", False, True),
    ]


def test_a_match_is_rated_only_where_it_was_decided_at_the_table() -> None:
    tournament = under_way()
    match = "r1m1"
    assert ranks_of(tournament.state.matches[match]) is None, "It is open."
    tournament.play_all()
    assert ranks_of(tournament.state.matches[match]) == (1, 2)
    for adjustment, ranks in (
        ({"kind": "points", "points": [5, 5]}, (1, 1)),
        ({"kind": "score", "score": [100, 1900]}, (2, 1)),
        ({"kind": "average", "average": ["plus", "minus"]}, None),
        ({"kind": "forfeit", "forfeit": [True, False]}, None),
        ({"kind": "void"}, None),
    ):
        tournament.act("rule", match=match, adjustment=adjustment, reason="other")
        assert ranks_of(tournament.state.matches[match]) == ranks
