"""Converts attributes of nodes, edges and graphs to Graphstead metadata and back.

Metadata is JSON, which has one number type and no tuples. A value is therefore written as plain JSON, with a tag that
restores its type: `2.0` becomes `2` with the tag `float`. Most attributes have the same type throughout a graph, so the
graph has a table of their tags, and an element has only the tags that differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from .changes import Changes
from .keys import TYPES, record_text, take
from .trees import MARK, from_text, known, marked, text_of, unmarked

MAX_INTEGER = 2**53 - 1
# Metadata may have 8 levels, including the top level.
_DEPTH = 7

Tags = dict[str, str]


def name_of(name: Any, changes: Changes) -> str:
    """Returns the name of an attribute as text. Marks names that are not text or that look like the client's own."""
    return name if type(name) is str and not name.startswith(MARK) and well_formed(name) else marked(name, changes)


def encode(value: Any, changes: Changes) -> tuple[Any, str]:
    """Returns a value as JSON and the tag that restores it, or an empty tag if none is needed."""
    kind = type(value)
    if kind is str:
        return (value, "") if well_formed(value) else (text_of(value, changes), "json")
    if kind is int:
        return (value, "") if -MAX_INTEGER <= value <= MAX_INTEGER else (str(value), "int")
    if kind is float:
        if not math.isfinite(value):
            return repr(value), "number"
        if not value.is_integer():
            return value, ""
        return (0, "-0.0") if value == 0 and math.copysign(1, value) < 0 else (value, "float")
    if value is None or kind is bool:
        return value, ""
    if kind is tuple or kind is list:
        if all(type(item) is float and math.isfinite(item) and (item or math.copysign(1, item) > 0) for item in value):
            return list(value), f"{kind.__name__}[float]" if value else ("tuple" if kind is tuple else "")
        if all(_is_json(item, 2) for item in value):
            return list(value), "tuple" if kind is tuple else ""
    elif kind is dict and _is_json(value, 1):
        return value, ""
    elif kind is datetime or kind is date:
        return value.isoformat(), kind.__name__
    else:
        nearest = known(value, changes)
        if nearest is not value:
            return encode(nearest, changes)
    return text_of(value, changes), "json"


def decode(value: Any, tag: str) -> Any:
    """Returns the value for JSON and its tag, or the JSON itself if it has changed so that the tag no longer fits."""
    try:
        return _DECODERS[tag](value)
    except (KeyError, TypeError, ValueError, OverflowError):
        return value


def _number(value: Any) -> Any:
    return float(value) if type(value) is int else value


