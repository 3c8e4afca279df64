"""What a source says of several numbers of a column together, such as how many cards there are in all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.components.faults import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.components.models import Known, Row, Table, Value


def keys_of(spec: Table, known: Known, rows: Sequence[Row], papers: Sequence[Row]) -> list[Value]:
    """Return the keys of the rows that an entry is about, in the order of the table.

    Args:
        spec: The table.
        known: The entry.
        rows: The table's rows.
        papers: Their papers; an entry that names no rows is about those with a range.

    """
    if known.rows:
        return [row[spec.key] for row in rows if row[spec.key] in known.rows]
    low = spec.ranges[known.column][0] if known.column in spec.ranges else ""
    return [row[spec.key] for row, paper in zip(rows, papers, strict=True) if paper.get(low) is not None]


def faults_of_known(spec: Table, rows: Sequence[Row], papers: Sequence[Row]) -> Iterator[str]:
    """Yield where a table's defaults are not as its `known` entries say, or an entry names no row.

    Args:
        spec: The table.
        rows: Its rows in the first layout.
        papers: Their papers.

    """
    by_key = {row[spec.key]: row for row in rows}
    for place, known in enumerate(spec.known):
        where = f"known.{place}"
        yield from (f"{where}.rows: {one_of(key, map(str, by_key))}" for key in known.rows if key not in by_key)
        numbers = [int(by_key[key][known.column] or 0) for key in keys_of(spec, known, rows, papers)]
        yield from (f"{where}: {fault}" for fault in _faults_of_numbers(known, numbers))


def _faults_of_numbers(known: Known, numbers: Sequence[int]) -> Iterator[str]:
    if known.totals and sum(numbers) not in known.totals:
        wanted = " or ".join(map(str, known.totals))
        yield f"found {sum(numbers)} {known.column} in all, expected {wanted} ({known.source})"
    if known.holds is not None and known.holds not in numbers:
        yield f"found no {known.column} of {known.holds}, expected one ({known.source})"


def cells_known(name: str, spec: Table, sheet: tuple[Sequence[Row], Sequence[Row]]) -> Mapping[str, Known]:
    """Return the cells that some entry is about, by plain key.

    Args:
        name: The table's name.
        spec: The table.
        sheet: Rows and papers of its first layout.

    """
    return {f"{name}.{key}.{known.column}": known for known in spec.known for key in keys_of(spec, known, *sheet)}
