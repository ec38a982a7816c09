"""Refusals, retries, redirects and the secrecy of the token, with mocked responses."""

from __future__ import annotations

import gzip
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator

import httpx
import pytest

import graphstead
from graphstead import (
    ConfigurationError,
    ConnectionFailed,
    Fault,
    Graphstead,
    GraphsteadError,
    ProblemError,
    RedirectRefused,
)
from graphstead.transport import packed

TOKEN = "gst_not-a-real-one"
URL = "https://graphs.example.org"
RECORD = {
    "id": 7,
    "name": "Pair",
    "owner": "ada",
    "access": "OWNER",
    "version": 1,
    "nodeCount": 0,
    "edgeCount": 0,
    "createdAt": "2026-11-21T09:30:00.000Z",
    "updatedAt": "2026-11-21T09:30:00.000Z",
    "laterField": {"unknown": True},
}


def client_of(handle: Callable[[httpx.Request], httpx.Response], **options: int) -> Graphstead:
    return Graphstead(URL, TOKEN, transport=httpx.MockTransport(handle), **options)


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: object) -> httpx.Response:
    body = {"type": f"urn:x:{code}", "title": "No.", "status": status, "detail": "Not so.", "code": code, **more}
    return httpx.Response(status, json=body, headers={"X-Request-Id": "r1", **(headers or {})})


def answers(
    *responses: httpx.Response | Exception,
) -> tuple[Callable[[httpx.Request], httpx.Response], list[httpx.Request]]:
    """Returns a handler that returns these responses in order, and the requests that it received."""
    left, requests = iter(responses), list[httpx.Request]()

    def handle(request: httpx.Request) -> httpx.Response:
        request.read()
        requests.append(request)
        response = next(left)
        if isinstance(response, Exception):
            raise response
        return response

    return handle, requests


def test_a_record_has_its_fields_and_omits_unknown_ones() -> None:
    handle, requests = answers(httpx.Response(200, json=RECORD, headers={"ETag": '"7-1"'}))
    record = client_of(handle).get(7)
    assert (record.id, record.name, record.etag) == (7, "Pair", '"7-1"')
    assert record.url == "https://graphs.example.org/graphs/7"
    assert record.created_at.isoformat() == "2026-11-21T09:30:00+00:00"
    assert requests[0].headers["Authorization"] == f"Bearer {TOKEN}"
    assert requests[0].headers["User-Agent"] == f"graphstead-python/{graphstead.__version__}"


@pytest.mark.parametrize(
    ("key", "path"),
    [("a/b c", "a%2Fb%20c"), ("é?#%", "%C3%A9%3F%23%25"), ("..", "%2E%2E"), ("7", "7"), ("a.gml", "a.gml")],
)
def test_a_key_is_one_path_segment(key: str, path: str) -> None:
    handle, requests = answers(httpx.Response(200, json={**RECORD, "key": key}))
    assert client_of(handle).get(key).key == key
    assert requests[0].url.raw_path.decode() == f"/api/account/graphs/{path}"


def test_a_server_under_a_path_keeps_its_path() -> None:
    handle, requests = answers(httpx.Response(200, json=RECORD))
    with Graphstead(f"{URL}/graphs-here/", TOKEN, transport=httpx.MockTransport(handle)) as client:
        assert client.get(7).url == f"{URL}/graphs-here/graphs/7"
    assert str(requests[0].url) == f"{URL}/graphs-here/api/graphs/7"


def test_cursors_walk_through_a_list_to_its_end() -> None:
    pages = [httpx.Response(200, json=[{**RECORD, "id": n}], headers={"X-Next-Cursor": f"c{n}"}) for n in (1, 2)]
    handle, requests = answers(*pages, httpx.Response(200, json=[{**RECORD, "id": 3}]))
    assert [record.id for record in client_of(handle).list(shared=True, tags=["a", "b"])] == [1, 2, 3]
    assert [request.url.params["cursor"] for request in requests] == ["", "c1", "c2"]
    assert {(request.url.params["shared"], request.url.params["tags"]) for request in requests} == {("true", "a,b")}


def test_a_large_body_is_packed_unless_it_would_unpack_too_far() -> None:
    large = b"".join(b"%d," % number for number in range(20_000))
    short, encoding = packed(large)
    assert (encoding, gzip.decompress(short), len(short) < len(large) / 2) == ("gzip", large, True)
    assert packed(b"a" * 100_000) == (b"a" * 100_000, None)
    assert packed(b"small") == (b"small", None)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "ProblemError"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "NotFound"),
        (409, "Conflict"),
        (412, "Conflict"),
    ],
)
def test_a_problem_is_an_error_with_code_faults_and_request(status: int, kind: str) -> None:
    errors = [{"pointer": "#/nodes/3/id", "code": "too-long", "detail": "is too long", "later": 1}]
    handle, requests = answers(problem(status, "some-code", errors=errors))
    with pytest.raises(ProblemError) as caught:
        client_of(handle).get(7)
    error = caught.value
    assert type(error).__name__ == kind
    assert (error.status, error.code, error.title, error.detail) == (status, "some-code", "No.", "Not so.")
    assert error.errors == (Fault("too-long", "is too long", "#/nodes/3/id"),)
    assert error.request_id == "r1"
    assert str(error) == f"{status} some-code: Not so.\n  #/nodes/3/id is too long\n  request r1"
    assert len(requests) == 1


def test_a_response_of_a_proxy_is_an_error_too() -> None:
    handle, _ = answers(httpx.Response(418, html="<h1>Teapot</h1>"))
    with pytest.raises(ProblemError, match="not a problem document") as caught:
        client_of(handle).get(7)
    assert (caught.value.code, caught.value.errors) == ("http-418", ())


