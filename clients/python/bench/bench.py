"""Compares a push and a pull with writing and reading the same graph as node-link JSON in networkx.

    python bench/bench.py [edges]

Starts a server from this repository, and prints the medians of five rounds and their ratio.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx

from graphstead import Graphstead

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from server import running_server  # noqa: E402

ROUNDS = 5


def graph_of(edges: int, seed: int) -> Any:
    """Returns a graph with weighted edges, and a fifth as many nodes, each with a label and a number."""
    chance = random.Random(seed)
    graph = networkx.gnm_random_graph(edges // 5, edges, seed=seed)
    for id, record in graph.nodes(data=True):
        record.update(label=f"node {id}", group=chance.randrange(9))
    for _, _, record in graph.edges(data=True):
        record["weight"] = chance.random()
    return graph


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    edges = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name, running_server(Path(name)) as server:
        file = Path(name) / "graph.json"
        with Graphstead(server.url, server.user(), timeout=120) as client:
            times: dict[str, list[float]] = {"write": [], "read": [], "push": [], "pull": []}
            for seed in range(ROUNDS):
                # Each round needs a new graph, because the server does no work for an identical one.
                graph = graph_of(edges, seed)

                def write() -> None:
                    file.write_text(json.dumps(networkx.node_link_data(graph, edges="edges")))  # noqa: B023

                times["write"].append(seconds(write))
                times["read"].append(
                    seconds(lambda: networkx.node_link_graph(json.loads(file.read_text()), edges="edges"))
                )
                pushed: list[int] = []
                times["push"].append(seconds(lambda: pushed.append(client.push(graph).id)))  # noqa: B023
                times["pull"].append(seconds(lambda: client.pull(pushed[0])))  # noqa: B023
    medians = {what: statistics.median(values) for what, values in times.items()}
    for what, median in medians.items():
        print(f"{what:5} {median:.3f} s")
    ratio = (medians["push"] + medians["pull"]) / (medians["write"] + medians["read"])
    print(f"push and pull of {edges} edges take {ratio:.2f} times as long as networkx takes to write and read them")


main()
