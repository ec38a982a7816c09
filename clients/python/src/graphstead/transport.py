"""Requests to the server: token, retries, problems. This module knows nothing about graphs."""

from __future__ import annotations

import json
import random
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from ._version import __version__
from .errors import ConfigurationError, ConnectionFailed, GraphsteadError, ProblemError, RedirectRefused, problem_of

# Returns a new request body for each attempt.
Body = Callable[[], bytes | Iterable[bytes]]

_LONGEST_WAIT = 120.0
_PACKED_FROM = 64 * 1024


class _Token(httpx.Auth):
    """Adds the token to requests, and never reveals it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        # httpx would quote an invalid header in its error.
        if not re.fullmatch(r"[\x21-\x7e]+", value):
            raise ConfigurationError("The token is empty or contains invalid characters.")
        self._value = value

    def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
        request.headers["Authorization"] = f"Bearer {self._value}"
        yield request

    def __repr__(self) -> str:
        return "<token>"

    def __reduce__(self) -> str:
        raise TypeError("A client contains a token and cannot be pickled.")


class Transport:
    """Sends requests to one server, and retries those that are safe to repeat."""

    def __init__(self, url: str, token: str, timeout: float, retries: int, http: httpx.BaseTransport | None) -> None:
        self.url = _base(url)
        self._retries = retries
        self._client = httpx.Client(
            base_url=self.url,
            auth=_Token(token),
            follow_redirects=False,
            timeout=httpx.Timeout(timeout, connect=min(timeout, 10.0)),
            headers={"User-Agent": f"graphstead-python/{__version__}"},
            transport=http,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Body | None = None,
        headers: Mapping[str, str | None] | None = None,
        repeatable: bool,
    ) -> httpx.Response:
        """Returns the whole response. A request is `repeatable` if sending it twice has the same effect as once."""
        attempt = 0
        while True:
            try:
                with self.open(method, path, query=query, body=body, headers=headers, repeatable=repeatable) as answer:
                    answer.read()
                    return answer
            except httpx.RequestError as error:
                # The connection was lost during the response.
                if attempt >= self._retries or not repeatable:
                    raise broken(error, may_have_happened=method != "GET") from None
            self._wait(attempt, None)
            attempt += 1

    @contextmanager
    def open(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Body | None = None,
        headers: Mapping[str, str | None] | None = None,
        repeatable: bool,
    ) -> Iterator[httpx.Response]:
        """Yields the response before its body has arrived."""
        parameters = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        given = {name: value for name, value in (headers or {}).items() if value is not None}
        attempt = 0
        while True:
            # The path is already encoded; the query is encoded by httpx.
            request = self._client.build_request(
                method, path, params=parameters or None, content=body() if body else None, headers=given
            )
            try:
                answer = self._client.send(request, stream=True)
            except httpx.RequestError as error:
                never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
                if attempt >= self._retries or not (never_sent or repeatable):
                    raise broken(error, may_have_happened=not never_sent) from None
                self._wait(attempt, None)
                attempt += 1
                continue
            try:
                problem = self._problem(answer)
                if problem is None:
                    yield answer
                    return
            finally:
                answer.close()
            if attempt >= self._retries or not _may_repeat(problem, repeatable):
                raise problem
            self._wait(attempt, problem.retry_after)
            attempt += 1

    def _problem(self, answer: httpx.Response) -> ProblemError | None:
        """Returns the problem in a response, if any. Raises for a redirect."""
        if answer.is_success or answer.status_code == 304:
            return None
        if answer.is_redirect:
            host = urlsplit(answer.headers.get("Location", "")).netloc.rpartition("@")[2] or "another address"
            raise RedirectRefused(
                f"{self.url} redirects to {host}. The client does not follow redirects, because that would forward the "
                "token: use the right URL."
            )
        try:
            body = json.loads(answer.read())
        except (ValueError, httpx.HTTPError):
            body = None
        wait = _seconds(answer.headers.get("Retry-After"))
        return problem_of(answer.status_code, body, answer.headers.get("X-Request-Id"), wait)

    def _wait(self, attempt: int, told: float | None) -> None:
        """Waits as long as the server asks, or with exponential backoff, plus jitter."""
        seconds = told if told is not None else 0.5 * 2**attempt
        time.sleep(min(seconds, _LONGEST_WAIT) + random.uniform(0, 0.25 * (attempt + 1)))


def json_of(answer: httpx.Response) -> Any:
    """Returns the JSON of a response."""
    try:
        return json.loads(answer.content)
    except ValueError:
        raise GraphsteadError(f"The response of {answer.url.host} is not JSON: is this a Graphstead URL?") from None


def packed(body: bytes) -> tuple[bytes, str | None]:
    """Returns the body to send, compressed if it is large, and its `Content-Encoding`.

    The server refuses bodies that unpack to more than 250 times their size.
    """
    if len(body) < _PACKED_FROM:
        return body, None
    packer = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    short = packer.compress(body) + packer.flush()
    return (short, "gzip") if len(short) * 200 > len(body) else (body, None)


def _may_repeat(problem: ProblemError, repeatable: bool) -> bool:
    if problem.status not in (429, 502, 503, 504) or (problem.retry_after or 0) > _LONGEST_WAIT:
        return False
    # After a 502 or 504, which come from a proxy, and after some 503s, the server may have processed the request.
    sure = problem.status == 429 or (problem.status == 503 and problem.code not in ("outcome-unknown", "http-503"))
    return sure or repeatable


def broken(error: httpx.RequestError, *, may_have_happened: bool) -> ConnectionFailed:
    """Returns the error for a failed connection."""
    kind = "did not respond in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
    detail = f": {error}" if str(error) else ""
    return ConnectionFailed(f"The server {kind}{detail}", may_have_happened=may_have_happened)


def _base(url: str) -> str:
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigurationError("The URL of the server must have the form https://graphs.example.org.")
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError("The URL of the server contains a username or password: use a token instead.")
    return url.strip().rstrip("/")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(header: str | None) -> float | None:
    """Returns `Retry-After`, which may also be a date, in seconds."""
    if not header:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
