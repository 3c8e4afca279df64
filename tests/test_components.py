"""The door of rules and components: what goes through, and what is told of what does not."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.components import ComponentError, Components, Number, Switch, nearest, renew_hashes
from sim.components.__main__ import main as vouch
from sim.components.reading import POLICY

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "sim" / "games"
FLIP = Components.load(GAMES / "flip")
RULEBOOK = (GAMES / "flip" / "RULES.md").read_text(encoding="utf-8")
PULSE_RIFLE = "cards.slones_pulse_rifle"


def faults(changes: dict[str, Any], **more: Any) -> list[str]:
    """Return the lines that are told about a set of changes."""
    with pytest.raises(ComponentError) as caught:
        FLIP.resolve(changes, **more)
    assert str(caught.value).splitlines() == list(caught.value.faults)
    return list(caught.value.faults)


def says(line: str, told: str) -> bool:
    """Tell whether a line begins as told; `...` stands for whatever is between."""
    return re.match(".*".join(map(re.escape, told.split("..."))), line) is not None


def row(table: str, key: object, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a row of a resolved table."""
    rows = FLIP.resolve(changes or {}).tables[table]
    return next(found for found in rows if found[FLIP.specs[table].key] == key)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a copy of flip whose data may be spoilt."""
    shutil.copytree(GAMES / "flip" / "data", tmp_path / "flip" / "data")
    return tmp_path / "flip"


def spoil(game: Path, name: str, old: str, new: str) -> None:
    """Replace a text that stands once in a file of a game's data."""
    path = game / "data" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def load_faults(game: Path) -> list[str]:
    """Return the lines that are told about a game's data."""
    with pytest.raises(ComponentError) as caught:
        Components.load(game)
    return list(caught.value.faults)


# what a change may be


def test_no_change_gives_the_printed_rules() -> None:
    ruleset = FLIP.resolve()
    assert ruleset == FLIP.resolve({}, "printed")
    assert ruleset.changes == {}
    assert ruleset.rules == {key: rule.default for key, rule in FLIP.rules.items()}
    assert list(ruleset.as_plain()) == ["rules", "tables"]
    assert list(ruleset.tables) == ["board", "locations", "cards", "loadouts", "modes", "action_die"]


def test_plain_data_belongs_to_its_taker_and_is_json() -> None:
    plain = FLIP.resolve().as_plain()
    assert json.loads(json.dumps(plain)) == plain
    plain["tables"]["cards"][0]["copies"] = 40
    plain["rules"]["start_hp"] = 1
    assert FLIP.resolve().as_plain() != plain


def test_a_ruleset_belongs_to_its_taker() -> None:
    FLIP.resolve().tables["cards"][0]["copies"] = 40
    assert row("cards", "slones_pulse_rifle")["copies"] == 1


@pytest.mark.parametrize("value", [20, "20", " 20", "+20", "2_0"])
def test_a_number_may_be_typed_as_text(value: object) -> None:
    assert FLIP.resolve({"hp_cap": value}).rules["hp_cap"] == 20


@pytest.mark.parametrize("name", ["amount", "damage", "heal"])
def test_an_amount_has_other_names(name: str) -> None:
    changes = {f"{PULSE_RIFLE}.{name}": 3}
    assert row("cards", "slones_pulse_rifle", changes)["amount"] == 3
    assert FLIP.resolve(changes).changes == {f"{PULSE_RIFLE}.amount": 3}


@pytest.mark.parametrize(("value", "found"), [(True, 1), (False, 0), ("true", 1), ("false", 0), ("1", 1), (0, 0)])
def test_a_yes_or_no_is_read_in_every_form(value: object, found: int) -> None:
    assert row("cards", "bush", {"cards.bush.ignores_sight": value})["ignores_sight"] == found


def test_tables_of_toml_are_dotted_keys() -> None:
    nested = {"cards": {"slones_pulse_rifle": {"damage": 3}}, "action_die": {"blank": 1, "med_mist": 1}}
    dotted = {f"{PULSE_RIFLE}.damage": 3, "action_die.blank": 1, "action_die.med_mist.copies": 1}
    assert FLIP.resolve(nested) == FLIP.resolve(dotted)


