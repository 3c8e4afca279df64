"""Text that does a terminal no harm, whatever is in it and whatever characters the terminal has.

Names, questions and paths come from strangers' files: what would move the cursor, clear the screen or turn the
direction of writing is shown as an escape. What a code page lacks is shown by the nearest that it has.
"""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from typing import Any, Final

LOOKALIKES: Final = str.maketrans(
    {
        "─": "-",
        "━": "-",
        "╸": "-",
        "╺": "-",
        "–": "-",
        "—": "-",
        "…": "...",
        "·": ".",
        "•": "*",
        "×": "x",
        "±": "+-",
        "≤": "<=",
        "≥": ">=",
        "→": "->",
        "\u201c": '"',
        "\u201d": '"',
        "\u2018": "'",
        "\u2019": "'",
    }
)
HARMFUL: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters but the line feed, marks that turn the direction of writing, and what is no character."""
HANDLER: Final = "sim_plain"


def visible(text: str) -> str:
    """Return a text with an escape in the place of each character that would do something to a terminal."""
    return HARMFUL.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text as `visible` does, with its line feeds escaped, too."""
    return visible(text).replace("\n", "\\n")


def cleaned(value: Any) -> Any:
    """Return what a report holds with all texts in one line and harmless; numbers stay."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict):
        return {one_line(str(key)): cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(inner) for inner in value]
    return value


def _nearest(fault: UnicodeError) -> tuple[str, int]:
    """Return the nearest plain characters for what a code page lacks."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    lost = fault.object[fault.start : fault.end].translate(LOOKALIKES)
    simple = unicodedata.normalize("NFKD", lost)
    return "".join(one if one.isascii() else "?" for one in simple if not unicodedata.combining(one)), fault.end


def is_unicode() -> bool:
    """Tell whether standard output takes every character."""
    return "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()


def answer_any_code_page() -> None:
    """Let standard output and error show the nearest of a character that they lack, where they would fail."""
    codecs.register_error(HANDLER, _nearest)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and getattr(stream, "errors", "") != HANDLER:
            reconfigure(errors=HANDLER)
