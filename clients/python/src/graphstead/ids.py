"""Ids of nodes, which are text in Graphstead, but can be any hashable value in Python.

Integers are written as plain text; if a graph has any, strings that look like integers are marked. Other values are
always marked: `(1, "a")` becomes `py:{"tuple":[1,"a"]}`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from .changes import Changes
from .keys import ID
from .trees import MARK, is_known, known, marked, unmarked
from .values import name_of

_LONGEST = 255


def write_ids(ids: Iterable[Hashable], changes: Changes) -> tuple[dict[Hashable, str], dict[str, str], str]:
    """Returns the text of each id, the full text of ids that are too long, and the type of unmarked ids.

    `add_full_ids` adds the full texts to the nodes, and `take_id` removes them."""
    ids = list(ids)
    base = "int" if any(type(id) is int for id in ids) else "str"
    written: dict[Hashable, str] = {}
    long: dict[str, str] = {}
    taken: set[str] = set()
    # If two ids have the same text, an id that can be restored takes precedence over one of an unknown type.
    for id in sorted(ids, key=lambda id: not is_known(id)):
        text = _text(id, base, changes)
        if len(text) > _LONGEST:
            full, text = text, f"{MARK}#{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
            long[text] = full
        if text in taken:
            # Only a value of an unknown type can have the same text as another value.
            text = free(text, taken)
        taken.add(text)
        written[id] = text
    return written, long, base


def _text(id: Hashable, base: str, changes: Changes) -> str:
    kind = type(id)
    if kind is str:
        text: str = id  # type: ignore[assignment]
        if not text or (base == "int" and _integer(text) is not None):
            return marked(text, changes)
        return name_of(text, changes)
    if kind is int:
        return str(id) if base == "int" else marked(id, changes)
    nearest = known(id, changes, "id")
    return marked(id, changes) if nearest is id else _text(nearest, base, changes)


def id_reader(base: Any) -> Callable[[str], Hashable]:
    """Returns a function that turns the text of an id into its value."""

    def read(text: str) -> Hashable:
        if text.startswith(MARK):
            value = unmarked(text)
            try:
                hash(value)
            except TypeError:
                return text
            return value  # type: ignore[no-any-return]
        if base == "int":
            number = _integer(text)
            if number is not None:
                return number
        return text

    return read


def take_id(node: dict[str, Any]) -> str:
    """Returns the full text of a node's id, and removes it from the metadata."""
    metadata = node.get("metadata")
    text: str = node["id"]
    full = metadata.pop(ID, None) if metadata and text.startswith(MARK) else None
    return full if isinstance(full, str) else text


def add_full_ids(nodes: list[dict[str, Any]], long: dict[str, str]) -> None:
    """Adds the full text of long ids to the metadata of their nodes."""
    for node in nodes if long else ():
        if node["id"] in long:
            node.setdefault("metadata", {})[ID] = long[node["id"]]


def _integer(text: str) -> int | None:
    """Returns the integer if the text is its canonical form."""
    try:
        number = int(text)
    except ValueError:
        return None
    return number if str(number) == text else None


def free(text: str, taken: set[str]) -> str:
    """Returns the text with a number that makes it unique."""
    number = 2
    while (numbered := f"{text} ({number})") in taken:
        number += 1
    return numbered
