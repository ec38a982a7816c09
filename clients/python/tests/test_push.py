"""Pushes with and without a key: records, conditions and retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import networkx
import pytest
from server import Server
from test_transport import RECORD, answers, client_of, problem

from graphstead import ConfigurationError, Conflict, ConnectionFailed, Forbidden, Graphstead, NotFound, ProblemError


@pytest.mark.parametrize("key", ["nightly", "a/b c.json", "..", "7", "é🙂%2F?#", "k" * 128])
def test_a_graph_is_found_by_its_key(client: Graphstead, key: str) -> None:
    record = client.push(networkx.path_graph(3), key, name="Path", type="LINE", description="Three.", message="first")
    assert (record.key, record.name, record.type, record.description) == (key, "Path", "LINE", "Three.")
    assert (record.version, record.node_count, record.edge_count, record.shared) == (1, 3, 2, False)
    assert client.get(key) == client.get(record.id) == record
    assert list(client.pull(key).edges) == [(0, 1), (1, 2)]
    assert [version.message for version in client.versions(key)] == ["first"]
    again = client.push(networkx.path_graph(4), key, name="Another", message="second")
    assert (again.id, again.name, again.version) == (record.id, "Path", 2)
    assert client.diff(key)["nodes"]["added"]["count"] == 1


def test_a_graph_is_named_after_itself_or_its_key(client: Graphstead) -> None:
    assert client.push(networkx.Graph(name="Own")).name == "Own"
    assert client.push(networkx.Graph(name=" "), key="k1").name == "k1"
    assert client.push(networkx.Graph(name="\ud800"), key="k3").name == "k3"
    assert client.push(networkx.Graph(), key="k2", shared=True).shared is True


@pytest.mark.parametrize("key", ["", "\ud800"])
def test_an_invalid_key_is_refused(client: Graphstead, key: str) -> None:
    with pytest.raises(ConfigurationError, match="A key must be text"):
        client.push(networkx.Graph(), key)
    with pytest.raises(ConfigurationError, match="A key must be text"):
        client.pull(key)


def test_without_a_key_each_push_makes_a_graph(client: Graphstead) -> None:
    graph = networkx.path_graph(2)
    assert client.push(graph).id != client.push(graph).id


def test_an_unknown_key_is_not_found(client: Graphstead) -> None:
    with pytest.raises(NotFound) as caught:
        client.pull("nothing")
    assert caught.value.code == "graph-not-found"


def test_a_conditional_push_needs_the_expected_state(client: Graphstead) -> None:
    first = client.push(networkx.path_graph(2), "k")
    second = client.push(networkx.path_graph(3), "k", if_match=first.etag)
    with pytest.raises(Conflict) as caught:
        client.push(networkx.path_graph(4), "k", if_match=first.etag)
    assert (caught.value.code, client.get("k").version, second.version) == ("precondition-failed", 2, 2)


def test_a_graph_in_the_trash_is_not_pushed_to(client: Graphstead) -> None:
    record = client.push(networkx.path_graph(2), "k")
    client._http.ask("DELETE", f"/api/graphs/{record.id}", repeatable=True)
    with pytest.raises(Conflict) as caught:
        client.push(networkx.path_graph(2), "k")
    assert caught.value.code == "graph-in-trash"


def test_faults_of_the_content_are_reported_with_their_places(client: Graphstead) -> None:
    graph = networkx.Graph()
    graph.add_node("a", text="x" * 300_000)
    with pytest.raises(ProblemError) as caught:
        client.push(graph, "large")
    assert caught.value.code == "validation-failed"
    assert [(fault.pointer, fault.element) for fault in caught.value.errors] == [("#/nodes/0/metadata", 'node "a"')]


def test_a_token_without_the_scope_can_only_read(server: Server) -> None:
    with Graphstead(server.url, server.user(scopes=["read:graphs"])) as client:
        assert list(client.list(access="OWNER")) == []
        with pytest.raises(Forbidden) as caught:
            client.push(networkx.Graph(), "k")
    assert caught.value.code == "scope-missing"


PUSHES: list[Callable[[Graphstead], Any]] = [
    lambda client: client.push(networkx.Graph(), "k"),
    lambda client: client.push(networkx.Graph(), "k", if_match='"1"'),
    lambda client: client.push(networkx.Graph()),
]


@pytest.mark.parametrize(("push", "attempts"), list(zip(PUSHES, [2, 1, 1], strict=True)))
def test_a_push_with_an_unknown_outcome_is_retried_only_with_a_key(
    push: Callable[[Graphstead], Any], attempts: int, waits: list[float]
) -> None:
    handle, requests = answers(problem(503, "outcome-unknown"), httpx.Response(200, json=RECORD))
    try:
        assert push(client_of(handle)).id == 7
    except ProblemError as error:
        assert error.code == "outcome-unknown"
    assert len(requests) == attempts
    assert {request.content for request in requests} == {requests[0].content}


@pytest.mark.parametrize(("push", "attempts"), list(zip(PUSHES, [2, 1, 1], strict=True)))
@pytest.mark.parametrize(
    "error", [httpx.ReadError("reset"), httpx.ReadTimeout("late"), httpx.RemoteProtocolError("gone")]
)
def test_a_broken_connection_is_an_unknown_outcome(
    push: Callable[[Graphstead], Any], attempts: int, error: Exception, waits: list[float]
) -> None:
    handle, requests = answers(error, httpx.Response(200, json=RECORD))
    try:
        assert push(client_of(handle)).id == 7
    except ConnectionFailed as failure:
        assert failure.may_have_happened is True
    assert len(requests) == attempts


@pytest.mark.parametrize("push", PUSHES)
def test_any_push_is_retried_if_the_server_has_not_processed_it(
    push: Callable[[Graphstead], Any], waits: list[float]
) -> None:
    handle, requests = answers(
        httpx.ConnectError("refused"),
        problem(503, "server-busy", {"Retry-After": "1"}),
        httpx.Response(200, json=RECORD),
    )
    assert push(client_of(handle)).id == 7
    assert len(requests) == 3
