"""A playout of `flip` told in plain sentences, from its events and the names of the components."""

from collections.abc import Callable, Iterable

from tests.referees.flip_components import Components
from tests.referees.flip_words import (
    DECISIONS,
    FIRST_CARD,
    NONE,
    STEPS_PER_SEAT,
    SYMBOLS,
    Ending,
    Event,
    Source,
)
from tests.referees.table import NOBODY, EventRow

SOURCE_WORDS = {
    Source.GO: "at GO",
    Source.STORM: "to the Storm",
    Source.TOLL: "as the toll",
    Source.SET_BONUS: "for the whole colour set",
    Source.CAMPFIRE: "at the Cozy Campfire",
    Source.TRAP: "in the Damage Trap",
    Source.MED_MIST: "by Med Mist",
    Source.CROSSHAIRS: "to Crosshairs",
    Source.BOOGIE_BOMB: "to the Boogie Bomb",
    Source.HONEY_HITTERS: "by Honey Hitters",
    Source.JAIL: "to leave Jail",
    Source.ITEM: "by an item",
    Source.GAME_MODE: "by the Game Mode card",
}
SYMBOL_WORDS = {
    "med_mist": "Med Mist",
    "crosshairs": "Crosshairs",
    "boogie_bomb": "Boogie Bomb",
    "storm_surge": "Storm Surge",
    "blank": "a blank",
}
KIND_WORDS = {
    "go": "GO",
    "jail": "Jail / Just Visiting",
    "free_parking": "Free Parking",
    "go_to_jail": "Go to Jail",
    "campfire": "Cozy Campfire",
    "trap": "Damage Trap",
    "chest": "Loot Chest",
    "blank": "Blank space",
}
FREED_WORDS = (
    "is out of Jail for HP",
    "is out of Jail for a six",
    "is out of Jail after the last try",
    "is out of Jail, which the Storm has taken",
    "is out of Jail by a card",
)


def narrate(events: Iterable[EventRow], components: Components, start_hp: int) -> list[str]:
    """Tell a playout: a line for each thing of the set-up, then a line for each turn."""
    return Narrator(components, start_hp).tell(events)