def test_the_short_form_of_a_face_is_its_copies() -> None:
    ruleset = FLIP.resolve({"action_die.crosshairs": 3, "action_die.med_mist": 1})
    assert [face["copies"] for face in ruleset.tables["action_die"]] == [1, 3, 1, 1, 0]


def test_a_cost_on_the_board_goes_to_the_location_there() -> None:
    ruleset = FLIP.resolve({"board.17.storm_cost": 5, "board.17.cost": 6})
    location = ruleset.tables["board"][17]["location"]
    assert ruleset.changes == {f"locations.{location}.storm_cost": 5, f"locations.{location}.cost": 6}
    assert ruleset.tables["locations"][location]["cost"] == 6


def test_a_cost_on_the_board_follows_the_layout_and_the_location() -> None:
    assert FLIP.resolve({"board.10.cost": 9, "layout": "ring36"}).changes["locations.4.cost"] == 9
    swapped = {"board.1.location": 1, "board.3.location": 0, "board.1.cost": 9}
    assert FLIP.resolve(swapped).changes["locations.1.cost"] == 9


def test_a_layout_picks_another_board() -> None:
    n_spaces = {layout: len(FLIP.resolve({"layout": layout}).tables["board"]) for layout in FLIP.layouts()}
    assert n_spaces == {"ring32": 32, "ring36": 36, "ring40": 40, "few_flips": 32, "one_way": 32, "flat_traps": 32}
    assert FLIP.resolve({"layout": "ring32"}).tables == FLIP.resolve().tables


def test_a_space_is_changed_on_the_chosen_board() -> None:
    ruleset = FLIP.resolve({"board.35.back": "trap", "layout": "ring36", "board.35.back_amount": 7})
    assert ruleset.tables["board"][35]["back_amount"] == 7


def test_an_empty_text_empties_an_optional_cell() -> None:
    assert row("board", 4, {"board.4.tile": 1})["tile"] == 1
    ruleset = FLIP.resolve({"board.2.tile": ""})
    assert ruleset.tables["board"][2]["tile"] is None
    assert FLIP.resolve(ruleset.changes) == ruleset


def test_a_new_card_comes_last_with_defaults_for_what_is_not_told() -> None:
    changes = {"cards.balm.effect": "heal", "cards.balm.trigger": "own_turn", "cards.balm.one_time": 1}
    cards = FLIP.resolve({**changes, "cards.balm.heal": "2"}).tables["cards"]
    assert cards[:-1] == FLIP.resolve().tables["cards"]
    assert cards[-1] == {
        "card": "balm",
        "name": "New card",
        "copies": 1,
        "effect": "heal",
        "trigger": "own_turn",
        "amount": 2,
        "ignores_sight": 0,
        "one_time": 1,
        "stored": 1,
    }


def test_new_spaces_lengthen_the_board() -> None:
    board = FLIP.resolve({"board.32.front": "campfire", "board.33.front": "blank"}).tables["board"]
    assert [space["front"] for space in board[32:]] == ["campfire", "blank"]
    assert board[33] == {
        "space": 33,
        "tile": None,
        "front": "blank",
        "front_amount": 0,
        "back": "blank",
        "back_amount": 0,
        "location": None,
        "name": "",
    }


def test_a_reading_brings_its_changes_and_gives_way_to_others() -> None:
    modes = {mode["mode"]: mode["copies"] for mode in FLIP.resolve({"storm_cards": "five"}).tables["modes"]}
    assert [modes[mode] for mode in ("storm_lowest", "storm_highest", "storm_choice", "unknown_more")] == [1, 1, 1, 2]
    assert sum(modes.values()) == sum(mode["copies"] for mode in FLIP.resolve().tables["modes"]) == 16
    assert row("modes", "storm_lowest", {"storm_cards": "five", "modes.storm_lowest.copies": 2})["copies"] == 2
    assert (
        FLIP.resolve({"modes.storm_lowest.copies": 2, "variant": "storm_cards_five"}).tables["modes"][0]["copies"] == 2
    )


