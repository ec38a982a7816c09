"""Conversion between attributes and the nodes and edges of GraphContent, which have fields and metadata."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .changes import Changes
from .values import Reader, Writer

_LABEL = 1024
_RELATION = 255
_ID = 255
_OF_NODES = ("label", "x", "y", "z")
_OF_EDGES = ("label", "relation", "id")


def node_of(id: str, metadata: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Returns a node. Label and position are moved out of the metadata, so that the web app shows them."""
    node: dict[str, Any] = {"id": id}
    if "label" in names:
        _move_text("label", _LABEL, metadata, node)
    for name in ("x", "y", "z"):
        if name in names and type(metadata.get(name)) in (int, float) and math.isfinite(metadata[name]):
            node[name] = metadata.pop(name)
    if metadata:
        node["metadata"] = metadata
    return node


def edge_of(source: str, target: str, metadata: dict[str, Any], names: set[str], moved: bool) -> dict[str, Any]:
    """Returns an edge. `moved` sets whether its id is moved out of the metadata."""
    edge: dict[str, Any] = {"source": source, "target": target}
    if "label" in names:
        _move_text("label", _LABEL, metadata, edge)
    if "relation" in names:
        _move_text("relation", _RELATION, metadata, edge)
    if moved:
        _move_text("id", _ID, metadata, edge)
    if metadata:
        edge["metadata"] = metadata
    return edge


def has_fields(edges: Writer) -> bool:
    """Returns whether any attribute of the edges may become a field."""
    return not edges.names.isdisjoint(_OF_EDGES)


def edge_ids_to_move(edges: Writer, attributes: Iterable[dict[Any, Any]]) -> bool:
    """Returns whether the attribute `id` can become the id of edges: all ids must be text and unique."""
    if "id" not in edges.names:
        return False
    ids = [record["id"] for record in attributes if "id" in record]
    return all(type(id) is str and 0 < len(id) <= _ID for id in ids) and len(set(ids)) == len(ids)


def _move_text(name: str, longest: int, metadata: dict[str, Any], element: dict[str, Any]) -> None:
    value = metadata.get(name)
    if type(value) is str and len(value) <= longest:
        element[name] = metadata.pop(name)


def split_node(node: dict[str, Any], nodes: Reader, changes: Changes) -> dict[Any, Any]:
    """Returns the attributes of a node."""
    return _attributes(node, _OF_NODES, nodes, changes) if len(node) > 1 else {}


def split_edge(edge: dict[str, Any], edges: Reader, changes: Changes) -> dict[Any, Any]:
    """Returns the attributes of an edge."""
    if len(edge) == 3 and "metadata" in edge:
        return edges.read(edge["metadata"])
    return _attributes(edge, _OF_EDGES, edges, changes) if len(edge) > 2 else {}


def _attributes(element: dict[str, Any], fields: tuple[str, ...], reader: Reader, changes: Changes) -> dict[Any, Any]:
    metadata: dict[str, Any] = element.get("metadata") or {}
    for name in fields:
        if name in element:
            if name in metadata:
                metadata[f"metadata.{name}"] = metadata.pop(name)
                changes.add(
                    "attribute-renamed", f"metadata named {name} becomes metadata.{name}", metadata[f"metadata.{name}"]
                )
            metadata[name] = element[name]
    return reader.read(metadata)


def edges_as(directed: bool, edges: list[dict[str, Any]], changes: Changes) -> tuple[bool, list[dict[str, Any]]]:
    """Returns whether the graph is directed, and its edges. In a mixed graph, an undirected edge becomes two."""
    if not any("directed" in edge for edge in edges):
        return directed, edges
    own = [edge.pop("directed", directed) if "directed" in edge else directed for edge in edges]
    if all(own) or not any(own):
        return (own[0] if own else directed), edges
    doubled = []
    for edge, has_direction in zip(edges, own, strict=True):
        doubled.append(edge)
        if not has_direction and edge["source"] != edge["target"]:
            changes.add("edge-per-direction", "an undirected edge becomes one edge in each direction", edge["source"])
            metadata = dict(edge.get("metadata") or {})
            reverse = {**edge, "source": edge["target"], "target": edge["source"]}
            doubled.append({**reverse, "metadata": metadata} if metadata else reverse)
    return True, doubled
