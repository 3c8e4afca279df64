"""A playout of `fortnite`: set it up, then turn after turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.referees.fortnite.action_die import use_action_die
from tests.referees.fortnite.deals import make_deals
from tests.referees.fortnite.health import end, pay
from tests.referees.fortnite.items import play_items
from tests.referees.fortnite.pieces import Player
from tests.referees.fortnite.spaces import move_by_numbered_die
from tests.referees.fortnite.storm import draw_storm_card, leave_jail
from tests.referees.fortnite.table import Choose, Draw, Order, PlayoutOver, Table, Told, Turn
from tests.referees.fortnite.walls import take_wall
from tests.referees.fortnite.words import (
    ACTION_FIRST,
    FACES,
    LEAVE_JAIL,
    NUMBER_FIRST,
    PAY,
    ROLL,
    STAY,
    Down,
    Ending,
    Event,
    Freed,
    Source,
)

Grant = tuple[str, int, int]


@dataclass
class Verdict:
    """What the referee says of one playout."""

    events: list[Told]
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
    return play(Table(ruleset, n_seats, draw, order, choose), grants)


def play(table: Table, grants: Sequence[Grant] = (), after_turn: Callable[[Table], None] | None = None) -> Verdict:
    """Play at a table until the playout ends; whoever wants to may look at it after each turn."""
    try:
        player = set_up(table, grants)
        while True:
            if table.n_turns >= table.number("turn_limit"):
                end(table, Ending.TURN_LIMIT, [])
            take_turn(table, player)
            if after_turn is not None:
                after_turn(table)
            player = table.others(player)[0]  # play continues to the left (N-R7)
    except PlayoutOver:
        hp = [player.hp for player in table.players]
        return Verdict(table.told, table.payoff, table.termination, hp, table.n_turns)


def set_up(table: Table, grants: Sequence[Grant]) -> Player:
    """Shuffle the cards, roll for the first choice, place the characters; return who goes first (N-R2 to N-R9)."""
    table.storm_deck = list(table.order("STORM", 0))
    table.loot_deck = [table.box.items[number] for number in table.order("LOOT", 0)]
    for player in table.players:
        for _, number, chair in grants:
            if chair == player.chair:
                item = table.box.items[number]
                table.loot_deck.remove(item)
                player.items.append(item)
                table.tell(Event.DEAL, player, number)
    first = highest_roller(table)
    for player in table.players_from(first):
        place_character(table, player)
    return first


def highest_roller(table: Table) -> Player:
    """Return who rolls highest; a tie is rolled off, or goes by the chairs (N-R6, N-TIE-START)."""
    rollers, n_rolls = table.players, 0
    is_rolled_off = table.reads("tie_start", "reroll") and table.number("number_die_faces") > 1
    while True:
        results = []
        for player in rollers:
            table.turn = Turn(player)
            results.append(table.roll_numbered_die("SEAT_ROLL", player, n_rolls))
            table.tell(Event.START_ROLL, player, results[-1], n_rolls)
        rollers = [player for player, result in zip(rollers, results, strict=True) if result == max(results)]
        if len(rollers) == 1 or not is_rolled_off:
            return rollers[0]
        n_rolls += 1


def place_character(table: Table, player: Player) -> None:
    """Choose where to start; nothing is carried out there (N-R6, N-R8, N-START-SPACE)."""
    choices = table.board
    if table.reads("placement", "all_on_go"):
        choices = [table.go]
    elif table.reads("placement", "random"):
        choices = [table.board[table.draw("PLACEMENT", player.chair, 0, player.chair, len(table.board))]]
    elif table.reads("placement", "locations_only"):
        choices = [square for square in table.board if square.location is not None]
    player.square = table.ask_square("START_SPACE", player, choices)
    table.tell(Event.PLACED, player, player.square.number)


def take_turn(table: Table, player: Player) -> None:
    """Take a turn (N-R10 to N-R14)."""
    begin_turn(table, player)
    start_and_roll(table, player)
    draw_due_cards(table, player)
    if table.reads("end_cards", "turn_goes_on") and may_go_on(table):
        open_window(table, player)
        draw_due_cards(table, player)


def begin_turn(table: Table, player: Player) -> None:
    """Count the turn; a wall that stopped this character may go only now (N-WALL-STOP-PROTECT)."""
    table.turn = Turn(player)
    table.n_turns += 1
    player.n_turns += 1
    for other in table.players:
        other.times_at_go = 0
    table.tell(Event.TURN, player, player.n_turns)
    if player.stopped_on is not None:
        take_wall(table, player.stopped_on, Down.AFTER_STOP)
        player.stopped_on = None


def may_go_on(table: Table) -> bool:
    """Tell whether who has the turn can do more in it."""
    return table.turn.player.is_in_game and not table.turn.is_over


def open_window(table: Table, player: Player, *, is_first: bool = False) -> None:
    """Trade, then play items: between any two things of a turn (N-R14, N-R40)."""
    if may_go_on(table) and (is_first or table.reads("trade_moments", "any_time")):
        make_deals(table, player)
    play_items(table, player)


def start_and_roll(table: Table, player: Player) -> None:
    """Do what comes before the roll, roll both dice, use them in any order."""
    open_window(table, player, is_first=True)
    rolled = 0
    if may_go_on(table) and player.in_jail:
        if table.turn.was_sent_to_jail and table.reads("jailed_before_roll", "turn_over"):
            table.turn.is_over = True
        else:
            rolled = get_out_of_jail(table, player)
    if not may_go_on(table):
        return
    if rolled == 0:
        rolled = table.roll_numbered_die("NUMBER_DIE", player)
    faces = table.box.action_die
    face = faces[table.draw("ACTION_DIE", player.chair, player.n_turns, player.chair, len(faces))]
    table.tell(Event.ROLL, player, rolled, FACES.index(face))
    open_window(table, player)
    if may_go_on(table):
        use_both_dice(table, player, rolled, face)


def use_both_dice(table: Table, player: Player, rolled: int, face: str) -> None:
    """Move, and carry out the action, in any order (N-R10); a Brick comes after the move (N-R56, N-BRICK-ORDER)."""
    has_choice = face != "blank" and not (face == "brick" and table.reads("brick_order", "move_first"))
    order = table.ask("ORDER", player, [NUMBER_FIRST, ACTION_FIRST]) if has_choice else NUMBER_FIRST
    for is_move in (order == NUMBER_FIRST, order == ACTION_FIRST):
        if not may_go_on(table):
            return
        if not is_move:
            use_action_die(table, player, face, rolled)
        else:
            table.turn.is_number_die_used = True
            if not player.in_jail:
                move_by_numbered_die(table, player, rolled)
        open_window(table, player)


def get_out_of_jail(table: Table, player: Player) -> int:
    """Pay, roll for it, or leave for free after the last failed roll (N-R32 to N-R35).

    Returns:
        The number that was rolled for it if it is the one to move by, else 0 (N-JAIL-6-REROLL).

    """
    if player.failed_rolls >= table.number("jail_tries"):
        if table.reads("jail_stay", "may_stay") and table.ask("JAIL", player, [LEAVE_JAIL, STAY]) == STAY:
            table.turn.is_over = True
        else:
            leave_jail(table, player, Freed.LAST_TRY)
        return 0
    if table.ask("JAIL", player, [PAY, ROLL] if may_pay(table, player) else [ROLL]) == PAY:
        pay(table, player, table.number("jail_cost"), Source.JAIL)
        if player.is_in_game:
            leave_jail(table, player, Freed.PAID)
        return 0
    rolled = table.roll_numbered_die("JAIL_DIE", player)
    table.tell(Event.JAIL_ROLL, player, rolled)
    if rolled < table.number("jail_roll"):
        player.failed_rolls += 1
        table.turn.is_over = True  # N-R34
        return 0
    leave_jail(table, player, Freed.SIX)
    return rolled if table.reads("jail_six", "move_six") else 0


def may_pay(table: Table, player: Player) -> bool:
    """Tell whether a player may pay to get out (N-R32, N-JAIL-PAY-LATER, F-JAIL-PAY-LAST)."""
    if player.failed_rolls > 0 and table.reads("jail_pay_later", "first_turn_only"):
        return False
    left = player.hp - table.number("jail_cost")
    return left > 0 or (left == 0 and table.reads("jail_pay_last", "fatal_allowed"))


def draw_due_cards(table: Table, player: Player) -> None:
    """Draw the Storm cards of the end of a turn: Go to Jail's, then GO's (N-R13, N-R29)."""
    while table.turn.n_jail_cards_due:
        table.turn.n_jail_cards_due -= 1
        if player.is_in_game:
            draw_storm_card(table, player)
    chairs = [*range(player.chair, len(table.players)), *range(player.chair)]
    for passer in [table.players[chair] for chair in chairs]:
        times = passer.times_at_go if table.reads("go_cards", "each") else min(1, passer.times_at_go)
        passer.times_at_go = 0
        for _ in range(times):
            if passer.is_in_game:
                draw_storm_card(table, passer)
            elif table.reads("go_draw_dead", "draw"):
                draw_storm_card(table, table.others(passer)[0])
