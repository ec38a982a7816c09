"""Random graphs of every networkx class, with ids and attributes of many types. The same seed produces the same graph."""

from __future__ import annotations

import math
import random
from collections.abc import Hashable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

import networkx

KINDS = [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph]
NAMES: list[Hashable] = [
    "label",
    "x",
    "y",
    "z",
    "id",
    "name",
    "key",
    "source",
    "relation",
    "directed",
    "metadata",
    "metadata.label",
    "weight",
]
NAMES += [
    "",
    "__proto__",
    "constructor",
    "py:key",
    "py:id",
    "py:graph",
    "py:types",
    "py:",
    "naïve 🙂",
    "a.b",
    "nodes",
    5,
    None,
    ("a", 1),
    2.0,
]


def text(random: random.Random) -> str:
    letters = "abcxyz0189 \t\n\r\"'\\/<>&é🙂\u2028\x00\x1f\x7f\ud800:{}[]"
    return "".join(random.choice(letters) for _ in range(random.randrange(12)))


def scalar(random: random.Random) -> Any:
    return random.choice(
        [
            None,
            True,
            False,
            0,
            -7,
            2**53 - 1,
            2**53,
            -(2**200),
            0.0,
            -0.0,
            1.0,
            0.1,
            -2.5e-300,
            1e16,
            9007199254740993.0,
            1.7976931348623157e308,
            math.inf,
            math.nan,
            -math.inf,
            5e-324,
            random.random(),
            random.randrange(1000),
            float(random.randrange(1000)),
            "",
            "1",
            "py:1",
            "é" * 3000,
            text(random),
            text(random),
            b"\x00\xff",
            complex(1, -2),
            datetime(2026, 11, 21, 9, 30, 0, 5),
            datetime(2026, 11, 21, 9, 30, tzinfo=timezone(timedelta(hours=2))),
            date(2026, 11, 21),
            timedelta(days=-1, microseconds=3),
            Decimal("1.10"),
            Fraction(1, 3),
            UUID(int=7),
        ]
    )


def value(random: random.Random, depth: int = 0) -> Any:
    kind = random.randrange(10) if depth < 9 else 0
    if kind < 6:
        return scalar(random)
    items = [value(random, depth + 1) for _ in range(random.randrange(4))]
    if kind == 6:
        return items
    if kind == 7:
        return tuple(items)
    if kind == 8:
        return {hashable(random) if random.random() < 0.2 else text(random): item for item in items}
    return random.choice([set, frozenset])(hashable(random) for _ in range(3))


def hashable(random: random.Random) -> Hashable:
    kind = random.randrange(6)
    if kind == 0:
        return tuple(hashable(random) for _ in range(random.randrange(3)))
    if kind == 1:
        return frozenset(hashable(random) for _ in range(random.randrange(3)))
    return scalar(random)  # type: ignore[no-any-return]


def record(random: random.Random, names: list[Hashable]) -> dict[Any, Any]:
    chosen = random.sample(names, random.randrange(min(4, len(names)) + 1))
    # In real graphs, most attributes have the same type throughout.
    plain: dict[Any, Any] = {
        "weight": float(random.randrange(9)),
        "x": random.random(),
        "label": text(random),
        "name": "n",
    }
    return {name: plain[name] if name in plain and random.random() < 0.7 else value(random) for name in chosen}


def random_graph(kind: Any, seed: int) -> Any:
    """Returns a random graph of this class."""
    chance = random.Random(seed)
    graph = kind()
    names = chance.sample(NAMES, chance.randrange(1, 8))
    graph.graph.update(record(chance, names))
    ids: list[Any] = []
    style = chance.randrange(4)
    for number in range(chance.randrange(30)):
        id = [number, f"n{number}", hashable(chance), chance.choice([str(number), number, "x" * 300 + str(number)])][
            style
        ]
        # networkx does not allow None as a node.
        if id is not None and id not in graph:
            graph.add_node(id)
            graph.nodes[id].update(record(chance, names))
            ids.append(id)
    for number in range(chance.randrange(60) if ids else 0):
        ends = chance.choice(ids), chance.choice(ids)
        if graph.is_multigraph():
            key = chance.choice([None, None, number, "k", hashable(chance)])
            key = graph.add_edge(*ends, key=key)
            edge = (*ends, key)
            graph.edges[edge].update(record(chance, names))
        else:
            graph.add_edge(*ends)
            graph.edges[ends].update(record(chance, names))
    return graph
