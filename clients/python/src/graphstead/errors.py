"""The errors that the client raises. None of them contains the token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class GraphsteadError(Exception):
    """The base class of all errors of this client."""


class ConfigurationError(GraphsteadError):
    """The URL or the token is missing or invalid."""


class ConnectionFailed(GraphsteadError):
    """The server did not respond. `may_have_happened` says whether it may have processed the request anyway."""

    def __init__(self, message: str, *, may_have_happened: bool) -> None:
        super().__init__(message)
        self.may_have_happened = may_have_happened


class RedirectRefused(GraphsteadError):
    """The server sent a redirect, which the client does not follow because that would forward the token."""


@dataclass(frozen=True)
class Fault:
    """A fault in a request: its location, a code for programs, and an explanation."""

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None
    line: int | None = None
    column: int | None = None
    element: str | None = None
    count: int | None = None


class ProblemError(GraphsteadError):
    """The server refused a request (RFC 9457). Compare `code`, which is stable."""

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str,
        *,
        errors: tuple[Fault, ...] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.errors = errors
        self.request_id = request_id
        self.retry_after = retry_after
        super().__init__(self._text())

    def _text(self) -> str:
        text = f"{self.status} {self.code}: {self.detail or self.title}"
        for fault in self.errors[:5]:
            place = fault.pointer or fault.parameter or (f"line {fault.line}" if fault.line else "body")
            text += f"\n  {place} {fault.detail}"
        if len(self.errors) > 5:
            text += f"\n  and {len(self.errors) - 5} more: see errors"
        return text + (f"\n  request {self.request_id}" if self.request_id else "")


class Unauthorized(ProblemError):
    """401: the token is missing, invalid, expired or revoked."""


class Forbidden(ProblemError):
    """403: the user may not do this, or the token lacks the scope (`scope-missing`)."""


class NotFound(ProblemError):
    """404: the resource does not exist, or the user may not see it."""


class Conflict(ProblemError):
    """409 or 412: the graph is not in the state that the request expects."""


_CLASSES: Mapping[int, type[ProblemError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Conflict,
}


def problem_of(status: int, body: Any, request_id: str | None, retry_after: float | None) -> ProblemError:
    """Returns the error for a response, from its problem document or, if it has none, from its status."""
    document: Mapping[str, Any] = body if isinstance(body, dict) else {}

    def text(name: str, default: str) -> str:
        value = document.get(name)
        return value if isinstance(value, str) else default

    return _CLASSES.get(status, ProblemError)(
        status,
        text("code", f"http-{status}"),
        text("title", "The server refused the request."),
        text("detail", "" if document else "The response is not a problem document: a proxy may have sent it."),
        errors=tuple(_faults(document.get("errors"))),
        request_id=request_id,
        retry_after=retry_after,
    )


def _faults(errors: Any) -> list[Fault]:
    names = Fault.__dataclass_fields__
    return [
        Fault(**{"code": "", "detail": "", **{name: value for name, value in error.items() if name in names}})
        for error in (errors if isinstance(errors, list) else [])
        if isinstance(error, dict)
    ]
