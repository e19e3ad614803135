"""Whatever is done to a record afterwards is detected, and the first line that is wrong is named."""

import random
from collections.abc import Callable

import pytest

from domain.records.lines import split_lines
from domain.records.verification import verify
from tests.domain.golden_games import NAMES
from tests.domain.records.record_files import Values, chained, golden, golden_bytes, told, values_of
from tests.domain.records.tampering import COMMUTING, KINDS, REORDERINGS, Tampering, campaign, forge

ROUNDS = 40
"""Tamperings of each kind, spread over the golden records."""


@pytest.mark.parametrize("tamper", KINDS)
def test_a_file_that_was_tampered_with_is_refused_at_its_first_wrong_line(tamper: Tampering) -> None:
    chance = random.Random(tamper.__name__)
    for _ in range(ROUNDS):
        name = chance.choice(NAMES)
        lines = golden(name)
        line = tamper(lines, chance)
        if b"".join(lines) == golden_bytes(name):
            continue
        fault = verify(split_lines([b"".join(lines)]), redecide=False).fault
        assert fault is not None
        assert fault.line == line, (name, fault)


def test_a_bit_flipped_in_the_header_is_told_at_the_header_or_the_first_event_it_contradicts() -> None:
    chance = random.Random(11)
    lines = golden()
    names = lines[0].split(b'"record"')[0]
    for _ in range(2 * ROUNDS):
        header = bytearray(lines[0])
        # Names are for display, and nothing covers them: they stand in the first part of the line.
        header[chance.randrange(len(names), len(header))] ^= 1 << chance.randrange(8)
        fault = verify(split_lines([b"".join([bytes(header), *lines[1:]])])).fault
        assert fault is not None
        assert fault.line <= 2, fault


def test_a_fact_forged_with_every_hash_made_anew_is_refused_at_its_line() -> None:
    chance = random.Random(7)
    forged = 0
    while forged < 5 * ROUNDS:
        made = forge(chance.choice(NAMES), chance)
        if made is not None:
            line, what, lines = made
            found = told(lines)
            assert found is not None, what
            assert found[0] == line, (what, found)
            forged += 1


@pytest.mark.parametrize("change", REORDERINGS)
def test_events_lost_doubled_or_reordered_with_every_hash_made_anew_are_refused_from_there_on(
    change: Callable[[list[Values], int, random.Random], list[Values]],
) -> None:
    chance = random.Random(change.__name__)
    tried = 0
    while tried < ROUNDS:
        name = chance.choice(NAMES)
        header, *events = values_of(golden(name)[:-1])
        at = chance.randrange(len(events) - 1)
        if any(event["type"] in COMMUTING for event in change(events, at, chance)):
            continue
        found = told(chained(header, events))
        assert found is not None, (name, at)
        assert found[0] >= at + 2, (name, at, found)
        tried += 1


def test_every_tampering_of_a_campaign_is_found_by_the_record_or_by_the_head_that_was_kept() -> None:
    tally = campaign(300, seed=5)
    by_head = {kind for kind, by in tally if by == "kept head"}
    # Times and salts are nobody's business but the chain's; a few orders of events are another legal game.
    assert "a time or salt, hashes anew" in by_head
    assert by_head <= {
        "a time or salt, hashes anew",
        *(f"an event {change.__name__}, hashes anew" for change in REORDERINGS),
    }
