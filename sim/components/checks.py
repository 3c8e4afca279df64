"""What must hold of a component table as a whole, whatever a variant changed in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sim.components.faults import Misfit, one_of, span
from sim.components.models import Limit, Row, Table
from sim.components.values import whole_number


def faults_of_table(
    name: str, spec: Table, rows: Sequence[Row], tables: Mapping[str, list[Row]], specs: Mapping[str, Table]
) -> Iterator[str]:
    """Yield what is wrong with a table, as `key: found ..., expected ...`."""
    yield from _faults_of_keys(name, spec, rows)
    yield from _faults_of_sums(name, spec, rows)
    for limit in spec.limits:
        yield from _faults_of_limit(name, spec, rows, limit)
    for column, description in spec.columns.items():
        if description.refers:
            keys = [row[specs[description.refers].key] for row in tables[description.refers]]
            yield from _faults_of_references(name, spec, rows, column, keys)
        for other, value in description.filled_when.items():
            yield from _faults_of_filling(name, spec, rows, column, (other, value))


def _faults_of_keys(name: str, spec: Table, rows: Sequence[Row]) -> Iterator[str]:
    keys = [row[spec.key] for row in rows]
    yield from (f"{name}.{key}: stands there {n} times" for key, n in Counter(keys).items() if n > 1)
    if not spec.rows[0] <= len(rows) <= spec.rows[1]:
        yield f"{name}: found {len(rows)} rows, expected {span(spec.rows)}"
    if spec.numbered and keys != list(range(len(keys))):
        place = next(place for place, key in enumerate(keys) if key != place)
        yield f"{name}: found {spec.thing} {keys[place]} after {place} others, expected {place}"


def _faults_of_sums(name: str, spec: Table, rows: Sequence[Row]) -> Iterator[str]:
    for column, (least, most) in spec.totals.items():
        total = sum(int(row[column] or 0) for row in rows)
        if not least <= total <= most:
            parts = [f"{row[spec.key]} {row[column]}" for row in rows if row[column]]
            what = f"{total} {column} in all ({', '.join(parts)})"
            yield f"{name}: found {what}, expected {span((least, most))}"
    for column, wanted in spec.counts.items():
        found = Counter(row[column] for row in rows)
        for value, (least, most) in wanted.items():
            if not least <= found[value] <= most:
                what = f"{column} {value} at {found[value]} rows"
                yield f"{name}: found {what}, expected it at {span((least, most))}"


def _faults_of_limit(name: str, spec: Table, rows: Sequence[Row], limit: Limit) -> Iterator[str]:
    for row in rows:
        if any(row[column] not in values for column, values in limit.when.items()):
            continue
        when = " and ".join(f"{column} {row[column]}" for column in limit.when)
        place, found = f"{name}.{row[spec.key]}.{limit.column}", row[limit.column]
        if limit.names and found not in limit.names:
            yield f"{place}: {one_of(found, limit.names)} with {when}"
        if limit.range is not None:
            try:
                whole_number(found, limit.range)
            except Misfit as misfit:
                yield f"{place}: {misfit} with {when}"


def _faults_of_references(
    name: str, spec: Table, rows: Sequence[Row], column: str, keys: list[object]
) -> Iterator[str]:
    places: dict[object, list[object]] = {key: [] for key in keys}
    for row in rows:
        found = row[column]
        if found in places:
            places[found].append(row[spec.key])
        elif found is not None:
            yield f"{name}.{row[spec.key]}.{column}: {one_of(str(found), map(str, keys))}"
    if spec.columns[column].once:
        for key, found_at in places.items():
            if len(found_at) != 1:
                at = ", ".join(map(str, found_at)) or "nowhere"
                yield f"{name}: found {column} {key} at {at}, expected it at one {spec.thing}"


def _faults_of_filling(
    name: str, spec: Table, rows: Sequence[Row], column: str, when: tuple[str, str]
) -> Iterator[str]:
    other, value = when
    for row in rows:
        place = f"{name}.{row[spec.key]}.{column}"
        if row[other] == value and row[column] is None:
            yield f"{place}: found nothing, expected a {column}, since {other} is {value}"
        if row[other] != value and row[column] is not None:
            yield f"{place}: found {row[column]}, expected nothing, since {other} is {row[other]}"
