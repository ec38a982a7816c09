"""Writes files with the libraries of other fields, and compares what Graphstead reads from them with what they wrote: RDF of rdflib,
and bills of materials of the CycloneDX and SPDX libraries.
Needs rdflib, cyclonedx-python-lib, spdx-tools and Node.js. Prints the number of passed checks."""

import collections
import datetime
import random

import rdflib
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component
from cyclonedx.output.json import JsonV1Dot6
from spdx_tools.spdx import model as spdx
from spdx_tools.spdx.writer.json.json_writer import write_document_to_file

import checks
from checks import compare
from program import WORK, content, import_file

chance = random.Random(42)


def edges_of(graph, name=lambda id: id):
    """Returns the edges as (source, relation, target), counted."""
    return collections.Counter(
        (name(edge["source"]), edge.get("relation", ""), name(edge["target"])) for edge in graph["edges"]
    )


def rdf():
    """Checks every triple. Blank nodes are compared by number."""
    here, there = rdflib.Namespace("http://example.org/here#"), rdflib.Namespace("http://example.org/là/")
    graph = rdflib.Graph()
    graph.bind("here", here)
    graph.bind("there", there)
    nodes = [here[f"n{index}"] for index in range(60)] + [there[f"日本.{index}"] for index in range(60)]
    nodes += [rdflib.BNode() for _ in range(20)]
    for index in range(400):
        graph.add((chance.choice(nodes), here[f"p{index % 7}"], chance.choice(nodes)))
    texts = ['with "quotes"', "two\nlines", "back\\slash", "🜁", "'''", "@prefix x: <y> ."]
    literals = [rdflib.Literal(value) for value in [*texts, 1, -2.5, True]]
    for index, node in enumerate(nodes[:120]):
        graph.add((node, there.value, literals[index % len(literals)]))
    names = {}

    def full(name):
        """Returns the IRI of a shortened name, and one name for all blank nodes."""
        if name.startswith("_:"):
            return "_:"
        prefix, _, rest = name.partition(":")
        return names.get(prefix, prefix + ":") + rest

    def plain(term):
        return "_:" if isinstance(term, rdflib.BNode) else str(term)

    wanted = collections.Counter((plain(s), str(p), plain(o)) for s, p, o in graph if not isinstance(o, rdflib.Literal))
    values = {str(s): o.toPython() for s, _, o in graph if isinstance(o, rdflib.Literal)}
    for form, ending in [("turtle", "ttl"), ("longturtle", "ttl"), ("nt11", "nt")]:
        path = WORK / f"rdflib-{form}.{ending}"
        graph.serialize(path, format=form, encoding="utf-8")
        names = {prefix: str(iri) for prefix, iri in graph.namespaces()}
        found = content(import_file(path))
        edges = collections.Counter({(s, full(p), o): count for (s, p, o), count in edges_of(found, full).items()})
        compare(f"rdflib {form}: edges", edges, wanted)
        there_values = {
            full(id): next(
                (value for key, value in node.get("metadata", {}).items() if full(key) == str(there.value)), None
            )
            for id, node in found["nodes"].items()
            if not id.startswith("_:")
        }
        compare(
            f"rdflib {form}: values", {id: value for id, value in there_values.items() if value is not None}, values
        )


def cyclonedx():
    bom = Bom()
    components = [Component(name=f"part {index}", version=f"1.{index}", bom_ref=f"ref-{index}") for index in range(50)]
    bom.metadata.component = components[0]
    wanted = collections.Counter()
    for component in components[1:]:
        bom.components.add(component)
    for component in components:
        targets = chance.sample(components, 3)
        bom.register_dependency(component, targets)
        wanted.update((component.bom_ref.value, "dependsOn", target.bom_ref.value) for target in targets)
    path = WORK / "library.cdx.json"
    path.write_text(JsonV1Dot6(bom).output_as_string(), "utf-8")
    found = content(import_file(path))
    compare("CycloneDX: components", sorted(found["nodes"]), sorted(c.bom_ref.value for c in components))
    compare("CycloneDX: dependencies", edges_of(found), wanted)


def spdx_document():
    names = [f"SPDXRef-{index}" for index in range(50)]
    relationships = [
        spdx.Relationship(source, spdx.RelationshipType.DEPENDS_ON, target)
        for source in names
        for target in chance.sample(names, 2)
    ]
    relationships.append(spdx.Relationship("SPDXRef-DOCUMENT", spdx.RelationshipType.DESCRIBES, names[0]))
    document = spdx.Document(
        spdx.CreationInfo(
            "SPDX-2.3",
            "SPDXRef-DOCUMENT",
            "a bill",
            "https://example.org/bill",
            [spdx.Actor(spdx.ActorType.TOOL, "a judge")],
            datetime.datetime(2026, 1, 1),
        ),
        packages=[spdx.Package(name, name.lower(), "NOASSERTION") for name in names],
        relationships=relationships,
    )
    path = WORK / "library.spdx.json"
    write_document_to_file(document, str(path), validate=False)
    found = content(import_file(path))
    compare("SPDX: packages", sorted(found["nodes"]), sorted([*names, "SPDXRef-DOCUMENT"]))
    wanted = collections.Counter(
        (each.spdx_element_id, each.relationship_type.name, each.related_spdx_element_id) for each in relationships
    )
    compare("SPDX: relationships", edges_of(found), wanted)


rdf()
cyclonedx()
spdx_document()
checks.end()