def test_a_named_variant_comes_first() -> None:
    ruleset = FLIP.resolve({"variant": "pulse_rifle_damage_3", f"{PULSE_RIFLE}.ignores_sight": 0})
    assert ruleset == FLIP.resolve({f"{PULSE_RIFLE}.ignores_sight": 0}, "pulse_rifle_damage_3")
    assert ruleset.changes == {f"{PULSE_RIFLE}.amount": 3, f"{PULSE_RIFLE}.ignores_sight": 0}
    assert FLIP.resolve({"variant": "pulse_rifle_damage_3", f"{PULSE_RIFLE}.damage": 5}).changes == {
        f"{PULSE_RIFLE}.amount": 5
    }


# what is told of what does not fit


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"strat_hp": 3},
            "strat_hp: found an unknown key, expected a rule, switch or table (did you mean 'start_hp'?)",
        ),
        (
            {"card.bush.copies": 3},
            "card.bush.copies: found an unknown key, expected a rule, switch or table (did you mean 'cards'?)",
        ),
        ({"start_hp": 0}, "start_hp: found 0, expected a whole number from 1 to 65535"),
        ({"start_hp": 65536}, "start_hp: found 65536, expected a whole number from 1 to 65535"),
        ({"hp_cap": 0}, "hp_cap: found 0, expected a whole number from 1 to 65535"),
        ({"jail_cost": -1}, "jail_cost: found -1, expected a whole number from 0 to 65535"),
        ({"start_hp": 20}, "start_hp: found 20, expected at most hp_cap, which is 15"),
        ({"hp_cap": 10}, "start_hp: found 15, expected at most hp_cap, which is 10"),
        ({"start_hp": 1.5}, "start_hp: found 1.5, expected a whole number from 1 to 65535"),
        ({"start_hp": True}, "start_hp: found True, expected a whole number from 1 to 65535"),
        ({"start_hp": "many"}, "start_hp: found 'many', expected a whole number from 1 to 65535"),
        ({"start_hp": [15]}, "start_hp: found [15], expected a whole number from 1 to 65535"),
        (
            {"honey_hitters_at_cap": "bnak"},
            "honey_hitters_at_cap: found 'bnak', expected one of partial, bank, all_or_nothing (did you mean 'bank'?)",
        ),
        ({"honey_hitters_at_cap": 1}, "honey_hitters_at_cap: found 1, expected one of partial, bank, all_or_nothing"),
        (
            {"cards.slones_pulse_rifl.damage": 3},
            "cards.slones_pulse_rifl: found no such card (did you mean 'slones_pulse_rifle'?)...needs effect, trigger",
        ),
        (
            {"cards.Bush.copies": 1},
            "cards.Bush.copies: found 'Bush', expected a name of small letters... (did you mean 'bush'?)",
        ),
        (
            {"cards.bush.amont": 2},
            "cards.bush.amont: found 'amont', expected a column: one of name, ... (did you mean 'amount'?)",
        ),
        ({"cards.bush": 2}, "cards.bush: found no column, expected cards.CARD.COLUMN"),
        ({"cards": 2}, "cards: found no column, expected cards.CARD.COLUMN"),
        ({"cards.bush.copies": -1}, "cards.bush.copies: found -1, expected a whole number from 0 to 46"),
        ({"cards.bush.copies": ""}, "cards.bush.copies: found nothing, expected a whole number from 0 to 46"),
        ({"cards.bush.name": 3}, "cards.bush.name: found 3, expected text"),
        (
            {"loadouts.placebo.effect": "blnk"},
            "loadouts.placebo.effect: found 'blnk', expected one of blank, ... (did you mean 'blank'?)",
        ),
        (
            {f"{PULSE_RIFLE}.damage": 3, f"{PULSE_RIFLE}.amount": 2},
            f"{PULSE_RIFLE}.amount: found 2, but {PULSE_RIFLE}.amount is also 3",
        ),
        (
            {f"{PULSE_RIFLE}.trigger": "med_mist"},
            f"{PULSE_RIFLE}.trigger: found 'med_mist', expected one of crosshairs with effect damage",
        ),
        (
            {"cards.bouncer.amount": 9},
            "cards.bouncer.amount: found 9, expected a whole number from 1 to 8 with effect mover",
        ),
        (
            {"action_die.crosshairs": 3},
            "action_die: found 7 copies in all (med_mist 2, crosshairs 3, boogie_bomb 1, storm_surge 1), expected 6",
        ),
        (
            {"action_die.crosshair": 3},
            "action_die.crosshair: found 'crosshair', expected one of ... (did you mean 'crosshairs'?)",
        ),
        ({"board.99.front": "blank"}, "board.99.front: found '99', expected a whole number from 0 to 39"),
        ({"board.35.front": "blank"}, "board: found space 35 after 32 others, expected 32"),
        (
            {"board.4.space": 3},
            "board.4.space: found 'space', expected a column: one of tile, ..., storm_cost",
        ),
        (
            {"board.2.cost": 3},
            "board.2.cost: found no location there, expected a space with one: 1, 3, 5, ..., 31",
        ),
        (
            {"board.2.front": "location"},
            "board.2.location: found nothing, expected a location, since front is location",
        ),
        ({"board.1.front": "campfire"}, "board.1.location: found 0, expected nothing, since front is campfire"),
        ({"board.1.location": 1}, "board: found location 0 at nowhere, expected it at one space"),
        ({"board.16.front": "jail"}, "board: found front jail at 2 rows, expected it at 1"),
        (
            {"board.3.back": "location"},
            "board.3.back: found 'location', expected one of flip, wall, campfire, trap, chest, blank",
        ),
        (
            {"layout": "ring34"},
            "layout: found 'ring34', expected one of ring32, ..., flat_traps (did you mean 'ring40'?)",
        ),
        (
            {"variant": "modes_mid"},
            f"variant: found 'modes_mid', expected one of {len(FLIP.variants)} names (did you mean 'modes_mild'?)",
        ),
        ({"modes.unknown.copies": 56}, "modes: found 64 copies in all"),
        ({"cards.placebo.copies": 31}, "cards: found 47 copies in all"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_does_not_fit_is_told_in_one_line(changes: dict[str, Any], told: str) -> None:
    assert says(faults(changes, where="--set")[0], f"--set: {told}")


def test_all_faults_are_told_at_once() -> None:
    found = faults({"variant": "nothing_like_it", "layout": "x", "start_hp": 0, "cards.bush.amont": 2, "claim": "no"})
    assert [line.split(": ")[1] for line in found] == ["variant", "layout", "start_hp", "cards.bush.amont", "claim"]


def test_too_many_kinds_of_cards_are_refused() -> None:
    new = {f"cards.new_{n}.{column}": value for n in range(48) for column, value in PLACEBO.items()}
    assert faults(new) == ["changes: cards: found 65 rows, expected 0 to 64"]


PLACEBO = {"effect": "blank", "trigger": "passive", "copies": 0}


def test_a_fault_in_a_named_variant_names_its_file(game: Path) -> None:
    rest = "\n\n[pulse_rifle_sight_and_damage_2]"
    spoil(game, "variants.toml", f"damage = 2{rest}", f"damag = 2{rest}")
    components = Components.load(game)
    with pytest.raises(ComponentError, match=r"variants\.toml: pulse_rifle_damage_2: .*damag: .*did you mean 'damage'"):
        components.resolve({}, "pulse_rifle_damage_2")


def test_a_hint_is_given_only_for_what_is_alike() -> None:
    assert nearest("bsh", ["bush", "clinger"]) == " (did you mean 'bush'?)"
    assert nearest("xylophone", ["bush", "clinger"]) == ""


# data files that are not as they must be


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("rules.toml", "[start_hp]\ndefault = 15", "[start_hp\ndefault = 15", "rules.toml: is no whole TOML file: "),
        (
            "rules.toml",
            "[start_hp]\ndefault = 15",
            "[start_hp]\ndefault = 0",
            "rules.toml: start_hp: found the default 0, expected 1 to 65535",
        ),
        (
            "rules.toml",
            "[start_hp]\ndefault = 15",
            '[start_hp]\ndefault = "15"',
            "rules.toml: start_hp.default: found '15', expected a valid integer",
        ),
        (
            "rules.toml",
            "[start_hp]\n",
            "[start_hp]\ndefalt = 3\n",
            "rules.toml: start_hp.defalt: found 'defalt', expected a field: one of ... (did you mean 'default'?)",
        ),
        (
            "rules.toml",
            "[start_hp]\ndefault = 15\n",
            "[start_hp]\n",
            "rules.toml: start_hp.default: found nothing, expected a value",
        ),
        (
            "rules.toml",
            'at_most = "hp_cap"',
            'at_most = "hp_cup"',
            "rules.toml: start_hp.at_most: found 'hp_cup', expected a number: ... (did you mean 'hp_cap'?)",
        ),
        (
            "rules.toml",
            "low = 0\nhigh = 4\n",
            "",
            "rules.toml: corner_storm_cost: found an assumed number without low and high, expected both",
        ),
        (
            "rules.toml",
            "low = 0\nhigh = 4\n",
            "low = 3\nhigh = 4\n",
            "rules.toml: corner_storm_cost: found low 3 and high 4, expected them round 2",
        ),
        (
            "rules.toml",
            'default = "partial"',
            'default = "bank"',
            "rules.toml: honey_hitters_at_cap: found the default 'bank', expected 'partial', the first",
        ),
        (
            "rules.toml",
            "[claim.reading_means]\nmandatory =",
            "[claim.reading_means]\nmandtory =",
            "rules.toml: claim: found meanings of mandtory, optional, expected them of mandatory, optional",
        ),
        (
            "rules.toml",
            "[storm_cards.changes.five]",
            "[storm_cards.changes.six]",
            "rules.toml: storm_cards: found changes of six, which is no reading",
        ),
        (
            "rules.toml",
            "[start_hp]",
            "[Start_HP]",
            "rules.toml: Start_HP: expected a name of small letters, digits and underscores",
        ),
        (
            "tables.toml",
            'short = "copies"',
            'short = "copis"',
            "tables.toml: action_die: found copis, expected columns of the table",
        ),
        (
            "tables.toml",
            'alternatives = ["loot_fill_blank"]',
            'alternatives = ["loot_fill"]',
            "tables.toml: cards.alternatives: found no variant loot_fill",
        ),
        (
            "variants.toml",
            "[ring36]",
            '[claim_optional]\nsays = "x"\n[ring36]',
            "variants.toml: claim_optional: is there without being written",
        ),
        ("cards.csv", "Bush,1", "Bush,2", "cards.csv: changed since it was checked on "),
        ("SOURCES.toml", "[cards]", "[crads]", "cards.csv: has no entry [cards] in SOURCES.toml"),
    ],
)
def test_a_broken_file_is_told_with_its_place(game: Path, name: str, old: str, new: str, told: str) -> None:
    spoil(game, name, old, new)
    assert says(load_faults(game)[0], told)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (
            "cards.csv",
            "Bush,1,bush",
            "Bush,1,bsh",
            "cards.csv: line 7: bush.effect: found 'bsh', expected one of blank, damage",
        ),
        (
            "cards.csv",
            "Bush,1",
            "Bush,one",
            "cards.csv: line 7: bush.copies: found 'one', expected a whole number from 0 to 46",
        ),
        ("cards.csv", "Bush,1", "Bush,1,1", "cards.csv: line 7: has more or fewer cells than the header"),
        (
            "cards.csv",
            "stored,",
            "strored,",
            "cards.csv: found 'strored', expected a column: one of 15 names (did you mean 'stored'?)",
        ),
        ("cards.csv", "bush,Bush", "pizza_party,Bush", "cards.csv: cards.pizza_party: stands there 2 times"),
        ("modes.csv", "1,3\n", ",\n", "modes.csv: line 7: forced_trade: is assumed without a range; fill low/high"),
        ("modes.csv", "1,3\n", "2,3\n", "modes.csv: line 7: forced_trade: found low 2, high 3, expected both round 1"),
        (
            "modes.csv",
            "S000 for the card; copies fact sheet 2.6,1,3",
            ",1,3",
            "modes.csv: line 7: forced_trade.source: found nothing, expected text",
        ),
        ("action_die.csv", "med_mist,2", "med_mist,3", "action_die.csv: action_die: found 7 copies in all"),
    ],
)
def test_a_broken_table_is_told_with_its_line(game: Path, name: str, old: str, new: str, told: str) -> None:
    spoil(game, name, old, new)
    renew_hashes(game)
    assert says(load_faults(game)[0], told)


