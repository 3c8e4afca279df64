"""`python -m sim.components FOLDER ...`: vouch for a game's tables after checking what changed in them."""

import sys
from pathlib import Path

from sim.components import ComponentError, Components, renew_hashes

USAGE = 2


def main(folders: list[str]) -> int:
    """Write the hashes of changed tables, then read everything as a game would."""
    if not folders:
        sys.stderr.write(f"{__doc__}\n")
        return USAGE
    for folder in map(Path, folders):
        try:
            renewed = renew_hashes(folder)
            Components.load(folder)
        except ComponentError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        sys.stdout.write(f"{folder}: {', '.join(renewed) or 'nothing'} renewed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
