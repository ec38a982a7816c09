"""Converts networkx graphs to GraphContent and back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .changes import Changes
from .elements import edge_ids_to_move, edge_of, edges_as, has_fields, node_of, split_edge, split_node
from .ids import add_full_ids, free, id_reader, take_id, write_ids
from .keys import GRAPH, KEY, record_text, take
from .trees import unmarked
from .values import MAX_INTEGER, Reader, Writer, name_of

if TYPE_CHECKING:
    import networkx

_KINDS = ("Graph", "DiGraph", "MultiGraph", "MultiDiGraph")


def to_content(graph: networkx.Graph, changes: Changes) -> dict[str, Any]:
    """Returns the content of a networkx graph, with everything needed to restore it."""
    multigraph, directed = graph.is_multigraph(), graph.is_directed()
    kind = _KINDS[2 * multigraph + directed]
    if type(graph).__name__ != kind:
        changes.add("kind-changed", f"a {type(graph).__name__} becomes a {kind}", graph.name)
    ids, long, base = write_ids(graph, changes)
    node_rows = list(graph.nodes(data=True))
    edge_rows = list(graph.edges(keys=True, data=True) if multigraph else graph.edges(data=True))
    nodes = Writer((row[-1] for row in node_rows), changes)
    edges = Writer((row[-1] for row in edge_rows), changes)
    whole = Writer([graph.graph], changes)

    node_list = [node_of(ids[id], nodes.write(record), nodes.names) for id, record in node_rows]
    add_full_ids(node_list, long)
    moved = edge_ids_to_move(edges, (row[-1] for row in edge_rows))
    if multigraph:
        edge_list = list(_edges_with_keys(edge_rows, ids, edges, moved, changes))
    elif edges.verbatim and not has_fields(edges):
        # The most common case does not need copies.
        edge_list = [
            {"source": ids[source], "target": ids[target], "metadata": record}
            if record
            else {"source": ids[source], "target": ids[target]}
            for source, target, record in edge_rows
        ]
    else:
        edge_list = [
            edge_of(ids[source], ids[target], edges.write(record), edges.names, moved)
            for source, target, record in edge_rows
        ]
    metadata = whole.write(graph.graph)
    metadata[GRAPH] = record_text(
        {"kind": kind, "ids": base, "nodes": nodes.tags, "edges": edges.tags, "graph": whole.tags}
    )
    return {"directed": directed, "metadata": metadata, "nodes": node_list, "edges": edge_list}


def _edges_with_keys(
    rows: list[Any], ids: dict[Hashable, str], edges: Writer, moved: bool, changes: Changes
) -> Iterator[dict[str, Any]]:
    """Yields the edges of a multigraph. Omits keys that networkx would assign itself."""
    last: tuple[Any, Any] | None = None
    count = 0
    taken: set[str] = set()
    for source, target, key, record in rows:
        # Parallel edges are consecutive.
        if (source, target) != last:
            last, count, taken = (source, target), 0, set()
        metadata = edges.write(record)
        if type(key) is not int or key != count:
            # Stored as a JSON number or as text; values of any other type are stored as marked text.
            text = key if type(key) is int and abs(key) <= MAX_INTEGER else name_of(key, changes)
            if type(text) is str and text in taken:
                text = free(text, taken)
            if type(text) is str:
                taken.add(text)
            metadata[KEY] = text
        count += 1
        yield edge_of(ids[source], ids[target], metadata, edges.names, moved)


def from_content(content: dict[str, Any], changes: Changes) -> networkx.Graph:
    """Returns the networkx graph for the content, in the class that was pushed if the edges still allow it."""
    import networkx

    metadata = content.get("metadata") or {}
    told = take(metadata, GRAPH)
    directed, edge_list = edges_as(content.get("directed", True), content["edges"], changes)
    attributes = Reader(told.get("graph")).read(metadata)
    if "label" in content:
        attributes["label"] = content["label"]
    nodes, ids = _read_nodes(content["nodes"], id_reader(told.get("ids")), Reader(told.get("nodes")), changes)
    edges = Reader(told.get("edges"))

    def empty(multigraph: bool) -> Any:
        graph = getattr(networkx, _KINDS[2 * multigraph + directed])()
        graph.graph.update(attributes)
        graph.add_nodes_from(nodes)
        return graph

    if told.get("kind") in ("MultiGraph", "MultiDiGraph"):
        graph = empty(multigraph=True)
        graph.add_edges_from(_keyed(graph, edge_list, ids, edges, changes))
        return graph
    rows = [(ids[edge["source"]], ids[edge["target"]], split_edge(edge, edges, changes)) for edge in edge_list]
    graph = empty(multigraph=False)
    graph.add_edges_from(rows)
    if graph.number_of_edges() < len(rows):
        if told:
            changes.add("kind-changed", "a graph with new parallel edges becomes a multigraph", told.get("kind"))
        graph = empty(multigraph=True)
        graph.add_edges_from(rows)
    return graph


def _read_nodes(
    node_list: list[dict[str, Any]], read_id: Callable[[str], Hashable], nodes: Reader, changes: Changes
) -> tuple[list[tuple[Hashable, dict[Any, Any]]], dict[str, Hashable]]:
    """Returns the nodes with their attributes, and the ids by their texts."""
    read: dict[Hashable, dict[Any, Any]] = {}
    ids: dict[str, Hashable] = {}
    for node in node_list:
        text = node["id"]
        id = read_id(take_id(node))
        if id in read:
            changes.add("id-as-text", "an id that equals another id stays text", text)
            id = text
        ids[text] = id
        read[id] = split_node(node, nodes, changes)
    return list(read.items()), ids


def _keyed(
    graph: Any, edge_list: Iterable[dict[str, Any]], ids: dict[str, Hashable], edges: Reader, changes: Changes
) -> Iterator[tuple[Any, Any, Any, dict[Any, Any]]]:
    """Yields the edges of a multigraph with their keys. Each must be added before the next is requested."""
    for edge in edge_list:
        source, target = ids[edge["source"]], ids[edge["target"]]
        metadata = edge.get("metadata")
        key = metadata.pop(KEY, None) if metadata else None
        key = unmarked(key) if isinstance(key, str) else key
        if key is None or graph.has_edge(source, target, key):
            key = graph.new_edge_key(source, target)
        yield source, target, key, split_edge(edge, edges, changes)
