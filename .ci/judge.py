"""Checks the exchange of files with independent programs: networkx, igraph, Graphviz and openpyxl have to read Graphstead's exports
with the same counts, attributes and text, and Graphstead has to read theirs. docs/formats.md lists the exceptions.
Needs networkx, igraph, openpyxl, and Graphviz's gc, gvpr and nop and Node.js on PATH. Prints the number of passed checks."""

import csv
import json
import subprocess

import igraph
import networkx as nx
import openpyxl

import checks
from checks import compare
from program import ROOT, WORK, content, give_out, import_file, write_json

TEXTS = [
    "Jean Valjean",
    "Ünïcödé",
    "日本語",
    'with "quotes"',
    "a <tag> & more",
    "two\nlines",
    "🜁",
    "שלום",
    "it's",
    "a;b,c",
    "50% = 1/2",
]


def sample(directed, multi):
    """Returns a graph with attributes of each type, and text that needs escaping."""
    nodes = [
        {
            "id": f"n{index} {text.split()[0]}",
            "label": text,
            "text": text,
            "integer": index,
            "double": index + 0.5,
            "flag": index % 2 == 0,
        }
        for index, text in enumerate(TEXTS)
    ]
    ends = [(0, 1), (1, 2), (2, 0), (3, 3), (4, 9), (5, 8), (6, 7), (7, 10)] + ([(0, 1)] if multi else [])
    edges = [
        {"source": nodes[a]["id"], "target": nodes[b]["id"], "weight": index + 0.25, "text": TEXTS[index]}
        for index, (a, b) in enumerate(ends)
    ]
    return {"directed": directed, "nodes": nodes, "edges": edges}


def facts_of(nodes, edges, directed):
    """Returns nodes and edges with their attributes in canonical order."""

    def key(edge):
        return tuple(edge[:2]) if directed else tuple(sorted(edge[:2]))

    return {
        "nodes": sorted((name, attributes) for name, attributes in nodes),
        "edges": sorted((key(edge), edge[2]) for edge in edges),
    }


def expected(graph, node_names, edge_names, name="id"):
    return facts_of(
        [(node[name], [node[key] for key in node_names]) for node in graph["nodes"]],
        [(edge["source"], edge["target"], [edge[key] for key in edge_names]) for edge in graph["edges"]],
        graph["directed"],
    )


def of_networkx(graph, node_names, edge_names, name=lambda node, attributes: node):
    names = {node: name(node, attributes) for node, attributes in graph.nodes(data=True)}
    return facts_of(
        [(names[node], [attributes.get(key) for key in node_names]) for node, attributes in graph.nodes(data=True)],
        [
            (names[a], names[b], [attributes.get(key) for key in edge_names])
            for a, b, attributes in graph.edges(data=True)
        ],
        graph.is_directed(),
    )


def of_igraph(graph, node_names, edge_names, name):
    return facts_of(
        [(node[name], [node[key] for key in node_names]) for node in graph.vs],
        [
            (graph.vs[edge.source][name], graph.vs[edge.target][name], [edge[key] for key in edge_names])
            for edge in graph.es
        ],
        graph.is_directed(),
    )


ALL = ["label", "text", "integer", "double", "flag"]
REST = ["text", "integer", "double", "flag"]
EDGE = ["weight", "text"]