class Narrator:
    """Somebody who watches the table and tells what happens."""

    def __init__(self, components: Components, start_hp: int) -> None:
        self.components = components
        self.start_hp = start_hp
        self.hp: dict[int, int] = {}
        self.flipped = dict.fromkeys(components.tiles, False)
        self.active = NOBODY
        self.n_turns = 0
        self.lines: list[str] = []
        self.phrases: dict[Event, Callable[[int, int, int, int], str]] = {
            Event.DECISION: self.decision,
            Event.LOADOUT: self.loadout,
            Event.DEAL: self.deal,
            Event.START_ROLL: self.start_roll,
            Event.PLACED: self.placed,
            Event.ROLL: self.roll,
            Event.JAIL_ROLL: self.jail_roll,
            Event.TRY_ROLL: self.try_roll,
            Event.MOVE: self.move,
            Event.HP: self.hp_change,
            Event.CLAIM: self.claim,
            Event.STORM: self.storm,
            Event.FLIP: self.flip,
            Event.LOOT: self.loot,
            Event.UNDER: self.under,
            Event.PICK_UP: self.pick_up,
            Event.DROP: self.drop,
            Event.MODE: self.mode,
            Event.JAILED: self.jail,
            Event.FREED: self.freed,
            Event.USE: self.use,
            Event.SWAP: self.swap,
            Event.FALL: self.fall,
            Event.TABLE_ROLL: self.table_roll,
            Event.END: self.end,
        }

    def tell(self, events: Iterable[EventRow]) -> list[str]:
        """Return the lines."""
        for kind, seat, first, second, third in events:
            event = Event(kind)
            if event == Event.TURN:
                self.begin_turn(seat, first)
                continue
            phrase = self.phrases[event](seat, first, second, third)
            sentence = f"{self.subject(event, seat)}{phrase}."
            sentence = sentence[0].upper() + sentence[1:]
            if event == Event.END or self.active == NOBODY:
                self.lines.append(sentence)
            else:
                self.lines[-1] += f" {sentence}"
        return self.lines

    def begin_turn(self, seat: int, own_turn: int) -> None:
        """Begin a line."""
        self.active = seat
        self.n_turns += 1
        self.lines.append(f"Turn {self.n_turns}, seat {seat} (turn {own_turn} of its own):")

    def subject(self, event: Event, seat: int) -> str:
        """Name the seat, unless it is the active one or the sentence has a subject already."""
        if event in {Event.END, Event.STORM} or seat == self.active:
            return ""
        return f"seat {seat} "

    def space_name(self, space: int) -> str:
        """Name the face of a space that shows, with its number."""
        row = self.components.board[space]
        is_back = row.tile != NOBODY and self.flipped[row.tile]
        kind = row.back if is_back else row.front
        if kind == "location":
            name = self.components.locations[row.location].name
        elif is_back or not row.name or row.name == row.front:
            name = KIND_WORDS.get(kind, kind.title())
        else:
            name = row.name
        return f"{name} ({space})"

    def loot_name(self, card: int) -> str:
        """Name a loot card, with its number."""
        return f"{self.components.loot[card].name} ({card})"

    def item_name(self, item: int) -> str:
        """Name a location card or a loot card."""
        if item < FIRST_CARD:
            return self.components.locations[item].name
        return self.loot_name(item - FIRST_CARD)

    def loadout(self, _seat: int, card: int, *_: int) -> str:
        """Tell of a Loadout card."""
        return f"takes the loadout {self.components.loadouts[card].name}"

    def deal(self, seat: int, card: int, *_: int) -> str:
        """Tell of the loot card that a seat starts with."""
        self.hp[seat] = self.start_hp
        return f"is dealt {self.loot_name(card)}"

    def start_roll(self, _seat: int, number: int, *_: int) -> str:
        """Tell of a roll for the start."""
        return f"rolls {number} for the start"

    def placed(self, _seat: int, space: int, *_: int) -> str:
        """Tell where a pawn starts."""
        return f"starts on {self.space_name(space)}"

    def roll(self, _seat: int, number: int, symbol: int, *_: int) -> str:
        """Tell of both dice."""
        return f"rolls {number} and {SYMBOL_WORDS[SYMBOLS[symbol]]}"

    def jail_roll(self, _seat: int, number: int, *_: int) -> str:
        """Tell of a roll for a six."""
        return f"rolls {number} to leave Jail"

    def try_roll(self, _seat: int, symbol: int, *_: int) -> str:
        """Tell of an action die rolled in Jail."""
        return f"stays in Jail with {SYMBOL_WORDS[SYMBOLS[symbol]]}"

    def move(self, _seat: int, left: int, reached: int, *_: int) -> str:
        """Tell of a move or jump."""
        return f"moves from {self.space_name(left)} to {self.space_name(reached)}"

    def hp_change(self, seat: int, change: int, source: int, *_: int) -> str:
        """Tell of HP collected or paid."""
        self.hp[seat] = self.hp.get(seat, self.start_hp) + change
        verb = "collects" if change > 0 else "pays"
        why = SOURCE_WORDS[Source(source)]
        return f"{verb} {abs(change)} HP {why} and has {self.hp[seat]}"

    def claim(self, _seat: int, location: int, *_: int) -> str:
        """Tell of a claim."""
        return f"claims {self.components.locations[location].name}"

    def storm(self, seat: int, space: int, is_by_fall: int, *_: int) -> str:
        """Tell what the Storm takes."""
        lost = "" if seat == NOBODY or is_by_fall else f" from seat {seat}"
        return f"the Storm takes {self.space_name(space)}{lost}"

    def flip(self, _seat: int, tile: int, is_back: int, *_: int) -> str:
        """Tell which tile turns over."""
        self.flipped[tile] = bool(is_back)
        side = "other side" if is_back else "location side"
        return f"flips tile {tile} to its {side}"

    def loot(self, _seat: int, card: int, *_: int) -> str:
        """Tell of a loot card drawn."""
        return f"draws {self.loot_name(card)}"

    def under(self, _seat: int, card: int, *_: int) -> str:
        """Tell of a loot card that leaves."""
        return f"puts {self.loot_name(card)} under the loot deck"

    def pick_up(self, _seat: int, card: int, space: int, *_: int) -> str:
        """Tell of dropped loot found."""
        return f"picks up {self.loot_name(card)} on {self.space_name(space)}"

    def drop(self, _seat: int, card: int, space: int, *_: int) -> str:
        """Tell of loot dropped."""
        return f"drops {self.loot_name(card)} on {self.space_name(space)}"

    def mode(self, _seat: int, card: int, *_: int) -> str:
        """Tell of a Game Mode card."""
        return f"turns over the Game Mode card {self.components.modes[card].name} ({card})"

    def jail(self, *_: int) -> str:
        """Tell of Jail."""
        return "is in Jail"

    def freed(self, _seat: int, how: int, *_: int) -> str:
        """Tell of freedom."""
        return FREED_WORDS[how]

    def use(self, _seat: int, card: int, *_: int) -> str:
        """Tell of a loot card used."""
        return f"uses {self.loot_name(card)}"

    def swap(self, _seat: int, item: int, receiver: int, *_: int) -> str:
        """Tell of an item that changes hands."""
        return f"gives {self.item_name(item)} to seat {receiver}"

    def fall(self, _seat: int, number: int, space: int, *_: int) -> str:
        """Tell of an elimination."""
        return f"is eliminated on {self.space_name(space)} as number {number}"

    def table_roll(self, _seat: int, number: int, *_: int) -> str:
        """Tell of a roll that everybody makes."""
        return f"rolls {number}"

    def end(self, winner: int, ending: int, *_: int) -> str:
        """Tell how it ends."""
        if ending == Ending.WON:
            return f"seat {winner} wins after {self.n_turns} turns"
        if ending == Ending.DRAWN:
            return f"the last players fall together and share the win after {self.n_turns} turns"
        return f"the playout is stopped at the turn limit, after {self.n_turns} turns"

    def decision(self, _seat: int, kind: int, option: int, *_: int) -> str:
        """Tell what a seat chooses."""
        name = DECISIONS[kind]
        if name in {"JAIL", "ORDER", "CLAIM", "TRADE_ANSWER"}:
            return {
                "JAIL": ("chooses to pay in Jail", "chooses to roll in Jail"),
                "ORDER": ("chooses the number die first", "chooses the action die first"),
                "CLAIM": ("leaves the location", "chooses to claim"),
                "TRADE_ANSWER": ("refuses the trade", "accepts the trade"),
            }[name][option]
        if option == NONE:
            return f"chooses nothing {NOTHING_FOR[name]}"
        return f"chooses {self.option_name(name, option)}"

    def option_name(self, kind: str, option: int) -> str:
        """Name what is chosen."""
        if kind in {"TARGET", "HONEY_HITTERS", "PARTNER"}:
            return f"seat {option} {WHAT_FOR[kind]}"
        if kind in {"START_SPACE", "BOMB_SPACE"}:
            return f"{self.space_name(option)} {WHAT_FOR[kind]}"
        if kind == "LOADOUT":
            return f"the loadout {self.components.loadouts[option].name}"
        if kind == "STORM_LOCATION":
            return f"{self.components.locations[option].name} {WHAT_FOR[kind]}"
        if kind == "FLIP_TILE":
            return f"tile {option} {WHAT_FOR[kind]}"
        if kind == "MOVER":
            seat, steps_less_one = divmod(option, STEPS_PER_SEAT)
            return f"to move seat {seat} by {steps_less_one + 1}"
        return f"{self.item_name(option)} {WHAT_FOR[kind]}"


WHAT_FOR = {
    "START_SPACE": "to start on",
    "MODIFIER": "to modify the action",
    "TARGET": "as the target",
    "USE_ITEM": "to use",
    "BOMB_SPACE": "to bomb",
    "KEEP": "to give up",
    "DISCARD": "to discard",
    "STORM_LOCATION": "for the Storm",
    "FLIP_TILE": "to flip",
    "HONEY_HITTERS": "to take HP from",
    "PARTNER": "to trade with",
    "TAKE": "to take",
    "GIVE": "to give",
    "TRADE_WANT": "to ask for",
    "TRADE_OFFER": "to offer",
}
NOTHING_FOR = {
    "MODIFIER": "to modify the action",
    "TARGET": "to shoot at",
    "USE_ITEM": "to use",
    "DISCARD": "to discard",
    "HONEY_HITTERS": "more to take",
    "TRADE_WANT": "to ask for",
    "TRADE_OFFER": "to offer",
}