def test_files_that_cannot_be_read_are_told(game: Path) -> None:
    (game / "data" / "cards.csv").unlink()
    (game / "data" / "board.csv").unlink()
    assert [line.partition(":")[0] for line in load_faults(game)] == ["board.csv", "cards.csv"]
    (game / "data" / "rules.toml").write_bytes(b"\xff")
    assert load_faults(game) == ["rules.toml: found bytes that are no UTF-8 text"]
    (game / "data" / "rules.toml").unlink()
    assert load_faults(game) == ["rules.toml: cannot be read: No such file or directory"]
    assert load_faults(game / "nowhere") == ["rules.toml: cannot be read: No such file or directory"]


def test_line_ends_of_other_systems_leave_the_hash_alone(game: Path) -> None:
    path = game / "data" / "cards.csv"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert Components.load(game).resolve() == FLIP.resolve()


def test_a_changed_table_is_vouched_for_by_a_command(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(game, "cards.csv", "Med Kit (placeholder),1,heal,own_turn,5", "Med Kit (placeholder),1,heal,own_turn,6")
    assert vouch([str(game)]) == 0
    assert "cards.csv renewed" in capsys.readouterr().out
    cards = {card["card"]: card["amount"] for card in Components.load(game).resolve().tables["cards"]}
    assert cards["med_kit"] == 6
    assert vouch([str(game)]) == 0
    assert "nothing renewed" in capsys.readouterr().out
    spoil(game, "cards.csv", "Bush,1", "Bush,two")
    assert vouch([str(game)]) == 1
    assert "bush.copies: found 'two'" in capsys.readouterr().err
    assert vouch([]) == 2


def test_what_was_read_is_read_again_when_a_file_changes(game: Path) -> None:
    first = Components.load(game)
    assert Components.load(game) is first
    spoil(game, "rules.toml", "[start_hp]\ndefault = 15", "[start_hp]\ndefault = 14")
    assert Components.load(game).resolve().rules["start_hp"] == 14


# what ships


@pytest.mark.parametrize("name", sorted(path.parent.parent.name for path in GAMES.glob("*/data/rules.toml")))
def test_every_game_and_each_of_its_variants_resolves(name: str) -> None:
    components = Components.load(GAMES / name)
    rulesets = {variant: components.resolve({}, variant) for variant in components.variants}
    printed = rulesets.pop("printed")
    for variant, ruleset in rulesets.items():
        assert components.resolve(ruleset.changes) == ruleset
        assert variant == "die_2211" or ruleset.as_plain() != printed.as_plain(), f"{variant} changes nothing"


def test_every_other_reading_and_layout_is_a_variant() -> None:
    for key, rule in FLIP.rules.items():
        if isinstance(rule, Switch):
            for reading in rule.readings[1:]:
                assert FLIP.resolve({}, f"{key}_{reading}").rules[key] == reading
    for layout in list(FLIP.layouts())[1:]:
        assert FLIP.resolve({}, layout) == FLIP.resolve({"layout": layout})


def test_switches_are_those_of_the_rulebook() -> None:
    section = RULEBOOK.partition("## 2.")[2].partition("## 3.")[0]
    found = {
        key: (fact if fact.startswith("F-") else "", tuple(re.findall(r"`(\w+)`", readings)))
        for key, fact, readings in re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|", section, re.MULTILINE)
    }
    switches = {key: rule for key, rule in FLIP.rules.items() if isinstance(rule, Switch)}
    assert found == {key: (switch.fact, switch.readings) for key, switch in switches.items()}


def test_numbers_are_those_of_the_rulebook() -> None:
    section = RULEBOOK.partition("Numbers (`data/rules.toml`)")[2].partition("Tables (`data/tables.toml`")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) to `?(\w+)`? \|", section, re.MULTILINE)
    found = {key: (int(default), int(least), most) for key, default, least, most in rows}
    numbers = {key: rule for key, rule in FLIP.rules.items() if isinstance(rule, Number) and "." not in key}
    assert found == {key: (one.default, one.range[0], one.at_most or str(one.range[1])) for key, one in numbers.items()}