def exports(name, graph, number):
    """Checks that the other programs read Graphstead's files."""
    wanted = expected(graph, ALL, EDGE)
    loaded = nx.read_graphml(give_out(number, f"{name}.graphml"))
    compare(f"{name}: networkx reads GraphML", of_networkx(loaded, ALL, EDGE), wanted)
    loaded = nx.read_gexf(give_out(number, f"{name}.gexf"))
    compare(f"{name}: networkx reads GEXF", of_networkx(loaded, ALL, EDGE), wanted)
    loaded = nx.node_link_graph(
        json.loads(give_out(number, f"{name}.node-link.json").read_text("utf-8")), edges="edges"
    )
    compare(f"{name}: networkx reads node-link JSON", of_networkx(loaded, ALL, EDGE), wanted)
    document = json.loads(give_out(number, f"{name}.cyjs").read_text("utf-8"))
    # networkx requires three members that Cytoscape does not write.
    document.update(multigraph=True, data=list(document["data"].items()))
    for element in document["elements"]["nodes"]:
        element["data"].update(name=element["data"]["label"], value=element["data"]["id"])
    # networkx keeps parallel edges only if their `key`s differ, but Cytoscape.js has no keys.
    if name != "multigraph":
        compare(
            f"{name}: networkx reads Cytoscape.js JSON", of_networkx(nx.cytoscape_graph(document), ALL, EDGE), wanted
        )

    gml = give_out(number, f"{name}.gml")
    # GML writes booleans as 1 and 0, which equal True and False in Python.
    loaded = nx.read_gml(gml)
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    by_label = {**graph, "nodes": [{**node, "id": node["label"]} for node in graph["nodes"]]}
    by_label["edges"] = [
        {**edge, "source": labels[edge["source"]], "target": labels[edge["target"]]} for edge in graph["edges"]
    ]
    compare(f"{name}: networkx reads GML", of_networkx(loaded, REST, EDGE), expected(by_label, REST, EDGE))
    loaded = nx.read_pajek(give_out(number, f"{name}.net"))
    # In Pajek, ids are numbers, so networkx identifies nodes by label.
    flat = json.loads(json.dumps(by_label).replace('\\"', "&#34;").replace("\\n", "&#10;"))
    compare(f"{name}: networkx reads Pajek", of_networkx(loaded, [], ["weight"]), expected(flat, [], ["weight"]))
    with open(give_out(number, f"{name}.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = facts_of(
        [], [(row["Source"], row["Target"], [float(row["Weight"]), row["text"]]) for row in rows], graph["directed"]
    )
    compare(f"{name}: Python reads CSV", found["edges"], wanted["edges"])
    sheets = {sheet.title: records_of(sheet) for sheet in openpyxl.load_workbook(give_out(number, f"{name}.xlsx"))}
    found = facts_of(
        [(row["Id"], [row["Label" if key == "label" else key] for key in ALL]) for row in sheets["Nodes"]],
        [(row["Source"], row["Target"], [row["Weight"], row["text"]]) for row in sheets["Edges"]],
        {row["Type"] for row in sheets["Edges"]} == {"Directed"},
    )
    compare(f"{name}: openpyxl reads Excel", found, wanted)

    loaded = igraph.Graph.Read_GraphML(str(WORK / f"{name}.graphml"))
    compare(f"{name}: igraph reads GraphML", of_igraph(loaded, ALL, EDGE, "id"), wanted)
    loaded = igraph.Graph.Read_GML(str(gml))

    # igraph does not decode references such as &#233;.
    def references(text):
        return "".join(c if " " <= c <= "~" else f"&#{ord(c)};" for c in text)

    known = {
        **graph,
        "nodes": [
            {**node, "id": references(node["id"]), "label": references(node["label"]), "text": references(node["text"])}
            for node in graph["nodes"]
        ],
    }
    known["edges"] = [
        {**edge, **{key: references(edge[key]) for key in ("source", "target", "text")}} for edge in graph["edges"]
    ]
    compare(f"{name}: igraph reads GML", of_igraph(loaded, ALL, EDGE, "graphsteadId"), expected(known, ALL, EDGE))
    loaded = igraph.Graph.Read_Pajek(str(WORK / f"{name}.net"))
    compare(f"{name}: igraph reads Pajek", of_igraph(loaded, [], ["weight"], "name"), expected(flat, [], ["weight"]))

    dot = give_out(number, f"{name}.gv")
    counts = subprocess.run(["gc", "-n", "-e", str(dot)], capture_output=True, text=True, check=True).stdout.split()[:2]
    compare(
        f"{name}: Graphviz counts DOT", [int(count) for count in counts], [len(graph["nodes"]), len(graph["edges"])]
    )

    def values(names):
        return "".join(f', "␟", aget($, "{key}")' for key in names)

    program = f'N{{print($.name{values(REST)}, "␞")}} E{{print($.tail.name, "␟", $.head.name{values(EDGE)}, "␞")}}'
    printed = subprocess.run(["gvpr", program, str(dot)], capture_output=True, check=True).stdout.decode("utf-8")
    found = [record.removeprefix("\n").split("␟") for record in printed.split("␞") if record.strip()]
    nodes = [(row[0], [row[1], int(row[2]), float(row[3]), row[4] == "true"]) for row in found if len(row) == 5]
    edges = [(row[0], row[1], [float(row[2]), row[3]]) for row in found if len(row) == 4]
    compare(f"{name}: Graphviz reads DOT", facts_of(nodes, edges, graph["directed"]), expected(graph, REST, EDGE))


def here(number, node_names, edge_names, name=lambda node, id: id):
    """Returns the facts of a graph as Graphstead stores it."""
    graph = content(number)

    def value(element, key):
        return element.get(key, element.get("metadata", {}).get(key))

    names = {id: name(node, id) for id, node in graph["nodes"].items()}
    return facts_of(
        [(names[id], [value(node, key) for key in node_names]) for id, node in graph["nodes"].items()],
        [
            (names[edge["source"]], names[edge["target"]], [value(edge, key) for key in edge_names])
            for edge in graph["edges"]
        ],
        graph["directed"],
    )


def records_of(sheet):
    """Returns the rows below the first one as dictionaries."""
    names, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def write_excel(path, graph):
    """Writes the graph with openpyxl, with a sheet of nodes and a sheet of edges."""
    book = openpyxl.Workbook()
    nodes, edges = book.active, book.create_sheet("Edges")
    nodes.title = "Nodes"
    nodes.append(["Id", *ALL])
    for node in graph["nodes"]:
        nodes.append([node["id"], *(node[key] for key in ALL)])
    edges.append(["Source", "Target", "Type", *EDGE])
    for edge in graph["edges"]:
        kind = "Directed" if graph["directed"] else "Undirected"
        edges.append([edge["source"], edge["target"], kind, *(edge[key] for key in EDGE)])
    book.save(path)


def imports(name, graph):
    """Checks that Graphstead reads the other programs' files."""
    wanted = expected(graph, ALL, EDGE)
    write_excel(WORK / f"{name}.xlsx", graph)
    compare(f"{name}: Excel of openpyxl", here(import_file(WORK / f"{name}.xlsx"), ALL, EDGE), wanted)
    loaded = nx.node_link_graph(
        {**graph, "multigraph": len({(e["source"], e["target"]) for e in graph["edges"]}) < len(graph["edges"])},
        edges="edges",
    )
    path = str(WORK / f"{name}-nx")
    nx.write_graphml(loaded, path + ".graphml")
    compare(f"{name}: GraphML of networkx", here(import_file(path + ".graphml"), ALL, EDGE), wanted)
    nx.write_gexf(loaded, path + ".gexf")
    compare(f"{name}: GEXF of networkx", here(import_file(path + ".gexf"), ALL, EDGE), wanted)
    document = nx.node_link_data(loaded, edges="links")
    compare(
        f"{name}: node-link JSON of networkx",
        here(import_file(write_json(f"{name}-nx.json", document)), ALL, EDGE),
        wanted,
    )
    document = nx.cytoscape_data(loaded)
    compare(
        f"{name}: Cytoscape.js JSON of networkx",
        here(import_file(write_json(f"{name}-nx.cyjs", document)), ALL, EDGE),
        wanted,
    )
    # In GML, networkx writes the name of a node as its label.
    named = loaded.copy()
    for _, attributes in named.nodes(data=True):
        del attributes["label"]
    nx.write_gml(named, path + ".gml")
    by_label = expected(graph, REST, EDGE)
    found = here(import_file(path + ".gml"), REST, EDGE, lambda node, _: node["label"])
    compare(f"{name}: GML of networkx", found, by_label)
    # The names contain no quotes or line breaks, because networkx does not escape them in Pajek files.
    simple = nx.MultiDiGraph() if graph["directed"] else nx.MultiGraph()
    simple.add_weighted_edges_from([(f"a {t}", f"b {t}", i + 0.5) for i, t in enumerate(["ä", "日本", "plain"])])
    nx.write_pajek(simple, path + ".net")
    found = here(import_file(path + ".net"), [], ["weight"], lambda node, _: node["label"])
    compare(f"{name}: Pajek of networkx", found, of_networkx(simple, [], ["weight"]))

    loaded = igraph.Graph.DictList(
        [{**node, "name": node["id"]} for node in graph["nodes"]], graph["edges"], directed=graph["directed"]
    )

    def by_name(node, _):
        return node["metadata"]["name"]

    loaded.write_graphml(path + "-igraph.graphml")
    compare(f"{name}: GraphML of igraph", here(import_file(path + "-igraph.graphml"), ALL, EDGE, by_name), wanted)
    loaded.write_gml(path + "-igraph.gml")
    compare(f"{name}: GML of igraph", here(import_file(path + "-igraph.gml"), ALL, EDGE, by_name), wanted)
    plain = loaded.copy()
    for key in plain.vs.attributes():
        if key != "name":
            del plain.vs[key]
    plain.write_pajek(path + "-igraph.net")
    found = here(import_file(path + "-igraph.net"), [], ["weight"], lambda node, _: node["label"])
    compare(f"{name}: Pajek of igraph", found, of_igraph(plain, [], ["weight"], "name"))
    loaded.write_dot(path + "-igraph.gv")
    graph_here = content(import_file(path + "-igraph.gv"))
    compare(
        f"{name}: DOT of igraph",
        [len(graph_here["nodes"]), len(graph_here["edges"])],
        [loaded.vcount(), loaded.ecount()],
    )

    canonical = WORK / f"{name}-nop.gv"
    canonical.write_bytes(subprocess.run(["nop", str(WORK / f"{name}.gv")], capture_output=True, check=True).stdout)

    def as_text(facts):
        return json.dumps(facts).lower().replace('"', "")

    # In Graphviz, all values are text.
    found = here(import_file(canonical), ALL, EDGE)
    compare(f"{name}: DOT of Graphviz", as_text(found), as_text(wanted))


for name, graph in {
    "directed": sample(True, False),
    "undirected": sample(False, False),
    "multigraph": sample(True, True),
}.items():
    number = import_file(write_json(f"{name}.json", graph))
    exports(name, graph, number)
    imports(name, graph)

for file, nodes, edges in [("karate.gml", 34, 78), ("les-miserables.gexf", 77, 254), ("root.gv", 1054, 1083)]:
    number = import_file(ROOT / "test/samples" / file)
    loaded = nx.read_graphml(give_out(number, "sample.graphml"))
    compare(f"{file} as GraphML", [loaded.number_of_nodes(), loaded.number_of_edges()], [nodes, edges])
    loaded = igraph.Graph.Read_GML(str(give_out(number, "sample.gml")))
    compare(f"{file} as GML", [loaded.vcount(), loaded.ecount()], [nodes, edges])

checks.end()
