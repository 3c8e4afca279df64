"""What the files of a game's `data/` folder must look like, as pydantic models.

Every value has papers: the *certainty* (`confirmed`, `derived`, `partial`, `assumed`, `silent`: a
question that the text leaves open), the source, and why it is as it is. An assumed number has, besides
the range that is allowed, the range `low` to `high` in which the truth may lie.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

Value = int | str
Row = dict[str, Any]
"""One thing of a component table: a number, a name or None by column."""

Certainty = Literal["confirmed", "derived", "partial", "assumed", "silent"]
ASSUMED: Final = "assumed"
PARTIAL: Final = "partial"
CERTAINTY: Final = "certainty"
SOURCE: Final = "source"
Limits = tuple[StrictInt, StrictInt]
FEWEST_READINGS: Final = 2


class Model(BaseModel):
    """Refuses unknown fields and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Papered(Model):
    """What numbers and switches have in common: where they come from."""

    rules: tuple[StrictStr, ...] = Field(default=(), description="ids of the rules in RULES.md")
    fact: StrictStr = Field(default="", description="id of the question in the fact sheet")
    certainty: Certainty
    source: StrictStr = Field(min_length=1)
    why: StrictStr = Field(min_length=1, description="why the default is what it is")


class Number(Papered):
    """A number of `rules.toml`."""

    default: StrictInt
    range: Limits = Field(description="lowest and highest value that is allowed")
    unit: StrictStr
    at_most: StrictStr = Field(default="", description="another number that this one may not exceed")
    low: StrictInt | None = Field(default=None, description="lowest value that may be true")
    high: StrictInt | None = Field(default=None, description="highest value that may be true")

    @model_validator(mode="after")
    def check(self) -> Number:
        """Refuse a default outside its range, and an assumption without one."""
        least, most = self.range
        if not least <= self.default <= most:
            message = f"found the default {self.default}, expected {least} to {most}"
            raise ValueError(message)
        if self.certainty == ASSUMED and (self.low is None or self.high is None):
            message = "found an assumed number without low and high, expected both"
            raise ValueError(message)
        if self.low is not None and self.low == self.high:
            message = f"found low and high {self.low}, expected a range of more than one value, or none"
            raise ValueError(message)
        low = self.default if self.low is None else self.low
        high = self.default if self.high is None else self.high
        if not least <= low <= self.default <= high <= most:
            message = f"found low {low} and high {high}, expected them round {self.default}"
            raise ValueError(message)
        return self


class Switch(Papered):
    """A question of `rules.toml` with its readings, the default first."""

    default: StrictStr
    readings: tuple[StrictStr, ...] = Field(min_length=FEWEST_READINGS)
    reading_means: dict[StrictStr, StrictStr] = Field(description="a sentence per reading")
    changes: dict[StrictStr, dict[StrictStr, Any]] = Field(
        default={}, description="by reading, what it changes among the components"
    )

    @model_validator(mode="after")
    def check(self) -> Switch:
        """Refuse readings without meaning, and a default that is not the first one."""
        if self.default != self.readings[0]:
            message = f"found the default {self.default!r}, expected {self.readings[0]!r}, the first"
            raise ValueError(message)
        if list(self.reading_means) != list(self.readings):
            found, wanted = ", ".join(self.reading_means), ", ".join(self.readings)
            message = f"found meanings of {found}, expected them of {wanted}"
            raise ValueError(message)
        strange = set(self.changes) - set(self.readings)
        if strange:
            message = f"found changes of {', '.join(sorted(strange))}, which is no reading"
            raise ValueError(message)
        return self


class Column(Model):
    """A column of a component table."""

    type: Literal["int", "name", "text", "key"]
    says: StrictStr = ""
    range: Limits | None = Field(default=None, description="lowest and highest number")
    names: tuple[StrictStr, ...] = Field(default=(), description="the names that are allowed")
    optional: bool = Field(default=False, description="may be empty")
    default: Value | None = Field(default=None, description="what a new row has")
    refers: StrictStr = Field(default="", description="table whose rows the values are keys of")
    once: bool = Field(default=False, description="every row of that table stands here once")
    filled_when: dict[StrictStr, StrictStr] = Field(
        default={}, description="filled if and only if another column has this value"
    )

    @model_validator(mode="after")
    def check(self) -> Column:
        """Refuse a number without a range and a name without names."""
        if self.type == "int" and self.range is None:
            message = "found an int column without range, expected one"
            raise ValueError(message)
        if self.type == "name" and not self.names:
            message = "found a name column without names, expected them"
            raise ValueError(message)
        return self

    def when_new(self) -> Value | None:
        """Return what a new row has, if it is not told."""
        return "" if self.default is None and self.type == "text" else self.default


