"""Dispatches conversions to the supported libraries, each of which is imported only when needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from .changes import Changes, ConversionError
from .values import well_formed

As = Literal["networkx", "igraph", "pandas"]


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pauses the garbage collector, which would otherwise repeatedly scan hundreds of thousands of new objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def content_of(graph: Any, changes: Changes, source: str, target: str, directed: bool) -> dict[str, Any]:
    """Returns the content of a graph from one of the libraries."""
    library = _library_of(graph)
    if library == "networkx":
        from . import networkx_graphs

        return networkx_graphs.to_content(graph, changes)
    if library == "igraph":
        from . import igraph_graphs

        return igraph_graphs.to_content(graph, changes)
    if library == "pandas" and hasattr(graph, "columns"):
        from . import pandas_frames

        return pandas_frames.to_content(graph, source, target, directed, changes)
    raise ConversionError(f"A {type(graph).__name__} is not a networkx or igraph graph, or a pandas data frame.")


def graph_of(content: dict[str, Any], library: str, changes: Changes) -> Any:
    """Returns a graph of the library for the content, which may be modified."""
    try:
        if library == "networkx":
            from . import networkx_graphs

            return networkx_graphs.from_content(content, changes)
        if library == "igraph":
            from . import igraph_graphs

            return igraph_graphs.from_content(content, changes)
        if library == "pandas":
            from . import pandas_frames

            return pandas_frames.from_content(content, changes)
    except ModuleNotFoundError as error:
        raise ConversionError(f"{error.name} is not installed: pip install 'graphstead[{library}]'") from None
    raise ConversionError(f"A graph can be pulled as networkx, igraph or pandas, not as {library}.")


def name_of(graph: Any) -> str | None:
    """Returns the name that a graph has in its library, if it is a valid name in Graphstead."""
    library = _library_of(graph)
    name = None
    if library == "networkx":
        name = graph.graph.get("name")
    elif library == "igraph" and "name" in graph.attributes():
        name = graph["name"]
    fits = isinstance(name, str) and name.strip() and len(name) <= 255 and "\0" not in name and well_formed(name)
    return name if fits else None


def _library_of(graph: Any) -> str | None:
    """Returns the library of a graph, without importing it."""
    modules = {base.__module__.partition(".")[0] for base in type(graph).__mro__}
    return next((library for library in ("networkx", "igraph", "pandas") if library in modules), None)
