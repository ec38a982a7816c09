"""Writes test/known-answers/measures.jsonl: graphs with the measures and statistics that networkx computes. Needs networkx and scipy."""

import json
import math
import pathlib
import random
import warnings

import networkx as nx
from networkx.algorithms.link_analysis.hits_alg import _hits_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "test" / "samples"
SEEDS = range(10)
RESOLUTIONS = [0.5, 2]


def rounded(number):
    return float(f"{number:.12g}")


def positive(graph):
    """Returns a copy without edges of zero or negative weight, which PageRank and communities ignore."""
    copy = graph.copy()
    copy.remove_edges_from([edge for edge in graph.edges(keys=True) if not graph.edges[edge]["weight"] > 0])
    return copy


def communities_of(graph, resolution):
    """Returns the best modularity of ten runs, both with the resolution. Direction is ignored, and the weights of parallel edges
    are added up."""
    merged = nx.Graph()
    merged.add_nodes_from(graph)
    for source, target, weight in positive(graph).edges(data="weight"):
        before = merged.get_edge_data(source, target, {"weight": 0})["weight"]
        merged.add_edge(source, target, weight=before + weight)
    if merged.size() == 0:
        return None
    found = [nx.community.louvain_communities(merged, resolution=resolution, seed=seed) for seed in SEEDS]
    return rounded(max(nx.community.modularity(merged, groups, resolution=resolution) for groups in found))


def iterated(graph):
    """Returns eigenvector centralities, hubs and authorities from equal values, or None for those that are undefined or have not
    settled after 10,000 steps. HITS adds up the positive weights of parallel edges. The public function for HITS finds the same
    values by a decomposition, except where they depend on the start."""
    simple = (nx.DiGraph if graph.is_directed() else nx.Graph)(graph)
    added = (nx.DiGraph if graph.is_directed() else nx.Graph)()
    added.add_nodes_from(graph)
    for source, target, weight in positive(graph).edges(data="weight"):
        before = added.get_edge_data(source, target, {"weight": 0})["weight"]
        added.add_edge(source, target, weight=before + weight)
    if not len(graph):
        return {"eigenvector": [], "hub": [], "authority": []}
    try:
        eigenvector = nx.eigenvector_centrality(simple, max_iter=10_000, tol=1e-12 / len(graph))
    except nx.PowerIterationFailedConvergence:
        eigenvector = None
    try:
        hubs, authorities = _hits_python(added, max_iter=10_000, tol=1e-14)
    except ZeroDivisionError:
        hubs, authorities = None, None
    named = {"eigenvector": eigenvector, "hub": hubs, "authority": authorities}
    return {name: values and [rounded(values[node]) for node in sorted(graph)] for name, values in named.items()}


def defined(function, *arguments):
    """Returns the number that a function returns, or None if it raises an exception or returns no number."""
    try:
        number = function(*arguments)
    except (nx.NetworkXException, ValueError, ZeroDivisionError):
        return None
    return rounded(number) if math.isfinite(number) else None


def statistics_of(graph):
    """Returns statistics of a MultiGraph or MultiDiGraph. Distances are those in the largest (strongly connected) component with
    the first node. The groups whose modularity is given are the nodes with the same remainder of their number by 3. A graph
    without edges counts as undirected."""
    is_directed = graph.is_directed() and graph.size() > 0
    graph = graph if is_directed else nx.MultiGraph(graph)
    simple = (nx.DiGraph if is_directed else nx.Graph)(graph)
    weak = list(nx.weakly_connected_components(graph) if is_directed else nx.connected_components(graph))
    strong = list(nx.strongly_connected_components(graph)) if is_directed else None
    largest = min(strong or weak, key=lambda part: (-len(part), min(part)), default=set())
    part = simple.subgraph(largest)
    groups = [group for rest in range(3) if (group := {node for node in graph if node % 3 == rest})]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assortativity = defined(nx.degree_assortativity_coefficient, graph)
    return {
        "density": rounded(nx.density(graph)),
        "components": len(weak),
        "strongComponents": strong and len(strong),
        "of": len(largest),
        "diameter": defined(nx.diameter, part),
        "meanDistance": defined(nx.average_shortest_path_length, part),
        "transitivity": rounded(nx.transitivity(simple)),
        "meanClustering": defined(nx.average_clustering, simple),
        "reciprocity": defined(nx.overall_reciprocity, simple) if is_directed else None,
        "assortativity": assortativity,
        "modularity": defined(nx.community.modularity, graph, groups),
    }