class Link(Model):
    """A column of another table that is reached through a row of this one."""

    table: StrictStr
    column: StrictStr
    through: StrictStr = Field(description="column of this table with the other one's key")


class Limit(Model):
    """What a column must hold in rows of a certain kind."""

    when: dict[StrictStr, tuple[Value, ...]] = Field(description="by column, the values it has then")
    column: StrictStr
    range: Limits | None = None
    names: tuple[StrictStr, ...] = ()


class Known(Model):
    """What a source says of a column's numbers together, however little it says of each.

    A variant may break it, since a designer may try anything; the numbers that are assumed never do.
    """

    column: StrictStr
    says: StrictStr = Field(default="", description="what the rows are together, where a column has several entries")
    rows: tuple[Value, ...] = Field(default=(), description="keys of the rows; all rows that have a range if empty")
    totals: tuple[StrictInt, ...] = Field(default=(), description="what the numbers may add up to")
    holds: StrictInt | None = Field(default=None, description="a number that at least one of the rows has")
    source: StrictStr = Field(min_length=1)

    @model_validator(mode="after")
    def check(self) -> Known:
        """Refuse an entry that says nothing."""
        if not self.totals and self.holds is None:
            message = "found neither totals nor holds, expected one of them"
            raise ValueError(message)
        return self


class Table(Model):
    """A component table: one row per thing."""

    key: StrictStr = Field(description="column by which a row is called")
    thing: StrictStr = Field("row", description="what a row is called in a sentence")
    says: StrictStr = ""
    columns: dict[StrictStr, Column]
    short: StrictStr | None = Field(default=None, description="column meant when none is named")
    aliases: dict[StrictStr, StrictStr] = Field(default={}, description="other words for columns")
    links: dict[StrictStr, Link] = {}
    layouts: dict[StrictStr, StrictStr] = Field(default={}, description="a sentence per file, default first")
    rows: Limits = (0, 64)
    numbered: bool = Field(default=False, description="keys are 0, 1, 2, ... in order")
    totals: dict[StrictStr, Limits] = Field(default={}, description="sum of a column over all rows")
    counts: dict[StrictStr, dict[StrictStr, Limits]] = Field(
        default={}, description="by column and value, how many rows have it"
    )
    limits: tuple[Limit, ...] = ()
    ranges: dict[StrictStr, tuple[StrictStr, StrictStr]] = Field(
        default={}, description="by column, the two columns in which the truth may lie"
    )
    known: tuple[Known, ...] = Field(default=(), description="what a source says of several assumed numbers together")
    alternatives: tuple[StrictStr, ...] = Field(
        default=(), description="variants to which assumed rows without a range can be compared"
    )

    @model_validator(mode="after")
    def check(self) -> Table:
        """Refuse mentions of columns that do not exist."""
        mentioned = {self.key, *self.aliases.values(), *self.totals, *self.counts, *self.ranges}
        mentioned |= {self.short} if self.short else set()
        mentioned |= {limit.column for limit in self.limits} | {known.column for known in self.known}
        mentioned |= {link.through for link in self.links.values()}
        strange = sorted(mentioned - set(self.columns))
        if strange:
            message = f"found {', '.join(strange)}, expected columns of the table"
            raise ValueError(message)
        return self

    def papers(self) -> tuple[str, ...]:
        """Return the columns that say how sure a row is, not what it does."""
        return (CERTAINTY, SOURCE, *(name for pair in self.ranges.values() for name in pair))


class Variant(Model):
    """A named set of changes."""

    says: StrictStr = Field(min_length=1)
    changes: dict[str, Any] = {}


class Origin(Model):
    """Papers of a table's file in `SOURCES.toml`."""

    sha256: StrictStr = Field(pattern="^[0-9a-f]{64}$")
    checked_on: dt.date
    source: StrictStr = Field(min_length=1)
