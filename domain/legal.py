"""What a seat may do now, as building blocks with their points and the reason why not.

Interchangeable cards count once, so the list is bounded by ranks and faces, not by subsets. A block marked possible is
accepted as it stands, or as the move given beside it as `completion`. The guards are those of `decide`: each block is
put to them, or is one that they cannot refuse.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import blocks
from domain.cards import BLACK_THREE_FACES, LANE, RED_THREE_FACES, RED_THREES, faces_of, is_wild, points, size
from domain.completions import Budget, further_melds
from domain.decide import decide, must_discard
from domain.evolve import fold
from domain.melding import meld
from domain.melds import NATURALS_NEEDED
from domain.moves import Answer, Ask, Discard, Draw, LayMelds, LayRedThree, Move, Pass, TakePile, TakeUpcard
from domain.options import LegalMoves, MeldOption, Option
from domain.refusals import Code, Refusal, Refused
from domain.state import Laid, Melds, State, answering_seat, own_melds, party_of, requirement
from domain.takes import takes
from domain.ways_out import goes_out, way_out

PLANS_FROM_DRAW_MAX: Final = 4
"""How many takes a listing tries as the beginning of a question put before the turn is begun."""


def legal_moves(state: State, seat: int) -> LegalMoves:
    """The legal moves of a seat, with everything it holds the cards for and why some of it is not possible."""
    listing = _Listing(state, seat)
    common: dict[str, Any] = {
        "version": state.version,
        "seat": seat,
        "phase": state.phase,
        "resign": state.phase != "game_over",
    }
    if state.phase == "answer" and seat == answering_seat(state):
        return LegalMoves(**common, answers=[Option(Answer(yes=True), True), Option(Answer(yes=False), True)])
    reason = listing.refusal(Draw())
    general = (Code.GAME_OVER, Code.HAND_OVER, Code.ANSWER_AWAITED, Code.NOT_YOUR_TURN)
    if reason is not None and reason.code in general:
        return LegalMoves(**common, reason=reason)
    needed = UNSET if listing.own else requirement(state, seat)
    if state.phase == "draw":
        return LegalMoves(
            **common,
            requirement=needed,
            draw=listing.option(Draw()),
            takes=listing.takes(),
            red_threes=listing.red_threes(),
            pass_=listing.option(Pass()),
            ask=listing.ask(),
        )
    if must_discard(state, seat):
        return LegalMoves(**common, discards=listing.discards())
    out = way_out(state, seat, listing.budget)
    return LegalMoves(
        **common,
        requirement=needed,
        melds=listing.melds(),
        additions=listing.additions(),
        joins=listing.joins(),
        red_threes=listing.red_threes(),
        discards=listing.discards(),
        pass_=listing.option(Pass()),
        ask=listing.ask(),
        way_out=UNSET if out is None else out,
    )


class _Listing:
    """One listing under way: the seat's own cards and melds, and how much searching is left."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.held = size(self.holding)
        self.own: Melds = own_melds(state, seat) if state.melds else {}
        self.budget = Budget()

    def refusal(self, move: Move) -> Refusal | None:
        decision = decide(self.state, self.seat, move)
        return decision if isinstance(decision, Refusal) else None

    def option(self, move: Move, value: int | UnsetType = UNSET, completion: Move | None = None) -> Option:
        """A block as the guards judge it; `completion` is what was found to make it possible."""
        reason = self.refusal(move)
        if reason is None:
            return Option(move, True, value)
        if completion is not None and self.refusal(completion) is None:
            return Option(move, True, value, completion)
        return Option(move, False, value, UNSET, reason)

    # --- taking ---

    def takes(self) -> list[Option]:
        found = takes(self.state, self.seat)
        if not found and self.state.pile:
            return [self.option(TakePile(with_=()))]
        return [self._take(move) for move in found]

    def _take(self, move: TakePile | TakeUpcard) -> Option:
        values = self.rules.points
        upcard = self.state.pile[-2:]
        if isinstance(move, TakeUpcard):
            return self.option(move, values[upcard])
        with_ = () if move.with_ is UNSET else move.with_
        value = points((*with_, upcard), values)
        completion: Move | None = None
        if not self.own:
            rest = blocks.without(self.holding, with_)
            kinds = {face[0] for face in (*with_, upcard) if not is_wild(face)} or {"2"}
            taken = frozenset() if self.rules.several_melds_per_rank or len(kinds) > 1 else frozenset(kinds)
            needed = requirement(self.state, self.seat) - value
            keep = max(3 - len(self.state.pile) // 2, 0)
            more = further_melds(self.rules, taken, rest, needed, keep, self.budget) if needed > 0 else None
            if more:
                completion = TakePile(with_=with_, melds=more)
        return self.option(move, value, completion)

    # --- melding ---

    def melds(self) -> list[MeldOption]:
        options = []
        for group in blocks.groups(self.rules, self.holding):
            cards = blocks.pick(self.holding, group, dear=not self.own)
            if cards is not None:
                kind = {"2": "wild", "3": "black_threes"}.get(group.rank, "group")
                options.append(self._meld(kind, cards, group.naturals, group.wilds, rank=group.rank))
        if self.rules.sequences:
            options += [self._meld("sequence", run, len(run), 0, suit=run[0][1]) for run in blocks.runs(self.holding)]
        return options

    def _meld(
        self,
        kind: str,
        cards: tuple[str, ...],
        naturals: int,
        wilds: int,
        rank: str | UnsetType = UNSET,
        suit: str | UnsetType = UNSET,
    ) -> MeldOption:
        move = LayMelds(new=(cards,))
        value = points(cards, self.rules.points)
        completion: Move | UnsetType = UNSET
        reason: Refusal | UnsetType = UNSET
        if not self._cannot_be_refused(kind, len(cards)):
            refused = self._meld_refusal(move)
            if refused is not None:
                found = self._completion(refused, move, rank)
                if found is None:
                    reason = refused
                else:
                    completion = found
        return MeldOption(kind, naturals, wilds, move, reason is UNSET, value, rank, suit, completion, reason)

    def _cannot_be_refused(self, kind: str, length: int) -> bool:
        """Whether a new meld of enumerated form is legal beyond doubt: only the limits of a party stand in its way."""
        free = self.rules.several_melds_per_rank or kind == "sequence"
        return bool(self.own) and free and kind != "black_threes" and self.held - length >= 2

    def _meld_refusal(self, move: LayMelds) -> Refusal | None:
        try:
            meld(self.state, self.seat, move)
        except Refused as refused:
            return refused.refusal()
        return None

    def _completion(self, refused: Refusal, move: LayMelds, rank: str | UnsetType) -> LayMelds | None:
        """What makes a refused block possible: more points for a first meld, or the rest of a way out."""
        completed: LayMelds | None = None
        if refused.code is Code.FIRST_MELD_TOO_LOW:
            cards = move.new[0]
            taken = frozenset() if self.rules.several_melds_per_rank or rank is UNSET else frozenset((rank,))
            needed = refused.params["needed"] - refused.params["points"]
            more = further_melds(self.rules, taken, blocks.without(self.holding, cards), needed, 2, self.budget)
            completed = None if more is None else LayMelds(new=(cards, *more))
        if completed is None and refused.code in _ENDED_BY_GOING_OUT:
            out = way_out(self.state, self.seat, self.budget, move)
            if out is not None and isinstance(out[0], LayMelds):
                completed = out[0]
        return completed if completed is not None and self._meld_refusal(completed) is None else None

    def additions(self) -> list[Option]:
        return [self._addition(laid, face) for laid, face in blocks.additions(self.rules, self.holding, self.own)]

    def _addition(self, laid: Laid, face: str) -> Option:
        move = LayMelds(add={laid.meld.id: (face,)})
        value = self.rules.points[face]
        if self.held > 2 and laid.meld.kind == "group" and not is_wild(face):
            return Option(move, True, value)
        refused = self._meld_refusal(move)
        if refused is None:
            return Option(move, True, value)
        completion: LayMelds | None = None
        beside = self._beside(laid, face)
        if beside:
            fuller = LayMelds(add={laid.meld.id: (face, *beside)})
            completion = fuller if self._meld_refusal(fuller) is None else None
        completion = completion or self._completion(refused, move, UNSET)
        if completion is None:
            return Option(move, False, value, UNSET, refused)
        return Option(move, True, value, completion)

    def _beside(self, laid: Laid, face: str) -> tuple[str, ...]:
        """Cards that a card needs beside it on a meld: those between it and a run, naturals for a wild card."""
        if laid.meld.kind == "sequence":
            return blocks.between(laid, face)
        if laid.meld.kind != "group" or not is_wild(face):
            return ()
        wilds = sum(map(is_wild, laid.meld.cards)) + 1
        lacking = NATURALS_NEEDED[self.rules.group_ratio][wilds] - (len(laid.meld.cards) - wilds + 1)
        if wilds > self.rules.max_wilds or lacking <= 0:
            return ()
        return blocks.pick(self.holding, blocks.Group(blocks.rank_of_group(laid), lacking, 0), dear=False) or ()

    def joins(self) -> list[Option]:
        """Pairs of own melds that could become one, the gap between two runs filled from the hand."""
        options = []
        partners = self.state.lone is not None
        for first, second, gap in blocks.joins(self.rules, self.own, partners):
            if blocks.holds(self.holding, gap):
                add = {first.meld.id: gap} if gap else {}
                move = LayMelds(add=add, join=((first.meld.id, second.meld.id),))
                options.append(self.option(move, points(gap, self.rules.points)))
        return options

    # --- the rest of a turn ---

    def red_threes(self) -> list[Option]:
        if self.rules.red_threes != "optional" or not self.holding & RED_THREES:
            return []
        return [self.option(LayRedThree(face)) for face in RED_THREE_FACES if self.holding & LANE[face]]

    def discards(self) -> list[Option]:
        sure = self.held > 1 and not self.state.last_turn
        options = []
        for face in dict.fromkeys(faces_of(self.holding)):
            move = Discard((face,))
            if sure and (self.rules.red_three_discard or face not in RED_THREE_FACES):
                options.append(Option(move, True))
            else:
                options.append(self.option(move))
        if self.rules.black_three_closing_discard and self.held in (3, 4) and self._holds_only_black_threes():
            options.append(self.option(Discard(faces_of(self.holding))))
        return options

    def _holds_only_black_threes(self) -> bool:
        return all(face in BLACK_THREE_FACES for face in faces_of(self.holding))

    def ask(self) -> Option | UnsetType:
        """The question to the partner with a way out as its plan, where there is a partner to ask."""
        if self.rules.partner_permission == "off" or len(party_of(self.state, self.seat)) == 1:
            return UNSET
        granted = replace(self.state, permission="granted")
        plans = (
            self._plans_from_draw(granted) if self.state.phase == "draw" else [way_out(granted, self.seat, self.budget)]
        )
        for plan in plans:
            if plan is not None:
                return self.option(Ask(tuple(plan)))  # type: ignore[arg-type]
        return self._ask_in_vain()

    def _ask_in_vain(self) -> Option:
        """The option of a question without a plan: the reason is that of any question, or that no way out was found."""
        nominal = Ask(
            (TakePile(with_=()) if self.state.phase == "draw" else Discard((faces_of(self.holding) or ("4C",))[:1]),)
        )
        return self.option(nominal)

    def _plans_from_draw(self, granted: State) -> Iterator[list[Move] | None]:
        for move in takes(granted, self.seat)[:PLANS_FROM_DRAW_MAX]:
            decision = decide(granted, self.seat, move)
            if isinstance(decision, Refusal):
                continue
            after = fold(granted, decision)
            if goes_out(granted, self.seat, [move]):
                yield [move]
            elif after.phase == "play":
                rest = way_out(after, self.seat, self.budget)
                yield None if rest is None else [move, *rest]


_ENDED_BY_GOING_OUT = (
    Code.KEEP_TWO_CARDS,
    Code.FINAL_DISCARD_NEEDED,
    Code.BLACK_THREES_ONLY_WHEN_GOING_OUT,
    Code.FIRST_MELD_TOO_LOW,
)