def test_a_busy_server_is_asked_again_after_the_requested_time(waits: list[float]) -> None:
    handle, requests = answers(
        problem(503, "server-busy", {"Retry-After": "7"}),
        problem(429, "too-many-requests", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        problem(503, "store-unavailable"),
        httpx.Response(200, json=RECORD),
    )
    assert client_of(handle).get(7).id == 7
    assert len(requests) == 4
    assert 7 <= waits[0] <= 7.25 and 0 <= waits[1] <= 0.5 and 2 <= waits[2] <= 2.75


def test_the_client_gives_up_on_a_server_that_stays_busy(waits: list[float]) -> None:
    handle, requests = answers(*[problem(503, "server-busy", {"Retry-After": "1"}) for _ in range(3)])
    with pytest.raises(ProblemError) as caught:
        client_of(handle, retries=2).get(7)
    assert (caught.value.code, caught.value.retry_after, len(requests)) == ("server-busy", 1, 3)


def test_an_hour_is_too_long_to_wait(waits: list[float]) -> None:
    handle, requests = answers(problem(429, "too-many-attempts", {"Retry-After": "3600"}))
    with pytest.raises(ProblemError):
        client_of(handle).get(7)
    assert (len(requests), waits) == (1, [])


def test_a_broken_connection_is_retried_for_repeatable_requests(waits: list[float]) -> None:
    handle, requests = answers(httpx.ReadError("reset"), httpx.ReadTimeout("late"), httpx.Response(200, json=RECORD))
    assert client_of(handle).get(7).id == 7
    assert len(requests) == 3


def test_an_unreachable_server_is_an_error_without_the_token(waits: list[float]) -> None:
    handle, requests = answers(*[httpx.ConnectError("refused") for _ in range(2)])
    with pytest.raises(ConnectionFailed, match="cannot be reached: refused") as caught:
        client_of(handle, retries=1).get(7)
    assert caught.value.may_have_happened is False
    assert len(requests) == 2


class Cut(httpx.SyncByteStream):
    """A response body that is cut off."""

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"id":'
        raise httpx.ReadError("cut off")


def test_a_response_that_breaks_off_is_requested_again(waits: list[float]) -> None:
    handle, requests = answers(httpx.Response(200, stream=Cut()), httpx.Response(200, json=RECORD))
    assert client_of(handle).get(7).id == 7
    assert (len(requests), len(waits)) == (2, 1)


def test_a_response_that_always_breaks_off_is_an_error(waits: list[float]) -> None:
    handle, requests = answers(*[httpx.Response(200, stream=Cut()) for _ in range(3)])
    with pytest.raises(ConnectionFailed, match="cut off"):
        client_of(handle, retries=2).get(7)
    assert len(requests) == 3


def test_a_response_that_is_not_json_is_an_error() -> None:
    handle, _ = answers(httpx.Response(200, html="<h1>Somewhere else</h1>"))
    with pytest.raises(GraphsteadError, match=r"graphs\.example\.org is not JSON"):
        client_of(handle).get(7)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    location = "https://somebody:secret@elsewhere.example.org/api"
    handle, requests = answers(httpx.Response(status, headers={"Location": location}))
    with pytest.raises(RedirectRefused, match=r"redirects to elsewhere\.example\.org\.") as caught:
        client_of(handle).get(7)
    assert len(requests) == 1
    assert "secret" not in str(caught.value)


def test_the_token_is_never_shown(caplog: pytest.LogCaptureFixture, waits: list[float]) -> None:
    handle, _ = answers(httpx.ReadError("reset"), problem(401, "token-invalid"))
    client = client_of(handle)
    with caplog.at_level(logging.DEBUG), pytest.raises(ProblemError) as caught:
        client.get(7)
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    seen = [repr(client), repr(vars(client)), repr(vars(client._http)), repr(vars(client._http._client))]
    assert [text for text in [*seen, caplog.text, repr(caught.value), "".join(told.format())] if TOKEN in text] == []
    assert repr(client) == "Graphstead('https://graphs.example.org')"
    with pytest.raises(TypeError):
        pickle.dumps(client)


@pytest.mark.parametrize("token", ["two words", "line\nend", "é", " "])
def test_an_invalid_token_is_refused_without_being_shown(token: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Graphstead(URL, token)
    assert str(caught.value) == "The token is empty or contains invalid characters."


@pytest.mark.parametrize("url", ["graphs.example.org", "ftp://a", "https://", "https://a?b", "https://me:word@a"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="The URL of the server"):
        Graphstead(url, TOKEN)


def test_url_and_token_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in ("URL", "TOKEN", "TOKEN_FILE"):
        monkeypatch.delenv(f"GRAPHSTEAD_{name}", raising=False)
    with pytest.raises(ConfigurationError, match="GRAPHSTEAD_URL"):
        Graphstead()
    monkeypatch.setenv("GRAPHSTEAD_URL", URL)
    with pytest.raises(ConfigurationError, match="GRAPHSTEAD_TOKEN_FILE"):
        Graphstead()
    file = tmp_path_factory.mktemp("secret") / "token"
    monkeypatch.setenv("GRAPHSTEAD_TOKEN_FILE", str(file))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        Graphstead()
    file.write_text(f"{TOKEN}\n")
    handle, requests = answers(*[httpx.Response(200, json=RECORD)] * 2)
    Graphstead(transport=httpx.MockTransport(handle)).get(7)
    monkeypatch.setenv("GRAPHSTEAD_TOKEN", "gst_another")
    Graphstead(transport=httpx.MockTransport(handle)).get(7)
    assert [request.headers["Authorization"] for request in requests] == [f"Bearer {TOKEN}", "Bearer gst_another"]
