"""Readings of fortnite that meet: each pair here once came out differently in kernel and referee."""

from __future__ import annotations

import pytest

from sim.games.fortnite.phases import moving, walls
from sim.games.fortnite.words import Event, Source
from tests.games.fortnite_support import interpreted_only, scene

GO, JAIL, GO_TO_JAIL, LAST_SPACE = 0, 8, 24, 31


@interpreted_only
def test_N_R48_of_a_wall_on_go_to_jail_and_one_in_jail_the_last_reached_stays_for_its_pawn() -> None:
    s = scene(2, wall_stop="stays")
    s.table.space[0], s.table.number = GO_TO_JAIL - 2, 2
    walls.put_up(s.state, 1, GO_TO_JAIL)
    walls.put_up(s.state, 1, JAIL)
    moving.move(s.state, 0, s.rules)
    assert s.table.space[0] == JAIL
    assert s.table.stopped_at[0] == JAIL


@interpreted_only
@pytest.mark.parametrize(("wall", "collected"), [(LAST_SPACE, 1), (LAST_SPACE - 1, 0)])
def test_N_R21_a_pawn_moved_back_to_GO_by_a_wall_before_it_collects(wall: int, collected: int) -> None:
    s = scene(2, wall_space="before_it")
    s.table.space[0], s.table.hp[0] = GO + 1, 5
    walls.put_up(s.state, 1, wall)
    moving.travel(s.state, 0, 3, -1, 1, s.rules)
    told = [event for event in s.events(Event.HP) if event[3] == Source.GO]
    assert len(told) == collected
