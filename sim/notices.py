"""What people should know and what stops nothing, such as a damaged file that is made anew: warnings of a kind."""

from __future__ import annotations

import warnings


class Notice(UserWarning):
    """Told in one line on the command line, and as a warning in a notebook."""


def tell(message: str) -> None:
    """Let people know something.

    Args:
        message: A sentence.

    """
    warnings.warn(message, Notice, stacklevel=3)