def _text(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda value: read(value) if type(value) is str else value


def _items(container: Callable[[Iterable[Any]], Any], convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: container(map(convert, value)) if type(value) is list else value


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "float": _number,
    "-0.0": lambda value: -0.0 if type(value) is int and value == 0 else value,
    "number": _text(float),
    "int": _text(int),
    "tuple": lambda value: tuple(value) if type(value) is list else value,
    "tuple[float]": _items(tuple, _number),
    "list[float]": _items(list, _number),
    "datetime": _text(datetime.fromisoformat),
    "date": _text(date.fromisoformat),
    "json": _text(from_text),
}


class Writer:
    """Writes the attributes of all nodes or all edges. `tags` is the table of their tags."""

    def __init__(self, records: Iterable[dict[Any, Any]], changes: Changes) -> None:
        self._changes = changes
        # Examining whole columns is much faster than examining individual values.
        columns: dict[Any, list[Any]] = {}
        for record in records:
            for name, value in record.items():
                if name in columns:
                    columns[name].append(value)
                else:
                    columns[name] = [value]
        self._names = {name: name_of(name, changes) for name in columns}
        self.names = set(self._names.values())
        self._tags: Tags = {}
        self._plain: set[Any] = set()
        for name, column in columns.items():
            kinds = set(map(type, column))
            self._tags[self._names[name]] = _common(kinds, column[0])
            if _is_plain(column, kinds):
                self._plain.add(name)
        self.tags: Tags = {name: tag for name, tag in self._tags.items() if tag}
        # Whether all attributes are valid metadata as they are.
        self.verbatim = len(self._plain) == len(columns) and self.names == set(columns)

    def write(self, record: dict[Any, Any]) -> dict[str, Any]:
        """Returns the attributes of an element as metadata, in a new record."""
        if self.verbatim:
            return dict(record)
        written: dict[str, Any] = {}
        differing: Tags = {}
        for name, value in record.items():
            text = self._names[name]
            if name in self._plain:
                written[text] = value
                continue
            common = self._tags[text]
            written[text], tag = encode(value, self._changes)
            if tag != common and not (common == "float" and not tag):
                differing[text] = tag
        if differing:
            written[TYPES] = record_text(differing)
        return written


def _common(kinds: set[type], first: Any) -> str:
    """Returns the tag to assume for an attribute, based on the types of its values and the first value."""
    if float in kinds:
        # The tag `float` means that elements without their own tag contain no integers.
        return "float" if kinds <= {float, str, bool, type(None)} else ""
    return encode(first, Changes())[1] if len(kinds) == 1 else ""


def _is_plain(column: list[Any], kinds: set[type]) -> bool:
    """Checks quickly whether all values of an attribute are valid JSON as they are, with the same tag or none."""
    if not kinds <= {float, str, int, bool, type(None)} or (float in kinds and int in kinds):
        return False
    if float in kinds:
        numbers = [value for value in column if type(value) is float] if len(kinds) > 1 else column
        # `encode` handles negative zero.
        return all(map(math.isfinite, numbers)) and 0.0 not in numbers and _are_plain_texts(column, kinds)
    if int in kinds:
        numbers = [value for value in column if type(value) is int] if len(kinds) > 1 else column
        return min(numbers) >= -MAX_INTEGER and max(numbers) <= MAX_INTEGER and _are_plain_texts(column, kinds)
    return _are_plain_texts(column, kinds)


def _are_plain_texts(column: list[Any], kinds: set[type]) -> bool:
    if str not in kinds:
        return True
    texts = [value for value in column if type(value) is str] if len(kinds) > 1 else column
    return all(map(str.isascii, texts)) or all(map(well_formed, texts))


class Reader:
    """Reads the attributes of all nodes or all edges, using the table of their tags."""

    def __init__(self, tags: Any) -> None:
        table: Tags = tags if isinstance(tags, dict) else {}
        self._tags = {name: tag for name, tag in table.items() if tag in _DECODERS}
        self._floats = [name for name, tag in self._tags.items() if tag == "float"]
        self._others = [(name, _DECODERS[tag]) for name, tag in self._tags.items() if tag != "float"]

    def read(self, metadata: dict[str, Any]) -> dict[Any, Any]:
        """Returns the attributes in the metadata, which may be modified."""
        differing = take(metadata, TYPES) if TYPES in metadata else {}
        for name, tag in differing.items():
            if name in metadata:
                metadata[name] = decode(metadata[name], tag)
        for name in self._floats:
            if type(metadata.get(name)) is int and name not in differing:
                metadata[name] = float(metadata[name])
        for name, read in self._others:
            if name in metadata and name not in differing:
                try:
                    metadata[name] = read(metadata[name])
                except (TypeError, ValueError, OverflowError):
                    pass
        for name in metadata:
            if name.startswith(MARK):
                return {unmarked(name): value for name, value in metadata.items()}
        return metadata


def _is_json(value: Any, depth: int) -> bool:
    """Returns whether JSON preserves the value. It turns whole floats into integers."""
    kind = type(value)
    if kind is str:
        return well_formed(value)
    if kind is int:
        return bool(abs(value) <= MAX_INTEGER)
    if kind is float:
        return math.isfinite(value) and value % 1 != 0
    if value is None or kind is bool:
        return True
    if depth > _DEPTH:
        return False
    if kind is list:
        return all(_is_json(item, depth + 1) for item in value)
    if kind is dict:
        names = all(type(name) is str and well_formed(name) for name in value)
        return names and all(_is_json(item, depth + 1) for item in value.values())
    return False


def well_formed(text: str) -> bool:
    """Returns whether the text has no lone surrogates, which UTF-8 cannot encode."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
