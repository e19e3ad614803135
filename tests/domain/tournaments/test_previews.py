"""What an act would change, told before it is applied."""

import msgspec

from domain.tournaments.previews import Preview, changes
from domain.tournaments.rated import ranks_of
from tests.domain.tournaments.directors import Event, event, swiss


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
