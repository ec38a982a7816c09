"""Lists, records, versions and differences from a real server."""

from __future__ import annotations

import logging
from collections.abc import Callable

import httpx
import pytest
from server import Server

from graphstead import Graphstead, NotFound, ProblemError, Unauthorized

Connect = Callable[[str], Graphstead]


def create(server: Server, token: str, name: str, **fields: object) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.post(f"{server.url}/api/graphs", json={"name": name, **fields}, headers=headers, timeout=60)
    answer.raise_for_status()
    graph: int = answer.json()["id"]
    return graph


def test_every_graph_is_listed_once_over_several_pages(
    server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphstead.client._PAGE", 2)
    token = server.user()
    ids = [create(server, token, f"graph {n}", tags=["even"] if n % 2 == 0 else []) for n in range(7)]
    client = connect(token)
    assert [record.id for record in client.list(access="OWNER")] == ids
    assert [record.id for record in client.list(tags="even", access="OWNER")] == ids[::2]
    assert [record.name for record in client.list(q="graph 3", access="OWNER")] == ["graph 3"]
    assert list(client.list(type="nothing")) == []


def test_versions_are_listed_and_compared(server: Server, connect: Connect) -> None:
    token = server.user()
    id = create(server, token, "Pair", content={"nodes": [{"id": "a"}], "edges": []})
    headers = {"Authorization": f"Bearer {token}"}
    patch = {"name": "Two", "message": "renamed"}
    httpx.patch(f"{server.url}/api/graphs/{id}", json=patch, headers=headers, timeout=60).raise_for_status()
    client = connect(token)
    record = client.get(id)
    assert (record.name, record.version, record.node_count, record.access) == ("Two", 2, 1, "OWNER")
    assert [(version.version, version.name, version.message) for version in client.versions(record)] == [
        (2, "Two", "renamed"),
        (1, "Pair", None),
    ]
    assert client.diff(id)["fields"] == [{"pointer": "#/name", "from": "Pair", "to": "Two"}]
    assert client.diff(id, 1, 1)["fields"] == []


def test_a_graph_that_does_not_exist_is_not_found(client: Graphstead) -> None:
    with pytest.raises(NotFound) as caught:
        client.get(9223372036854775807)
    assert (caught.value.code, caught.value.status) == ("graph-not-found", 404)
    assert caught.value.request_id


def test_a_wrong_token_is_refused(connect: Connect) -> None:
    with pytest.raises(Unauthorized) as caught:
        connect("gst_wrong").get(1)
    assert caught.value.code == "token-invalid"


def test_faults_of_parameters_are_reported(client: Graphstead) -> None:
    with pytest.raises(ProblemError) as caught:
        list(client.list(access="SOME"))
    assert [(fault.parameter, fault.code) for fault in caught.value.errors] == [("access", "not-allowed")]


def test_no_log_contains_the_token(server: Server, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    token = server.user()
    with caplog.at_level(logging.DEBUG):
        list(connect(token).list())
    assert "HTTP Request: GET" in caplog.text
    assert token not in caplog.text
    assert token not in server.log.read_text()
