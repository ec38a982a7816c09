"""Records of graphs, versions and differences from the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from .changes import Change


@dataclass(frozen=True)
class GraphRecord:
    """A graph on the server, without its content. `url` is its page in the web app."""

    id: int
    name: str
    owner: str
    access: str
    version: int
    node_count: int
    edge_count: int
    created_at: datetime
    updated_at: datetime
    url: str
    key: str | None = None
    type: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    shared: bool = False
    etag: str | None = None
    # The changes that the push made because Graphstead cannot store some values.
    changes: tuple[Change, ...] = ()

    def _repr_html_(self) -> str:
        """Returns the record as a link, for notebooks."""
        name, url = _escaped(self.name), _escaped(self.url)
        counts = f"{self.node_count} nodes, {self.edge_count} edges, version {self.version}"
        return f'<a href="{url}" target="_blank" rel="noopener">{name}</a> ({counts})'


@dataclass(frozen=True)
class Version:
    """A version of a graph: its author, time and message."""

    version: int
    timestamp: datetime
    principal: str
    name: str
    node_count: int
    edge_count: int
    message: str | None = None
    restored_from: int | None = None


class ElementList(TypedDict):
    """The first elements of a list, and their total number."""

    count: int
    items: list[dict[str, Any]]


class ElementDiff(TypedDict):
    """The added, removed and changed nodes or edges."""

    added: ElementList
    removed: ElementList
    changed: ElementList
    reordered: bool


class Diff(TypedDict):
    """The difference between two versions of a graph, as returned by `GET /api/graphs/{id}/diff`."""

    id: int
    fields: list[dict[str, Any]]
    nodes: ElementDiff
    edges: ElementDiff
    truncated: bool


def record_of(
    answer: Mapping[str, Any], base: str, *, etag: str | None = None, changes: tuple[Change, ...] = ()
) -> GraphRecord:
    """Returns the record in a response. Ignores fields that this version does not know."""
    return GraphRecord(
        id=answer["id"],
        name=answer["name"],
        owner=answer["owner"],
        access=answer["access"],
        version=answer["version"],
        node_count=answer["nodeCount"],
        edge_count=answer["edgeCount"],
        created_at=time_of(answer["createdAt"]),
        updated_at=time_of(answer["updatedAt"]),
        url=f"{base}/graphs/{answer['id']}",
        key=answer.get("key"),
        type=answer.get("type"),
        description=answer.get("description"),
        tags=tuple(answer.get("tags") or ()),
        shared=answer.get("shared", False),
        etag=etag,
        changes=changes,
    )


def version_of(answer: Mapping[str, Any]) -> Version:
    """Returns the version in a list entry."""
    return Version(
        version=answer["version"],
        timestamp=time_of(answer["timestamp"]),
        principal=answer["principal"],
        name=answer["name"],
        node_count=answer["nodeCount"],
        edge_count=answer["edgeCount"],
        message=answer.get("message"),
        restored_from=answer.get("restoredFrom"),
    )


def time_of(text: str) -> datetime:
    """Parses a time in a response. Python 3.10 does not accept `Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _escaped(text: str) -> str:
    for sign, reference in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;")):
        text = text.replace(sign, reference)
    return text
