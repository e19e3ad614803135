"""A second world for a golden game's first hand, which differs only in cards that a viewer may not know.

The recorded moves are played up to a moment. Every place of the deck whose card the viewer has not seen by then, in
another holding or in the stock, may hold any of the other unseen cards: they are dealt anew among those places.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from domain import events
from domain.dealing import deal
from domain.decide import decide
from domain.events import AnyEvent, Dealt, JoinedMeld, Meld
from domain.evolve import evolve, fold
from domain.moves import Answer, Ask, Discard, Draw, LayMelds, LayRedThree, Move, Pass, TakePile, TakeUpcard
from domain.redaction import Viewer
from domain.refusals import Refusal
from domain.state import State
from domain.waiting import seat_to_act
from tests.domain.golden_games import bare, events_of, states_of

RED_THREES = ("3H", "3D")


def first_hand(name: str) -> tuple[State, list[AnyEvent]]:
    """The state just before the first deal of a golden game, and the bare events from that deal to the hand's end."""
    happened = events_of(name)
    start = next(index for index, event in enumerate(happened) if isinstance(event, Dealt))
    end = next(index for index, event in enumerate(happened) if isinstance(event, events.HandEnded))
    return states_of(name)[start - 1], [bare(event) for event in happened[start:end]]


def other_world(before: State, hand: list[AnyEvent], until: int, viewer: Viewer, random: Random) -> Dealt:
    """The deal of a world that the viewer cannot tell from the recorded one by its first `until` events."""
    dealt = cast(Dealt, hand[0])
    assert dealt.deck is not UNSET
    deck = list(dealt.deck)
    unseen = _Unseen(before, dealt, viewer)
    state = evolve(before, dealt)
    for event in hand[1:until]:
        unseen.learn(state, event)
        state = evolve(state, event)
    places = unseen.places()
    cards = [deck[place] for place in places]
    random.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    return replace(deal(before.table, dealt.hand, dealt.dealer, deck), n=dealt.n)


class _Unseen:
    """The places of the deck whose cards a viewer has not seen, while the events of a hand go by."""

    def __init__(self, before: State, dealt: Dealt, viewer: Viewer) -> None:
        rules = before.table.rules
        assert dealt.deck is not UNSET
        assert not before.table.striped
        self.deck = dealt.deck
        self.viewer = viewer
        self.automatic = rules.red_threes == "automatic"
        self.held: list[list[int]] = [[] for _ in range(rules.players)]
        self.known: list[Counter[str]] = [Counter() for _ in range(rules.players)]
        dealt_out = rules.players * rules.hand_size
        for place in range(dealt_out):
            self.comes(place, (dealt.dealer + 1 + place) % rules.players)
        self.next = dealt_out + len(dealt.pile)
        for laid in dealt.red_threes:
            self.replaces(laid.seat, laid.replacement)

    def comes(self, place: int, seat: int) -> None:
        # A red three that is laid at once is seen, and may be in no other place.
        if seat != self.viewer and not (self.automatic and self.deck[place] in RED_THREES):
            self.held[seat].append(place)

    def draws(self, seat: int, number: int) -> None:
        for place in range(self.next, self.next + number):
            self.comes(place, seat)
        self.next += number

    def replaces(self, seat: int, replacement: str | None) -> None:
        if replacement is not None:
            self.draws(seat, 1)

    def shows(self, seat: int, faces: Iterable[str]) -> None:
        """The seat lays or discards cards: those it was seen to pick up first, then any that it held unseen."""
        for face in faces:
            if self.known[seat][face]:
                self.known[seat][face] -= 1
            elif seat != self.viewer:
                self.held[seat].remove(next(place for place in self.held[seat] if self.deck[place] == face))

    def learn(self, state: State, event: AnyEvent) -> None:
        match event:
            case events.Drew(seat=seat, cards=tuple(cards), red_threes=laid):
                assert event.recycled is UNSET
                self.draws(seat, len(cards))
                for entry in laid:
                    self.replaces(seat, entry.replacement)
            case events.TookPile(seat=seat, picked_up=picked_up, red_threes=laid):
                move = cast(TakePile, move_of(state, event))
                assert move.with_ is not UNSET
                self.shows(seat, move.with_)
                for cards in move.melds:
                    self.shows(seat, cards)
                self.known[seat].update(picked_up)
                for entry in laid:
                    if self.known[seat][entry.card]:
                        self.known[seat][entry.card] -= 1
                    self.replaces(seat, entry.replacement)
            case events.Melded(seat=seat):
                melding = cast(LayMelds, move_of(state, event))
                for cards in (*melding.new, *melding.add.values()):
                    self.shows(seat, cards)
            case events.LaidRedThree(seat=seat, card=card, replacement=replacement):
                self.shows(seat, (card,))
                self.replaces(seat, replacement)
            case events.Discarded(seat=seat, cards=cards):
                self.shows(seat, cards)
            case _:
                pass

    def places(self) -> list[int]:
        stock = range(self.next, len(self.deck))
        return [
            place
            for place in (*(place for held in self.held for place in held), *stock)
            if not (self.automatic and self.deck[place] in RED_THREES)
        ]


def drive(state: State, hand: list[AnyEvent], recorded: State) -> Iterator[tuple[AnyEvent, State, State]]:
    """Play the recorded moves from a state: each event of this world, the state after it, and the recorded one.

    Ends where a move of the record cannot be made here.
    """
    index = 1
    while index < len(hand):
        event = hand[index]
        seat = seat_to_act(recorded)
        assert seat is not None
        decision = decide(state, seat, move_of(recorded, event))
        if isinstance(decision, Refusal):
            return
        for made, there in zip(decision, hand[index:], strict=False):
            state, recorded = fold(state, [made]), fold(recorded, [there])
            yield made, state, recorded
        index += len(decision)


def move_of(state: State, event: AnyEvent) -> Move:
    """The move that made an event happen."""
    match event:
        case events.Drew():
            return Draw()
        case events.TookPile(meld=meld, melds=melds):
            old = _lying(state, meld.id)
            with_ = Counter(meld.cards) - Counter(old) - Counter([state.pile[-2:]])
            onto = meld.id if old else UNSET
            return TakePile(with_=tuple(with_.elements()), onto=onto, melds=tuple(each.cards for each in melds))
        case events.TookUpcard(meld=meld):
            return TakeUpcard(onto=meld.id)
        case events.Melded(new=new, added=added, joined=joined):
            add = {meld.id: _added(meld, _lying(state, meld.id)) for meld in added}
            for result in joined:
                parts = [face for meld_id in result.of for face in _lying(state, meld_id)]
                more = _added(result, parts)
                add |= {result.id: more} if more else {}
            return LayMelds(tuple(meld.cards for meld in new), add, tuple(result.of for result in joined))
        case events.LaidRedThree(card=card):
            return LayRedThree(card)
        case events.Asked(then=tuple(then)):
            return Ask(then)
        case events.Answered(yes=yes):
            return Answer(yes)
        case events.Discarded(cards=cards):
            return Discard(cards)
        case events.Passed():
            return Pass()
    raise AssertionError(f"No move makes {event}.")


def _added(meld: Meld | JoinedMeld, old: Iterable[str]) -> tuple[str, ...]:
    return tuple((Counter(meld.cards) - Counter(old)).elements())


def _lying(state: State, meld_id: str) -> tuple[str, ...]:
    found = [melds[meld_id].meld.cards for melds in state.melds if meld_id in melds]
    return found[0] if found else ()
