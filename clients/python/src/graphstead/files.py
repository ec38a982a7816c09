"""Streams files to the server and back, so that no file has to fit into memory."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx

from .changes import Changes

_PIECE = 64 * 1024


def pieces_of(path: Path) -> Iterator[bytes]:
    """Yields the bytes of a file in pieces."""
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def save(answer: httpx.Response, path: Path) -> None:
    """Writes the body of a response to a file as it arrives. Replaces the file atomically."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(number, "wb") as file:
            for piece in answer.iter_bytes(_PIECE):
                file.write(piece)
        # Sets the usual permissions, because mkstemp creates files that only their owner can read.
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def losses_of(header: str | None) -> Changes:
    """Returns the losses that the server reports, such as `nested-metadata;n=12, type-widened;n=3`."""
    changes = Changes()
    for code, count in re.findall(r"([a-z][a-z0-9-]*)(?:;n=(\d+))?", header or ""):
        changes.add(code, f"{code}, see docs/formats.md of Graphstead", None, int(count or 1))
    return changes


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
