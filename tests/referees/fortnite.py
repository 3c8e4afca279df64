"""The slow, plain referee of `fortnite`: a second, independent reading of its rulebook.

It plays one playout from draws, deck orders and decisions that it is handed, computes by itself
which options are legal, and keeps the events in the order in which they happen. Each method is a
rule or a step of the procedure, named with the rulebook's words. Where the rulebook is silent a
switch of the ruleset decides. For reading along start at `Referee.play`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.referees.fortnite_board import Board
from tests.referees.fortnite_table import Grant, Order, items
from tests.referees.fortnite_words import (
    ACCEPT,
    ACTION_FIRST,
    BACKWARDS,
    FACES,
    FIRST_CARD,
    FIRST_WALL,
    LEAVE_JAIL,
    NONE,
    NUMBER_FIRST,
    PAY,
    REFUSE,
    ROLL,
    STAY,
    STEPS_PER_SEAT,
    Down,
    Ending,
    Event,
    Freed,
    Source,
)
from tests.referees.table import NOBODY, Choose, Draw, EventRow, PlayoutOver


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
        order: Gives the physical cards of LOOT or STORM in order, for a number of a reshuffle.
        choose: Answers (kind, seat, legal options) with one of the options.
        grants: Of each granted card LOOT, the physical card and the seat that has it from the start.

    Returns:
        The verdict with all events.

    """
    return Referee(ruleset, n_seats, draw, order, choose, grants).play()


