"""Pushes graphs to a Graphstead server, and pulls them back."""

from ._version import __version__
from .changes import Change, ConversionError, ConversionWarning
from .client import Graphstead
from .errors import (
    ConfigurationError,
    Conflict,
    ConnectionFailed,
    Fault,
    Forbidden,
    GraphsteadError,
    NotFound,
    ProblemError,
    RedirectRefused,
    Unauthorized,
)
from .records import Diff, GraphRecord, Version

__all__ = [
    "Change",
    "ConfigurationError",
    "Conflict",
    "ConnectionFailed",
    "ConversionError",
    "ConversionWarning",
    "Diff",
    "Fault",
    "Forbidden",
    "GraphRecord",
    "Graphstead",
    "GraphsteadError",
    "NotFound",
    "ProblemError",
    "RedirectRefused",
    "Unauthorized",
    "Version",
    "__version__",
]