def measures_of(graph):
    """Returns the measures of a MultiGraph or MultiDiGraph whose nodes are 0, 1 and so on, and whose edges have weights."""
    both = graph.to_undirected(as_view=True)
    simple = nx.Graph((source, target) for source, target in both.edges() if source != target)
    simple.add_nodes_from(graph)
    by_node = {
        "pageRank": nx.pagerank(positive(graph), tol=1e-13, max_iter=10_000) if len(graph) else {},
        "betweenness": nx.betweenness_centrality(graph),
        "closeness": nx.closeness_centrality(graph),
        "core": nx.core_number(simple),
        "clustering": nx.clustering((nx.DiGraph if graph.is_directed() else nx.Graph)(graph)),
        "weightedDegree": dict(graph.degree(weight="weight")),
    }
    parts = sorted((sorted(part) for part in nx.connected_components(simple)), key=lambda part: (-len(part), part[0]))
    component = {node: number + 1 for number, part in enumerate(parts) for node in part}
    return {
        "component": [component[node] for node in sorted(graph)],
        **{name: [rounded(values[node]) for node in sorted(graph)] for name, values in by_node.items()},
        **iterated(graph),
    }


def case(name, directed, ids, edges):
    """Returns a graph with its measures. An edge is a source, a target, a weight and, if it differs from the graph, whether it is
    directed. In networkx, an undirected edge of a mixed graph becomes two edges; only weighted degrees count it once."""
    kind = nx.MultiDiGraph if directed else nx.MultiGraph
    graph, once = kind(), kind()
    for each in (graph, once):
        each.add_nodes_from(range(len(ids)))
    for source, target, weight, *two_way in edges:
        weight = 1 if weight is None else weight
        for each in (graph, once):
            each.add_edge(source, target, weight=weight)
        if two_way and source != target:
            graph.add_edge(target, source, weight=weight)
    expected = measures_of(graph)
    expected["weightedDegree"] = measures_of(once)["weightedDegree"]
    return {
        "name": name,
        "directed": directed,
        "ids": ids,
        "edges": edges,
        "modularity": communities_of(once, 1),
        "resolved": [[resolution, communities_of(once, resolution)] for resolution in RESOLUTIONS],
        "statistics": statistics_of(graph),
        "measures": expected,
    }


def sample(name, graph, weighted):
    numbers = {node: number for number, node in enumerate(graph)}
    edges = [
        [numbers[source], numbers[target], data.get("weight", 1) if weighted else None]
        for source, target, data in graph.edges(data=True)
    ]
    return case(name, graph.is_directed(), [str(node) for node in graph], edges)


def tangled(seed, count, size):
    """Returns random edges with loops, parallel edges, and weights down to -1.5. The second half of the nodes forms short chains."""
    dice = random.Random(seed)
    half = count // 2
    ends = [[dice.randrange(half), dice.randrange(half)] for _ in range(size)]
    ends += [[node, node + dice.randrange(2)] for node in range(half, count - 1)]
    weights = [None, 1, 2.5, 0, -1.5, 7]
    return [[source, target, dice.choice(weights)] for source, target in ends]


names = ["__proto__", "constructor", "", " ", "toString", "0", "-1", "1e3", "ö", "hasOwnProperty"]
ids = names + [f"n{number}" for number in range(30)]
mixed = [edge + [False] if number % 3 == 0 else edge for number, edge in enumerate(tangled(3, 40, 70))]
ring = [[8 * clique + i, 8 * clique + j, None] for clique in range(6) for i in range(8) for j in range(i)]
ring += [[8 * clique, (8 * clique + 9) % 48, None] for clique in range(6)]
pairs = [[0, 1, None], [1, 2, None], [2, 0, None], [3, 4, None], [4, 5, None], [5, 3, None], [6, 7, None]]
cases = [
    case("nothing", True, [], []),
    case("a single node", False, ["__proto__"], []),
    case("a node with two loops", True, ["a"], [[0, 0, 2], [0, 0, None]]),
    case("two nodes", True, ["a", "b"], [[0, 1, None]]),
    case("nodes without edges", False, ["a", "b", "c"], []),
    case("edges of no weight", True, ["a", "b", "c"], [[0, 1, 0], [1, 2, 0], [2, 0, -1]]),
    case("a star", False, [f"n{number}" for number in range(9)], [[0, number, number] for number in range(1, 9)]),
    case("a directed path", True, [f"n{number}" for number in range(7)], [[n, n + 1, None] for n in range(6)]),
    case("a directed ring", True, ["a", "b", "c", "d"], [[0, 1, None], [1, 2, 2], [2, 3, None], [3, 0, None]]),
    case("two triangles and a pair", False, list("abcdefgh"), pairs),
    case("six cliques in a ring", False, [f"n{number}" for number in range(48)], ring),
    case("directed, tangled", True, ids, tangled(1, 40, 70)),
    case("undirected, tangled", False, ids, tangled(2, 40, 70)),
    case("directed and undirected edges", True, ids, mixed),
    sample("karate club", nx.read_gml(SAMPLES / "karate.gml", label="id"), False),
    sample("characters of a novel", nx.les_miserables_graph(), True),
    sample("flights", nx.Graph(nx.read_pajek(SAMPLES / "usair97.net")), True),
    sample("directed, at random", nx.gnp_random_graph(150, 0.02, seed=4, directed=True), False),
]
lines = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in cases)
(ROOT / "test" / "known-answers" / "measures.jsonl").write_text(lines)
