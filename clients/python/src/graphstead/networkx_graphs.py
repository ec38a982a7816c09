"""Graphs of networkx as GraphContent, and back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .changes import Changes
from .elements import edge_ids_to_move, edge_of, edges_as, node_of, split_edge, split_node
from .ids import ID, free, id_reader, write_ids
from .trees import MARK, unmarked
from .values import MAX_INTEGER, Reader, Writer, name_of

if TYPE_CHECKING:
    import networkx

GRAPH = "py:graph"
KEY = "py:key"
_KINDS = ("Graph", "DiGraph", "MultiGraph", "MultiDiGraph")


def to_content(graph: networkx.Graph, changes: Changes) -> dict[str, Any]:
    """Returns the content for a graph of networkx, with all that it needs to become the same graph again."""
    multigraph, directed = graph.is_multigraph(), graph.is_directed()
    kind = _KINDS[2 * multigraph + directed]
    if type(graph).__name__ != kind:
        changes.add("kind-changed", f"a {type(graph).__name__} becomes a {kind}", graph.name)
    ids, long, base = write_ids(graph, changes)
    nodes = Writer((record for _, record in graph.nodes(data=True)), changes)
    edges = Writer((record for _, _, record in graph.edges(data=True)), changes)
    whole = Writer([graph.graph], changes)

    node_list = [node_of(ids[id], nodes.write(record), nodes.names) for id, record in graph.nodes(data=True)]
    for node in node_list if long else ():
        if node["id"] in long:
            node.setdefault("metadata", {})[ID] = long[node["id"]]
    moved = edge_ids_to_move(edges, (record for _, _, record in graph.edges(data=True)))
    if multigraph:
        edge_list = list(_edges_with_keys(graph, ids, edges, moved, changes))
    else:
        edge_list = [
            edge_of(ids[source], ids[target], edges.write(record), edges.names, moved)
            for source, target, record in graph.edges(data=True)
        ]
    metadata = whole.write(graph.graph)
    metadata[GRAPH] = {"kind": kind, "ids": base, "nodes": nodes.tags, "edges": edges.tags, "graph": whole.tags}
    return {"directed": directed, "metadata": metadata, "nodes": node_list, "edges": edge_list}


def _edges_with_keys(
    graph: Any, ids: dict[Hashable, str], edges: Writer, moved: bool, changes: Changes
) -> Iterator[dict[str, Any]]:
    """Gives the edges of a multigraph. A key is left out where networkx would give the same one."""
    last: tuple[Any, Any] | None = None
    count = 0
    taken: set[str] = set()
    for source, target, key, record in graph.edges(keys=True, data=True):
        # Parallel edges follow one another.
        if (source, target) != last:
            last, count, taken = (source, target), 0, set()
        metadata = edges.write(record)
        if type(key) is not int or key != count:
            # A JSON number, a text, or a marked text of any other value.
            text = key if type(key) is int and abs(key) <= MAX_INTEGER else name_of(key, changes)
            if type(text) is str and text in taken:
                text = free(text, taken)
            if type(text) is str:
                taken.add(text)
            metadata[KEY] = text
        count += 1
        yield edge_of(ids[source], ids[target], metadata, edges.names, moved)


def from_content(content: dict[str, Any], changes: Changes) -> networkx.Graph:
    """Returns the graph of networkx for a content. It is of the kind that was pushed, if the edges still allow that."""
    import networkx

    metadata = content.get("metadata") or {}
    told = metadata.pop(GRAPH, None)
    told = told if isinstance(told, dict) else {}
    edge_list = content["edges"]
    directed, edge_list = edges_as(content.get("directed", True), edge_list, changes)
    multigraph = told.get("kind") in ("MultiGraph", "MultiDiGraph")
    if not multigraph and _has_parallels(edge_list, directed):
        multigraph = True
        if told:
            changes.add("kind-changed", "a graph got parallel edges and becomes a multigraph", told.get("kind"))
    graph = getattr(networkx, _KINDS[2 * multigraph + directed])()
    graph.graph.update(Reader(told.get("graph")).read(metadata))
    if "label" in content:
        graph.graph["label"] = content["label"]

    read_id, nodes, edges = id_reader(told.get("ids")), Reader(told.get("nodes")), Reader(told.get("edges"))
    ids: dict[str, Hashable] = {}
    for node in content["nodes"]:
        attributes = split_node(node, nodes, changes)
        text = node["id"]
        full = attributes.pop(ID, None) if text.startswith(MARK) else None
        id = read_id(full if isinstance(full, str) else text)
        if id in graph:
            changes.add("id-as-text", "an id that means the same as another stays text", text)
            id = text
        ids[text] = id
        graph.add_node(id)
        graph.nodes[id].update(attributes)
    if multigraph:
        graph.add_edges_from(_keyed(graph, edge_list, ids, edges, changes))
    else:
        graph.add_edges_from(
            (ids[edge["source"]], ids[edge["target"]], split_edge(edge, edges, changes)) for edge in edge_list
        )
    return graph


def _keyed(
    graph: Any, edge_list: Iterable[dict[str, Any]], ids: dict[str, Hashable], edges: Reader, changes: Changes
) -> Iterator[tuple[Any, Any, Any, dict[Any, Any]]]:
    for edge in edge_list:
        source, target = ids[edge["source"]], ids[edge["target"]]
        metadata = edge.get("metadata")
        key = metadata.pop(KEY, None) if metadata else None
        key = unmarked(key) if isinstance(key, str) else key
        if key is None or graph.has_edge(source, target, key):
            key = graph.new_edge_key(source, target)
        yield source, target, key, split_edge(edge, edges, changes)


def _has_parallels(edges: list[dict[str, Any]], directed: bool) -> bool:
    pairs = [(edge["source"], edge["target"]) for edge in edges]
    if len(set(pairs)) < len(pairs):
        return True
    return not directed and len({pair if pair[0] < pair[1] else pair[::-1] for pair in pairs}) < len(pairs)
