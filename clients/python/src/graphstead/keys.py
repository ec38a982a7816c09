"""Metadata names that are reserved for the client. They begin with `py:`, and no attribute has such a name.

Their values are text, so that they survive formats without nested values.
"""

from __future__ import annotations

import json
from typing import Any

# In the metadata of a graph: its class, the type of its ids, and the types of its attributes.
GRAPH = "py:graph"
# In the metadata of an element: the types of attributes whose type differs from the rest of the graph.
TYPES = "py:types"
# The metadata key for a node's full id, if the id is too long for Graphstead.
ID = "py:id"
# In the metadata of an edge: its key in a multigraph.
KEY = "py:key"


def record_text(record: dict[str, Any]) -> str:
    """Returns one of the client's own records as text."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def take(metadata: dict[str, Any], name: str) -> dict[str, Any]:
    """Removes one of the client's own records from the metadata. Returns it, or an empty record if there is none."""
    text = metadata.pop(name, None)
    if isinstance(text, str):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        if isinstance(record, dict):
            return record
    return {}
