"""igraph graphs that are pushed to a real server and pulled back."""

from __future__ import annotations

import random
from typing import Any

import igraph
import networkx
import pytest
from random_graphs import text, value
from test_networkx import exact

from graphstead import ConversionWarning, Graphstead


def parts(graph: Any) -> dict[str, Any]:
    """Returns everything about a graph in a form that compares exactly."""
    return {
        "directed": graph.is_directed(),
        "attributes": exact({name: graph[name] for name in graph.attributes()}),
        "vertices": exact({name: graph.vs[name] for name in graph.vs.attributes()}),
        "count": graph.vcount(),
        "edges": graph.get_edgelist(),
        "edge attributes": exact({name: graph.es[name] for name in graph.es.attributes()}),
    }


def random_graph(seed: int) -> Any:
    chance = random.Random(seed)
    count = chance.randrange(30)
    ends = [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randrange(60) if count else 0)]
    graph = igraph.Graph(n=count, edges=ends, directed=chance.random() < 0.5)
    if chance.random() < 0.5:
        graph.vs["name"] = [text(chance) + str(number) * chance.choice([1, 1, 300]) for number in range(count)]
    elif chance.random() < 0.5:
        graph.vs["name"] = ["same", None][chance.randrange(2)]
    for sequence in (graph.vs, graph.es):
        for name in chance.sample(["label", "x", "id", "weight", "key", "py:id", "a b"], chance.randrange(4)):
            sequence[name] = [value(chance) for _ in sequence]
    for name in chance.sample(["name", "label", "date"], chance.randrange(3)):
        graph[name] = value(chance)
    return graph


def test_100_random_graphs_come_back_exactly_as_they_were(client: Graphstead) -> None:
    for seed in range(100):
        graph = random_graph(seed)
        record = client.push(graph, "random", on_change="error")
        assert parts(client.pull(record.id, "igraph", on_change="error")) == parts(graph), seed


def test_famous_graphs_have_numbers_or_names(client: Graphstead) -> None:
    graph = igraph.Graph.Famous("Zachary")
    assert client.push(graph, "club", name="Club").edge_count == 78
    assert sorted(client.pull("club").nodes) == list(range(34))
    tree = igraph.Graph.TupleList([("a", "b", 2.0), ("a", "c", 1.5)], weights=True)
    tree["name"] = "Tree"
    assert client.push(tree).name == "Tree"
    pulled = client.pull(client.push(tree, "tree").id)
    assert dict(pulled.edges) == {("a", "b"): {"weight": 2.0}, ("a", "c"): {"weight": 1.5}}


def test_a_networkx_graph_becomes_an_igraph_graph_and_the_changes_are_reported(client: Graphstead) -> None:
    graph = networkx.MultiDiGraph()
    graph.add_node(("a", 1), name="first")
    graph.add_node("b")
    graph.nodes["b"][5] = "five"
    graph.add_edge(("a", 1), "b", "k", weight=2.0)
    record = client.push(graph, "mixed", on_change="error")
    with pytest.warns(ConversionWarning) as caught:
        pulled = client.pull(record, "igraph")
    assert pulled.vs["name"] == ['py:{"tuple":["a",1]}', "b"]
    assert (pulled.vs["metadata.name"], pulled.vs["5"]) == (["first", None], [None, "five"])
    assert (pulled.is_directed(), pulled.get_edgelist(), pulled.es["weight"]) == (True, [(0, 1)], [2.0])
    assert isinstance(caught[0].message, ConversionWarning)
    assert [(change.code, change.count) for change in caught[0].message.changes] == [
        ("key-dropped", 1),
        ("attribute-renamed", 1),
        ("id-as-text", 1),
        ("name-as-text", 1),
    ]
