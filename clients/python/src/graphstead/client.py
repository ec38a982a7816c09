"""The client, which pushes graphs to a server and pulls them back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import quote

import httpx

from .changes import Changes, OnChange
from .conversions import As, collection_paused, content_of, graph_of, name_of
from .errors import ConfigurationError
from .files import losses_of, pieces_of, save
from .records import Diff, GraphRecord, Version, record_of, version_of
from .transport import Body, Transport, broken, json_of, packed
from .values import well_formed

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas

_PAGE = 1000


class Graphstead:
    """A client for a Graphstead server, with a token.

    `url` and `token` default to `GRAPHSTEAD_URL` and `GRAPHSTEAD_TOKEN`, or the file in `GRAPHSTEAD_TOKEN_FILE`.
    `timeout` is in seconds, for each connection, read and write. Requests that the server refuses with 429 or 503, and
    those that are safe to repeat, are retried up to `retries` times with exponential backoff. `transport` replaces
    httpx's own transport, for tests.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        url = url or os.environ.get("GRAPHSTEAD_URL")
        if not url:
            raise ConfigurationError("Pass the URL of the server, or set GRAPHSTEAD_URL.")
        self._http = Transport(url, token or _token(), timeout, retries, transport)

    @property
    def url(self) -> str:
        """The URL of the server."""
        return self._http.url

    def __repr__(self) -> str:
        return f"Graphstead({self.url!r})"

    def __enter__(self) -> Graphstead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections to the server."""
        self._http.close()

    def push(
        self,
        graph: networkx.Graph | igraph.Graph | pandas.DataFrame,
        key: str | None = None,
        *,
        name: str | None = None,
        type: str | None = None,
        description: str | None = None,
        shared: bool | None = None,
        message: str | None = None,
        if_match: str | None = None,
        on_change: OnChange = "warn",
        source: str = "source",
        target: str = "target",
        directed: bool = True,
    ) -> GraphRecord:
        """Stores a graph under a key of your choice. Returns its record.

        The first push creates the graph, and later pushes replace its content. Identical content does not create a new
        version. A push without a key always creates a new graph.
        `name`, `type`, `description` and `shared` apply to a new graph, and `message` to the history. With `if_match`,
        the `etag` of a record, the push is refused if somebody has changed the graph in the meantime.
        `on_change` sets what happens if parts of the graph cannot be restored exactly: `warn` issues a
        `ConversionWarning`, `error` raises a `ConversionError` before anything is sent, and `ignore` only lists them in
        `changes` of the record. `source`, `target` and `directed` apply to a data frame, whose rows are edges.
        """
        changes = Changes()
        with collection_paused():
            content = content_of(graph, changes, source, target, directed)
            body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
            del content
        told = changes.tell(on_change)
        query: dict[str, object] = {
            "format": "node-link",
            "name": name or name_of(graph),
            "type": type,
            "message": message,
        }
        query |= {"description": description, "shared": shared}
        body, encoding = packed(body)
        headers = {"Content-Type": "application/json", "Content-Encoding": encoding, "If-Match": if_match}
        answer = self._send(key, query, lambda: body, headers)
        losses = losses_of(answer.headers.get("Graphstead-Loss")).tell("ignore" if on_change == "ignore" else "warn")
        return record_of(json_of(answer), self.url, etag=answer.headers.get("ETag"), changes=told + losses)

    @overload
    def pull(
        self,
        graph: int | str | GraphRecord,
        as_: Literal["networkx"] = "networkx",
        *,
        version: int | None = None,
        on_change: OnChange = "warn",
    ) -> networkx.Graph: ...

    @overload
    def pull(
        self,
        graph: int | str | GraphRecord,
        as_: Literal["igraph"],
        *,
        version: int | None = None,
        on_change: OnChange = "warn",
    ) -> igraph.Graph: ...

    @overload
    def pull(
        self,
        graph: int | str | GraphRecord,
        as_: Literal["pandas"],
        *,
        version: int | None = None,
        on_change: OnChange = "warn",
    ) -> pandas.DataFrame: ...

    def pull(
        self,
        graph: int | str | GraphRecord,
        as_: As = "networkx",
        *,
        version: int | None = None,
        on_change: OnChange = "warn",
    ) -> Any:
        """Returns a graph by its id (a number) or key (text), in its current version or in `version`.

        A networkx graph has the class that was pushed. If it was not pushed from networkx, it has the simplest class that
        can hold it. With `as_="pandas"`, each row is an edge. `on_change` sets what happens if the library cannot hold
        the whole graph.
        """
        changes = Changes()
        path = f"/api/graphs/{self._id(graph)}" + ("" if version is None else f"/versions/{version}")
        answer = self._http.ask("GET", path, repeatable=True)
        with collection_paused():
            content = json_of(answer).get("content")
            pulled = graph_of(content or {"nodes": [], "edges": []}, as_, changes)
            del content
        changes.tell(on_change)
        return pulled

    def push_file(
        self,
        path: str | Path,
        key: str | None = None,
        *,
        format: str | None = None,
        name: str | None = None,
        type: str | None = None,
        description: str | None = None,
        shared: bool | None = None,
        message: str | None = None,
        if_match: str | None = None,
        on_change: OnChange = "warn",
    ) -> GraphRecord:
        """Stores the graph in a file, as `push` does. The file may be in any format that Graphstead reads, and is streamed.

        `format` is the name of the format in `docs/formats.md`; by default, the server detects it. With
        `on_change="error"`, the file is sent twice: first as a dry run, which only reports losses.
        """
        path = Path(path)
        query: dict[str, object] = {"format": format, "name": name, "type": type, "message": message}
        query |= {"description": description, "shared": shared}
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(path.stat().st_size)}
        sent = {**headers, "If-Match": if_match}
        if on_change == "error":
            trial = self._send(key, {**query, "dryRun": True}, lambda: pieces_of(path), sent)
            losses_of(trial.headers.get("Graphstead-Loss")).tell(on_change)
        answer = self._send(key, query, lambda: pieces_of(path), sent)
        losses = losses_of(answer.headers.get("Graphstead-Loss")).tell("ignore" if on_change == "ignore" else "warn")
        return record_of(json_of(answer), self.url, etag=answer.headers.get("ETag"), changes=losses)

    def pull_file(
        self,
        graph: int | str | GraphRecord,
        path: str | Path,
        format: str,
        *,
        version: int | None = None,
        on_change: OnChange = "warn",
    ) -> None:
        """Writes a graph to a file in a format such as `graphml`. Replaces the file atomically."""
        part = "/content" if version is None else f"/versions/{version}/content"
        address = f"/api/graphs/{self._id(graph)}{part}"
        with self._http.open("GET", address, query={"format": format}, repeatable=True) as answer:
            losses_of(answer.headers.get("Graphstead-Loss")).tell(on_change)
            try:
                save(answer, Path(path))
            except httpx.RequestError as error:
                raise broken(error, may_have_happened=False) from None

    def get(self, graph: int | str | GraphRecord) -> GraphRecord:
        """Returns the record of a graph, given its id (a number) or the user's key (text)."""
        path = f"/api/account/graphs/{_segment(graph)}" if isinstance(graph, str) else f"/api/graphs/{_id(graph)}"
        answer = self._http.ask("GET", path, repeatable=True)
        return record_of(json_of(answer), self.url, etag=answer.headers.get("ETag"))

    def list(
        self,
        *,
        q: str | None = None,
        type: str | None = None,
        owner: str | None = None,
        tags: Iterable[str] | None = None,
        shared: bool | None = None,
        access: str | None = None,
    ) -> Iterator[GraphRecord]:
        """Yields every graph that the user may read and that matches all given filters."""
        query = {"q": q, "type": type, "owner": owner, "shared": shared, "access": access}
        if tags is not None:
            query["tags"] = ",".join([tags] if isinstance(tags, str) else tags)
        for answer in self._walk("/api/graphs", query):
            yield record_of(answer, self.url)

    def versions(self, graph: int | str | GraphRecord) -> Iterator[Version]:
        """Yields the versions of a graph, newest first."""
        for answer in self._walk(f"/api/graphs/{self._id(graph)}/versions", {"sort": "version,desc"}):
            yield version_of(answer)

    def diff(
        self,
        graph: int | str | GraphRecord,
        from_: int | None = None,
        to: int | None = None,
        *,
        limit: int | None = None,
    ) -> Diff:
        """Returns the difference between two versions, by default the previous and the current version."""
        query = {"from": from_, "to": to, "limit": limit}
        path = f"/api/graphs/{self._id(graph)}/diff"
        answer: Diff = json_of(self._http.ask("GET", path, query=query, repeatable=True))
        return answer

    def _send(
        self, key: str | None, query: Mapping[str, Any], body: Body, headers: Mapping[str, str | None]
    ) -> httpx.Response:
        """Sends the content of a graph. A push by key is safe to repeat unless it is conditional."""
        if key is None:
            path = "/api/graphs/import"
            return self._http.ask("POST", path, query=query, body=body, headers=headers, repeatable=False)
        path = f"/api/account/graphs/{_segment(key)}/content"
        repeatable = headers.get("If-Match") is None
        return self._http.ask("PUT", path, query=query, body=body, headers=headers, repeatable=repeatable)

    def _walk(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yields the entries of a list, page by page, until there is no next cursor."""
        cursor: str | None = ""
        while cursor is not None:
            page = self._http.ask("GET", path, query={**query, "size": _PAGE, "cursor": cursor}, repeatable=True)
            yield from json_of(page)
            cursor = page.headers.get("X-Next-Cursor")

    def _id(self, graph: int | str | GraphRecord) -> int:
        return self.get(graph).id if isinstance(graph, str) else _id(graph)


def _token() -> str:
    token, file = os.environ.get("GRAPHSTEAD_TOKEN"), os.environ.get("GRAPHSTEAD_TOKEN_FILE")
    if token:
        return token.strip()
    if file:
        try:
            return Path(file).read_text().strip()
        except (OSError, UnicodeDecodeError):
            raise ConfigurationError(f"The file {file} in GRAPHSTEAD_TOKEN_FILE cannot be read.") from None
    raise ConfigurationError("Pass a token, or set GRAPHSTEAD_TOKEN or GRAPHSTEAD_TOKEN_FILE.")


def _id(graph: int | GraphRecord) -> int:
    return graph.id if isinstance(graph, GraphRecord) else graph


def _segment(key: str) -> str:
    """Returns a key as one path segment. Escapes `.` and `..`, which would change the path."""
    if not key or not well_formed(key):
        raise ConfigurationError("A key must be text of 1 to 128 characters.")
    return quote(key, safe="").replace(".", "%2E") if key in (".", "..") else quote(key, safe="")
