"""Tournaments that others have published, a line a player: the opponent, colour and result of each round, or a bye."""

from typing import Final

JAVAFO: Final = """
26w1 13b1 8w1 4b1
27b1 15w1 7b1 5w1
29w1 14b1 10w1 6b=
30b1 17w1 9b1 1w0
31w1 16b1 12w1 2b0
32b1 21w1 11b1 3w=
33w1 20b1 2w0 18b1
34b1 23w1 1b0 21w-
35w1 22b1 4w0 13b0
36b1 25w1 3b0 23w0
37w1 24b1 6w0 22b1
38b1 52w1 5b0 45w1
39w+ 1w0 25b1 9w1
40b1 3w0 H 26b=
41w1 2b0 18w0 49b1
42b+ 5w0 H 27w1
43w1 4b0 26w= 31b1
44b= 19w1 15b1 7w0
45w= 18b0 49w1 32b1
46b+ 7w0 34b= 35w0
47w1 6b0 41w1 8b+
48b1 9w0 46b1 11w0
49w1 8b0 50w1 10b1
50b1 11w0 52b= 34w1
51w1 10b0 13w0 52b0
1b0 38w1 17b= 14w=
2w0 37b= 43w1 16b0
Z Z Z Z
3b0 40w1 H H
4w0 41b0 40w1 H
5b0 42w= 44b1 17w0
6w0 43b= 42b1 19w0
7b0 46w0 48b1 39w=
8w0 47b1 20w= 24b0
9b0 48w1 H 20b1
10w0 49b0 H 44w0
11b0 27w= 51b1 H
12w0 26b0 H 47w1
13b- H H 33b=
14w0 29b0 30b0 51w1
15b0 30w1 21b0 H
16w- 31b= 32w0 43b1
17b0 32w= 27b0 42w0
18w= 45b0 31w0 36b1
19b= 44w1 H 12b0
20w- 33b1 22w0 50b1
21b0 34w0 H 38b0
22w0 35b0 33w0 U
23b0 36w1 19b0 15w0
24w0 U 23b0 46w0
25b0 H 37w0 40b0
U 12b0 24w= 25w1
"""
"""The example of JaVaFo's manual, in py4swiss tests/data/javafo_example.trf: 52 players after four rounds."""

BAKU: Final = """
13w1 8b1 4w0 7b1 2w1 9b1 12w= 16b1 14b= 19w= 6w1
14b1 6w1 3b1 4w1 1b0 5w1 7b0 11w1 9w1 15b1 19b=
15w1 10b1 2w0 14b0 26w1 19b- 17b1 12b0 35w1 21b= 16w=
16b1 24w1 1b1 2b0 9w= 14w1 19b1 7w1 5b1 12w1 13b1
17w1 23b= 8w1 9b= 14w= 2b0 21w= 35b1 4w0 24b- 26b=
18b+ 2b0 15w= 29b1 12w= 21b= 25w1 9b0 31w+ 14w= 1b0
19w= 21b= 29w1 1w0 20b1 13b1 2w1 4b0 15w= 9b0 17w1
20b1 1w0 5b0 33w1 21b0 37w1 24b- 34b1 40w1 16b= 15w0
21w= 19b1 23w+ 5w= 4b= 1w0 23b1 6w1 2b0 7w1 14b0
22b1 3w0 14b0 27w1 23b= 11w0 36w1 28b- 32b1 20w1 12b1
23w0 26b1 21w- 30b1 15w= 10b1 31w1 2b0 16w0 28b1 21w=
24b0 20w1 16b= 31w1 6b= 25w1 1b= 3w1 Z 4b0 10w0
1b0 22w1 24b+ Z 31b1 7w0 32b1 19w0 20b1 26w1 4w0
2w0 30b1 10w1 3w1 5b= 4b0 35w= 21b1 1w= 6b= 9w1
3b0 25w1 6b= 23w= 11b= 17w= 40b1 24w1 7b= 2w0 8b1
4w0 32b1 12w= 40b1 19w= H 28b1 1w0 11b1 8w= 3b=
5b0 29w- 30w= 41b1 40w1 15b= 3w0 37w= 39b1 23w1 7b0
6w- 35w1 Z Z Z Z Z Z Z Z Z
7b= 9w0 33b1 37w1 16b= 3w+ 4w0 13b1 28w1 1b= 2w=
8w0 12b0 32w1 34b1 7w0 36b= 38w1 29b1 13w0 10b0 40w+
9b= 7w= 11b- 36b1 8w1 6w= 5b= 14w0 41b1 3w= 11b=
10w0 13b0 36w= Z 47b1 30b= 41w- 42w1 29w1 37b1 25w1
11b1 5w= 9b- 15b= 10w= 32b1 9w0 31b0 33w1 17b0 36w=
12w1 4b0 13w- 35w- 39w1 34b1 8w+ 15b0 37w1 5w+ H
36w1 15b0 34w= 39b1 27w1 12b0 6b0 41w= 26b0 31w1 22b0
37b1 11w0 35b= 46w1 3b0 31w- 34w= 45b1 25w1 13b0 5w=
39w= 38b1 40w= 10b0 25b0 45w= 37b0 44w1 36w= 35b1 33w1
40b0 46w- 47w1 42b1 30w= 41b1 16w0 10w+ 19b0 11w0 31b1
41w1 17b+ 7b0 6w0 37b= 35w0 39b1 20w0 22b0 40b= 45w1
42b1 14w0 17b= 11w0 28b= 22w= 45b= 40w0 34b- Z 32b1
43w= 39b1 46w1 12b0 13w0 26b+ 11b0 23w1 6b- 25b0 28w0
44b1 16w0 20b0 43w1 45b1 23w0 13w0 36b= 10w0 33b0 30w0
45w= 43b1 19w0 8b0 41w0 39b0 42b1 46w1 23b0 32w1 27b0
46b= 40w= 25b= 20w0 44b1 24w0 26b= 8w0 30w- 47b- 47b=
47w1 18b0 26w= 24b+ Z 29b1 14b= 5w0 3b0 27w0 41b0
25b0 42w1 22b= 21w0 46b1 20w= 10b0 32w= 27b= 41w= 23b=
26w0 47b1 38w1 19b0 29w= 8b0 27w1 17b= 24b0 22w0 43b1
H 27w0 37b0 44w0 43b1 46w1 20b0 39w0 U 45b= 42w=
27b= 31w0 44b1 25w0 24b0 33w1 29w0 38b1 17w0 Z Z
28w1 34b= 27b= 16w0 17b0 44w1 15w0 30b1 8b0 29w= 20b-
29b0 44w= 43b1 17w0 33b1 28w0 22b+ 25b= 21w0 36b= 35w1
30w0 36b0 U 28w0 Z 47b1 33w0 22b0 46b1 44w1 38b=
31b= 33w0 41w0 32b0 38w0 U 44b- 47b1 45w= 46b1 37w0
32w0 41b= 39w0 38b1 34w0 40b0 43w+ 27b0 47w= 42b0 46w1
33b= H H H 32w0 27b= 30w= 26w0 43b= 38w= 29b0
34w= 28b+ 31b0 26b0 36w0 38b0 47w= 33b0 42w0 43w0 44b0
35b0 37w0 28b0 U 22w0 42w0 46b= 43w0 44b= 34w- 34w=
"""
"""47 players, 11 rounds, accelerated, paired by bbpPairings 6: baku-1.trf of MarkDechamps/fide-swiss-pairing-engine."""

