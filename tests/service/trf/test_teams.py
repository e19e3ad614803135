"""Files of teams: match points and game points, as the library reads them from the same bytes."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

import pytest

from service.trf.pairing import pair_round
from service.trf.ranking import Mismatch, codes_of, ranked, unknown_codes
from service.trf.reading import read_trf
from service.trf.shapes import Past, TrfInvalid, Worth
from tests.service.trf.files import ANSWERS, DATA, player, written

PUBLISHED: Final = (DATA / "team_forfeit_pab.trf").read_text()
"""A probe of gacrux for C.04.6: five teams of two boards, a match won by forfeit, a bye."""

VARIANTS: Final[Mapping[str, tuple[str, str]]] = {
    "as published": ("", ""),
    "a whole point a board": ("P 0.5\n", "P 1.0\n"),
    "no bye on the boards": ("    P 0.5\n", "\n"),
    "three points a match": ("TW 2.0", "TW 3.0"),
    "two points a bye": ("TL 0.0", "TL 0.0   TP 2.0"),
    "a record of byes": ("330 +-", "320 02.0 01.0 005\n330 +-"),
}


def library_tournament(text: str) -> Any:
    from gacrux.trf2json import trf2json

    library = trf2json()
    library.parse_file(text, verbose=0)
    assert library.get_status() == 0
    return library.get_tournament(1)


def event(seed: int, rounds: int, *records: str) -> str:
    """Teams of two boards, whose rounds are drawn by lot, with a bye for the odd one and forfeits among them."""
    chance = Random(seed)
    teams = [*range(1, chance.choice((6, 7, 9)) + 1)]
    boards: dict[int, list[str]] = {number: [] for number in range(1, 2 * len(teams) + 1)}
    waited: set[int] = set()
    for _ in range(rounds):
        there = chance.sample(teams, len(teams))
        if len(there) % 2:
            out = next(team for team in there if team not in waited)
            there.remove(out)
            waited.add(out)
            for board in (1, 0):
                boards[2 * out - board].append("U")
        while there:
            one, other = there.pop(), there.pop()
            codes = ["+", "+"] if chance.random() < 0.1 else [chance.choice("10="), chance.choice("10=")]
            for board, code in zip((1, 0), codes, strict=True):
                mine, theirs = 2 * one - board, 2 * other - board
                boards[mine].append(f"{theirs}{'wb'[1 - board]}{code}")
                boards[theirs].append(f"{mine}{'bw'[1 - board]}{ANSWERS[code]}")
    lines = [player(number, past, 2400 - number, points="0.0") for number, past in boards.items()]
    told = [f"310 {team:3} {f'Team {team}':64} {2 * team - 1:4} {2 * team:4}" for team in teams]
    return "\n".join(["012 Teams", "142 6", "152 W", "352 WB", *records, *lines, *told, ""])


def totals(text: str) -> dict[int, int]:
    """What everybody has in all; the two engines have to be of one mind."""
    trf = read_trf(text.encode())
    found = ranked(trf, codes_of(trf, ["BH", "SB"]))
    assert found.differences == ()
    return {int(each.entrant): each.score for each in found.placings}


@pytest.mark.parametrize(("old", "new"), VARIANTS.values(), ids=VARIANTS)
def test_teams_have_the_match_points_that_the_library_reads(old: str, new: str) -> None:
    from gacrux.tiebreak import tiebreak

    text = PUBLISHED.replace(old, new)
    # The library holds the points of the players to what their boards count.
    for board in () if "P 0.5" in text else (9, 10):
        text = text.replace(f"0.5 {board:4}  0000", f"1.0 {board:4}  0000")
    tournament = library_tournament(text)
    engine = tiebreak(tournament, 1, {"is_rr": False, "unrated": None})
    engine.compute_tiebreaks(tournament, {"tiebreak": ["PTS"], "check": False})
    theirs = {each["cid"]: int(100 * each["tiebreakScore"][0]) for each in tournament["competitors"]}
    assert totals(text) == theirs


def test_a_published_file_of_teams_agrees_with_its_own_points() -> None:
    trf = read_trf(PUBLISHED.encode())
    assert (trf.team_size, trf.matches, trf.worth.bye) == (2, Worth(win=200, draw=100, loss=0), 50)
    assert [each.rounds[0] for each in trf.competitors if each.number in (3, 5)] == [
        Past("+", 4, "NS", 200),
        Past("U", games=100),
    ]
    assert ranked(trf, ("SCORE",)).mismatches == ()
    wrong = PUBLISHED.replace("1.0    1.0   5", "0.5    1.5   5")
    assert ranked(read_trf(wrong.encode()), ("SCORE",)).mismatches == (
        Mismatch("5", 50, 100, "match points"),
        Mismatch("5", 150, 100, "game points"),
    )


def test_the_game_points_of_a_bye_are_those_of_its_record_or_of_every_board() -> None:
    for record, games in (("320 02.0 01.5 005", 150), ("352 WBWB", 200), ("362 TP 2.0", 100)):
        last = read_trf(f"{PUBLISHED}{record}\n".encode()).competitors[-1]
        assert last.rounds[0] == Past("U", games=games)


def test_game_points_may_be_without_those_of_the_bye() -> None:
    without = PUBLISHED.replace("1.0    1.0   5", "1.0    0.0   5")
    assert without != PUBLISHED
    assert ranked(read_trf(without.encode()), ("SCORE",)).mismatches == ()


@pytest.mark.parametrize(
    "records",
    [
        ["162  W 1.0    D 0.5    L 0.0    P 0.5"],
        ["162  W 1.0    D 0.5    L 0.0    P 1.0"],
        ["362 TW 3.0   TD 1.0   TL 0.0"],
        ["362 TW 2.0   TD 1.0   TL 0.0   TP 2.0"],
        ["320 02.0 01.0"],
    ],
)
@pytest.mark.parametrize("seed", [6, 20, 24])
@pytest.mark.parametrize("code", ["FIDE_TEAM_MP_GP", "FIDE_TEAM_GP_MP", "FIDE_TEAM_GP"])
def test_teams_are_paired_as_the_library_pairs_the_same_file(seed: int, records: list[str], code: str) -> None:
    from gacrux.pairingfideteam import pairing_fideteam

    text = event(seed, 3, f"192 {code}", *records)
    tournament = library_tournament(text)
    brackets = pairing_fideteam(tournament, 4, {"experimental": [], "verbose": 0, "top_color": "w"}).compute_pairing(
        False, 0
    )
    theirs = {frozenset((int(pair["w"]), int(pair["b"]))) for each in brackets if each for pair in each["pairs"]}
    found = pair_round(read_trf(text.encode()))
    assert {frozenset(pair) for pair in (*found.pairs, *((each, 0) for each in found.byes))} == theirs


@pytest.mark.parametrize("code", ["FIDE_TEAM_GP_MP", "FIDE_TEAM_GP"])
def test_game_points_rank_teams_where_the_file_asks_for_it(code: str) -> None:
    rounds = {1: ["3w1"], 2: ["4b1"], 3: ["1b0"], 4: ["2w0"], 5: ["7w1"], 6: ["8b="], 7: ["5b0"], 8: ["6w="]}
    teams = [f"310 {team:3} {f'Team {team}':64} {2 * team - 1:4} {2 * team:4}" for team in range(1, 5)]
    data = written(rounds, "142 3", f"192 {code}", *teams)
    assert totals(data.decode()) == {1: 200, 2: 0, 3: 150, 4: 50}
    by_matches = written(rounds, "142 3", "192 FIDE_TEAM_MP_GP", *teams)
    assert totals(by_matches.decode()) == {1: 200, 2: 0, 3: 200, 4: 0}
    assert not read_trf(by_matches).by_games


def test_the_score_of_teams_is_called_by_what_it_counts() -> None:
    teams = [f"310 {team:3} {f'Team {team}':64} {team:4}" for team in (1, 2)]
    rounds = {1: ["2w1"], 2: ["1b0"]}
    for code, unknown in (("FIDE_TEAM_GP", ("MPTS",)), ("FIDE_TEAM_MP", ("GPTS",))):
        trf = read_trf(written(rounds, f"192 {code}", "212 MPTS,GPTS,KS", *teams))
        assert (codes_of(trf, []), unknown_codes(trf)) == (("SCORE", "KOYA"), unknown)


def test_a_board_that_nobody_came_to_counts_in_the_match() -> None:
    boards = {1: ["3w0"], 2: ["+"], 3: ["1b1"], 4: ["Z"]}
    teams = [f"310 {team:3} {f'Team {team}':64} {2 * team - 1:4} {2 * team:4}" for team in (1, 2)]
    trf = read_trf(written(boards, *teams))
    assert [each.rounds[0] for each in trf.competitors] == [Past("=", 2, "NS", 100), Past("=", 1, "EW", 100)]


def test_teams_that_both_editions_tell_are_told_once() -> None:
    old = ["013 " + f"Team {team}".ljust(32) + f"{team:4}" for team in (1, 2)]
    new = [f"310 {team:3} {f'Team {team}':64} {3 - team:4}" for team in (1, 2)]
    rounds = {1: ["2w1"], 2: ["1b0"]}
    found = read_trf(written(rounds, *old, *new))
    assert [(each.number, each.name) for each in found.competitors] == [(1, "Team 1"), (2, "Team 2")]
    assert [past.code for each in found.competitors for past in each.rounds if past] == ["0", "1"]
    with pytest.raises(TrfInvalid, match="No team has the number 3"):
        read_trf(written(rounds, *old, *new, "260   1   3    1    3"))
