"""Converts Python values to text and back exactly. The text is JSON, with other types as objects with one member.

`(1, 2.0)` becomes `{"tuple": [1, 2.0]}`. Equal values have equal texts, so that pushing an unchanged graph does not create
a new version.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from .changes import Changes

MARK = "py:"

_TEXTS: dict[type, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    bytes: ("bytes", lambda value: base64.b64encode(value).decode(), base64.b64decode),
    datetime: ("datetime", datetime.isoformat, datetime.fromisoformat),
    date: ("date", date.isoformat, date.fromisoformat),
    time: ("time", time.isoformat, time.fromisoformat),
    Decimal: ("Decimal", str, Decimal),
    Fraction: ("Fraction", str, Fraction),
    UUID: ("UUID", str, UUID),
    complex: ("complex", repr, complex),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    **{name: read for name, _, read in _TEXTS.values()},
    "timedelta": lambda parts: timedelta(*parts),
    "tuple": lambda items: tuple(map(from_tree, items)),
    "set": lambda items: set(map(from_tree, items)),
    "frozenset": lambda items: frozenset(map(from_tree, items)),
    "dict": lambda items: {from_tree(name): from_tree(value) for name, value in items},
}
# Instances of subclasses become instances of the base class. The order matters: a bool is an int, and a datetime is a date.
_BASES = (bool, int, float, complex, str, bytes, datetime, date, time, timedelta, Decimal, Fraction, UUID)
_CONTAINERS = (list, tuple, set, frozenset, dict)


def text_of(value: Any, changes: Changes) -> str:
    """Returns a value as text. Counts changes that `from_text` cannot undo."""
    return json.dumps(_tree(value, changes), separators=(",", ":"))


def from_text(text: str) -> Any:
    """Returns the value of a text. Raises ValueError if the text is invalid."""
    try:
        return from_tree(json.loads(text))
    except (TypeError, ArithmeticError, RecursionError) as error:
        raise ValueError(str(error)) from None


def marked(value: Any, changes: Changes) -> str:
    """Returns a value as text that `unmarked` can distinguish from other texts."""
    return MARK + text_of(value, changes)


def unmarked(text: str) -> Any:
    """Returns the value of a marked text, and any other text unchanged."""
    if text.startswith(MARK):
        try:
            return from_text(text[len(MARK) :])
        except ValueError:
            return text
    return text


def is_known(value: Any) -> bool:
    """Returns whether the type of a value can be restored from text. Its items may have other types."""
    return value is None or type(value) in _BASES or type(value) in _CONTAINERS


def known(value: Any, changes: Changes, what: str = "value") -> Any:
    """Returns the value if its type can be restored, otherwise the closest value of a known type, and counts the change."""
    if is_known(value):
        return value
    kind = type(value)
    article = "an" if what == "id" else "a"
    base: Any
    if kind.__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        base = value.tolist()
    elif hasattr(value, "to_pydatetime"):
        base = value.to_pydatetime(warn=False)
    else:
        base = next((base for base in (*_BASES, *_CONTAINERS) if isinstance(value, base)), None)
        base = None if base is None else _as(value, base)
    if base is not None and is_known(base):
        changes.add("type-changed", f"{article} {what} of type {kind.__name__} becomes {type(base).__name__}", value)
        return base
    changes.add(f"{what}-as-text", f"{article} {what} of type {kind.__name__} becomes text", value)
    return str(value)


def _as(value: Any, base: Any) -> Any:
    """Converts a value of a subclass to its base class, without calling overridden methods."""
    if base in (list, tuple, set, frozenset, dict):
        return base(value)
    if base is datetime:
        return datetime.combine(value.date(), value.timetz())
    if base is date:
        return date(value.year, value.month, value.day)
    if base is timedelta:
        return timedelta(value.days, value.seconds, value.microseconds)
    if base in (int, float, str):
        return {int: int.__int__, float: float.__float__, str: str.__str__}[base](value)
    return None


def _tree(value: Any, changes: Changes) -> Any:
    value = known(value, changes)
    kind = type(value)
    if kind in _TEXTS:
        name, write, _ = _TEXTS[kind]
        return {name: write(value)}
    if kind is list:
        return [_tree(item, changes) for item in value]
    if kind is tuple:
        return {"tuple": [_tree(item, changes) for item in value]}
    if kind in (set, frozenset):
        return {kind.__name__: sorted((_tree(item, changes) for item in value), key=json.dumps)}
    if kind is dict:
        return {"dict": [[_tree(name, changes), _tree(item, changes)] for name, item in value.items()]}
    if kind is timedelta:
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    return value


def from_tree(tree: Any) -> Any:
    """Returns the value of a tree. Raises ValueError or TypeError if it is invalid."""
    if isinstance(tree, list):
        return [from_tree(item) for item in tree]
    if isinstance(tree, dict):
        [(name, value)] = tree.items()
        if name not in _READERS:
            raise ValueError(f"{name} is not a type")
        return _READERS[name](value)
    return tree
