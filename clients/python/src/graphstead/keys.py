"""Names in metadata that the client keeps for itself. They begin with `py:`, and no attribute is written under such a name.

Their values are text, so that a graph keeps them on its way through formats that have no nested values.
"""

from __future__ import annotations

import json
from typing import Any

# In the metadata of a graph: its kind, the type of its ids, and the types of its attributes.
GRAPH = "py:graph"
# In the metadata of an element: the types of those attributes that differ from the others of the graph.
TYPES = "py:types"
# In the metadata of a node: its id in full, if that is too long.
ID = "py:id"
# In the metadata of an edge: its key in a multigraph.
KEY = "py:key"


def record_text(record: dict[str, Any]) -> str:
    """Returns a record of the client's own as text."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def take(metadata: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns a record of the client's own, which the metadata no longer has; an empty one if there is none."""
    text = metadata.pop(name, None)
    if isinstance(text, str):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        if isinstance(record, dict):
            return record
    return {}
