"""Files that are streamed to a real server and back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from test_transport import RECORD, Cut, answers, client_of

from graphstead import ConnectionFailed, ConversionError, ConversionWarning, Graphstead, ProblemError

DOT = 'digraph { a -> b [weight=2]; a [colour=red]; b [shape="box"] }'


def test_a_file_is_pushed_and_pulled(client: Graphstead, tmp_path: Path) -> None:
    (tmp_path / "a.gv").write_text(DOT)
    record = client.push_file(tmp_path / "a.gv", "dot", name="Dot", type="T", description="D", message="m")
    assert (record.name, record.type, record.description, record.node_count, record.changes) == ("Dot", "T", "D", 2, ())
    assert client.push_file(str(tmp_path / "a.gv"), "dot", if_match=record.etag).version == 1
    assert list(client.pull("dot").edges(data=True)) == [("a", "b", {"weight": 2})]
    client.pull_file("dot", tmp_path / "a.csv", "csv", on_change="ignore")
    assert (tmp_path / "a.csv").read_text().splitlines()[0].split(",")[:2] == ["Source", "Target"]
    client.pull_file(record, tmp_path / "b.gv", "dot", version=1)
    assert client.push_file(tmp_path / "b.gv", format="dot").edge_count == 1
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "a.gv", "b.gv"]


def test_losses_reported_by_the_server_are_reported(client: Graphstead, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"directed": false, "nodes": [{"id": 1}, {"id": 2}], "edges": []}')
    with pytest.raises(ConversionError, match="id-as-text"):
        client.push_file(tmp_path / "a.json", "k", on_change="error")
    with pytest.raises(ProblemError, match="graph-not-found"):
        client.get("k")
    with pytest.warns(ConversionWarning) as caught:
        record = client.push_file(tmp_path / "a.json", "k")
    assert caught[0].filename == __file__
    assert [(change.code, change.count) for change in record.changes] == [("id-as-text", 2)]
    with pytest.raises(ConversionError, match="isolated-node-dropped"):
        client.pull_file("k", tmp_path / "a.csv", "csv", on_change="error")
    assert os.listdir(tmp_path) == ["a.json"]


def test_faults_of_a_file_have_line_numbers(client: Graphstead, tmp_path: Path) -> None:
    (tmp_path / "a.gml").write_text("graph [\n  node [ id 1 ]\n  edge [ source 1 target 2 ]\n]\n")
    with pytest.raises(ProblemError) as caught:
        client.push_file(tmp_path / "a.gml")
    assert [(fault.line, fault.code) for fault in caught.value.errors] == [(3, "unknown-node")]


def test_a_large_file_is_streamed_and_a_retry_starts_from_its_beginning(tmp_path: Path, waits: list[float]) -> None:
    content = os.urandom(1_000_000)
    (tmp_path / "large").write_bytes(content)
    network = Pieces()
    with Graphstead("https://graphs.example.org", "gst_none", transport=network) as client:
        assert client.push_file(tmp_path / "large", "k").id == 7
    assert [b"".join(pieces) == content for pieces in network.bodies] == [True, True]
    assert {max(map(len, pieces)) for pieces in network.bodies} == {64 * 1024}


class Pieces(httpx.BaseTransport):
    """A transport that records the pieces of bodies, and first responds that the server is busy."""

    def __init__(self) -> None:
        self.bodies: list[list[bytes]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        assert (request.headers["Content-Length"], request.headers.get("Transfer-Encoding")) == ("1000000", None)
        self.bodies.append(list(request.stream))
        return httpx.Response(200, json=RECORD) if len(self.bodies) == 2 else httpx.Response(503)


class Large(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield from [b"x" * 1000] * 1000


def test_a_file_is_replaced_completely_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("before")
    file.chmod(0o640)
    handle, _ = answers(httpx.Response(200, stream=Cut()), httpx.Response(200, stream=Large()))
    with pytest.raises(ConnectionFailed):
        client_of(handle).pull_file(7, file, "graphml")
    assert (file.read_text(), os.listdir(tmp_path)) == ("before", ["a"])
    client_of(handle).pull_file(7, file, "graphml")
    assert (file.stat().st_size, file.stat().st_mode & 0o777) == (1_000_000, 0o640)
