"""`python -m tests.answers [FILE ...]`: play the plans behind `experiments/*/*.md` anew and write down what they print.

Each of these files has a line that starts with "Command: `sim run ...`" and, after "The answer it prints:", a block
quote, which is replaced. The words under it are somebody's: read them again.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

HOME = Path(__file__).parents[1]
COMMAND = re.compile(r"^Command: `(sim run [^`]+)`", re.MULTILINE)
QUOTED = re.compile(r"(The answer it prints:\n\n)(?:>.*\n)+")
WIDTH = 118


def answer_of(command: str) -> str:
    """Play a command and return the sentences that it prints before its tables."""
    words = [sys.executable, "-m", *shlex.split(command), "--json"]
    told = subprocess.run(words, cwd=HOME, check=True, capture_output=True, text=True).stdout
    return str(json.loads(told)["answer"])


def renew(file: Path) -> bool:
    """Replace the answer in one file; return whether it has changed."""
    text = file.read_text(encoding="utf-8")
    command = COMMAND.search(text)
    if command is None or QUOTED.search(text) is None:
        message = f"{file}: expected a line 'Command: `sim run ...`' and a quoted answer"
        raise ValueError(message)
    lines = textwrap.wrap(answer_of(command[1]), WIDTH, break_on_hyphens=False, break_long_words=False)
    quoted = "".join(f"> {line}\n" for line in lines)
    renewed = QUOTED.sub(lambda found: found[1] + quoted, text)
    file.write_text(renewed, encoding="utf-8")
    return renewed != text


def main(names: list[str]) -> None:
    """Renew the named files, or all of them."""
    for file in [Path(name) for name in names] or sorted(HOME.glob("experiments/*/*.md")):
        sys.stdout.write(f"{file}: {'changed' if renew(file) else 'as before'}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
