"""Files on a disk that others may have touched: read only if they are regular and of a sane size, written whole."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_TEXT_BYTES: Final = 1 << 24  # a plan or a manifest; the largest so far has 60 KB
MOST_TABLE_BYTES: Final = 1 << 29
MOST_TOTALS_BYTES: Final = 1 << 32


def read_regular(path: Path, most: int = MOST_TEXT_BYTES) -> bytes:
    """Return what a file holds; a pipe, a device or a folder is refused at once, and so is what no such file has.

    Args:
        path: The file.
        most: Bytes that it may have.

    Raises:
        OSError: It cannot be read, or is no regular file, or is too large.

    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "found no regular file", str(path))
        if about.st_size > most:
            raise OSError(errno.EFBIG, f"found {about.st_size:,} bytes, expected at most {most:,}", str(path))
        return file.read()


def read_text(path: Path) -> str:
    """Return the text that somebody wrote, whatever it comes from: a file, a pipe, with or without a byte order mark.

    Args:
        path: Where it is.

    Raises:
        OSError: It cannot be read, or is too large.
        UnicodeDecodeError: It is no UTF-8 text.

    """
    with path.open("rb") as file:
        found = file.read(MOST_TEXT_BYTES + 1)
    if len(found) > MOST_TEXT_BYTES:
        raise OSError(errno.EFBIG, f"found more than {MOST_TEXT_BYTES:,} bytes", str(path))
    return found.decode("utf-8-sig")


def hash_of_file(path: Path) -> str:
    """Return the SHA-256 of a regular file.

    Raises:
        OSError: It cannot be read.

    """
    return hashlib.sha256(read_regular(path, MOST_TOTALS_BYTES)).hexdigest()


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write that takes its place when all is on the disk; an older one is replaced whole or left alone.

    Args:
        path: Where it shall stand.

    Raises:
        OSError: It cannot be written there.

    """
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.{os.getpid()}-")
    temporary = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(number)
        temporary.chmod(0o666 & ~umask())
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def sync_tree(folder: Path) -> None:
    """See to it that all files in a folder are on the disk, whatever happens to the machine from now on."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder are on the disk, where folders can be asked for that."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def umask() -> int:
    """Return which permissions new files do not get; Python can only tell it by setting it."""
    found = os.umask(0o077)
    os.umask(found)
    return found


def leftovers(folder: Path, prefix: str) -> Iterator[Path]:
    """Yield what a process that is no more has left half-made: names of a prefix with the number of the process.

    Args:
        folder: Where.
        prefix: How the names begin, the number of a process and `-` following.

    """
    for path in folder.glob(f"{prefix}*"):
        number = path.name.removeprefix(prefix).partition("-")[0]
        if number.isdecimal() and not is_running(int(number)):
            yield path


def is_running(process: int) -> bool:
    """Tell whether there is a process of this number."""
    if not hasattr(os, "geteuid"):  # to ask on Windows would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
