"""The assumptions of a game: what is varied, over which levels, and that every point is a ruleset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim import games
from sim.cli import main
from sim.cli.exits import ExitCode
from sim.components import ComponentError
from sim.components.influence import INFLUENCE, Influence, read_influence
from sim.components.reading import POLICY
from sim.experiment.assumptions import Assumption, assumptions_of, changes_at, with_variant
from sim.experiment.plan import read_plan
from sim.mechanics.weights import Weight
from sim.statistics.sensitivity import levels_of, saltelli, trajectories

SEED = 7
STRONG_GUNS = ("slones_pulse_rifle", "mk_seven", "hop_rock_dualies", "burst_quad_launcher")
PLAN = Path(__file__).parents[1] / "experiments/flip/pulse_rifle.toml"


@pytest.fixture(scope="module")
def flip() -> dict[str, Assumption]:
    return {one.key: one for one in assumptions_of(games.get("flip").load())}


def point(flip: dict[str, Assumption], **titles: str) -> list[int]:
    """Return the default point with some levels picked by title, dots of a key as double underscores."""
    wanted = {key.replace("__", "."): title for key, title in titles.items()}
    return [one.titles.index(wanted[key]) if key in wanted else one.default for key, one in flip.items()]


def test_every_silent_switch_and_every_assumed_value_with_more_than_one_level_is_varied(
    flip: dict[str, Assumption],
) -> None:
    components = games.get("flip").load()
    is_open = {key: rule.certainty in {"silent", "assumed", "partial"} for key, rule in components.rules.items()}
    assert is_open.pop("storm_cards"), "copies of Game Mode cards are varied in its place"
    assert {key for key in flip if key in components.rules} == {key for key, is_one in is_open.items() if is_one}
    for row in components.assumed():
        column = f"{row['key'].partition('.')[0]}.{row['key'].rpartition('.')[2]}"
        group = {key for key in flip if key.startswith(f"{column} of ")}
        assert {row["key"], column, row["key"].partition(".")[0], *group} & set(flip), row


def test_the_default_point_changes_nothing(flip: dict[str, Assumption]) -> None:
    assert changes_at(list(flip.values()), [one.default for one in flip.values()]) == {}


def test_levels_are_readings_ranges_and_combinations_of_a_fixed_total(flip: dict[str, Assumption]) -> None:
    assert flip["storm_card_reuse"].titles == ("under_deck", "out_of_game")
    assert flip["corner_storm_cost"].titles == ("0", "1", "2", "3", "4")
    assert (flip["corner_storm_cost"].default, flip["corner_storm_cost"].n_steps) == (2, 4)
    die = flip["action_die.copies"]
    assert die.n_levels == 10
    assert all(sum(map(int, title.split("-"))) == 6 for title in die.titles)
    assert die.titles[die.default] == "2-2-1-1"
    assert die.n_steps == 0
    assert "action_die.crosshairs.copies" not in flip


def test_what_the_rulebook_counts_holds_in_every_draw(flip: dict[str, Assumption]) -> None:
    components, factors = games.get("flip").load(), list(flip.values())
    n_levels = [one.n_levels for one in factors]
    for levels in levels_of(trajectories(len(factors), 4, SEED), n_levels):
        tables = components.resolve(changes_at(factors, levels)).tables
        modes = {row["mode"]: row["copies"] for row in tables["modes"]}
        assert sum(modes.values()) == 16
        assert modes["storm_lowest"] + modes["storm_highest"] + modes["storm_choice"] in {3, 5}
        cards = {row["card"]: row["copies"] for row in tables["cards"]}
        assert sum(cards.values()) == 16
        assert 5 in {row["back_amount"] for row in tables["board"]}


def test_the_number_of_strong_guns_in_the_deck_is_varied(flip: dict[str, Assumption]) -> None:
    components = games.get("flip").load()
    found = set()
    for changes in flip["cards.copies"].changes:
        cards = {row["card"]: row["copies"] for row in components.resolve(changes).tables["cards"]}
        found.add(sum(cards[key] for key in STRONG_GUNS))
    assert found == {4, 5, 6, 7, 8}


@pytest.mark.parametrize("name", games.NAMES)
def test_no_assumption_has_a_range_of_one_value(name: str) -> None:
    components = games.get(name).load()
    for row in [*components.describe(), *components.describe_components()]:
        for low, high in [(row["low"], row["high"]), *row.get("ranges", {}).values()]:
            assert low is None or low < high, row


def test_every_point_of_both_designs_is_a_ruleset_of_flip(flip: dict[str, Assumption]) -> None:
    components, factors = games.get("flip").load(), list(flip.values())
    n_levels = [one.n_levels for one in factors]
    designs = (trajectories(len(factors), 2, SEED), saltelli([*range(len(factors))], 2, SEED))
    for design in designs:
        for levels in levels_of(design, n_levels):
            components.resolve(changes_at(factors, levels))


def test_every_variant_of_the_pulse_rifle_plan_goes_with_every_level_of_every_assumption(
    flip: dict[str, Assumption],
) -> None:
    components, factors = games.get("flip").load(), list(flip.values())
    default = [one.default for one in factors]
    for variant in read_plan(PLAN).variants:
        for place, one in enumerate(factors):
            for level in (0, one.n_levels - 1):
                changes = changes_at(factors, [*default[:place], level, *default[place + 1 :]])
                both = with_variant(components, changes, variant.changes)
                assert both.items() >= components.resolve(variant.changes).changes.items()


def test_numbers_of_the_rows_that_an_alternative_changes_are_its_own(flip: dict[str, Assumption]) -> None:
    factors = list(flip.values())
    title = {"cards": "loot_fill_blank", "cards__med_kit__amount": "7", "cards__mk_seven__amount": "4"}
    changes = changes_at(factors, point(flip, **title))
    assert changes["cards.med_kit.effect"] == "blank"
    assert "cards.med_kit.amount" not in changes
    assert changes["cards.mk_seven.amount"] == 4


def test_another_layout_has_its_own_numbers_on_every_row(flip: dict[str, Assumption]) -> None:
    factors = list(flip.values())
    title = {"board": "flat_traps", "board__3__back_amount": "5", "locations__15__cost": "2"}
    assert changes_at(factors, point(flip, **title)) == {"layout": "flat_traps", "locations.15.cost": 2}


def test_what_a_variant_changes_holds_whatever_a_point_says(flip: dict[str, Assumption]) -> None:
    components, factors = games.get("flip").load(), list(flip.values())
    changes = changes_at(factors, point(flip, corner_storm_cost="4", action_die__copies="3-1-1-1"))
    both = with_variant(components, changes, {"corner_storm_cost": 1})
    assert (both["corner_storm_cost"], both["action_die.med_mist.copies"]) == (1, 3)


def test_a_point_gives_way_where_it_does_not_go_together_with_a_variant(flip: dict[str, Assumption]) -> None:
    components, factors = games.get("flip").load(), list(flip.values())
    changes = changes_at(factors, point(flip, corner_storm_cost="4", action_die__copies="3-1-1-1"))
    variant = {"action_die.blank.copies": 1, "action_die.crosshairs.copies": 1}
    assert with_variant(components, changes, variant) == {"corner_storm_cost": 4, **variant}
    with pytest.raises(ComponentError, match="action_die"):
        with_variant(components, changes, {"action_die.crosshairs.copies": 6})


def test_a_game_without_open_values_has_no_assumptions() -> None:
    assert assumptions_of(games.get("pig").load()) == []


def test_a_row_is_as_influential_as_its_largest_cell_or_as_its_table() -> None:
    found = Influence({}, {"trade": 1.5, "cards.bouncer.amount": 2.0, "cards": 0.5, "action_die.copies": 3.0})
    wanted = {"trade": 1.5, "cards.bouncer": 2.0, "cards.placebo": 0.5, "action_die.crosshairs": 3.0, "cap": None}
    assert {key: found.of(key) for key in wanted} == wanted
    assert found.of("modes.storm_go.x") is None


def test_influence_is_read_from_the_games_data_and_a_wrong_file_is_told(tmp_path: Path) -> None:
    assert read_influence(tmp_path) == Influence()
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / INFLUENCE
    file.write_text('[measured]\nseed = 7\n[size]\n"cards.bush.amount" = 1\n', encoding="utf-8")
    assert read_influence(tmp_path) == Influence({"seed": 7}, {"cards.bush.amount": 1.0})
    for wrong in ("[size]\n", "[measured]\n[size]\ncap = 'much'\n", "[measured\n"):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(ComponentError, match=r"influence\.toml: found no tables measured and size"):
            read_influence(tmp_path)


def test_rules_lists_the_most_influential_assumption_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = {"command": "sim run x --assumed band", "seed": 7, "headline": "length", "unit": "turns"}
    sizes = {"trade": 1.5, "cards.bouncer.amount": 2.0, "cards": 0.5}
    monkeypatch.setattr("sim.components.influence.read_influence", lambda _: Influence(measured, sizes))
    assert main(["rules", "flip", "--assumed", "--json"]) == ExitCode.FINE
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [row["key"] for row in tables["rules"]][:2] == ["trade", "corner_storm_cost"]
    assert [row["influence"] for row in tables["rules"]][:2] == [1.5, None]
    assert tables["components"][0]["key"] == "cards.bouncer"
    ranked = [row["influence"] for row in tables["components"]]
    assert ranked == sorted(ranked, key=lambda size: -1 if size is None else size, reverse=True)
    assert main(["rules", "flip", "--assumed"]) == ExitCode.FINE
    told = capsys.readouterr().out.splitlines()[0]
    moved = "Most influential first: turns by which each moves 'length'"
    assert told == f"{moved}, measured by `sim run x --assumed band` (seed 7)."


@pytest.mark.parametrize("name", games.NAMES)
def test_what_was_measured_is_about_assumptions_that_the_game_has(name: str) -> None:
    game = games.get(name)
    known = {one.key for one in assumptions_of(game.load())}
    found = read_influence(Path(game.folder))
    assert set(found.size) <= known
    assert not found.size or {"command", "seed", "headline", "unit"} <= set(found.measured)


@pytest.mark.parametrize("name", ["flip", "fortnite"])
def test_numbers_of_policies_are_assumptions_like_any_other(name: str) -> None:
    components = games.get(name).load()
    found = {one.key: one for one in assumptions_of(components)}
    numbers = [key for key in components.rules if key.startswith(f"{POLICY}.")]
    assert numbers
    for key in numbers:
        assert found[key].certainty == "assumed"
        assert found[key].is_ordered
    assert {key.removeprefix(f"{POLICY}.").upper() for key in numbers} <= set(Weight.__members__)


def test_every_weight_is_some_games() -> None:
    keys = {key for name in games.NAMES for key in games.get(name).load().rules}
    assert {f"{POLICY}.{weight.name.lower()}" for weight in Weight} <= keys


def test_the_audit_varies_how_dangerous_the_rifle_looks() -> None:
    found = {one.key: one for one in assumptions_of(games.get("flip").load())}
    dangers = set()
    for sightless in found["policy.danger_of_sightless"].changes:
        for damage in found["policy.danger_of_hp"].changes:
            rules = games.get("flip").pack(games.get("flip").load().resolve({**sightless, **damage}))
            dangers.add(int(rules["loot_danger"][0, 0]))
    assert {0, 3, 7} <= dangers


def test_a_number_of_a_policy_is_changed_and_refused_like_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    game = games.get("flip")
    changed = game.load().resolve({"policy": {"danger_of_sightless": 0}})
    assert changed.changes == {"policy.danger_of_sightless": 0}
    assert int(game.pack(changed)["loot_danger"][0, 0]) == 4
    assert main(["replay", "flip", "--playout", "1", "-S", "policy.danger_of_sightles=0"]) == ExitCode.USAGE
    assert "did you mean 'policy.danger_of_sightless'?" in capsys.readouterr().err