HELD: Final = """
2200 9w1 13b= 2w= 15b1 4w=
2150 10b1 7w1 1b= 16w1 3b=
2100 11w= 6b1 8w1 4b= 2w=
2050 12b1 H 13w1 3w= 1b=
2000 13w0 15b0 11w1 7b= 10w1
1950 14b0 3w0 U 10w1 8b1
1900 15w1 2b0 16b0 5w= 11b0
1850 16b= 14w1 3b0 13w1 6w0
1800 1b0 10w0 H 11b- U
1750 2w0 9b1 15w0 6b0 5b0
1700 3b= 16w0 5b0 9w+ 7w1
1650 4w0 U 14w+ Z Z
1600 5b1 1w= 4b0 8b0 14w0
1550 6w1 8b0 12b- Z 13b1
1500 7b0 5w1 10b1 1w0 16b0
1450 8w= 11b1 7w1 2b0 15w1
"""
"""M. Held, Exercises in Tie-Breaking (C.07), the Swiss of 16; ratings first."""

ROBIN: Final = """
5w= 2w1 3b1 4w0 6b1
6w1 1b0 5w1 3w= 4b1
4w1 6b1 1w0 2b= 5w1
3b0 5b0 6w= 1b1 2w0
1b= 4w1 2b0 6w- 3b0
2b0 3w0 4b= 5b+ 1w0
"""
"""M. Held, Exercises in Tie-Breaking (C.07), the round robin of six."""

UNPLAYED: Final = """
8b= 6w1 3b= 14w+ 5w= 2b0 9w=
9w0 11b1 15w1 5b- 7b1 1w1 5b0
10b+ 7b1 1w= 9b= H Z H
11w- 13w- 6b- U 8w= 15b= 6w=
13b1 9w= 7b= 2w+ 1b= 11w= 2w1
14w= 1b0 4w+ 7w= 9b0 10w0 4b=
15b1 3w0 5w= 6b= 2w0 14b0 U
1w= 14b- Z Z 4b= 13w1 14b0
2b1 5b= H 3w= 6w1 H 1b=
3w- 15w- 13w= 15b1 14w1 6b1 11w0
4b- 2w0 U 13b1 15w1 5b= 10b1
H F 14b1 H Z F Z
5w0 4b- 10b= 11w0 U 8b0 15w0
6b= 8w+ 12w0 1b- 10b0 7w1 8w1
7w0 10b+ 2b0 10w0 11b0 4w= 13b1
"""
"""swiss_with_many_unplayed_rounds.trf of OttoMilvang/TieBreakServer: 15 players, 7 rounds."""