def test_rules_cite_rules_that_exist() -> None:
    listed = set(re.findall(r"^- (F-R\d+) ", RULEBOOK, re.MULTILINE))
    for key, rule in FLIP.rules.items():
        if key.startswith(f"{POLICY}."):
            assert not rule.rules, f"{key} is an opinion, not a rule"
            continue
        assert rule.rules, f"{key} cites no rule"
        assert set(rule.rules) <= listed, key


def test_columns_and_names_of_tables_are_those_of_the_rulebook() -> None:
    section = RULEBOOK.partition("## 3.")[2].partition("## 4.")[0]
    words = set(re.findall(r"`(\w+)`", section))
    for table, spec in FLIP.specs.items():
        assert set(spec.columns) <= words, table
        for column, description in spec.columns.items():
            names = set(description.names) - {"passive", "own_turn"}  # triggers that are no symbols
            assert names <= words, f"{table}.{column}: {names - words}"


def test_each_assumed_value_has_a_range_or_alternatives() -> None:
    assumed = FLIP.assumed()
    assert {row["key"] for row in assumed} >= {
        "trade",
        "corner_storm_cost",
        "cards.mk_seven.amount",
        "locations.9.cost",
    }
    for row in assumed:
        if row["low"] is None:
            assert row["alternatives"], row["key"]
            assert set(row["alternatives"]) <= set(FLIP.variants)
        else:
            assert row["low"] <= row["default"] <= row["high"], row["key"]