class Referee(Board):
    """The procedure of a playout, from set-up to end."""

    def play(self) -> Verdict:
        """Play from set-up to the end (N-R7, N-R60)."""
        try:
            seat = self.set_up()
            while True:
                if self.length_turns >= self.number("turn_limit"):
                    self.end(NOBODY, Ending.TURN_LIMIT)
                self.take_turn(seat)
                seat = self.next_living(seat)
        except PlayoutOver:
            return Verdict(self.events, self.payoff, self.termination, self.hp, self.length_turns)

    def set_up(self) -> int:
        """Set the game up and return who starts (N-R2 to N-R9)."""
        self.loot_deck = list(self.order("LOOT", 0))
        self.storm_deck = list(self.order("STORM", 0))
        for seat in range(self.n_seats):
            for card in [card for _, card, owner in self.grants if owner == seat]:
                self.loot_deck.remove(card)
                self.hand[seat].add(card)
                self.record(Event.DEAL, seat, card)
        first = self.roll_for_start()
        for seat in self.seats_from(first):
            self.place_pawn(seat)
        return first

    def roll_for_start(self) -> int:
        """Find who rolls highest (N-R6, N-TIE-START)."""
        seats, game_round = list(range(self.n_seats)), 0
        while True:
            rolled = {}
            for seat in seats:
                self.active = seat
                rolled[seat] = self.roll("SEAT_ROLL", seat, game_round)
                self.record(Event.START_ROLL, seat, rolled[seat], game_round)
            seats = [seat for seat in seats if rolled[seat] == max(rolled.values())]
            can_roll_off = self.reads("tie_start", "reroll") and self.number("number_die_faces") > 1
            if len(seats) == 1 or not can_roll_off:
                return seats[0]
            game_round += 1

    def place_pawn(self, seat: int) -> None:
        """Place a pawn; the space's action is skipped (N-R6, N-R8)."""
        n_spaces = len(self.components.board)
        self.active = seat
        if self.reads("placement", "all_on_go"):
            space = self.components.go
        elif self.reads("placement", "random"):
            space = self.draw("PLACEMENT", seat, 0, seat, n_spaces)
        elif self.reads("placement", "locations_only"):
            space = self.ask("START_SPACE", seat, sorted(self.components.space_of.values()))
        else:
            space = self.ask("START_SPACE", seat, list(range(n_spaces)))
        self.space[seat] = space
        self.record(Event.PLACED, seat, space)

    def take_turn(self, seat: int) -> None:
        """Play one turn (N-R10 to N-R14)."""
        self.begin_turn(seat)
        self.act(seat)
        self.finish_turn(seat)

    def begin_turn(self, seat: int) -> None:
        """Count the turn; a wall that stopped this pawn may go now (N-WALL-STOP-PROTECT)."""
        self.active = seat
        self.length_turns += 1
        self.turns[seat] += 1
        self.is_turn_over = False
        self.is_go_card_due = [False] * self.n_seats
        self.n_jail_cards_due = 0
        self.n_dice_cards = 0
        self.is_number_die_used = False
        self.move_start = NOBODY
        self.has_jumped_in_move = False
        self.record(Event.TURN, seat, self.turns[seat])
        if self.stopped_at[seat] != NOBODY:
            self.take_wall_down(self.stopped_at[seat], Down.AFTER_STOP)
            self.stopped_at[seat] = NOBODY

    def act(self, seat: int) -> None:
        """Do everything of a turn but what waits for its end."""
        self.trade(seat)
        self.use_items(seat)
        if not self.may_go_on(seat):
            return
        number = self.leave_jail(seat) if self.jailed[seat] else 0
        if not self.may_go_on(seat):
            return
        if number == 0:
            number = self.roll("NUMBER_DIE", seat)
        face = self.components.die_faces[
            self.draw("ACTION_DIE", seat, self.turns[seat], seat, len(self.components.die_faces))
        ]
        self.record(Event.ROLL, seat, number, FACES.index(face))
        self.use_items(seat)
        if self.may_go_on(seat):
            self.use_both_dice(seat, number, face)

    def use_both_dice(self, seat: int, number: int, face: str) -> None:
        """Use the dice in the order that the seat picks, with items between (N-R10, N-R39)."""
        is_number_first = face == "blank" or (face == "brick" and self.reads("brick_order", "move_first"))
        if not is_number_first:
            is_number_first = self.ask("ORDER", seat, [NUMBER_FIRST, ACTION_FIRST]) == NUMBER_FIRST
        uses: list[Callable[[], None]] = [
            lambda: self.use_number_die(seat, number),
            lambda: self.use_action_die(seat, face, number),
        ]
        for use in uses if is_number_first else reversed(uses):
            if self.may_go_on(seat):
                use()
            self.use_items(seat)

    def use_number_die(self, seat: int, number: int) -> None:
        """Move, unless one has been jailed meanwhile."""
        self.is_number_die_used = True
        if not self.jailed[seat]:
            self.move_by_die(seat, number)

    def finish_turn(self, seat: int) -> None:
        """Draw the Storm cards that are due: Go to Jail's, then GO's (N-R13, N-R29)."""
        for _ in range(self.n_jail_cards_due):
            if self.living[seat]:
                self.draw_storm_card(seat)
        for place in range(self.n_seats):
            passer = (seat + place) % self.n_seats
            if not self.is_go_card_due[passer]:
                continue
            if self.living[passer]:
                self.draw_storm_card(passer)
            elif self.reads("go_draw_dead", "draw"):
                self.draw_storm_card(self.next_living(passer))

    def leave_jail(self, seat: int) -> int:
        """Try to get out of Jail; return the number rolled for it if it is to be moved, else 0 (N-R32 to N-R35)."""
        if self.tries[seat] >= self.number("jail_tries"):
            if self.reads("jail_stay", "may_stay") and self.ask("JAIL", seat, [LEAVE_JAIL, STAY]) == STAY:
                self.is_turn_over = True
            else:
                self.free(seat, Freed.LAST_TRY)
            return 0
        ways = [PAY, ROLL] if self.may_pay_for_jail(seat) else [ROLL]
        if self.ask("JAIL", seat, ways) == PAY:
            self.pay(seat, self.number("jail_cost"), Source.JAIL)
            if self.living[seat]:
                self.free(seat, Freed.PAID)
            return 0
        number = self.roll("JAIL_DIE", seat)
        self.record(Event.JAIL_ROLL, seat, number)
        if number >= self.number("jail_roll"):
            self.free(seat, Freed.SIX)
            return number if self.reads("jail_six", "move_six") else 0
        self.tries[seat] += 1
        self.is_turn_over = True
        return 0

    def may_pay_for_jail(self, seat: int) -> bool:
        """Tell whether one may pay to get out of Jail (N-R32, N-JAIL-PAY-LATER, F-JAIL-PAY-LAST)."""
        if self.tries[seat] and self.reads("jail_pay_later", "first_turn_only"):
            return False
        cost = self.number("jail_cost")
        return self.hp[seat] > cost or (self.hp[seat] == cost and self.reads("jail_pay_last", "fatal_allowed"))

    # The action die, N-R49 to N-R56

    def use_action_die(self, seat: int, face: str, number: int) -> None:
        """Do what the action die shows."""
        if face == "bandages":
            self.collect(seat, self.number("bandages_heal"), Source.BANDAGES)
        elif face == "crosshairs":
            self.crosshairs(seat)
        elif face == "boogie_bomb":
            self.boogie_bomb(seat)
        elif face == "brick":
            self.brick(seat, number)

    def crosshairs(self, seat: int) -> None:
        """Shoot at a player or a wall, modified by any number of items (N-R50, N-R53)."""
        used: list[int] = []
        while True:
            offered = self.modifiers(seat, used)
            if not offered:
                break
            option = self.ask("MODIFIER", seat, [*items(offered), NONE])
            if option == NONE:
                break
            card = option - FIRST_CARD
            used.append(card)
            self.use_card(seat, card)
            if self.components.loot[card].effect == "area_damage":
                self.stink_bomb(seat, self.components.loot[card].amount)
                if self.reads("stink_add", "instead"):
                    return
        seats, walls = self.reach(seat, used)
        if not seats and not walls:
            return
        lapse = [NONE] if self.reads("crosshairs_duty", "may_pass") else []
        target = self.ask("TARGET", seat, [*sorted(seats), *(FIRST_WALL + wall for wall in walls), *lapse])
        if target == NONE:
            return
        if target >= FIRST_WALL:
            self.take_wall_down(target - FIRST_WALL, Down.ATTACKED)
        else:
            self.pay(target, self.damage(used), Source.CROSSHAIRS)

    def modifiers(self, seat: int, used: list[int]) -> list[int]:
        """Return the cards that may modify this shot further (N-R39)."""
        if not self.may_use_loot(seat):
            return []
        is_nothing_within_reach = not any(self.reach(seat, used))
        return [
            card
            for card in self.hand[seat]
            if card not in used
            and self.components.loot[card].trigger == "crosshairs"
            and self.components.loot[card].effect != "blank"
            and not (is_nothing_within_reach and not self.reaches_all(card))
        ]

    def reaches_all(self, card: int) -> bool:
        """Tell whether a card lets a shot ignore the line of sight."""
        return self.components.loot[card].effect == "damage" and self.components.loot[card].ignores_sight

    def reach(self, seat: int, used: Iterable[int]) -> tuple[list[int], list[int]]:
        """Return the seats and the spaces of walls that a shot can hit (N-R50, N-R53)."""
        if any(self.reaches_all(card) for card in used):
            seats = [other for other in self.others_from(seat) if not self.is_protected(other)]
            return seats, self.walls_in(range(len(self.components.board)))
        return self.seats_in_sight(seat), self.walls_in(self.spaces_in_sight(seat))

    def damage(self, used: Iterable[int]) -> int:
        """Return what the target of a shot pays (N-R53, N-XHAIR-STACK)."""
        amounts = [self.components.loot[card].amount for card in used if self.components.loot[card].effect == "damage"]
        added = sum(amounts) if self.reads("crosshairs_stack", "sum") else max(amounts, default=0)
        return max(self.number("crosshairs_damage"), added)

    def stink_bomb(self, seat: int, amount: int) -> None:
        """Strike all in sight, players and walls."""
        targets, walls = self.reach(seat, [])
        for target in targets:
            self.pay(target, amount, Source.CROSSHAIRS)
        for wall in walls:
            self.take_wall_down(wall, Down.ATTACKED)

    def boogie_bomb(self, seat: int) -> None:
        """Make all others pay, then take down all walls (N-R55, N-WALL-VS-BOOGIE, N-BUSH)."""
        walls_protect = self.reads("wall_boogie", "protects")
        for other in self.others_from(seat):
            if not self.holds(other, "bush") and not (walls_protect and self.is_protected(other)):
                self.pay(other, self.number("boogie_bomb_damage"), Source.BOOGIE_BOMB)
        kept = set()
        if self.reads("bush", "keeps_walls"):
            kept = {self.space[holder] for holder in self.seats_from(0) if self.holds(holder, "bush")}
        for space in range(len(self.components.board)):
            while self.walls[space] and space not in kept:
                self.take_wall_down(space, Down.BOOGIE_BOMB)

    def brick(self, seat: int, number: int) -> None:
        """Place a wall on a space of the path (N-R56)."""
        legal = [space for space in sorted(self.path(seat, number)) if self.may_hold_wall(space)]
        if not legal:
            return
        lapse = [NONE] if self.reads("wall_duty", "may_build") else []
        space = self.ask("WALL", seat, [*legal, *lapse])
        if space == NONE:
            return
        if self.wall_pile == 0:
            others = [wall for wall in self.walls_in(range(len(self.walls))) if wall != space]
            self.take_wall_down(self.ask("WALL_TAKE", seat, others), Down.TAKEN)
        self.wall_pile -= 1
        self.walls[space] += 1
        self.record(Event.WALL, seat, space)

    def may_hold_wall(self, space: int) -> bool:
        """Tell whether a wall can be placed there (N-WALL-STACK, N-WALL-SUPPLY)."""
        if self.walls[space] and self.reads("wall_stack", "one"):
            return False
        if self.wall_pile:
            return True
        is_wall_elsewhere = any(wall != space for wall in self.walls_in(range(len(self.walls))))
        return is_wall_elsewhere and self.reads("wall_supply", "move_old")

    def path(self, seat: int, number: int) -> set[int]:
        """Return the spaces of the number die's move, done or still to come (N-R56)."""
        if self.move_start == NOBODY:
            return self.path_ahead(seat, number) if self.is_move_to_come(seat) else set()
        path = {self.move_start, *self.without_landing(self.move_entered)}
        if self.has_jumped_in_move and self.reads("brick_jail", "none"):
            return set()
        if self.has_jumped_in_move and self.reads("brick_jail", "jail_too"):
            path.add(self.components.jail)
        return path

    def is_move_to_come(self, seat: int) -> bool:
        """Tell whether the number die will still move the pawn (N-BRICK-ORDER)."""
        is_before = self.reads("brick_order", "free") and not self.is_number_die_used
        return is_before and not self.jailed[seat] and self.reads("movement", "printed")

    def path_ahead(self, seat: int, number: int) -> set[int]:
        """Return the spaces along which the number die will lead, up to the first wall."""
        n_spaces = len(self.components.board)
        ahead = []
        for step in range(1, number + 1):
            ahead.append((self.space[seat] + step) % n_spaces)
            if self.walls[ahead[-1]]:
                break
        return {self.space[seat], *self.without_landing(ahead)}

    def without_landing(self, spaces: list[int]) -> list[int]:
        """Leave out the last space entered where no wall may be built on it (N-WALL-LANDING)."""
        return spaces if self.reads("wall_landing", "landing_allowed") else spaces[:-1]

    # Loot in windows, N-R39 and N-R40

    def use_items(self, seat: int) -> None:
        """Use items of one's own turn, one after another."""
        while self.may_go_on(seat) and self.may_use_loot(seat):
            loot = self.components.loot
            cards = [
                card for card in self.hand[seat] if loot[card].trigger == "own_turn" and loot[card].effect != "blank"
            ]
            if not cards:
                return
            option = self.ask("USE_ITEM", seat, [*items(cards), NONE])
            if option == NONE:
                return
            card = option - FIRST_CARD
            self.use_card(seat, card)
            self.do_item(seat, loot[card].effect, loot[card].amount)

    def do_item(self, seat: int, effect: str, amount: int) -> None:
        """Do what a one-time item says."""
        if effect == "refill":
            self.change_hp(seat, self.room_for_hp(seat), Source.ITEM)
        elif effect == "heal":
            self.collect(seat, amount, Source.ITEM)
        elif effect == "clinger":
            self.throw_clinger(seat, amount)
        elif effect == "bouncer":
            self.bounce(seat, amount)

    def throw_clinger(self, seat: int, amount: int) -> None:
        """Strike all on a space of choice, or the wall there (N-CLINGER-SELF, N-CLINGER-WALL)."""
        space = self.ask("CLINGER_SPACE", seat, list(range(len(self.components.board))))
        if self.walls[space]:
            self.take_wall_down(space, Down.ATTACKED)
            if self.reads("clinger_wall", "protects"):
                return
        struck = [other for other in self.seats_from(seat) if self.space[other] == space]
        if self.reads("clinger_self", "spared"):
            struck = [other for other in struck if other != seat]
        self.pay_all_at_once(dict.fromkeys(struck, amount), Source.ITEM)

    def bounce(self, seat: int, most_steps: int) -> None:
        """Move a pawn, which does the action of its landing space (N-BOUNCER-DIR and the next four)."""
        starts = [0, BACKWARDS] if self.reads("bouncer_direction", "both") else [0]
        options = [
            other * STEPS_PER_SEAT + start + step
            for other in sorted(self.seats_from(seat))
            if self.is_movable(seat, other)
            for start in starts
            for step in range(most_steps)
        ]
        if not options:
            return
        option = self.ask("BOUNCER", seat, options)
        moved, way = divmod(option, STEPS_PER_SEAT)
        if self.jailed[moved]:
            self.free(moved, Freed.CARD)
        self.move(moved, way % BACKWARDS + 1, forwards=way < BACKWARDS, by_die=False)

    def is_movable(self, seat: int, other: int) -> bool:
        """Tell whether a Bouncer of a seat may move this pawn."""
        return not (
            (other == seat and self.reads("bouncer_self", "others_only"))
            or (self.jailed[other] and self.reads("bouncer_jailed", "not_movable"))
            or (self.is_protected(other) and self.reads("bouncer_wall_target", "immune"))
        )

    # Trading, N-R14

    def trade(self, seat: int) -> None:
        """Offer one swap of two items to another player."""
        if self.reads("trade", "never"):
            return
        partners = {item: other for other in self.others_from(seat) for item in self.tradeable(other)}
        own = self.tradeable(seat)
        wanted = [
            item
            for item, partner in partners.items()
            if any(self.may_be_swapped(seat, give, partner, item) for give in own)
        ]
        want = self.ask("TRADE_WANT", seat, [*sorted(wanted), NONE])
        if want == NONE:
            return
        partner = partners[want]
        offers = [item for item in own if self.may_be_swapped(seat, item, partner, want)]
        offer = self.ask("TRADE_OFFER", seat, [*sorted(offers), NONE])
        if offer == NONE or self.ask("TRADE_ANSWER", partner, [REFUSE, ACCEPT]) == REFUSE:
            return
        self.hand_over(seat, offer, partner)
        self.hand_over(partner, want, seat)

    def tradeable(self, seat: int) -> list[int]:
        """Return the items that a seat may trade: locations not stormed, and loot."""
        locations = [
            location
            for location, owner in enumerate(self.owner)
            if owner == seat and not self.stormed[self.components.space_of[location]]
        ]
        return locations + items(self.hand[seat])

    def may_be_swapped(self, seat: int, give: int, partner: int, take: int) -> bool:
        """Tell whether a swap may be offered (N-TRADE)."""
        if self.reads("trade", "valued"):
            return True
        if give >= FIRST_CARD or take >= FIRST_CARD:
            return False
        return self.completes_set(seat, take, give) and self.completes_set(partner, give, take)

    def completes_set(self, seat: int, gets: int, gives: int) -> bool:
        """Tell whether a seat has a complete set by a swap that it did not have."""
        others = [location for location in self.set_of(gets) if location != gets]
        return gives not in others and self.has_set(seat, others)

    def hand_over(self, giver: int, item: int, receiver: int) -> None:
        """Give an item to another player."""
        self.record(Event.SWAP, giver, item, receiver)
        if item < FIRST_CARD:
            self.owner[item] = receiver
        else:
            self.hand[giver].remove(item - FIRST_CARD)
            self.hand[receiver].add(item - FIRST_CARD)