HIGHER: Final = """
5b1 3w= 4b1 6b=
6w1 4w= 3b1 5b=
7b1 1b= 2w0 8b=
8w1 2b= 1w0 7w=
1w0 7b0 6w= 2w=
2b0 8w0 5b= 1w=
3w0 5w1 8b= 4b=
4b0 6b1 7w= 3w=
"""
"""dutch_e2_both_absolute_higher_favored.trf of py4swiss."""

LOWER: Final = """
5w1 3w= 4b1 6b=
6b1 4w= 3b1 5b=
7w1 1b= 2w0 8b=
8b1 2b= 1w0 7w=
1b0 7b0 6w= 2w=
2w0 8w0 5b= 1w=
3b0 5w1 8w= 4b=
4w0 6b1 7b= 3w=
"""
"""dutch_e2_both_absolute_lower_favored.trf of py4swiss."""

MID: Final = """
18w= 24b1 7w1 2w= 8b1 9b1 5w0 3b= 13w1 4b1 14w1
19b1 11w1 9w1 1b= 3b1 5w= 7b1 10w1 8b= 15w= 20w1
20w1 10b1 17w= 13b1 2w0 4b1 8b1 1w= 5w1 6b1 15b1
21b= 29w1 15b= 14w1 5b0 3w0 24b1 19w= 12b1 1w0 7b0
22w1 13b= 12w1 17b1 4w1 2b= 1b1 7w1 3b0 8w1 10b1
23b1 15w= 13w0 20b- 24b1 18w= 21b+ 9b= 20w+ 3w0 19b1
24w= 18b+ 1b0 26b1 15w1 17b1 2w0 5b0 10w= 13b= 4w1
25b1 17w- 19w1 10b1 1w0 15b1 3w0 17b1 2w= 5b0 13w=
26w1 14b+ 2b0 15w= 18b1 1w0 12b= 6w= 19b= 20w- 21w1
27b1 3w0 21b1 8w0 14b1 20w1 13w= 2b0 7b= 24w1 5w0
28w1 2b0 20w= 24b= 19w- 26w1 14b0 18w= 23b= 12w= 17b1
29b= 33w1 5b0 25w+ 17w0 22b1 9w= 13b= 4w0 11b= 24w1
30w+ 5w= 6b1 3w0 20b= 19w1 10b= 12w= 1b0 7w= 8b=
31b1 9w- 23w1 4b0 10w0 16b= 11w1 15w0 30b1 18w1 1b0
32w1 6b= 4w= 9b= 7b0 8w0 22w1 14b1 17w1 2b= 3w0
33b= 21w= 25b= 18w0 26b= 14w= 23b0 30w- 34w1 17b= 29w1
34w1 8b+ 3b= 5w0 12b1 7w0 18b= 8w0 15b0 16w= 11w0
1b= 7w- 29w1 16b1 9w0 6b= 17w= 11b= 21w= 14b0 23w=
2w0 28b1 8b0 31w1 11b+ 13b0 29w1 4b= 9w= 21b= 6w0
3b0 27w1 11b= 6w+ 13w= 10b0 32w1 23w1 6b- 9b+ 2b0
4w= 16b= 10w0 23b= 25w1 29b= 6w- 27w1 18b= 19w= 9b0
5b0 30w= 31b= 27w= 28b1 12w0 15b0 34w= 26b1 23w0 25b0
6w0 32b1 14b0 21w= 27b1 24w0 16w1 20b0 11w= 22b1 18b=
7b= 1w0 30b1 11w= 6w0 23b1 4w0 32b1 29w1 10b0 12b0
8w0 34b1 16w= 12b- 21b0 33w= 26b= 28b= 32w= 29b= 22w1
9b0 31w= 33b1 7w0 16w= 11b0 25w= 29b= 22w0 34b= 28w1
10w0 20b0 32w1 22b= 23w0 30b= 33w1 21b0 31w= 28b= 34w+
11b0 19w0 34b1 30w= 22w0 32b0 31b= 25w= 33b0 27w= 26b0
12w= 4b0 18b0 33w1 31b1 21w= 19b0 26w= 24b0 25w= 16b0
13b- 22b= 24w0 28b= 32w0 27w= 34b= 16b+ 14w0 31b0 33w0
14w0 26b= 22w= 19b0 29w0 34b0 28w= 33b= 27b= 30w1 32w=
15b0 23w0 27b0 34w1 30b1 28w1 20b0 24w0 25b= 33w= 31b=
16w= 12b0 26w0 29b0 34w1 25b= 27b0 31w= 28w1 32b= 30b1
17b0 25w0 28w0 32b0 33b0 31w1 30w= 22b= 16b0 26w= 27b-
"""
"""An event of 34 players paired by bbpPairings 6, in fide-swiss-pairing-engine of MarkDechamps (`mid-1`)."""


def lines(table: str) -> dict[int, list[str]]:
    """The rounds of each player, by number from 1."""
    return {number: line.split() for number, line in enumerate(table.strip().splitlines(), 1)}