def test_each_end_of_an_assumed_range_is_allowed() -> None:
    for row in FLIP.assumed():
        if row["low"] is None or row["key"].startswith("action_die."):
            continue  # a face more is another one less
        for value in (row["low"], row["high"]):
            assert FLIP.resolve({row["key"]: value}).changes == {row["key"]: value}


def test_the_ten_splits_of_the_action_die_are_all_there() -> None:
    splits = [
        tuple(face["copies"] for face in FLIP.resolve({}, variant).tables["action_die"])
        for variant in FLIP.variants
        if variant.startswith("die_")
    ]
    assert len(set(splits)) == len(splits) == 10
    assert all(sum(split) == 6 and min(split[:4]) == 1 for split in splits)


@pytest.mark.parametrize("layout", FLIP.layouts())
def test_boards_have_four_corners_eight_tiles_and_sixteen_locations(layout: str) -> None:
    board = FLIP.resolve({"layout": layout}).tables["board"]
    corners = {space["front"]: space["space"] for space in board if space["space"] % (len(board) // 4) == 0}
    assert list(corners) == ["go", "jail", "free_parking", "go_to_jail"]
    for tile in range(8):
        spaces = [space for space in board if space["tile"] == tile]
        assert [space["location"] for space in spaces if space["front"] == "location"] == [2 * tile, 2 * tile + 1]
        assert spaces[-1]["space"] - spaces[0]["space"] == len(spaces) - 1


def test_descriptions_have_a_row_per_rule_and_thing() -> None:
    rules = FLIP.describe()
    assert [row["key"] for row in rules] == list(FLIP.rules)
    by_key = {row["key"]: row for row in rules}
    assert by_key["start_hp"]["expected"] == "1 to 65535"
    assert by_key["corner_storm_cost"]["expected"] == "0 to 65535; the truth in 0 to 4"
    assert by_key["honey_hitters_at_cap"]["expected"] == "partial, bank, all_or_nothing"
    assert list(by_key["honey_hitters_at_cap"]["means"]) == ["partial", "bank", "all_or_nothing"]
    things = FLIP.describe_components()
    assert len(things) == sum(len(rows) for rows in FLIP.resolve().tables.values())
    weapon = next(thing for thing in things if thing["key"] == "mk_seven")
    assert (weapon["table"], weapon["values"]["amount"], weapon["ranges"]) == (
        "cards",
        3,
        {"amount": (2, 4), "copies": (1, 2)},
    )


def test_schemas_complete_keys() -> None:
    schema = FLIP.schema()
    properties = schema["properties"]
    assert set(properties) == {*FLIP.rules, *FLIP.specs, "variant", "layout"}
    assert properties["start_hp"]["maximum"] == 65535
    assert [choice["const"] for choice in properties["claim"]["oneOf"]] == ["mandatory", "optional"]
    assert "slones_pulse_rifle" in properties["cards"]["properties"]
    assert {"damage", "amount"} <= set(schema["$defs"]["cards"]["properties"])
    assert any(re.match(pattern, f"{PULSE_RIFLE}.damage") for pattern in schema["patternProperties"])
    assert json.loads(json.dumps(FLIP.schemas())).keys() == {
        "changes",
        "rules.toml",
        "policies.toml",
        "tables.toml",
        "variants.toml",
        "SOURCES.toml",
    }


def test_tables_keep_the_order_of_their_files() -> None:
    with (GAMES / "flip" / "data" / "cards.csv").open(newline="", encoding="utf-8") as file:
        assert [line["card"] for line in csv.DictReader(file)] == [
            card["card"] for card in FLIP.resolve().tables["cards"]
        ]


# properties

NUMBERS = [key for key, rule in FLIP.rules.items() if isinstance(rule, Number)]
SWITCHES = [key for key, rule in FLIP.rules.items() if isinstance(rule, Switch)]
AMOUNTS = [
    f"{table}.{thing[FLIP.specs[table].key]}.{column}"
    for table, column in (("cards", "amount"), ("loadouts", "amount"), ("modes", "amount"), ("locations", "storm_cost"))
    for thing in FLIP.resolve().tables[table]
    if thing.get("effect") != "mover"
]
number_changes = st.sampled_from(NUMBERS).flatmap(
    lambda key: st.tuples(st.just(key), st.integers(*FLIP.rules[key].range))
)
switch_changes = st.sampled_from(SWITCHES).flatmap(
    lambda key: st.tuples(st.just(key), st.sampled_from(FLIP.rules[key].readings))
)
amount_changes = st.tuples(st.sampled_from(AMOUNTS), st.integers(0, 65535))
layout_changes = st.tuples(st.just("layout"), st.sampled_from(list(FLIP.layouts())))
valid_changes = (
    st.lists(st.one_of(number_changes, switch_changes, amount_changes, layout_changes), max_size=12)
    .map(dict)
    .filter(lambda changes: changes.get("start_hp", 15) <= changes.get("hp_cap", 15))
)


@given(valid_changes, st.sampled_from(list(FLIP.variants)))
def test_valid_changes_arrive_and_resolve_to_the_same_again(changes: dict[str, Any], variant: str) -> None:
    ruleset = FLIP.resolve(changes, variant)
    assert FLIP.resolve(ruleset.changes) == ruleset
    assert FLIP.resolve({**changes, "variant": variant}) == ruleset
    assert FLIP.resolve({key: str(value) for key, value in changes.items()}, variant) == ruleset
    for key, value in changes.items():
        assert ruleset.changes[key] == value
        if key in ruleset.rules:
            assert ruleset.rules[key] == value


some_words = st.sampled_from([*FLIP.specs, *NUMBERS, "bush", "17", "amount", "copies", "variant", "layout", "cost", ""])
some_keys = st.lists(st.one_of(some_words, st.text(max_size=6)), min_size=1, max_size=4).map(".".join)
some_values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.lists(st.integers())
)


@given(
    st.dictionaries(some_keys, st.one_of(some_values, st.dictionaries(st.text(max_size=4), some_values)), max_size=4)
)
def test_whatever_is_asked_either_resolves_or_is_told(changes: dict[str, Any]) -> None:
    told: tuple[str, ...] = ()
    try:
        ruleset = FLIP.resolve(changes, where="here")
    except ComponentError as error:
        told = error.faults
    if told:
        assert all(line.startswith("here: ") for line in told)
    else:
        assert FLIP.resolve(ruleset.changes) == ruleset
