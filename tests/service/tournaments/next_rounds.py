"""The next round of a tournament that was imported, beside that of its file."""

import msgspec

from domain.pairing.shapes import NoPairing
from domain.rulesets import resolve
from domain.tournaments.acts import Act
from domain.tournaments.directing import decide
from domain.tournaments.given import Given
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.round_events import RoundPaired
from domain.tournaments.state import Tournament
from service.tournaments.exporting import TournamentOut
from service.tournaments.trf_import import tournament_of
from service.trf.pairing import pair_round
from service.trf.reading import read_trf
from service.trf.shapes import Trf
from tests.domain.tournaments.scenarios import NOON, draw
from tests.service.tournaments.import_files import imported

Couples = set[tuple[str, str]] | str
"""North-South and East-West, with `-` for nobody; or that there is no pairing."""

NOBODY = "-"
NONE = "no_pairing"


def by_the_service(state: Tournament) -> Couples:
    """What the act `pair` makes; byes that were asked for or given beforehand are none of the pairing's."""
    try:
        happened = decide(state, msgspec.convert({"act": "pair"}, type=Act), state.organiser, NOON, draw, Given())
    except TournamentRefused as refused:
        return str(refused.code)
    (made,) = (event for event in happened if isinstance(event, RoundPaired))
    given = {each for each, bye in made.byes.items() if bye == "bye"}
    beforehand = {each.id for each in state.entrants.values() if made.round in each.byes_asked}
    return {(one, other) for ((one,), (other,)) in (match.sides for match in made.matches)} | {
        (each, NOBODY) for each in given - beforehand
    }


def by_the_file(trf: Trf) -> Couples:
    """What `meldhouse pair` makes, by the entrants that the competitors become."""
    ids = {each.number: f"e{place}" for place, each in enumerate(trf.ordered, 1)}
    try:
        made = pair_round(trf)
    except NoPairing:
        return NONE
    return {(ids[one], ids[other]) for one, other in made.pairs} | {(ids[each], NOBODY) for each in made.byes}


def file_of_trf(data: bytes) -> TournamentOut:
    """A report file as a tournament's own."""
    return tournament_of(read_trf(data), resolve("canasta-classic"))


def state_of_trf(data: bytes) -> Tournament:
    """What a report file comes to."""
    return imported(file_of_trf(data))[1]
