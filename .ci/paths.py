"""Writes test/known-answers/paths.jsonl: the lengths of shortest paths that networkx finds in the graphs of measures.jsonl.
Needs networkx."""

import json
import pathlib

import networkx as nx

ANSWERS = pathlib.Path(__file__).resolve().parent.parent / "test" / "known-answers"
FROM = 4


def graph_of(case, either_way):
    """Returns the graph for networkx. An undirected edge becomes two edges. Lengths are absolute weights, because they must not be
    negative."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(len(case["ids"])))
    for source, target, weight, *directed in case["edges"]:
        length = 1 if weight is None else abs(weight)
        graph.add_edge(source, target, length=length)
        if either_way or not (directed[0] if directed else case["directed"]):
            graph.add_edge(target, source, length=length)
    return graph


def answers_of(case, either_way):
    """Yields the distances from each of the first nodes to every node, as number of edges and as length; None means no path."""
    graph = graph_of(case, either_way)
    for source in list(graph)[:FROM]:
        edges = nx.single_source_shortest_path_length(graph, source)
        lengths = nx.single_source_dijkstra_path_length(graph, source, weight="length")
        yield {
            "name": case["name"],
            "isEitherWay": either_way,
            "from": source,
            "edges": [edges.get(node) for node in graph],
            "lengths": [round(lengths[node], 9) if node in lengths else None for node in graph],
        }


cases = [json.loads(line) for line in (ANSWERS / "measures.jsonl").read_text().splitlines()]
answers = [answer for case in cases for either_way in (False, True) for answer in answers_of(case, either_way)]
lines = "".join(json.dumps(answer, separators=(",", ":")) + "\n" for answer in answers)
(ANSWERS / "paths.jsonl").write_text(lines)
