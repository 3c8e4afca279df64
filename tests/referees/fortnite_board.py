"""The board of `fortnite`: pawns move, land, go to Jail, and the Storm takes spaces."""

from tests.referees.fortnite_table import Table
from tests.referees.fortnite_words import CLAIM, COLLECT, DECLINE, LEAVE, Down, Event, Freed, Source
from tests.referees.table import NOBODY


class Board(Table):
    """What happens to pawns on the board."""

    def move_by_die(self, seat: int, n_steps: int) -> None:
        """Move forward as many spaces as were rolled (N-R11)."""
        if self.reads("movement", "none"):
            return
        self.move_start = self.space[seat]
        self.move_entered = []
        self.has_jumped_in_move = False
        is_stopped = self.move(seat, n_steps, forwards=True, by_die=True)
        if is_stopped and self.reads("wall_turn", "whole_turn"):
            self.is_turn_over = True

    def move(self, seat: int, n_steps: int, *, forwards: bool, by_die: bool) -> bool:
        """Move space by space, do the landing space's action, and tell whether a wall stopped the pawn."""
        step = 1 if forwards else -1
        n_spaces = len(self.components.board)
        left = self.space[seat]
        self.record(Event.MOVE, seat, left, (left + step * n_steps) % n_spaces)
        self.leave_wall(left)
        walls_stop = by_die or self.reads("bouncer_wall_stop", "stops")
        stopped_by, entered = NOBODY, 0
        while entered < n_steps and stopped_by == NOBODY:
            following = (self.space[seat] + step) % n_spaces
            is_wall = walls_stop and self.walls[following] > 0
            if is_wall and self.reads("wall_space", "before_it"):
                stopped_by = following
                self.record(Event.STOPPED, seat, following)
                self.reach_wall(seat, following)
                break
            entered += 1
            is_wall_next = walls_stop and self.walls[(following + step) % n_spaces] > 0
            ends_here = entered == n_steps or is_wall or (is_wall_next and self.reads("wall_space", "before_it"))
            self.enter(seat, following, by_die=by_die, reaches_go=forwards or ends_here)
            if is_wall:
                stopped_by = following
                self.record(Event.STOPPED, seat, following)
                if self.reads("wall_stop", "stays"):
                    self.remember_stop(seat, following)
        if entered:
            self.land(seat, by_die=by_die)
            if stopped_by != NOBODY and self.reads("wall_space", "on_it") and self.reads("wall_stop", "removed"):
                self.take_wall_down(stopped_by, Down.REACHED)
        return stopped_by != NOBODY

    def leave_wall(self, space: int) -> None:
        """Let a wall fall whose space a pawn leaves (N-WALL-LEAVE)."""
        if self.reads("wall_leave", "falls"):
            self.take_wall_down(space, Down.LEFT)

    def reach_wall(self, seat: int, space: int) -> None:
        """Remove a wall that was reached, or remember it (N-R48)."""
        if self.reads("wall_stop", "stays"):
            self.remember_stop(seat, space)
        else:
            self.take_wall_down(space, Down.REACHED)

    def enter(self, seat: int, space: int, *, by_die: bool, reaches_go: bool) -> None:
        """Enter a space by a step: GO, backwards only if the movement ends there, then loot (N-R21, N-R58)."""
        self.space[seat] = space
        if by_die:
            self.move_entered.append(space)
        if reaches_go and space == self.components.go:
            self.reach_go(seat, by_die=by_die)
        self.pick_up_loot(seat, [self.dropped[space]])

    def reach_go(self, seat: int, *, by_die: bool) -> None:
        """Collect at GO, unless the Storm has it; a Storm card is due (N-R13, N-R21, N-R22)."""
        if not by_die and self.reads("bouncer_go", "nothing"):
            return
        if not self.stormed[self.components.go]:
            self.collect(seat, self.number("go_bonus"), Source.GO)
        if by_die or seat == self.active or self.reads("bouncer_go", "bonus_and_card"):
            self.is_go_card_due[seat] = True

    def land(self, seat: int, *, by_die: bool) -> None:
        """Follow the rules of the space where one landed (N-R11, N-R44)."""
        space = self.space[seat]
        kind = self.kind(space)
        if kind == "go_to_jail":
            self.land_on_go_to_jail(seat, by_die=by_die)
        elif self.stormed[space]:
            self.pay(seat, self.cost_of_storm(space), Source.STORM)
        elif kind == "location":
            self.land_on_location(seat, self.components.board[space].location)
        elif kind == "campfire":
            self.collect(seat, self.number("campfire_heal"), Source.CAMPFIRE)  # N-R24
        elif kind == "trap":
            self.pay(seat, self.components.board[space].amount, Source.TRAP)  # N-R25
        elif kind == "chest":
            self.draw_loot(seat)

    def cost_of_storm(self, space: int) -> int:
        """Return what a lander pays on a stormed space (N-R18, N-R43)."""
        kind = self.kind(space)
        if kind == "location":
            return self.components.locations[self.components.board[space].location].storm_cost
        if kind == "go" and self.reads("go_storm", "free"):
            return 0
        if kind == "jail" and self.reads("jail_scope", "in_jail_only"):
            return 0
        return self.number("storm_loss")

    def land_on_location(self, seat: int, location: int) -> None:
        """Claim, pay the Bank, or collect for a whole set (N-R15 to N-R17, N-R20)."""
        owner = self.owner[location]
        if owner == NOBODY:
            self.claim(seat, location)
        elif owner == seat:
            self.collect_set_bonus(seat, location)
        else:
            self.pay(seat, self.components.locations[location].cost, Source.TOLL)

    def claim(self, seat: int, location: int) -> None:
        """Claim an unclaimed location for free (N-R15)."""
        if self.reads("claim", "optional") and self.ask("CLAIM", seat, [LEAVE, CLAIM]) == LEAVE:
            return
        self.owner[location] = seat
        self.record(Event.CLAIM, seat, location)
        if self.reads("set_on_claim", "bonus"):
            self.collect_set_bonus(seat, location)

    def collect_set_bonus(self, seat: int, location: int) -> None:
        """Collect for owning both locations of a colour set (N-R16)."""
        if not self.has_set(seat, self.set_of(location)):
            return
        if self.reads("set_bonus_duty", "optional") and self.ask("SET_BONUS", seat, [DECLINE, COLLECT]) == DECLINE:
            return
        self.collect(seat, self.number("set_bonus"), Source.SET_BONUS)

    def land_on_go_to_jail(self, seat: int, *, by_die: bool) -> None:
        """Go to Jail and draw a Storm card, or lose HP if the Storm has the space (N-R28 to N-R30)."""
        here_stormed = self.stormed[self.space[seat]]
        jail_stormed = self.stormed[self.components.jail]
        speaks_of_jail = self.reads("jail_storm_space", "jail_space")
        is_case = jail_stormed and not here_stormed if speaks_of_jail else here_stormed  # of N-R30
        if here_stormed and not is_case:
            self.pay(seat, self.number("storm_loss"), Source.STORM)
            return
        jumps = not is_case or self.jumps_in_storm()
        draws = not is_case or self.draws_in_storm()
        if jumps:
            self.jump_to_jail(seat, by_die=by_die)
        if is_case or jail_stormed:
            self.pay(seat, self.number("storm_loss"), Source.STORM)
        if not self.living[seat]:
            return
        stays_free = here_stormed or (jail_stormed and self.reads("jail_in_storm", "not_jailed"))
        if jumps and not stays_free:
            self.put_in_jail(seat)
        if draws:
            self.draw_card_of_go_to_jail(seat)

    def jumps_in_storm(self) -> bool:
        """Tell whether the pawn moves in the case of N-R30 (N-JAIL-STORM-MOVE)."""
        if self.reads("jail_storm_move", "by_space"):
            return self.reads("jail_storm_space", "jail_space")
        return self.reads("jail_storm_move", "moves")

    def draws_in_storm(self) -> bool:
        """Tell whether a Storm card is drawn in the case of N-R30 (N-JAIL-STORM-DRAW)."""
        if self.reads("jail_storm_draw", "by_space"):
            return self.reads("jail_storm_space", "jail_space")
        return self.reads("jail_storm_draw", "draw")

    def jump_to_jail(self, seat: int, *, by_die: bool) -> None:
        """Move to the Jail corner at once, past nothing (N-R28)."""
        jail, left = self.components.jail, self.space[seat]
        self.record(Event.MOVE, seat, left, jail)
        self.leave_wall(left)
        self.space[seat] = jail
        if by_die:
            self.has_jumped_in_move = True
        self.pick_up_loot(seat, [self.dropped[jail], self.dropped_in_cell])
        if self.walls[jail]:
            self.reach_wall(seat, jail)

    def put_in_jail(self, seat: int) -> None:
        """Put a seat in Jail; its turn may be over (N-GTJ-ENDS-TURN)."""
        self.jailed[seat] = True
        self.tries[seat] = 0
        self.record(Event.JAILED, seat)
        if seat == self.active and self.reads("go_to_jail_turn", "turn_ends"):
            self.is_turn_over = True

    def free(self, seat: int, how: Freed) -> None:
        """Let a seat out of Jail."""
        self.jailed[seat] = False
        self.tries[seat] = 0
        self.record(Event.FREED, seat, how)

    def draw_card_of_go_to_jail(self, seat: int) -> None:
        """Draw the Storm card of Go to Jail, now or at the end of the turn (N-R29, N-GTJ-DRAW-TIMING)."""
        if seat == self.active and self.reads("jail_draw_timing", "end_of_turn"):
            self.n_jail_cards_due += 1
        else:
            self.draw_storm_card(seat)

    def draw_storm_card(self, seat: int) -> None:
        """Turn over the top Storm card and do what it says (N-R13, N-R29)."""
        may_refill = self.reads("storm_empty", "reshuffle")
        while True:
            if not self.storm_deck and may_refill:
                may_refill = False
                self.shuffle_storm_cards(self.storm_out)
                self.storm_out.clear()
            if not self.storm_deck:
                return
            card = self.storm_deck.pop(0)
            self.record(Event.STORM_CARD, seat, card)
            if self.do_storm_card(seat, card) or self.reads("storm_none", "skip"):
                return

    def shuffle_storm_cards(self, cards: set[int]) -> None:
        """Make a new Storm deck of some cards."""
        if not cards:
            return
        self.n_reshuffles += 1
        self.storm_deck = [card for card in self.order("STORM", self.n_reshuffles) if card in cards]

    def do_storm_card(self, seat: int, card: int) -> bool:
        """Do what a Storm card says, and tell whether it found what it speaks of."""
        effect = self.components.storm[card]
        if effect == "dice":
            self.everyone_rolls(seat, card)
            return True
        if effect == "blank":
            self.storm_out.add(card)
            return True
        spaces = self.spaces_for_storm(seat, effect)
        if not spaces:
            self.storm_out.add(card)
            return False
        space = self.ask("STORM_SPACE", seat, spaces)
        if self.kind(space) == "location":
            self.storm_out.add(card)
        self.storm_takes(space)
        return True

    def everyone_rolls(self, drawer: int, card: int) -> None:
        """Have everyone roll the numbered die and lose as much (N-STORM-DICE)."""
        if self.reads("storm_dice", "blank"):
            self.storm_out.add(card)
            return
        if self.reads("storm_dice", "reshuffle"):
            self.shuffle_storm_cards({card, *self.storm_deck})
        else:
            self.storm_deck.append(card)
        amounts = {}
        for seat in self.seats_from(drawer):
            amounts[seat] = self.roll("STORM_DIE", seat, self.n_dice_cards)
            self.record(Event.TABLE_ROLL, seat, amounts[seat])
        self.n_dice_cards += 1
        self.pay_all_at_once(amounts, Source.STORM_CARD)

    def spaces_for_storm(self, drawer: int, effect: str) -> list[int]:
        """Return the spaces that a Storm card may take, ascending."""
        if effect not in {"location", "own_location", "highest", "lowest"}:
            spaces = range(len(self.components.board))
            return [space for space in spaces if self.kind(space) == effect and not self.stormed[space]]
        locations = [
            location
            for location in range(len(self.owner))
            if location in self.components.space_of
            and not self.stormed[self.components.space_of[location]]
            and (self.owner[location] == NOBODY or not self.reads("storm_claimed", "unclaimed_only"))
        ]
        if effect == "own_location":
            locations = [location for location in locations if self.owner[location] == drawer] or locations
        elif effect in {"highest", "lowest"} and locations:
            locations = self.extreme(locations, effect)
        return sorted(self.components.space_of[location] for location in locations)

    def extreme(self, locations: list[int], effect: str) -> list[int]:
        """Return the highest or lowest valued locations (N-VALUE-TIE)."""
        costs = [self.components.locations[location].cost for location in locations]
        extreme = max(costs) if effect == "highest" else min(costs)
        tied = [location for location, cost in zip(locations, costs, strict=True) if cost == extreme]
        if self.reads("value_tie", "drawer"):
            return tied
        by_space = sorted(tied, key=self.components.space_of.__getitem__)
        return by_space[-1:] if effect == "highest" else by_space[:1]

    def storm_takes(self, space: int) -> None:
        """Let the Storm take a space; nobody on it loses anything (N-R36, N-R42, N-R46)."""
        location = self.components.board[space].location
        owner = NOBODY if location == NOBODY else self.owner[location]
        self.stormed[space] = True
        self.record(Event.STORM, owner, space, 0)
        if owner != NOBODY and self.reads("storm_claimed", "owner_loses"):
            self.owner[location] = NOBODY
        if space == self.components.jail:
            for seat in range(self.n_seats):
                if self.jailed[seat]:
                    self.free(seat, Freed.STORM)
