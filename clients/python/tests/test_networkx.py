"""networkx graphs that are pushed to a real server and pulled back."""

from __future__ import annotations

import enum
import json
import sys
from collections import namedtuple
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import networkx
import numpy
import pytest
from random_graphs import KINDS, random_graph

from graphstead import ConversionError, ConversionWarning, Graphstead


def exact(value: Any) -> Any:
    """Returns a value in a form that compares types too, and distinguishes 1 from 1.0 and 0.0 from -0.0."""
    kind = type(value).__name__
    if isinstance(value, dict):
        return kind, sorted(
            ((repr(exact(name)), exact(item)) for name, item in value.items()), key=lambda pair: pair[0]
        )
    if isinstance(value, (list, tuple)):
        return kind, [exact(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return kind, sorted(repr(exact(item)) for item in value)
    return kind, repr(value)


def parts(graph: Any) -> dict[str, Any]:
    """Returns everything about a graph in a form that compares exactly. The endpoints of undirected edges have no order."""

    def edge(source: Hashable, target: Hashable, *rest: Any) -> str:
        ends = [repr(exact(source)), repr(exact(target))]
        return repr((ends if graph.is_directed() else sorted(ends), exact(rest)))

    edges = graph.edges(keys=True, data=True) if graph.is_multigraph() else graph.edges(data=True)
    return {
        "kind": type(graph),
        "attributes": exact(graph.graph),
        "nodes": [(exact(id), exact(record)) for id, record in graph.nodes(data=True)],
        "edges": sorted(edge(*parts) for parts in edges),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_200_random_graphs_come_back_exactly_as_they_were(client: Graphstead, kind: Any) -> None:
    for seed in range(200):
        graph = random_graph(kind, seed)
        pushed = client.push(graph, key="random", on_change="error")
        pulled = client.pull(pushed.id, on_change="error")
        assert parts(pulled) == parts(graph), f"{kind.__name__} {seed}"
        assert (pushed.node_count, pushed.edge_count) == (graph.number_of_nodes(), graph.number_of_edges())


def back(client: Graphstead, graph: Any, **options: Any) -> Any:
    """Pushes a graph and returns it as pulled from the server."""
    return client.pull(client.push(graph, key="graph", **options).id, on_change="error")


def content_of(client: Graphstead, id: int) -> dict[str, Any]:
    content: dict[str, Any] = client._http.ask("GET", f"/api/graphs/{id}", repeatable=True).json()["content"]
    return content


def nested(levels: int) -> Any:
    return [nested(levels - 1)] if levels > 1 else ["deep"]


@pytest.mark.parametrize(
    "values",
    [
        [1, 2.0, 2.5],
        [1.0, 2.5, "text", None, True],
        [1.0, [1.0], 1],
        [[1.0, 2.5], [1]],
        [[1], [1.0, 2.5]],
        [(1, 2), (1.0, 2.0)],
        [(1.0, 2.0), ()],
        [[], [1.0]],
        [2**60, 7],
        [7, 2**60],
        [0.0, -0.0],
        [nested(6), nested(7), nested(8), nested(40)],
        [{"a": nested(6)}, {"a": nested(7)}],
        [{"a": 1.0}, {"a": 1}],
        ["2026-11-21", "NaN", "1"],
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["value", "label", "x"])
def test_values_of_several_types_keep_their_types(client: Graphstead, values: list[Any], name: str) -> None:
    graph = networkx.MultiDiGraph()
    graph.graph[name] = values[0]
    for number, value in enumerate(values):
        graph.add_node(number)
        graph.nodes[number][name] = value
        graph.add_edge(0, number)
        graph.edges[0, number, 0][name] = value
    assert parts(back(client, graph, on_change="error")) == parts(graph)


def test_content_is_readable_for_other_clients(client: Graphstead) -> None:
    graph = networkx.MultiGraph(name="Pair")
    graph.add_node(1, label="Ada", x=1.0, y=-2.5, born=1815)
    graph.add_node("b", tags=("c", "d"))
    graph.add_edge(1, "b", relation="knows", label="k", id="e1", weight=2.0)
    graph.add_edge(1, "b", "other")
    record = client.push(graph)
    assert (record.name, record.changes) == ("Pair", ())
    content = content_of(client, record.id)
    assert content == {
        "directed": False,
        "metadata": {
            "name": "Pair",
            "py:graph": '{"kind":"MultiGraph","ids":"int","nodes":{"x":"float","y":"float","tags":"tuple"},'
            '"edges":{"weight":"float"},"graph":{}}',
        },
        "nodes": [
            {"id": "1", "label": "Ada", "x": 1, "y": -2.5, "metadata": {"born": 1815}},
            {"id": "b", "metadata": {"tags": ["c", "d"]}},
        ],
        "edges": [
            {"id": "e1", "source": "1", "target": "b", "relation": "knows", "label": "k", "metadata": {"weight": 2}},
            {"source": "1", "target": "b", "metadata": {"py:key": "other"}},
        ],
    }


class Colour(enum.IntEnum):
    RED = 3


class Thing:
    def __str__(self) -> str:
        return "a thing"


Point = namedtuple("Point", "x y")


class Special(networkx.DiGraph):  # type: ignore[misc]
    pass


def test_changes_are_reported(client: Graphstead) -> None:
    graph = Special()
    graph.add_node(Thing(), colour=Colour.RED, what=Thing(), weight=numpy.float64(2.5), at=Point(1, 2))
    graph.add_node(Thing(), pos=numpy.array([1.0, 2.0]), weight=numpy.float64(2.0))
    graph.add_node("a thing")
    with pytest.warns(ConversionWarning) as caught:
        record = client.push(graph, key="things")
    [warning] = caught
    assert isinstance(warning.message, ConversionWarning)
    assert warning.filename == __file__
    assert record.changes == warning.message.changes
    assert [(change.code, change.count, change.detail) for change in record.changes] == [
        ("kind-changed", 1, "a Special becomes a DiGraph"),
        ("id-as-text", 2, "an id of type Thing becomes text"),
        ("type-changed", 1, "a value of type Colour becomes int"),
        ("value-as-text", 1, "a value of type Thing becomes text"),
        ("type-changed", 2, "a value of type float64 becomes float"),
        ("type-changed", 1, "a value of type Point becomes tuple"),
        ("type-changed", 1, "a value of type ndarray becomes list"),
    ]
    with pytest.raises(ConversionError, match="a Special becomes a DiGraph"):
        client.push(graph, key="things", on_change="error")
    assert client.push(graph, key="things", on_change="ignore").changes == record.changes
    assert list(client.pull(record.id).nodes(data=True)) == [
        ("a thing (2)", {"colour": 3, "what": "a thing", "weight": 2.5, "at": (1, 2)}),
        ("a thing (3)", {"pos": [1.0, 2.0], "weight": 2.0}),
        ("a thing", {}),
    ]


def test_graphs_from_elsewhere_become_the_simplest_class(client: Graphstead) -> None:
    def pulled(content: str, **options: Any) -> Any:
        answer = client._http.ask("POST", "/api/graphs/import", body=content.encode, repeatable=False)
        return client.pull(answer.json()["id"], **options)

    dot = pulled("digraph { a -> b [weight=2]; b -> a }")
    assert (type(dot), list(dot.edges(data=True))) == (networkx.DiGraph, [("a", "b", {"weight": 2}), ("b", "a", {})])
    undirected = pulled("graph { 1 -- 2; 2 -- 1 [label=x] }")
    assert type(undirected) is networkx.MultiGraph
    assert list(undirected.edges(keys=True, data=True)) == [("1", "2", 0, {}), ("1", "2", 1, {"label": "x"})]
    assert type(pulled('{"nodes": [], "edges": []}')) is networkx.DiGraph
    mixed = (
        '{"directed": false, "nodes": [{"id": "a", "label": "A", "metadata": {"label": 1}}, {"id": "b"}], "edges": ['
    )
    mixed += '{"source": "a", "target": "b", "metadata": {"w": 1}}, {"source": "a", "target": "a"},'
    mixed += '{"source": "b", "target": "b", "directed": true}]}'
    with pytest.warns(ConversionWarning) as caught:
        graph = pulled(mixed)
    assert type(graph) is networkx.DiGraph
    assert list(graph.edges(data=True)) == [("a", "b", {"w": 1}), ("a", "a", {}), ("b", "a", {"w": 1}), ("b", "b", {})]
    assert dict(graph.nodes(data=True)) == {"a": {"label": "A", "metadata.label": 1}, "b": {}}
    assert isinstance(caught[0].message, ConversionWarning)
    assert [(change.code, change.count) for change in caught[0].message.changes] == [
        ("edge-per-direction", 1),
        ("attribute-renamed", 1),
    ]


def test_edits_made_elsewhere_are_read_unchanged(client: Graphstead) -> None:
    graph = networkx.Graph()
    graph.add_node(1, when=(1.0, 2.0), n=1.0, big=2**70)
    id = client.push(graph, key="edited").id
    content = content_of(client, id)
    content["nodes"][0]["metadata"] = {
        "when": "later",
        "n": "many",
        "big": "huge",
        "py:types": {"n": "nonsense", "x": 1},
    }
    content["nodes"] += [{"id": "py:1"}, {"id": "py:[1]"}, {"id": "py:{"}, {"id": 'py:{"no":1}'}]
    content["edges"] += [{"source": "1", "target": "py:1"}] * 2
    client._http.ask("PUT", f"/api/graphs/{id}/content", body=json.dumps(content).encode, repeatable=True)
    with pytest.warns(ConversionWarning) as caught:
        pulled = client.pull(id)
    assert type(pulled) is networkx.MultiGraph
    assert list(pulled.nodes) == [1, "py:1", "py:[1]", "py:{", 'py:{"no":1}']
    assert pulled.nodes[1] == {"when": "later", "n": "many", "big": "huge"}
    assert isinstance(caught[0].message, ConversionWarning)
    assert [change.code for change in caught[0].message.changes] == ["id-as-text", "kind-changed"]


@pytest.mark.parametrize(
    "own", ["{", "[]", '{"kind": 1, "ids": [], "nodes": 7, "edges": {"w": 1}, "graph": null}', 5, None]
)
def test_damaged_records_of_the_client_are_ignored(client: Graphstead, own: Any) -> None:
    metadata = {"py:graph": own, "colour": "red"}
    nodes = [
        {"id": "a", "metadata": {"py:types": own, "py:id": own, "n": 1}},
        {"id": "py:1", "metadata": {"py:id": own}},
    ]
    edges = [{"source": "a", "target": "a", "metadata": {"py:types": own, "py:key": own, "w": 1}}]
    content = {"metadata": metadata, "nodes": nodes, "edges": edges}
    answer = client._http.ask("POST", "/api/graphs/import", body=json.dumps(content).encode, repeatable=False)
    pulled = client.pull(answer.json()["id"])
    assert type(pulled) is networkx.DiGraph
    assert (pulled.graph["colour"], pulled.nodes["a"]["n"], pulled.edges["a", "a"]["w"]) == ("red", 1, 1)
    for library in ("igraph", "pandas"):
        client.pull(answer.json()["id"], library, on_change="ignore")


@pytest.mark.parametrize("format", ["node-link", "jgf", "cytoscape", "graphml"])
def test_a_graph_is_restored_after_a_file_of_another_format(client: Graphstead, format: str, tmp_path: Path) -> None:
    graph = networkx.MultiGraph(name="Pair")
    graph.add_node(1, label="Ada", x=1.0, born=1815)
    graph.add_node(("b", 2), born=None if format != "graphml" else 7)
    graph.add_edge(1, ("b", 2), "k", weight=2.0)
    graph.add_edge(1, ("b", 2), weight=1.5)
    client.push(graph, "graph")
    client.pull_file("graph", tmp_path / "file", format, on_change="ignore")
    client.push_file(tmp_path / "file", "again")
    assert parts(client.pull("again")) == parts(graph)


def test_an_old_version_is_pulled(client: Graphstead) -> None:
    first, second = networkx.path_graph(2), networkx.path_graph(3)
    client.push(first, key="path")
    record = client.push(second, key="path", message="longer")
    assert (record.version, [version.message for version in client.versions(record)]) == (2, ["longer", None])
    assert parts(client.pull(record, version=1)) == parts(first)
    assert parts(client.pull(record)) == parts(second)


def test_an_identical_graph_makes_no_new_version(client: Graphstead) -> None:
    graph = networkx.Graph(tags={"a", "b", "c", "d"})
    graph.add_edge(("x", frozenset("abc")), 1.5, weight=1.0)
    versions = {client.push(graph, key="same").version for _ in range(3)}
    assert versions == {1}


def test_a_graph_without_content_is_empty(client: Graphstead) -> None:
    answer = client._http.ask(
        "POST",
        "/api/graphs",
        body=lambda: b'{"name": "Empty"}',
        headers={"Content-Type": "application/json"},
        repeatable=False,
    )
    pulled = client.pull(answer.json()["id"])
    assert (type(pulled), len(pulled)) == (networkx.DiGraph, 0)


@pytest.mark.parametrize("library", ["networkx", "igraph", "pandas"])
def test_a_library_that_is_not_installed_is_named(
    client: Graphstead, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = client.push(networkx.Graph()).id
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConversionError, match=rf"{library} is not installed: pip install 'graphstead\[{library}\]'"):
        client.pull(id, library)


def test_other_values_are_refused(client: Graphstead) -> None:
    with pytest.raises(ConversionError, match="A dict is not a networkx or igraph graph"):
        client.push({}, key="x")
    with pytest.raises(ConversionError, match="not as dot"):
        client.pull(client.push(networkx.Graph()).id, "dot")  # type: ignore[call-overload]


@pytest.mark.parametrize("label", ["", "the same long label for each of the nodes, again and again" * 16])
def test_a_large_graph_is_packed_unless_it_would_unpack_too_far(client: Graphstead, label: str) -> None:
    graph = networkx.star_graph(2000)
    networkx.set_node_attributes(graph, label, "text")
    assert parts(back(client, graph)) == parts(graph)
