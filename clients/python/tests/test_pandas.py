"""Data frames of edges that are pushed to a real server and pulled back."""

from __future__ import annotations

from typing import Any

import networkx
import numpy
import pandas
import pytest

from graphstead import ConversionError, ConversionWarning, Graphstead


def frame() -> Any:
    moments = pandas.to_datetime(["2026-11-21T09:30:00.123456789", None, "1999-12-31"], format="ISO8601")
    return pandas.DataFrame(
        {
            "from": [1, 2, 3],
            "to": ["a", "b", "1"],
            "weight": [1.0, float("nan"), 2.5],
            "small": numpy.array([1, 2, 3], dtype="int8"),
            "large": numpy.array([2**63, 2**64 - 1, 0], dtype="uint64"),
            "half": numpy.array([0.1, 2, 3], dtype="float32"),
            "maybe": pandas.array([1, None, 3], dtype="Int64"),
            "yes": [True, False, True],
            "text": ["x", None, "é"],
            "label": ["A", "B", "C"],
            "id": ["e1", "e2", "e3"],
            "kind": pandas.Categorical(["p", "q", "p"]),
            "when": moments,
            "zoned": moments.tz_localize("Europe/Vienna"),
            "long": pandas.to_timedelta(["1 days", None, "5 ns"]),
            "list": [[1, 2.0], (3,), None],
            5: [0, 0, 0],
        }
    )


@pytest.mark.parametrize("rows", [3, 1, 0])
def test_a_list_of_edges_comes_back_as_it_was(client: Graphstead, rows: int) -> None:
    edges = frame().iloc[:rows].copy()
    edges["kind"] = edges["kind"].cat.remove_unused_categories()
    edges.attrs["title"] = ("Edges", 1.0)
    record = client.push(edges, "edges", source="from", target="to", on_change="error")
    assert record.edge_count == rows
    pulled = client.pull("edges", "pandas", on_change="error")
    # A categorical column without rows has no category type.
    same = {"check_index_type": False, "check_column_type": False, "check_categorical": rows > 0}
    pandas.testing.assert_frame_equal(pulled, edges, **same)
    assert pulled.attrs == {"title": ("Edges", 1.0)}
    assert [type(value) for value in pulled["from"]] == [type(value) for value in edges["from"]]


def test_a_list_of_edges_becomes_a_graph(client: Graphstead) -> None:
    edges = pandas.DataFrame({"source": [1, 2], "target": [2, 3], "weight": [1.0, 2.0]})
    client.push(edges, "edges", directed=False)
    pulled = client.pull("edges")
    assert type(pulled) is networkx.Graph
    assert list(pulled.edges(data=True)) == [(1, 2, {"weight": 1.0}), (2, 3, {"weight": 2.0})]
    client.push(edges, "edges")
    assert type(client.pull("edges")) is networkx.DiGraph


def test_the_losses_of_a_list_of_edges_are_reported(client: Graphstead) -> None:
    graph = networkx.MultiGraph()
    graph.add_node("alone")
    graph.add_node("a", label="A")
    graph.add_edge("a", "b", "k", source="here", weight=1.0)
    client.push(graph, "graph", on_change="error")
    with pytest.warns(ConversionWarning) as caught:
        pulled = client.pull("graph", "pandas")
    expected = {"source": ["a"], "target": ["b"], "weight": [1.0], "metadata.source": ["here"]}
    pandas.testing.assert_frame_equal(pulled, pandas.DataFrame(expected), check_index_type=False)
    assert isinstance(caught[0].message, ConversionWarning)
    assert [(change.code, change.count) for change in caught[0].message.changes] == [
        ("isolated-node-dropped", 1),
        ("node-attributes-dropped", 1),
        ("key-dropped", 1),
        ("attribute-renamed", 1),
    ]


def test_a_frame_that_is_not_a_list_of_edges_is_refused(client: Graphstead) -> None:
    with pytest.raises(ConversionError, match="has no column 'source'"):
        client.push(pandas.DataFrame({"a": [1]}))
    with pytest.raises(ConversionError, match="Row 1 has no target"):
        client.push(pandas.DataFrame({"source": [1, 2], "target": ["a", None]}))
    with pytest.raises(ConversionError, match="several columns with the same name"):
        client.push(pandas.DataFrame([[1, 2, 3, 4]], columns=["source", "target", "a", "a"]))
    with pytest.raises(ConversionError, match="A Series is not a networkx or igraph graph"):
        client.push(pandas.Series([1]))
    indexed = pandas.DataFrame({"source": [1], "target": [2]}, index=["row"])
    with pytest.raises(ConversionError, match="the index becomes"):
        client.push(indexed, on_change="error")
