"""Compares subgraphs and summaries with networkx: sends 200 random queries about real files to a running server, and compares each
response with `ego_graph`, node by node and edge by edge. Needs networkx and Node.js. Prints the number of passed checks."""

import atexit
import collections
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import networkx as nx

import checks
from checks import compare

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-subgraphs-"))
PASSWORD = "a judge of parts of graphs"
QUESTIONS = 200
FILES = ["karate.gml", "les-miserables.gexf", "root.gv", "usair97.net", "asoiaf-edges.csv", "c-burnetii.cx2"]
atexit.register(shutil.rmtree, DATA, ignore_errors=True)


def start():
    """Starts a server on a free port. Returns its address."""
    command = ["node", str(ROOT / "src/graphstead.js"), "serve", "--port", "0", "--data", str(DATA)]
    flags = ["--rate-user"]
    for flag in flags:
        command += [flag, "0"]
    environment = {**os.environ, "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD}
    log = open(DATA / "log", "wb")
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=log, env=environment, text=True)
    atexit.register(server.terminate)
    for line in server.stderr:
        found = re.search(r"running at (\S+),", line)
        if found:
            return found.group(1)
    raise RuntimeError("the server did not start")


def call(method, path, body=None, token=None, content_type="application/json"):
    headers = {"Content-Type": content_type}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply), reply.headers


def of_networkx(content):
    """Returns the graph for networkx. The key of an edge contains its number, and an undirected edge becomes two edges."""
    directed = content.get("directed", True)
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(node["id"] for node in content["nodes"])
    for number, edge in enumerate(content["edges"]):
        graph.add_edge(edge["source"], edge["target"], (number, False))
        if not edge.get("directed", directed) and edge["source"] != edge["target"]:
            graph.add_edge(edge["target"], edge["source"], (number, True))
    return graph


def facts_of(content, nodes, numbers):
    return [sorted(nodes), [content["edges"][number] for number in sorted(numbers)]]


URL = start()
token = call("POST", "/api/authenticate", {"username": "admin", "password": PASSWORD})[0]["id_token"]
dice = random.Random(20261123)
for file in FILES:
    source = (ROOT / "test/samples" / file).read_bytes()
    record = call("POST", "/api/graphs/import", source, token, "application/octet-stream")[0]
    content = call("GET", f"/api/graphs/{record['id']}", token=token)[0]["content"]
    graph = of_networkx(content)
    names = [node["id"] for node in content["nodes"]]
    for _ in range(QUESTIONS // len(FILES) + 1):
        node, depth, direction = dice.choice(names), dice.randint(0, 5), dice.choice(["out", "in", "both"])
        seen = graph.reverse() if direction == "in" else graph
        ego = nx.ego_graph(seen, node, radius=depth, undirected=direction == "both")
        wanted = facts_of(content, ego.nodes, {number for *_, (number, _) in ego.edges(keys=True)})
        query = urllib.parse.urlencode({"node": node, "depth": depth, "direction": direction, "limit": 100000})
        part, headers = call("GET", f"/api/graphs/{record['id']}/subgraph?{query}", token=token)
        compare(f"{file}: {query}", [sorted(n["id"] for n in part["nodes"]), part["edges"]], wanted)
        compare(f"{file}: {query} is not truncated", headers["Graphstead-Truncated"], None)

    summary = call("GET", f"/api/graphs/{record['id']}/summary", token=token)[0]
    components = [len(component) for component in nx.weakly_connected_components(graph)]
    plain = nx.MultiGraph()
    plain.add_nodes_from(names)
    plain.add_edges_from((edge["source"], edge["target"]) for edge in content["edges"])
    degrees = sorted(degree for _, degree in plain.degree)
    compare(f"{file}: components", summary["components"], {"count": len(components), "largest": max(components)})
    compare(
        f"{file}: degrees",
        [summary["degree"][name] for name in ("min", "median", "max", "mean")],
        [degrees[0], statistics.median(degrees), degrees[-1], 2 * len(content["edges"]) / len(names)],
    )
    compare(
        f"{file}: 90th percentile of degrees",
        sum(d <= summary["degree"]["p90"] for d in degrees) >= 0.9 * len(degrees),
        True,
    )
    counts = collections.Counter(key for node in content["nodes"] for key in {**node, **node.get("metadata", {})})
    for attribute in summary["attributes"]["nodes"]:
        if attribute["name"] in counts and "metadata." + attribute["name"] not in counts:
            compare(f"{file}: {attribute['name']}", attribute["count"], counts[attribute["name"]])

checks.end()
