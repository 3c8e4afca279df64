"""How far each assumption of a game moves a headline, measured once and kept among the game's data."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sim.components.faults import ComponentError

if TYPE_CHECKING:
    from pathlib import Path

INFLUENCE: Final = "influence.toml"
DOTS_OF_A_CELL: Final = 2


@dataclass(frozen=True)
class Influence:
    """What was measured.

    Attributes:
        measured: Command, seed, headline and unit of the measurement; empty if there was none.
        size: By assumption (a rule, a cell or a table), the change that it makes, as far as noise hardly explains it.

    """

    measured: dict[str, Any] = field(default_factory=dict)
    size: dict[str, float] = field(default_factory=dict)

    def of(self, key: str) -> float | None:
        """Return the size of a rule, or of a row of a table.

        Args:
            key: A rule, or a row such as `cards.bouncer`.

        Returns:
            The largest size of the row's cells; that of its column or table where the row has none of its own; None
            where nothing was measured.

        """
        table = key.partition(".")[0]
        own = [size for name, size in self.size.items() if name == key or name.startswith(f"{key}.")]
        shared = [size for name, size in self.size.items() if name.partition(".")[0] == table and is_shared(name)]
        return max(own or (shared if "." in key else []), default=None)


def is_shared(name: str) -> bool:
    """Tell whether an assumption is about a whole table or column, not about one row."""
    return name.count(".") < DOTS_OF_A_CELL


def read_influence(folder: Path) -> Influence:
    """Read what was measured about a game; nothing if there is no such file.

    Args:
        folder: The game's folder.

    Raises:
        ComponentError: The file is not as `sim run PLAN --assumed band` writes it.

    """
    path = folder / "data" / INFLUENCE
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return Influence(dict(found["measured"]), {key: float(size) for key, size in found["size"].items()})
    except FileNotFoundError:
        return Influence()
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as fault:
        told = f"{INFLUENCE}: found no tables measured and size as `sim run PLAN --assumed band` writes them: {fault!r}"
        raise ComponentError([told]) from fault
