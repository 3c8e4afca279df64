"""The slow, plain referee of `flip`: a second, independent reading of its rulebook.

It plays one playout from draws, deck orders and decisions that it is handed, computes by itself
which options are legal, and keeps the events in the order in which they happen. Each method is a
rule or a step of the procedure, named with the rulebook's words. Where the rulebook is silent a
switch of the ruleset decides. For reading along start at `Referee.play`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.referees.flip_table import PlayoutOver, items
from tests.referees.flip_trades import Trades
from tests.referees.flip_words import (
    ACTION_FIRST,
    CLAIM,
    FIRST_CARD,
    LEAVE,
    LET_LAPSE,
    MODIFYING_EFFECTS,
    NO_ACTION,
    NOBODY,
    NONE,
    NUMBER_FIRST,
    PAY,
    ROLL,
    STEPS_PER_SEAT,
    SYMBOLS,
    TAKE,
    WINDOW_EFFECTS,
    Choose,
    Draw,
    Ending,
    Event,
    EventRow,
    Freed,
    Grant,
    Order,
    Source,
)

MOST_GO_CARDS: Final = 8  # in a turn, since a card may itself move a pawn to GO (RULES.md 4.2)


@dataclass
class Verdict:
    """What the referee says of one playout."""

    events: list[EventRow]
    payoff: list[int]
    termination: str
    hp: list[int]
    length_turns: int


def referee(
    ruleset: Mapping[str, Any],
    n_seats: int,
    draw: Draw,
    order: Order,
    choose: Choose,
    grants: Sequence[Grant] = (),
) -> Verdict:
    """Play one playout.

    Args:
        ruleset: `rules`: numbers and readings by key; `tables`: rows of the components.
        n_seats: How many play.
        draw: Gives 0 to n - 1 for (purpose, active seat, its own turn, k, n).
        order: Gives the physical cards of LOADOUT, LOOT or MODE in order.
        choose: Answers (kind, seat, legal options) with one of the options.
        grants: Of each granted card the deck (LOADOUT or LOOT), the physical card and the seat that is dealt it.

    Returns:
        The verdict with all events.

    """
    return Referee(ruleset, n_seats, draw, order, choose, grants).play()


class Referee(Trades):
    """The procedure of a playout, from set-up to end."""

    def play(self) -> Verdict:
        """Play from set-up to the end (F-R1, F-R22, F-R81)."""
        try:
            self.set_up()
            seat = self.first_seat
            while True:
                if self.length_turns >= self.number("turn_limit"):
                    self.end(NOBODY, Ending.TURN_LIMIT)
                self.take_turn(seat)
                seat = self.next_living(seat)
        except PlayoutOver:
            return Verdict(
                self.events,
                self.payoff,
                self.termination,
                self.hp,
                self.length_turns,
            )

    def set_up(self) -> None:
        """Set the game up in the order of F-R86 (F-R7 to F-R14)."""
        self.take_loadouts()
        self.deal_loot()
        self.mode_deck = list(self.order("MODE"))
        self.first_seat = self.roll_for_start()
        for seat in self.seats_from(self.first_seat):
            self.place_pawn(seat)

    def granted(self, deck: str) -> dict[int, int]:
        """Return who is granted which cards of a deck: the seat by card."""
        return {card: seat for whose, card, seat in self.grants if whose == deck}

    def take_loadouts(self) -> None:
        """Give every seat a Loadout card, as far as they reach (F-R7)."""
        granted = self.granted("LOADOUT")
        cards = [card for card in self.order("LOADOUT") if card not in granted]
        for seat in range(self.n_seats):
            mine = [card for card, owner in granted.items() if owner == seat]
            if mine:
                card = mine[0]
            elif not cards:
                continue
            elif self.reads("loadout_pick", "draft"):
                card = self.ask("LOADOUT", seat, sorted(cards))
                cards.remove(card)
            else:
                card = cards.pop(0)
            self.loadout[seat] = card
            self.record(Event.LOADOUT, seat, card)

    def deal_loot(self) -> None:
        """Deal one loot card to each seat; the rest is the deck (F-R8, F-R9)."""
        granted = self.granted("LOOT")
        self.loot_deck = [card for card in self.order("LOOT") if card not in granted]
        for seat in range(self.n_seats):
            mine = [card for card, owner in granted.items() if owner == seat]
            if not mine and self.loot_deck:
                mine = [self.loot_deck.pop(0)]
            for card in mine:
                self.hand[seat].append(card)
                self.record(Event.DEAL, seat, card)

    def roll_for_start(self) -> int:
        """Find who rolls highest; those that share the highest roll again, or go by their chairs (F-R12)."""
        seats = list(range(self.n_seats))
        game_round = 0
        while len(seats) > 1:
            rolled = {}
            for seat in seats:
                self.active = seat
                rolled[seat] = self.roll("SEAT_ROLL", seat, game_round)
                self.record(Event.START_ROLL, seat, rolled[seat], game_round)
            highest = max(rolled.values())
            seats = [seat for seat in seats if rolled[seat] == highest]
            game_round += 1
            if self.number("number_die_faces") == 1 or self.reads("tie_start", "seat_order"):
                break
        return seats[0]

    def place_pawn(self, seat: int) -> None:
        """Place a pawn on any space, whose action is not carried out (F-R13, F-R14)."""
        n_spaces = len(self.components.board)
        if self.reads("placement", "all_on_go"):
            space = self.corner("go")
        elif self.reads("placement", "random"):
            space = self.draw("PLACEMENT", seat, 0, seat, n_spaces)
        else:
            space = self.ask("START_SPACE", seat, list(range(n_spaces)))
        self.space[seat] = space
        self.landed[seat] = False
        self.record(Event.PLACED, seat, space)
        if space == self.corner("jail") and self.reads("start_in_jail", "in_jail"):
            self.put_in_jail(seat)

    def take_turn(self, seat: int) -> None:
        """Play one turn (F-R15 to F-R22)."""
        self.begin_turn(seat)
        self.act(seat)
        self.draw_due_cards(seat)
        if self.reads("end_cards", "turn_goes_on") and not self.is_turn_cut_short:
            self.open_window(seat)
            self.draw_due_cards(seat)

    def begin_turn(self, seat: int) -> None:
        """Count the turn; every loot card may be used once more (F-R73)."""
        self.active = seat
        self.length_turns += 1
        self.turns[seat] += 1
        self.used.clear()
        self.picked_up.clear()
        self.n_go_cards_due = 0
        self.n_go_cards_drawn = 0
        self.is_jail_card_due = False
        self.is_turn_cut_short = False
        self.n_proposed = 0
        self.n_roll_loss = 0
        self.record(Event.TURN, seat, self.turns[seat])

    def open_window(self, seat: int, *, is_first: bool = False) -> None:
        """Give room for trades, discards and one-time items (F-R21, F-R73, F-R74)."""
        if self.living[seat] and (is_first or self.reads("trade_moments", "any_time")):
            self.trade(seat)
        if is_first:
            self.discard(seat)
        self.use_one_time_items(seat)

    def act(self, seat: int) -> None:
        """Do everything of a turn but what waits for its end."""
        was_jailed = self.jailed[seat]
        self.open_window(seat, is_first=True)
        if not self.living[seat]:
            return
        if not self.jailed[seat]:
            self.roll_both_dice(seat)
        elif not was_jailed and self.reads("jailed_before_roll", "turn_over"):
            self.is_turn_cut_short = True  # it was not in Jail at the start of its turn (F-R44)
        else:
            self.start_in_jail(seat)

    def roll_both_dice(self, seat: int) -> None:
        """Roll both dice and use them (F-R15)."""
        number = self.roll("NUMBER_DIE", seat)
        self.roll_action_die_and_use_both(seat, number)

    def roll_action_die_and_use_both(self, seat: int, number: int) -> None:
        """Roll the action die to a number that is known, and use both."""
        symbol = self.roll_action_die(seat)
        self.record(Event.ROLL, seat, number, SYMBOLS.index(symbol))
        self.use_both_dice(seat, number, symbol)

    def roll_action_die(self, seat: int) -> str:
        """Roll a symbol; the die shows the faces in the order of the table (F-R2)."""
        faces = self.components.die_faces
        return faces[self.draw("ACTION_DIE", self.active, self.turns[self.active], seat, len(faces))]

    def use_both_dice(self, seat: int, number: int, symbol: str) -> None:
        """Use the dice in the order that the seat picks, with windows round them (F-R16, F-R19)."""
        self.open_window(seat)
        if not self.living[seat]:
            return
        is_action_first = symbol != NO_ACTION and self.ask("ORDER", seat, [NUMBER_FIRST, ACTION_FIRST]) == ACTION_FIRST
        for is_action in (is_action_first, not is_action_first):
            if self.living[seat] and is_action and self.may_use_action_die(seat):
                self.use_action_die(seat, symbol)
            elif self.living[seat] and not is_action and not self.jailed[seat]:
                self.use_number_die(seat, number)
            self.open_window(seat)

    def may_use_action_die(self, seat: int) -> bool:
        """Tell whether the action die is not lost by having been sent to Jail."""
        return not self.jailed[seat] or self.reads("jail_action_die", "usable")

    def draw_due_cards(self, seat: int) -> None:
        """Draw the Game Mode cards that are due: Go to Jail's, then GO's (F-R34, F-R65)."""
        if self.is_jail_card_due and self.living[seat]:
            self.is_jail_card_due = False
            self.draw_game_mode_card(seat)
        while self.n_go_cards_due:
            if self.living[seat]:
                self.draw_go_card(seat)
            elif self.reads("go_draw_dead", "draw"):
                self.draw_go_card(self.next_living(seat))
            else:
                return

    def use_number_die(self, seat: int, number: int) -> None:
        """Move as many spaces as were rolled (F-R17)."""
        if self.reads("movement", "printed"):
            self.move(seat, number, by_number_die=True)

    def move(self, seat: int, n_steps: int, *, by_number_die: bool) -> None:
        """Move clockwise space by space and do the landing space's action (F-R17, F-R53)."""
        n_spaces = len(self.components.board)
        left = self.space[seat]
        self.record(Event.MOVE, seat, left, (left + n_steps) % n_spaces)
        self.landed[seat] = False
        if by_number_die and self.reads("honey_hitters_pass", "leaving_too"):
            self.pass_pawns(seat, left)
        for step in range(1, n_steps + 1):
            self.enter(seat, (left + step) % n_spaces)
            if not self.living[seat]:
                return
            if by_number_die and (step < n_steps or self.passes_on_landing()):
                self.pass_pawns(seat, self.space[seat])
        self.land(seat, by_number_die=by_number_die)
        self.draw_go_card_at_once()

    def passes_on_landing(self) -> bool:
        """Tell whether pawns on the landing space are passed too."""
        return self.reads("honey_hitters_pass", "landing_too", "leaving_too")

    def enter(self, seat: int, space: int) -> None:
        """Enter a space by a step: GO, then dropped loot (F-R33, F-R79)."""
        self.space[seat] = space
        if space == self.corner("go"):
            self.pass_or_land_on_go(seat)
        if self.living[seat]:
            self.pick_up_loot(seat)

    def pass_or_land_on_go(self, seat: int) -> None:
        """Collect at GO, or pay if the Storm has it; a card is due (F-R33 to F-R35)."""
        self.make_go_card_due(seat)
        if self.stormed[self.corner("go")]:
            self.pay_storm(seat, self.number("go_storm_cost"), Source.GO_STORM)
        else:
            self.collect(seat, self.number("go_bonus"), Source.GO)

    def make_go_card_due(self, seat: int) -> None:
        """Remember that a Game Mode card is due, in one's own turn only: one a turn, or one each time (F-R34)."""
        if seat != self.active:
            return
        if self.reads("go_cards", "each"):
            self.n_go_cards_due += self.n_go_cards_drawn + self.n_go_cards_due < MOST_GO_CARDS
        elif not self.n_go_cards_drawn:
            self.n_go_cards_due = 1

    def draw_go_card_at_once(self) -> None:
        """Draw the GO card, if it is due, without waiting for the end of the turn."""
        while self.n_go_cards_due and self.living[self.active] and self.reads("go_draw_timing", "at_once"):
            self.draw_go_card(self.active)

    def draw_go_card(self, seat: int) -> None:
        """Draw a Game Mode card for GO (F-R34)."""
        self.n_go_cards_due -= 1
        self.n_go_cards_drawn += 1
        self.draw_game_mode_card(seat)

    def land(self, seat: int, *, by_number_die: bool) -> None:
        """Do the action of the space one lands on (F-R18, F-R83)."""
        self.landed[seat] = True
        if self.stormed[self.space[seat]]:
            self.land_in_storm(seat)
        else:
            self.follow_face(seat, by_number_die=by_number_die, may_flip=True)

    def land_in_storm(self, seat: int) -> None:
        """Pay what the Storm card says and ignore the printed space (F-R31, F-R83)."""
        space = self.space[seat]
        location = self.components.board[space].location
        if location != NOBODY:
            self.pay_storm(seat, self.components.locations[location].storm_cost)
        elif space == self.corner("go"):
            return  # paid on entering (F-R35)
        elif space != self.corner("jail") or self.reads("jail_scope", "visiting_too"):
            self.pay_storm(seat, self.number("corner_storm_cost"))

    def follow_face(self, seat: int, *, by_number_die: bool, may_flip: bool) -> None:
        """Do what the face says; GO, Wall, Free Parking, Visiting: nothing (F-R36, F-R37)."""
        space = self.space[seat]
        kind = self.kind(space)
        if kind == "location":
            self.land_on_location(seat, self.components.board[space].location)
        elif kind == "campfire":
            self.collect(seat, self.number("campfire_heal"), Source.CAMPFIRE)  # F-R54
        elif kind == "trap":
            self.land_on_trap(seat)
        elif kind == "chest":
            self.draw_loot(seat)  # F-R56
        elif kind == "flip" and may_flip:
            self.land_on_flip(seat, by_number_die=by_number_die)
        elif kind == "go_to_jail":
            self.go_to_jail(seat, by_number_die=by_number_die)

    def land_on_location(self, seat: int, location: int) -> None:
        """Claim, pay the Bank, or collect for a whole set (F-R23 to F-R28)."""
        owner = self.owner[location]
        if owner == NOBODY:
            self.claim(seat, location)
        elif owner == seat:
            self.collect_set_bonus(seat, location)
        else:
            self.pay(seat, self.components.locations[location].cost, Source.TOLL)

    def claim(self, seat: int, location: int) -> None:
        """Claim an unclaimed location for free (F-R23)."""
        if self.reads("claim", "optional") and self.ask("CLAIM", seat, [LEAVE, CLAIM]) == LEAVE:
            return
        self.owner[location] = seat
        self.record(Event.CLAIM, seat, location)
        if self.reads("set_on_claim", "bonus"):
            self.collect_set_bonus(seat, location)

    def collect_set_bonus(self, seat: int, location: int) -> None:
        """Collect if one owns the whole colour set (F-R26, F-R27)."""
        colour_set = next(each for each in self.components.sets if location in each)
        is_shown = self.reads("set_flipped", "landed_only") or all(
            not self.shows_back(self.components.space_of[each]) for each in colour_set
        )
        if is_shown and all(self.owner[each] == seat for each in colour_set):
            self.collect(seat, self.number("set_bonus"), Source.SET_BONUS)

    def land_on_trap(self, seat: int) -> None:
        """Pay the number printed on a Damage Trap (F-R55)."""
        space = self.components.board[self.space[seat]]
        amount = space.back_amount if self.shows_back(space.number) else space.front_amount
        self.pay(seat, self.halved(seat, amount), Source.TRAP)

    def land_on_flip(self, seat: int, *, by_number_die: bool) -> None:
        """Turn the tile over; nobody on it follows the revealed space (F-R47, F-R48)."""
        space = self.space[seat]
        if self.shows_back(space) and self.reads("flip_back", "location_side_only"):
            return
        self.flip_tile(seat, self.components.board[space].tile)
        if self.reads("flip_lander", "follows"):
            self.landed[seat] = True
            self.follow_face(seat, by_number_die=by_number_die, may_flip=False)

    def go_to_jail(self, seat: int, *, by_number_die: bool) -> None:
        """Move to Jail at once and draw a Game Mode card (F-R38 to F-R40)."""
        jail = self.corner("jail")
        self.record(Event.MOVE, seat, self.space[seat], jail)
        self.jump_over_spaces_before_jail(seat, by_number_die=by_number_die)
        if not self.living[seat]:
            return
        self.space[seat] = jail
        self.pick_up_loot(seat, sent_to_jail=True)
        if self.stormed[jail]:
            if self.reads("jail_storm_cost", "pays"):
                self.pay_storm(seat, self.number("corner_storm_cost"))
            return
        self.put_in_jail(seat)
        if seat == self.active and self.reads("jail_draw_timing", "end_of_turn"):
            self.is_jail_card_due = True
        else:
            self.draw_game_mode_card(seat)

    def jump_over_spaces_before_jail(self, seat: int, *, by_number_die: bool) -> None:
        """Pass what lies strictly between on the jump to Jail, where the readings say so."""
        n_spaces = len(self.components.board)
        space = (self.space[seat] + 1) % n_spaces
        while space != self.corner("jail"):
            if space == self.corner("go") and self.reads("jail_jump_go", "counts"):
                self.jump_over_go(seat)
                if not self.living[seat]:
                    return
            if by_number_die and self.reads("honey_hitters_to_jail", "pass"):
                self.pass_pawns(seat, space)
            space = (space + 1) % n_spaces

    def jump_over_go(self, seat: int) -> None:
        """Count GO on the jump to Jail: a stormed one costs, a card is due, no gain (F-R38)."""
        self.make_go_card_due(seat)
        if self.stormed[self.corner("go")]:
            self.space[seat] = self.corner("go")
            self.pay_storm(seat, self.number("go_storm_cost"), Source.GO_STORM)

    def put_in_jail(self, seat: int) -> None:
        """Turn the key."""
        self.jailed[seat] = True
        self.tries[seat] = 0
        self.record(Event.JAILED, seat)

    def free(self, seat: int, how: Freed) -> None:
        """Let a seat out of Jail."""
        self.jailed[seat] = False
        self.record(Event.FREED, seat, how)

    def start_in_jail(self, seat: int) -> None:
        """Pay, or roll for a six (F-R44, F-R45)."""
        options = [PAY, ROLL] if self.may_pay_for_jail(seat) else [ROLL]
        if self.ask("JAIL", seat, options) == PAY:
            self.pay(seat, self.number("jail_cost"), Source.JAIL)
            if self.living[seat]:
                self.free(seat, Freed.PAID)
                self.roll_both_dice(seat)
        else:
            self.roll_for_jail(seat)

    def may_pay_for_jail(self, seat: int) -> bool:
        """Tell whether paying is possible (F-R44)."""
        if self.tries[seat] > 0 and self.reads("jail_pay_later", "first_turn_only"):
            return False
        if self.reads("jail_pay_last", "fatal_allowed"):
            return self.hp[seat] >= self.number("jail_cost")
        return self.hp[seat] > self.number("jail_cost")

    def roll_for_jail(self, seat: int) -> None:
        """Roll for a six; the last failed try frees all the same (F-R45, F-R46)."""
        number = self.roll("JAIL_DIE", seat)
        self.record(Event.JAIL_ROLL, seat, number)
        if number >= self.number("jail_roll"):
            self.free(seat, Freed.SIX)
            if self.reads("jail_six", "move_six"):
                self.roll_action_die_and_use_both(seat, number)
            else:
                self.roll_both_dice(seat)
            return
        self.tries[seat] += 1
        if self.tries[seat] >= self.number("jail_tries"):
            self.leave_by_last_try(seat, number)
            return
        self.is_turn_cut_short = True
        if self.reads("jail_try_dice", "action_too"):
            symbol = self.roll_action_die(seat)
            self.record(Event.TRY_ROLL, seat, SYMBOLS.index(symbol))
            self.use_action_die(seat, symbol)

    def leave_by_last_try(self, seat: int, number: int) -> None:
        """Be free and move with the last roll (F-R46)."""
        self.free(seat, Freed.LAST_TRY)
        if self.reads("jail_try_dice", "action_too"):
            self.roll_action_die_and_use_both(seat, number)
        else:
            self.use_both_dice(seat, number, NO_ACTION)

    def use_action_die(self, seat: int, symbol: str) -> None:
        """Do the symbol's action (F-R57 to F-R64); some may be let lapse (F-R20)."""
        may_lapse = symbol in {"med_mist", "boogie_bomb"} and self.reads("action_duty", "may_lapse")
        if may_lapse and self.ask("ACTION", seat, [LET_LAPSE, TAKE]) == LET_LAPSE:
            return
        if symbol == "med_mist":
            self.med_mist(seat)
        elif symbol == "crosshairs":
            self.crosshairs(seat)
        elif symbol == "boogie_bomb":
            self.boogie_bomb(seat)
        elif symbol == "storm_surge":
            self.draw_game_mode_card(seat)  # F-R62

    def ask_modifier(self, seat: int, symbol: str) -> int:
        """Pick the one loot card that may modify the action, and use it (F-R63)."""
        cards = [card for card in self.hand[seat] if self.may_modify(seat, card, symbol)]
        if not cards:
            return NOBODY
        option = self.ask("MODIFIER", seat, [*items(cards), NONE])
        if option == NONE:
            return NOBODY
        self.use_card(seat, option - FIRST_CARD)
        return option - FIRST_CARD

    def may_modify(self, seat: int, card: int, symbol: str) -> bool:
        """Tell whether a loot card may modify this action (F-R41, F-R63, F-R73)."""
        loot = self.components.loot[card]
        if loot.trigger != symbol or loot.effect not in MODIFYING_EFFECTS[symbol]:
            return False
        if self.jailed[seat] or card in self.used or not self.is_usable(card):
            return False
        if loot.effect == "damage" and loot.ignores_sight:
            return True
        return symbol != "crosshairs" or bool(self.seats_in_sight(seat))

    def is_usable(self, card: int) -> bool:
        """Tell whether the switches let a card be used now."""
        if card in self.picked_up and self.reads("pickup_use", "next_turn"):
            return False
        return not self.used or self.reads("one_time_limit", "free")

    def use_card(self, seat: int, card: int) -> None:
        """Use a card; a one-time card goes under the deck first (F-R73, F-R74)."""
        self.used.add(card)
        self.record(Event.USE, seat, card)
        if self.components.loot[card].one_time:
            self.hand[seat].remove(card)
            self.put_under_loot_deck(seat, card)

    def amount_of_action(self, seat: int, card: int, base: str, bonus_effect: str) -> int:
        """Return the card's amount or the base, and the permanent item's bonus (F-R64)."""
        amount = self.number(base) if card == NOBODY else self.components.loot[card].amount
        if card == NOBODY or self.reads("permanent_stack", "added"):
            amount += self.loadout_amount(seat, bonus_effect)
        return amount

    def med_mist(self, seat: int) -> None:
        """Collect for Med Mist (F-R57)."""
        card = self.ask_modifier(seat, "med_mist")
        amount = self.amount_of_action(seat, card, "med_mist_heal", "med_mist_bonus")
        self.collect(seat, amount, Source.MED_MIST)

    def crosshairs(self, seat: int) -> None:
        """Make a player in sight pay (F-R50, F-R58)."""
        card = self.ask_modifier(seat, "crosshairs")
        amount = self.amount_of_action(seat, card, "crosshairs_damage", "crosshairs_bonus")
        targets = self.seats_in_sight(seat)
        if card != NOBODY and self.components.loot[card].effect == "area_damage":
            for target in targets:
                self.pay(target, amount, Source.CROSSHAIRS)
            return
        if card != NOBODY and self.components.loot[card].ignores_sight:
            targets = self.others_from(seat)
        if not targets:
            self.record(Event.NO_TARGET, seat)
            return
        let_lapse = [NONE] if self.reads("crosshairs_duty", "may_pass") else []
        target = self.ask("TARGET", seat, [*sorted(targets), *let_lapse])
        if target != NONE:
            self.pay(target, amount, Source.CROSSHAIRS)

    def boogie_bomb(self, seat: int) -> None:
        """Make all others pay; walls do not protect (F-R51, F-R61)."""
        card = self.ask_modifier(seat, "boogie_bomb")
        amount = self.amount_of_action(seat, card, "boogie_bomb_damage", "boogie_bomb_bonus")
        for other in self.others_from(seat):
            if not self.is_behind_bush(other):
                self.pay(other, amount, Source.BOOGIE_BOMB)

    def is_behind_bush(self, seat: int) -> bool:
        """Tell whether the Bush protects a seat from Boogie Bombs (F-R88)."""
        works = not self.jailed[seat] or self.reads("jail_passive", "works")
        return works and self.holds(seat, "bush")

    def pass_pawns(self, seat: int, space: int) -> None:
        """Take HP from players that the owner of Honey Hitters passes (F-R82)."""
        if self.jailed[seat] or not self.has_loadout(seat, "honey_hitters"):
            return
        victims = [other for other in self.others_from(seat) if self.may_be_passed(other, space)]
        while victims and self.has_use_for_hp(seat):
            offered = victims[:1] if self.reads("honey_hitters_tie", "seat_order") else victims
            victim = self.ask("HONEY_HITTERS", seat, [*sorted(offered), NONE])
            if victim == NONE:
                return
            victims.remove(victim)
            self.take_hp_from(seat, victim)

    def may_be_passed(self, victim: int, space: int) -> bool:
        """Tell whether a pawn is there and can be passed for HP."""
        if self.space[victim] != space:
            return False
        if self.jailed[victim] and self.reads("honey_hitters_jailed_victim", "spared"):
            return False
        is_safe = self.is_protected_by_wall(victim) and self.reads("honey_hitters_wall", "protects")
        return not is_safe

    def has_use_for_hp(self, seat: int) -> bool:
        """Tell whether the taker takes anything, near the cap (F-R4)."""
        if self.number("honey_hitters_take") == 0:
            return False
        if self.reads("honey_hitters_at_cap", "bank"):
            return True
        if self.reads("honey_hitters_at_cap", "all_or_nothing"):
            return self.room_for_hp(seat) >= self.number("honey_hitters_take")
        return self.room_for_hp(seat) > 0

    def take_hp_from(self, seat: int, victim: int) -> None:
        """Take HP from a passed player, the only flow between players (F-R82)."""
        paid = min(self.hp[victim], self.number("honey_hitters_take"))
        if self.reads("honey_hitters_at_cap", "partial"):
            paid = min(paid, self.room_for_hp(seat))
        self.change_hp(victim, -paid, Source.HONEY_HITTERS)
        self.change_hp(seat, min(paid, self.room_for_hp(seat)), Source.HONEY_HITTERS)
        if self.hp[victim] > 0:
            return
        loot, space = list(self.hand[victim]), self.space[victim]
        self.fall(victim)
        self.look_for_end([victim])
        if self.reads("honey_hitters_loot", "passer_takes"):
            self.take_loot_of_fallen(seat, loot, space)

    def take_loot_of_fallen(self, seat: int, loot: Iterable[int], space: int) -> None:
        """Take what a player dropped who fell by being passed."""
        for pile in (*self.dropped.values(), self.dropped_in_cell):
            pile[:] = [card for card in pile if card not in loot]
        self.take_dropped(seat, loot, space)

    def discard(self, seat: int) -> None:
        """Discard cards that one no longer wants: a reusable one, or any (F-R73, F-R76)."""
        any_card = self.reads("discard", "any")
        while not self.jailed[seat]:
            cards = [card for card in self.hand[seat] if any_card or not self.components.loot[card].one_time]
            option = self.ask("DISCARD", seat, [*items(cards), NONE])
            if option == NONE:
                return
            self.hand[seat].remove(option - FIRST_CARD)
            self.put_under_loot_deck(seat, option - FIRST_CARD)
            if not any_card:
                return

    def use_one_time_items(self, seat: int) -> None:
        """Use one-time items, one after another (F-R74)."""
        while self.living[seat] and not self.jailed[seat]:
            cards = [card for card in self.hand[seat] if self.is_one_time_and_usable(card)]
            if not cards:
                return
            option = self.ask("USE_ITEM", seat, [*items(cards), NONE])
            if option == NONE:
                return
            card = option - FIRST_CARD
            self.use_card(seat, card)
            self.do_one_time_effect(seat, card)

    def is_one_time_and_usable(self, card: int) -> bool:
        """Tell whether a card is a one-time item that may be used now."""
        loot = self.components.loot[card]
        return loot.one_time and loot.effect in WINDOW_EFFECTS and self.is_usable(card)

    def do_one_time_effect(self, seat: int, card: int) -> None:
        """Do what a one-time item says (F-R88)."""
        loot = self.components.loot[card]
        if loot.effect == "refill":
            self.change_hp(seat, self.room_for_hp(seat), Source.ITEM)
        elif loot.effect == "heal":
            self.collect(seat, loot.amount, Source.ITEM)
        elif loot.effect == "bomb":
            self.throw_bomb(seat, loot.amount)
        elif loot.effect == "mover":
            self.move_somebody(seat, loot.amount)

    def throw_bomb(self, seat: int, amount: int) -> None:
        """Make everybody on one space pay, the thrower too."""
        space = self.ask("BOMB_SPACE", seat, list(range(len(self.components.board))))
        struck = [other for other in self.seats_from(seat) if self.space[other] == space]
        self.pay_all_at_once(dict.fromkeys(struck, amount), Source.ITEM)

    def move_somebody(self, seat: int, most_steps: int) -> None:
        """Move any pawn that is not jailed; it does the landing space's action."""
        options = [
            other * STEPS_PER_SEAT + n_steps - 1
            for other in sorted(self.seats_from(seat))
            if not self.jailed[other]
            for n_steps in range(1, most_steps + 1)
        ]
        moved, steps_less_one = divmod(self.ask("MOVER", seat, options), STEPS_PER_SEAT)
        self.move(moved, steps_less_one + 1, by_number_die=False)

    def draw_game_mode_card(self, seat: int, *, is_instead: bool = False) -> None:
        """Turn the top Game Mode card over, do it, put it under the deck (F-R62, F-R71)."""
        if not self.mode_deck:
            return
        card = self.mode_deck.pop(0)
        effect = self.components.modes[card].effect
        self.record(Event.MODE, seat, card)
        is_done = self.do_game_mode_effect(seat, effect, self.components.modes[card].amount)
        if not self.leaves_game(effect):
            self.mode_deck.append(card)
        self.draw_go_card_at_once_after(effect)
        if not is_done and not is_instead and self.reads("forced_trade_none", "next_card"):
            self.draw_game_mode_card(seat, is_instead=True)

    def leaves_game(self, effect: str) -> bool:
        """Tell whether a Game Mode card is out of the game after use (F-R67, F-R68)."""
        if effect in {"storm_lowest", "storm_highest", "storm_choice"}:
            return self.reads("storm_card_reuse", "out_of_game")
        return effect in {"storm_go", "storm_jail"}

    def draw_go_card_at_once_after(self, effect: str) -> None:
        """Draw the GO card that a move to GO makes due, where it does not wait."""
        if effect == "move_to_go":
            self.draw_go_card_at_once()

    def do_game_mode_effect(self, seat: int, effect: str, amount: int) -> bool:
        """Do what a Game Mode card says (F-R66 to F-R72); tell whether it is no forced trade that fails."""
        if effect in {"storm_lowest", "storm_highest", "storm_choice"}:
            self.storm_rages_on_location(seat, effect)
        elif effect == "storm_go":
            self.storm_rages_on_corner("go")
        elif effect == "storm_jail":
            self.storm_rages_on_corner("jail")
        elif effect == "forced_trade":
            return self.forced_trade(seat)
        elif effect == "heal_all":
            for other in self.seats_from(seat):
                self.collect(other, amount, Source.GAME_MODE)
        elif effect == "lose_all":
            amounts = dict.fromkeys(self.seats_from(seat), amount)
            self.pay_all_at_once(amounts, Source.GAME_MODE)
        elif effect == "roll_loss":
            self.everybody_rolls_and_loses(seat)
        elif effect == "flip_choice" and self.components.tiles:
            self.flip_tile(seat, self.ask("FLIP_TILE", seat, self.components.tiles))
        elif effect == "draw_loot":
            self.draw_loot(seat)
        elif effect == "move_to_go":
            self.move_to_go(seat)
        return True

    def storm_rages_on_location(self, seat: int, effect: str) -> None:
        """Let the Storm take the location that the card's criterion finds (F-R66, F-R70)."""
        candidates = self.locations_the_storm_may_take()
        if candidates:
            self.storm_takes(self.find_location(seat, effect, candidates))

    def locations_the_storm_may_take(self) -> list[int]:
        """Return the locations among which a criterion looks."""
        spaces = self.components.space_of
        open_to_storm = [
            location
            for location in range(len(self.owner))
            if not self.stormed[spaces[location]]
            and (self.reads("storm_flipped", "may") or not self.shows_back(spaces[location]))
        ]
        if self.reads("storm_claimed", "any"):
            return open_to_storm
        unclaimed = [location for location in open_to_storm if self.owner[location] == NOBODY]
        if not unclaimed and self.reads("storm_none_unclaimed", "take_claimed"):
            return open_to_storm
        return unclaimed

    def find_location(self, seat: int, effect: str, candidates: list[int]) -> int:
        """Find the lowest or highest location, or have the drawer choose (F-R66)."""
        if effect == "storm_choice":
            return self.ask("STORM_LOCATION", seat, candidates)
        costs = [self.components.locations[location].cost for location in candidates]
        value = min(costs) if effect == "storm_lowest" else max(costs)
        tied = [location for location, cost in zip(candidates, costs, strict=True) if cost == value]
        if self.reads("value_tie", "drawer"):
            return self.ask("STORM_LOCATION", seat, tied)
        return tied[0] if effect == "storm_lowest" else tied[-1]

    def storm_takes(self, location: int) -> None:
        """Turn a Location card to its Storm side, by a card (F-R30, F-R68)."""
        space = self.components.space_of[location]
        self.record(Event.STORM, self.owner[location], space, 0)
        self.stormed[space] = True
        if self.reads("storm_owner", "leaves"):
            self.owner[location] = NOBODY

    def storm_rages_on_corner(self, kind: str) -> None:
        """Let the Storm take a corner; a taken Jail sets everybody free (F-R43, F-R67)."""
        space = self.corner(kind)
        if self.stormed[space]:
            return
        self.record(Event.STORM, NOBODY, space, 0)
        self.stormed[space] = True
        if kind == "jail":
            for seat in range(self.n_seats):
                if self.jailed[seat]:
                    self.free(seat, Freed.STORM)

    def everybody_rolls_and_loses(self, drawer: int) -> None:
        """Have every living player roll the number die and pay that much."""
        amounts = {}
        for seat in self.seats_from(drawer):
            amounts[seat] = self.roll("GAME_MODE_DIE", seat, self.n_roll_loss)
            self.record(Event.TABLE_ROLL, seat, amounts[seat])
        self.n_roll_loss += 1
        self.pay_all_at_once(amounts, Source.GAME_MODE)

    def move_to_go(self, seat: int) -> None:
        """Move to GO past nobody, out of Jail too; collect or pay there (F-R33, F-R35)."""
        self.record(Event.MOVE, seat, self.space[seat], self.corner("go"))
        if self.jailed[seat]:
            self.free(seat, Freed.CARD)
        self.space[seat] = self.corner("go")
        self.landed[seat] = True
        self.pick_up_loot(seat)
        self.pass_or_land_on_go(seat)
