"""A server of this repository, which runs for the whole session, and clients of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from server import Server, running_server

from graphstead import Graphstead


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


class Before(httpx.HTTPTransport):
    """Keeps keys for servers that do not know them yet."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[bytes, bytes] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        found = re.fullmatch(rb"/api/account/graphs/([^/?]+)(/content)?(\?.*)?", request.url.raw_path)
        if not found:
            return super().handle_request(request)
        key, _, query = found.groups()
        path = b"/api/graphs/" + self.ids.get(key, b"9007199254740991")
        method = request.method
        if method == "PUT" and key in self.ids:
            path += b"/content?" + b"&".join(
                part for part in query[1:].split(b"&") if part[:6] in (b"format", b"messag")
            )
        elif method == "PUT":
            method, path = "POST", b"/api/graphs/import" + query
        url = request.url.copy_with(raw_path=path)
        answer = super().handle_request(httpx.Request(method, url, headers=request.headers, stream=request.stream))
        if method == "POST" and answer.status_code == 201:
            self.ids[key] = answer.headers["Location"].rpartition("/")[2].encode()
        return answer


def network(server: Server) -> httpx.HTTPTransport | None:
    return None if server.knows_keys() else Before()


@pytest.fixture
def connect(server: Server) -> Iterator[Callable[[str], Graphstead]]:
    """Makes a client with a token, which is closed after the test."""
    with ExitStack() as clients:
        yield lambda token: clients.enter_context(Graphstead(server.url, token, transport=network(server)))


@pytest.fixture
def client(server: Server) -> Iterator[Graphstead]:
    """A client of a new user, who has no graphs."""
    with Graphstead(server.url, server.user(), transport=network(server)) as client:
        yield client
