"""Converts pandas data frames, whose rows are edges, to GraphContent and back.

The endpoints of edges become nodes. Missing values are absent in Graphstead. The types and names of columns, and the
`attrs` of the frame, are restored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .changes import Changes, ConversionError
from .elements import edge_ids_to_move, edge_of, edges_as, split_edge
from .ids import add_full_ids, id_reader, take_id, write_ids
from .keys import GRAPH, KEY, record_text, take
from .trees import unmarked
from .values import Reader, Writer, name_of

if TYPE_CHECKING:
    import pandas


def to_content(frame: pandas.DataFrame, source: str, target: str, directed: bool, changes: Changes) -> dict[str, Any]:
    """Returns the content of a list of edges whose endpoints are in the columns `source` and `target`."""
    for end in (source, target):
        if end not in frame.columns:
            raise ConversionError(f"The data frame has no column {end!r}: name the columns with source= and target=.")
    if not frame.columns.is_unique:
        raise ConversionError("The data frame has several columns with the same name.")
    if frame.index.tolist() != list(range(len(frame))):
        changes.add("index-dropped", "the index becomes row numbers", frame.index[0])

    ends = {end: _values(frame[end], changes) for end in (source, target)}
    for end, values in ends.items():
        if None in values:
            raise ConversionError(f"Row {values.index(None)} has no {end}.")
    records: list[dict[Any, Any]] = [{} for _ in range(len(frame))]
    for name in frame.columns:
        if name not in ends:
            for record, value in zip(records, _values(frame[name], changes), strict=True):
                if value is not None:
                    record[name] = value

    pairs = list(zip(ends[source], ends[target], strict=True))
    ids, long, base = write_ids(dict.fromkeys(end for pair in pairs for end in pair), changes)
    edges, whole = Writer(records, changes), Writer([frame.attrs], changes)
    moved = edge_ids_to_move(edges, records)
    nodes: list[dict[str, Any]] = [{"id": id} for id in ids.values()]
    add_full_ids(nodes, long)
    metadata = whole.write(frame.attrs)
    metadata[GRAPH] = record_text(
        {
            "kind": "pandas",
            "ids": base,
            "edges": edges.tags,
            "graph": whole.tags,
            "source": name_of(source, changes),
            "target": name_of(target, changes),
            "columns": [[name_of(name, changes), str(frame[name].dtype)] for name in frame.columns],
        }
    )
    return {
        "directed": directed,
        "metadata": metadata,
        "nodes": nodes,
        "edges": [
            edge_of(ids[first], ids[second], edges.write(record), edges.names, moved)
            for (first, second), record in zip(pairs, records, strict=True)
        ],
    }


def from_content(content: dict[str, Any], changes: Changes) -> pandas.DataFrame:
    """Returns the edges of the content as a data frame, which cannot hold nodes."""
    import pandas

    metadata = content.get("metadata") or {}
    told = take(metadata, GRAPH)
    _, edge_list = edges_as(content.get("directed", True), content["edges"], changes)
    ids = _read_ids(content["nodes"], edge_list, told.get("ids"), changes)
    source, target = unmarked(str(told.get("source", "source"))), unmarked(str(told.get("target", "target")))

    reader = Reader(told.get("edges"))
    records = []
    for edge in edge_list:
        if edge.get("metadata", {}).pop(KEY, None) is not None:
            changes.add("key-dropped", "a list of edges does not support keys of parallel edges", edge["source"])
        record = split_edge(edge, reader, changes)
        for end in (source, target):
            if end in record:
                changes.add("attribute-renamed", f"the attribute {end} becomes metadata.{end}", record[end])
                record[f"metadata.{end}"] = record.pop(end)
        record[source], record[target] = ids[edge["source"]], ids[edge["target"]]
        records.append(record)

    columns = told.get("columns")
    types = (
        {unmarked(name): type for name, type in columns} if isinstance(columns, list) else {source: None, target: None}
    )
    for record in records:
        types.update({name: None for name in record if name not in types})
    frame = pandas.DataFrame(
        {name: _column([record.get(name) for record in records], type) for name, type in types.items()},
        index=range(len(records)),
    )
    frame.attrs.update(Reader(told.get("graph")).read(metadata))
    return frame


def _values(column: Any, changes: Changes) -> list[Any]:
    """Returns the values of a column as Python values, with None for missing ones."""
    if str(column.dtype).startswith(("datetime64", "timedelta64")):
        values = [value.isoformat() for value in column]
    else:
        if str(column.dtype) == "category" and (column.cat.ordered or len(column.cat.categories) > column.nunique()):
            changes.add(
                "categories-changed", "the order of categories, and categories without rows, are lost", column.name
            )
        values = column.tolist()
    return [None if is_missing else value for value, is_missing in zip(values, column.isna(), strict=True)]


def _column(values: list[Any], type: Any) -> Any:
    """Returns a column of this type, or of a suitable type if the values have changed and no longer fit."""
    import pandas

    column = pandas.Series(values, dtype=object)
    if isinstance(type, str):
        try:
            if type.startswith("datetime64"):
                return pandas.to_datetime(column, format="ISO8601", utc="," in type).astype(type)
            if type.startswith("timedelta64"):
                return pandas.to_timedelta(column).astype(type)
            return column.astype(type)
        except (TypeError, ValueError, OverflowError):
            pass
    return pandas.Series(values) if values else column


def _read_ids(nodes: list[dict[str, Any]], edges: list[dict[str, Any]], base: Any, changes: Changes) -> dict[str, Any]:
    """Returns the ids by their texts. Counts nodes and attributes that a list of edges cannot hold."""
    read = id_reader(base)
    used = {edge[end] for edge in edges for end in ("source", "target")}
    ids: dict[str, Any] = {}
    for node in nodes:
        text = node["id"]
        ids[text] = read(take_id(node))
        if text not in used:
            changes.add("isolated-node-dropped", "a list of edges cannot hold nodes without edges", text)
        elif node.get("metadata") or node.keys() & {"label", "x", "y", "z"}:
            changes.add("node-attributes-dropped", "a list of edges cannot hold node attributes", text)
    return ids
