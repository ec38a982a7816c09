"""Changes made by a conversion, and how they are reported to the caller."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from .errors import GraphsteadError

OnChange = Literal["warn", "error", "ignore"]


@dataclass(frozen=True)
class Change:
    """A kind of change made by a conversion, with the number of changes and an example."""

    code: str
    count: int
    detail: str
    example: str

    def __str__(self) -> str:
        example = f"; for example {self.example}" if self.example else ""
        return f"{self.detail} ({self.count}{example})"


class ConversionWarning(UserWarning):
    """A conversion changed something. `changes` lists the changes."""

    def __init__(self, changes: tuple[Change, ...]) -> None:
        self.changes = changes
        super().__init__("; ".join(map(str, changes)))


class ConversionError(GraphsteadError):
    """A conversion would change something, or is impossible. `changes` lists the changes."""

    def __init__(self, message: str, changes: tuple[Change, ...] = ()) -> None:
        self.changes = changes
        super().__init__(message)


class Changes:
    """Counts changes during a conversion."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], str] = {}

    def add(self, code: str, detail: str, example: object, count: int = 1) -> None:
        """Counts a change. `detail` describes it for people. `example` may be None."""
        kind = (code, detail)
        self._counts[kind] += count
        if kind not in self._examples:
            text = "" if example is None else repr(example)
            self._examples[kind] = text if len(text) <= 60 else text[:59] + "…"

    def tell(self, on_change: OnChange) -> tuple[Change, ...]:
        """Returns the changes. Depending on `on_change`, warns about them or raises an error."""
        changes = tuple(
            Change(code, n, detail, self._examples[code, detail]) for (code, detail), n in self._counts.items()
        )
        if changes and on_change == "error":
            raise ConversionError("; ".join(map(str, changes)), changes)
        if changes and on_change == "warn":
            # Attributes the warning to the caller of the client's method.
            warnings.warn(ConversionWarning(changes), stacklevel=3)
        return changes
