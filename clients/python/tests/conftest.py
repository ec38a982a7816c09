"""A server from this repository that runs for the whole session, and clients for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from server import Server, running_server

from graphstead import Graphstead


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def connect(server: Server) -> Iterator[Callable[[str], Graphstead]]:
    """Returns a function that creates a client with a token. Closes the clients after the test."""
    with ExitStack() as clients:
        yield lambda token: clients.enter_context(Graphstead(server.url, token))


@pytest.fixture
def client(server: Server) -> Iterator[Graphstead]:
    """A client for a new user without graphs."""
    with Graphstead(server.url, server.user()) as client:
        yield client


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records the pauses between attempts instead of waiting."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    return waits
