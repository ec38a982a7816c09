"""Converts igraph graphs to GraphContent and back.

In igraph, a vertex is a number and may have a name. In Graphstead, its id is the name if all vertices have unique names,
otherwise the number. An attribute that a vertex lacks is None in igraph and absent in Graphstead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .changes import Changes
from .elements import edge_ids_to_move, edge_of, edges_as, node_of, split_edge, split_node
from .ids import add_full_ids, id_reader, take_id, write_ids
from .keys import GRAPH, KEY, record_text, take
from .trees import unmarked
from .values import Reader, Writer, name_of

if TYPE_CHECKING:
    import igraph


def to_content(graph: igraph.Graph, changes: Changes) -> dict[str, Any]:
    """Returns the content of an igraph graph, with everything needed to restore it."""
    vertices, edges = _records(graph.vs), _records(graph.es)
    names = graph.vs["name"] if "name" in graph.vs.attributes() else []
    named = len(names) > 0 and all(type(name) is str for name in names) and len(set(names)) == len(names)
    if named:
        for record in vertices:
            del record["name"]
    texts, long, base = write_ids(names if named else range(graph.vcount()), changes)
    ids = [texts[id] for id in (names if named else range(graph.vcount()))]
    node_writer, edge_writer = Writer(vertices, changes), Writer(edges, changes)
    attributes = {name: graph[name] for name in graph.attributes()}
    whole = Writer([attributes], changes)

    nodes = [
        node_of(id, node_writer.write(record), node_writer.names) for id, record in zip(ids, vertices, strict=True)
    ]
    add_full_ids(nodes, long)
    moved = edge_ids_to_move(edge_writer, edges)
    metadata = whole.write(attributes)
    metadata[GRAPH] = record_text(
        {
            "kind": "igraph",
            "ids": base,
            "named": named,
            "nodes": node_writer.tags,
            "edges": edge_writer.tags,
            "graph": whole.tags,
            # Names of all attributes, including those whose values are all None.
            "columns": {
                "nodes": [name_of(name, changes) for name in graph.vs.attributes() if not (named and name == "name")],
                "edges": [name_of(name, changes) for name in graph.es.attributes()],
            },
        }
    )
    return {
        "directed": graph.is_directed(),
        "metadata": metadata,
        "nodes": nodes,
        "edges": [
            edge_of(ids[source], ids[target], edge_writer.write(record), edge_writer.names, moved)
            for (source, target), record in zip(graph.get_edgelist(), edges, strict=True)
        ],
    }


def from_content(content: dict[str, Any], changes: Changes) -> igraph.Graph:
    """Returns the igraph graph for the content."""
    import igraph

    metadata = content.get("metadata") or {}
    told = take(metadata, GRAPH)
    directed, edge_list = edges_as(content.get("directed", True), content["edges"], changes)
    columns = told.get("columns")
    columns = columns if isinstance(columns, dict) else {}

    node_reader, edge_reader = Reader(told.get("nodes")), Reader(told.get("edges"))
    read_id = id_reader(told.get("ids"))
    vertices, ids = [], []
    for node in content["nodes"]:
        ids.append(read_id(take_id(node)))
        vertices.append(split_node(node, node_reader, changes))
    edges = []
    for edge in edge_list:
        if edge.get("metadata", {}).pop(KEY, None) is not None:
            changes.add("key-dropped", "igraph does not support keys of parallel edges", edge["source"])
        edges.append(split_edge(edge, edge_reader, changes))

    numbers = {node["id"]: number for number, node in enumerate(content["nodes"])}
    ends = [(numbers[edge["source"]], numbers[edge["target"]]) for edge in edge_list]
    graph = igraph.Graph(n=len(ids), edges=ends, directed=directed)
    for name, value in Reader(told.get("graph")).read(metadata).items():
        graph[_text(name, changes)] = value
    if "label" in content:
        graph["label"] = content["label"]
    if told.get("named") or ids != list(range(len(ids))):
        _add_names(ids, vertices, content["nodes"], changes)
    _set(graph.vs, vertices, columns.get("nodes"), changes)
    _set(graph.es, edges, columns.get("edges"), changes)
    return graph


def _records(sequence: Any) -> list[dict[Any, Any]]:
    """Returns the attributes of vertices or edges, except those that are None."""
    records: list[dict[Any, Any]] = [{} for _ in range(len(sequence))]
    for name in sequence.attributes():
        for record, value in zip(records, sequence[name], strict=True):
            if value is not None:
                record[name] = value
    return records


def _add_names(ids: list[Any], vertices: list[dict[Any, Any]], nodes: list[dict[str, Any]], changes: Changes) -> None:
    """Sets the names of vertices to their ids as text, because igraph looks up vertices by such names."""
    for id, record, node in zip(ids, vertices, nodes, strict=True):
        if "name" in record:
            record["metadata.name"] = record.pop("name")
            changes.add("attribute-renamed", "the attribute name becomes metadata.name", record["metadata.name"])
        if type(id) is not str:
            changes.add("id-as-text", f"an id of type {type(id).__name__} becomes a name as text", id)
        record["name"] = id if type(id) is str else node["id"]


def _set(sequence: Any, records: list[dict[Any, Any]], known: Any, changes: Changes) -> None:
    """Sets the attributes of vertices or edges, beginning with those that were pushed, in their order."""
    names = dict.fromkeys(unmarked(name) for name in known if isinstance(name, str)) if isinstance(known, list) else {}
    for record in records:
        names.update(dict.fromkeys(record))
    for name in names:
        sequence[_text(name, changes)] = [record.get(name) for record in records]


def _text(name: Any, changes: Changes) -> str:
    if isinstance(name, str):
        return name
    changes.add("name-as-text", "an attribute name that is not text becomes text", name)
    return str(name)
