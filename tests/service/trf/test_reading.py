"""Tournament files: read as they are meant, or refused with every line that is wrong; never a loop, never a guess."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.pairing.shapes import NoPairing
from service.trf.pairing import SystemUnsupported, pair_round
from service.trf.ranking import codes_of, ranked
from service.trf.reading import BYTES_MAX, FAULTS_MAX, LINE_LENGTH_MAX, PLAYERS_MAX, read_trf
from service.trf.shapes import Past, TrfInvalid, Virtual
from service.trf.writing import write_trf
from tests.service.trf.files import DATA, by_chance, player, written

C5 = (DATA / "dutch_2025_C5.trf").read_bytes()
TWO = {1: ["2w1"], 2: ["1b0"]}


def faults(data: bytes) -> list[tuple[int, str]]:
    with pytest.raises(TrfInvalid) as invalid:
        read_trf(data)
    return [(each.line, each.code) for each in invalid.value.faults]


def test_a_file_says_who_met_whom_and_what_came_of_it() -> None:
    read = read_trf(C5)
    assert (read.name, read.rounds, read.paired, len(read.competitors)) == ("Dutch 2025 C5 test", 3, 2, 6)
    fourth = read.competitors[3]
    assert (fourth.name, fourth.rating, fourth.points, fourth.rank) == ("Test0004 Player0004", 2689, 0, 5)
    assert fourth.rounds == (Past("0", 1, "EW"), Past("0", 3, "NS"), Past("Z"))


@pytest.mark.parametrize("breaks", [b"\n", b"\r\n", b"\r"])
def test_lines_may_end_as_any_system_ends_them(breaks: bytes) -> None:
    assert read_trf(C5.replace(b"\n", breaks)) == read_trf(C5)


def test_names_may_be_written_in_unicode_or_in_the_letters_of_windows() -> None:
    line = player(1, [], name="Žižek, Élodie")
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        assert read_trf(line.encode(encoding)).competitors[0].name == "Žižek, Élodie"


def test_columns_may_be_counted_in_bytes() -> None:
    plain = player(1, ["2w1"], rating=2100, name="Zizek, Elodie")
    octets = plain.encode().replace(b"Zizek, Elodie    ", "Žižek, Élodie ".encode())
    first = read_trf(octets + b"\n" + player(2, ["1b0"]).encode()).competitors[0]
    assert (first.name, first.rating, first.points) == ("Žižek, Élodie", 2100, 100)
    assert first.rounds == (Past("1", 2, "NS"),)
    assert faults(octets.replace(b" w ", b"w  "))[0][0] == 1


def test_records_of_both_editions_say_the_same() -> None:
    new = read_trf(written(TWO, "142 7", "152 B", "162  W 3.0    D 1.0    L 0.0    P 1.0", "192 FIDE_DUTCH_2026"))
    old = read_trf(written(TWO, "XXR 7", "XXC black1", "XXS WW=3.0 BD=1.0 BL=0.0 PAB=1.0", "092 Swiss"))
    bbp = read_trf(written(TWO, "XXR 7", "XXC black1", "BBW  3.0", "BBD  1.0", "BBL  0.0", "BBU  1.0"))
    for each in (new, old, bbp):
        assert (each.rounds, each.top, each.worth.win, each.worth.draw, each.worth.bye) == (7, "EW", 300, 100, 100)


def test_absences_byes_and_couples_that_may_not_meet_have_records_of_their_own() -> None:
    rounds = {1: ["2w1"], 2: ["1b0"], 3: [""], 4: ["H"]}
    read = read_trf(written(rounds, "XXZ 4", "240 H   1    3    4", "260   1   9    1    2    3", "XXP 1 4"))
    assert read.absent == {4}
    assert read.competitors[2].rounds == (Past("H"),)
    assert set(read.forbidden) == {(1, 2), (1, 3), (2, 3), (1, 4)}


@pytest.mark.parametrize(
    ("rounds", "records", "expected"),
    [
        ({1: ["9w1"]}, [], [(2, "opponent_unknown")]),
        ({1: ["1w1"]}, [], [(2, "opponent_oneself")]),
        ({1: ["2w1"], 2: [""]}, [], [(2, "opponents_disagree")]),
        ({1: ["2w1"], 2: ["3b0"], 3: ["2w1"]}, [], [(2, "opponents_disagree")]),
        ({1: ["2w1"], 2: ["1w0"]}, [], [(2, "colours_disagree"), (3, "colours_disagree")]),
        ({1: ["2w1"], 2: ["1b1"]}, [], [(2, "results_disagree"), (3, "results_disagree")]),
        ({1: ["2w="], 2: ["1b0"]}, [], [(2, "results_disagree"), (3, "results_disagree")]),
        ({1: ["2w+"], 2: ["1b0"]}, [], [(2, "results_disagree"), (3, "results_disagree")]),
        ({1: ["2w "], 2: ["1b0"]}, [], [(2, "result_missing")]),
        ({1: ["2wq"], 2: ["1b0"]}, [], [(2, "result_invalid")]),
        ({1: ["2wH"], 2: ["1b0"]}, [], [(2, "result_invalid")]),
        ({1: ["W"]}, [], [(2, "result_invalid")]),
        (TWO, ["XXZ 3"], [(4, "number_unknown")]),
        (TWO, ["XXP 1 7"], [(4, "number_unknown")]),
        (TWO, ["240 H   1    7"], [(4, "number_unknown")]),
        (TWO, ["240 Q   1    1"], [(4, "bye_invalid")]),
        (TWO, ["142 many"], [(4, "number_invalid")]),
        (TWO, ["XXA    7  1.0"], [(4, "number_unknown")]),
        (TWO, ["250       1.0   3   1    1    2"], [(4, "acceleration_invalid")]),
        (TWO, ["250       1.0   1   1"], [(4, "acceleration_invalid")]),
        (TWO, [player(1, [])], [(4, "number_twice")]),
        (TWO, [player(3, [], points="two")], [(4, "points_invalid")]),
        (TWO, [player(3, []) .ljust(95) + "1   w"], [(4, "columns_shifted")]),
        (TWO, ["001    x"], [(4, "number_invalid")]),
        (TWO, ["001    0"], [(4, "number_invalid")]),
        (TWO, ["013 Team".ljust(36) + "   1    7"], [(4, "number_unknown")]),
        (TWO, ["013 A".ljust(36) + "   1", "013 B".ljust(36) + "   1"], [(5, "player_twice")]),
        ({}, [], [(0, "no_players")]),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_told_with_its_line(
    rounds: dict[int, list[str]], records: list[str], expected: list[tuple[int, str]]
) -> None:
    assert faults(written(rounds, *records)) == expected


def test_both_sides_of_a_match_may_have_stayed_away() -> None:
    read = read_trf(written({1: ["2w-"], 2: ["1b-"]}))
    assert [each.rounds[0] for each in read.competitors] == [Past("-", 2, "NS"), Past("-", 1, "EW")]


def test_byes_may_be_written_as_games_without_anybody() -> None:
    read = read_trf(written({number: [code] for number, code in enumerate("+1=-0", 1)}))
    assert [each.rounds[0] for each in read.competitors] == [Past(code) for code in ("U", "U", "H", "Z", "Z")]


def test_who_did_not_come_needs_no_colour() -> None:
    read = read_trf(written({1: ["2-+"], 2: ["1--"]}))
    assert [each.rounds[0] for each in read.competitors] == [Past("+", 2, "NS"), Past("-", 1, "EW")]


def test_players_of_individuals_may_belong_to_teams() -> None:
    team = "013 Both".ljust(36) + "   1    2"
    assert not read_trf(written(TWO, team)).teams
    assert not read_trf(written({**TWO, 3: ["Z"]}, team, "013 Other".ljust(36) + "   3", "092 Individual")).teams
    assert read_trf(written({**TWO, 3: ["Z"]}, team, "013 Other".ljust(36) + "   3")).teams
    assert read_trf(written({**TWO, 3: ["Z"]}, team, "240 H   2    3")).competitors[2].rounds == (Past("Z"), Past("H"))


def test_couples_may_be_barred_for_some_rounds_only() -> None:
    read = read_trf(
        written({**TWO, 3: []}, "142 5", "260   2   3    1    2", "260   1   5    1    3", "260   4      2    3")
    )
    assert read.forbidden == ((1, 3),)
    barred = [read.forbidden_in(number) for number in range(1, 6)]
    assert barred == [[(1, 3)], [(1, 3), (1, 2)], [(1, 3), (1, 2)], [(1, 3), (2, 3)], [(1, 3)]]
    assert read_trf(write_trf(read)).barred == read.barred


def test_a_couple_barred_in_other_rounds_is_paired() -> None:
    four: dict[int, list[str]] = {number: [] for number in range(1, 5)}
    for rounds, meet in (("  1   1", False), ("  2   3", True)):
        found = pair_round(read_trf(written(four, "142 3", f"260 {rounds}    1    3")))
        assert ((1, 3) in found.pairs) is meet


def test_virtual_points_have_spans_or_stand_round_by_round() -> None:
    four: dict[int, list[str]] = {number: [] for number in range(1, 5)}
    spans = read_trf(written(four, "142 5", "250       1.0   1   2    1    3", f"250  2.0      {3:3}     {4:4}"))
    assert spans.virtual == (Virtual(1, 2, (1, 2, 3), 100), Virtual(3, 3, (4,), 200))
    assert read_trf(write_trf(spans)).virtual == spans.virtual
    own = read_trf(written(four, "142 5", "XXA    2  1.0  1.0  0.5"))
    assert own.virtual == (Virtual(1, 2, (2,), 100), Virtual(3, 3, (2,), 50))
    assert read_trf(written(four, "142 9", "192 FIDE_DUTCH_BAKU")).virtual == (
        Virtual(1, 3, (1, 2), 100),
        Virtual(4, 5, (1, 2), 50),
    )


def test_ranks_may_be_the_numbers_of_the_pairing() -> None:
    def ranks(*given: int) -> bytes:
        heads = [player(number, []).ljust(85) + f"{rank or '':>4}" for number, rank in enumerate(given, 1)]
        return "\n".join([*heads, "XXR 3", "XXC rank black1"]).encode()

    assert pair_round(read_trf(ranks(4, 3, 2, 1))).pairs == ((2, 4), (3, 1))
    assert read_trf(write_trf(read_trf(ranks(4, 3, 2, 1)))).by_rank
    assert faults(ranks(1, 2, 2, 0)) == [(3, "rank_invalid"), (4, "rank_invalid")]


def test_the_first_colour_is_that_of_the_first_who_was_paired() -> None:
    assert read_trf(written({1: ["H"], 2: ["3b1"], 3: ["2w0"]})).top == "EW"
    assert read_trf(written({1: ["U"], 2: ["3b1"], 3: ["2w0"]})).top == "NS"


def test_the_pairing_counts_results_as_the_file_does() -> None:
    # With three points for a win, one and a loss are more than two draws: 1, 2, 5 and 6 are before 3, 4, 7 and 8.
    rounds = {1: ["5w1", "6b0"], 2: ["6w1", "5b0"], 3: ["4w=", "7b="], 4: ["3b=", "8w="],
              5: ["1b0", "2w1"], 6: ["2b0", "1w1"], 7: ["8w=", "3w="], 8: ["7b=", "4b="]}  # fmt: skip
    usual = pair_round(read_trf(written(rounds, "142 5"))).pairs
    three = pair_round(read_trf(written(rounds, "142 5", "162  W 3.0    D 1.0    L 0.0"))).pairs
    assert {frozenset(pair) for pair in three[:2]} == {frozenset((1, 2)), frozenset((5, 6))}
    assert {frozenset(pair) for pair in usual} != {frozenset(pair) for pair in three}


def test_points_may_count_the_byes_of_the_round_to_come_or_not() -> None:
    for points, wrong in (("1.0", 0), ("1.5", 0), ("2.0", 1)):
        lines = [player(1, ["2w1", "H"], points=points), player(2, ["1b0"])]
        read = read_trf("\n".join(lines).encode())
        assert len(ranked(read, ("SCORE",)).mismatches) == wrong


def test_nothing_is_read_beyond_its_limits() -> None:
    assert faults(b"x" * (BYTES_MAX + 1)) == [(0, "too_large")]
    assert faults(b"\n" * 30_000)[0][1] == "too_large"
    assert faults(b"012 a\n001\0") == [(2, "not_text")]
    assert faults(written(TWO, "001 " + " " * LINE_LENGTH_MAX + "x")) == [(4, "line_too_long")]
    assert faults(written(TWO, "012 " + "x" * 1_000_000)) == [(4, "line_too_long")]
    assert faults(player(1, []).encode() + b" " * 5 + b"1" * 1500)[0][1] in {"too_many_rounds", "columns_shifted"}
    many = written({number: [] for number in range(1, PLAYERS_MAX + 2)})
    assert faults(many) == [(PLAYERS_MAX + 2, "too_many_players")]
    assert len(faults(written({number: ["9999w1"] for number in range(1, 500)}))) == FAULTS_MAX


@pytest.mark.parametrize("line", ["250       1.0   1   1    1 9999", "XXP " + " ".join(map(str, range(1, 400)))])
def test_a_short_file_does_not_name_millions(line: str) -> None:
    assert "too_large" in {code for _, code in faults(written(TWO, *[line] * 100))}


@pytest.mark.parametrize("seed", range(20))
def test_the_library_reads_the_same_points_in_files_by_chance(seed: int) -> None:
    from gacrux.trf2json import trf2json

    rounds = by_chance(seed, players=8 + seed % 3, rounds=5)
    data = written(rounds, "XXR 5")
    library = trf2json()
    library.parse_file(data.decode(), verbose=0)
    assert library.get_status() == 0
    theirs = {each["cid"]: int(each["gamePoints"] * 100) for each in library.get_tournament(1)["competitors"]}
    ours = {each.number: each.points for each in read_trf(data).competitors}
    assert ours == theirs
    found = ranked(read_trf(data), codes_of(read_trf(data), ["BH", "BH-C1", "SB", "PS"]))
    assert (found.differences, found.mismatches) == ((), ())


LINES = st.text(st.characters(max_codepoint=0x2FF), max_size=120)
RECORDS = st.sampled_from(
    [
        "001", "012", "013", "142", "152", "162", "192", "202", "240", "250", "260", "310", "320", "352", "362", "XXR",
        "XXS", "XXZ", "XXP", "BBW",
    ]
)  # fmt: skip
WORDS = st.lists(st.sampled_from(["1", "2", "3", "0000", "w", "b", "-", "=", "+", "H", "U", " ", "    ", "9999", "½"]))
CELLS = st.sampled_from(["", "H", "Z", "U", "1w1", "2w1", "1b0", "2b=", "3w+", "3b-", "9w1", "2w?"])


@st.composite
def hostile_lines(draw: st.DrawFn) -> str:
    """A line that begins like one of the format."""
    if draw(st.booleans()):
        return player(draw(st.integers(0, 5)), draw(st.lists(CELLS, max_size=4)))
    return draw(RECORDS) + " " + (draw(LINES) if draw(st.booleans()) else " ".join(draw(WORDS)))


@settings(max_examples=400, deadline=2000)
@given(lines=st.lists(hostile_lines(), max_size=8))
@example(
    lines=[player(1, ["2w1"]), player(2, ["1b0"]), "310   1 A" + " " * 64 + "   1", "310   2 B" + " " * 64 + "   2"]
)
def test_whatever_stands_in_a_file_it_is_read_or_refused(lines: list[str]) -> None:
    check("\n".join(lines).encode(errors="surrogatepass"))


@given(data=st.binary(max_size=300))
@example(data=b"001 \xff\xfe")
def test_bytes_that_are_no_file_are_refused(data: bytes) -> None:
    check(data)
    check(C5 + data)


@settings(max_examples=300, deadline=2000)
@given(place=st.integers(0, len(C5) - 1), letter=st.integers(1, 255))
def test_a_file_with_one_wrong_letter_is_read_or_refused(place: int, letter: int) -> None:
    check(C5[:place] + bytes([letter]) + C5[place + 1 :])


def check(data: bytes) -> None:
    """Everything that is done with files, which ends, and fails in no way but those that are told."""
    try:
        trf = read_trf(data)
    except TrfInvalid:
        return
    try:
        pair_round(trf)
    except (NoPairing, SystemUnsupported):
        pass
    found = ranked(trf, codes_of(trf, ["DE", "BH-C1", "SB"]))
    assert len(found.placings) == len(trf.competitors)
    assert found.differences == ()
