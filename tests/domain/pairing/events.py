"""Whole random events: late joins, withdrawals, returns, forfeits; every round is checked before the next."""

from collections.abc import Callable
from random import Random

import pytest

from domain.pairing.shapes import Compass, Contender, Couple, Field, NoPairing, NoPairingCode, Pairing, couple
from tests.domain.pairing.fields import met_before, name

Engine = Callable[[Field], Pairing]


class Event:
    """An event under way, and what has happened to everyone."""

    def __init__(self, random: Random, entrants: int) -> None:
        self.random = random
        self.scores = {name(i): 0 for i in range(1, entrants + 1)}
        self.active = set(self.scores)
        self.ns = dict.fromkeys(self.scores, 0)
        self.last: dict[str, Compass | None] = dict.fromkeys(self.scores)
        self.byes = dict.fromkeys(self.scores, 0)
        self.met: dict[Couple, int] = {}
        self.avoided: tuple[Couple, ...] = ()
        if random.random() < 0.3:
            self.avoided = tuple(
                (name(i), name(i + 1)) for i in range(1, entrants, random.choice([2, 3])) if i + 1 <= entrants
            )

    def field(self, number: int) -> Field:
        """Who is there in a round."""
        contenders = tuple(
            Contender(e, int(e[1:]), self.scores[e], self.ns[e], self.last[e], self.byes[e])
            for e in sorted(self.active)
        )
        return Field(contenders, number, dict(self.met), avoided=self.avoided)

    def change(self) -> None:
        """Somebody joins late, withdraws or comes back."""
        for _ in range(self.random.randrange(3)):
            what = self.random.random()
            gone = sorted(set(self.scores) - self.active)
            if what < 0.3:
                late = name(len(self.scores) + 1)
                for ledger, start in ((self.scores, 0), (self.ns, 0), (self.byes, 0)):
                    ledger[late] = start
                self.last[late] = None
                self.active.add(late)
            elif what < 0.7 and len(self.active) > 2:
                self.active.remove(self.random.choice(sorted(self.active)))
            elif gone:
                self.active.add(self.random.choice(gone))

    def play(self, pairing: Pairing, number: int) -> None:
        """Results by the WBF range, some forfeits; only what was played counts as met."""
        for pair in pairing.pairs:
            if self.random.random() < 0.04:
                winner = self.random.choice([pair.ns, pair.ew])
                self.scores[winner] += 1400
                self.byes[winner] += 1
                continue
            points = self.random.choice([1000, self.random.randrange(2001)])
            self.scores[pair.ns] += points
            self.scores[pair.ew] += 2000 - points
            self.met[couple(pair.ns, pair.ew)] = number
            self.ns[pair.ns] += 1
            self.last[pair.ns], self.last[pair.ew] = "NS", "EW"
        for entrant in pairing.byes:
            self.scores[entrant] += 1200
            self.byes[entrant] += 1


def check(pairing: Pairing, field: Field) -> None:
    """What must hold of every round."""
    byes = {contender.entrant: contender.byes for contender in field.contenders}
    seated = [entrant for pair in pairing.pairs for entrant in (pair.ns, pair.ew)] + list(pairing.byes)
    assert sorted(seated) == sorted(byes)
    assert len(pairing.byes) == len(byes) % 2
    relaxed = {
        (relaxation.kind, couple(*relaxation.entrants))
        for relaxation in pairing.relaxations
        if len(relaxation.entrants) == 2
    }
    rematches = met_before(pairing, field.met)
    assert rematches == {pair for kind, pair in relaxed if kind in ("rematch", "old_rematch")}
    avoided = {couple(*pair) for pair in field.avoided}
    together = {couple(pair.ns, pair.ew) for pair in pairing.pairs}
    assert together & avoided == {pair for kind, pair in relaxed if kind == "avoided"}
    for entrant in pairing.byes:
        assert byes[entrant] == min(byes.values())


def run(seed: int, entrants: int, rounds: int, engine: Engine) -> list[Pairing]:
    """Run an event to its end and give its pairings; only a round of fewer than two may be refused."""
    random = Random(seed)
    event = Event(random, entrants)
    pairings = []
    for number in range(1, rounds + 1):
        field = event.field(number)
        if len(event.active) < 2:
            with pytest.raises(NoPairing) as caught:
                engine(field)
            assert caught.value.code == NoPairingCode.TOO_FEW
        else:
            pairing = engine(field)
            check(pairing, field)
            event.play(pairing, number)
            pairings.append(pairing)
        event.change()
    return pairings
