"""Names in metadata that the client keeps for itself. They begin with `py:`, and no attribute is written under such a name."""

from __future__ import annotations

# In the metadata of a graph: its kind, the type of its ids, and the types of its attributes.
GRAPH = "py:graph"
# In the metadata of an edge: its key in a multigraph.
KEY = "py:key"
