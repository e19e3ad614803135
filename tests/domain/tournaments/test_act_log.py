"""The log of what persons did."""

from typing import get_args

from domain.tournaments.act_log import act_log, hundredths, tell
from domain.tournaments.entry_events import Admitted, ByeAsked, Entered, Seeded
from domain.tournaments.events import AnyTournamentEvent, LotsDrawn, TournamentFinished
from domain.tournaments.round_events import TimeCalled
from domain.tournaments.seating import Bye
from tests.domain.tournaments.directors import DIRECTOR, event, swiss


def test_what_happened_of_itself_is_not_in_the_log() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    logged = act_log(tournament.happened)
    assert {each.by for each in logged} == {DIRECTOR, "p1", ""}
    assert not any(each.event == "match_decided" for each in logged)


def test_an_act_is_told_with_its_reason_and_where_its_note_is() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.next_round()
    tournament.act("forfeit", match="r1m1", entrants=["e4"], reason="absence", note="Waited for ten minutes.")
    tournament.act("penalty", entrant="e2", score=-50, round=1, reason="technical")
    tournament.act("rule", match="r1m1", adjustment={"kind": "points", "points": [0, 5]}, reason="agreement")
    tournament.act("rule", match="r1m1", adjustment=None, reason="agreement")
    ruling = tournament.state.version - 1
    told = [(each.told, each.reason, each.text and each.text.id) for each in act_log(tournament.happened[-4:])]
    assert told == [
        ("r1m1: side 2 forfeits, scored 14.00 : 6.00", "absence", "n1"),
        ("e2 gets 0.50 in round 1", "technical", "n1"),
        (f"r1m1 is ruled: 0 : 5, scored 9.98 : 10.02, in the place of ruling {ruling - 2}", "agreement", "n1"),
        ("r1m1: the ruling is taken back", "agreement", "n1"),
    ]


def test_the_reason_of_an_act_stands_in_each_of_its_events() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.act("pair")
    before = tournament.state.version
    tournament.act("swap", round=1, entrants=["e1", "e5"], reason="request")
    assert [each.reason for each in tournament.happened[before:]] == ["request", "request"]
    tournament.act("give_bye", entrant="e1", rounds=[2], bye="zero_bye", reason="late")
    assert act_log(tournament.happened)[-1].reason == "late"


def test_a_pairing_of_a_few_matches_is_told_by_match_and_bye_and_a_long_one_by_numbers() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.act("pair_by_hand", matches=[{"sides": [["e6"], ["e1"]]}], byes={"e2": "half_bye"}, reason="technical")
    assert tell(tournament.happened[-1]) == "Round 1 is paired (director): 1 match, 1 half bye, 3 zero byes"
    tournament.act("undo_pairing", round=1)
    tournament.act("pair")
    pairs = ["e1 v e4", "e2 v e5", "e3 v e6"]
    assert tell(tournament.happened[-1]).partition(": ")[2] == "; ".join(pairs)
    long = event(swiss(), 64)
    long.begin()
    long.act("pair", byes={"e9": "zero_bye"})
    assert tell(long.happened[-1]).endswith(": 31 matches, 1 bye, 1 zero bye")


def test_a_bot_is_told_by_its_level_and_a_late_one_by_its_round() -> None:
    bots = Entered(
        entrant="e5", players=("p2", "bot-greedy-0fe1"), bots=(None, "greedy"), consents=(), status="entered",
        late_round=2,
    )  # fmt: skip
    assert tell(bots) == "e5 is entered, to play from round 2 on: p2, a bot (greedy)"
    assert tell(Admitted(entrant="e5", late_round=3)) == (
        "e5 is admitted from the waiting list, to play from round 3 on"
    )


def test_time_is_called_in_a_round_or_for_some_of_its_matches() -> None:
    told = [tell(TimeCalled(round=2, matches=each)) for each in ((), ("r2m1", "r2m4"))]
    assert told == ["Time is called in round 2", "Time is called in round 2 for r2m1, r2m4"]


def test_lots_are_told_by_what_they_decide() -> None:
    told = [tell(LotsDrawn(purpose=each, seed="00")) for each in ("lots", "seeds", "cut/1", "lots/2")]
    assert told == [
        "Lots are drawn for what nothing else decides",
        "Lots are drawn for the seeds",
        "Lots are drawn for a rank shared at the cut into stage 2",
        "Lots are drawn for what nothing else decides, anew since registration was open again",
    ]


def test_byes_beforehand_are_told_and_that_they_are_none_after_all() -> None:
    byes: tuple[Bye | None, ...] = ("half_bye", None)
    told = [tell(ByeAsked(entrant="e1", rounds=(2, 3), bye=each)) for each in byes]
    assert told == ["e1 sits out round 2, 3: half bye", "e1 plays in round 2, 3 after all"]


def test_of_a_long_order_the_beginning_is_told() -> None:
    order = tuple(f"e{number}" for number in range(1, 65))
    assert tell(Seeded(order=order, method="director")) == "Seeds set by hand: e1, e2, e3, e4, e5 and 59 more"
    assert tell(TournamentFinished(order=order[:3])) == "The tournament is finished: e1, e2, e3"


def test_scores_are_told_as_people_read_them() -> None:
    assert [hundredths(each) for each in (1450, 5, 0, -50, -1234)] == ["14.50", "0.05", "0.00", "-0.50", "-12.34"]


def test_every_kind_of_event_can_be_told() -> None:
    from domain.tournaments.act_log import _TELLERS

    assert set(get_args(AnyTournamentEvent)) == set(_TELLERS)
