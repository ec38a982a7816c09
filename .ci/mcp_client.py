"""Lists and calls every tool of a server in this repository with the official Python client of the Model Context Protocol, in
version 2026-07-28 and the previous one. Needs the package mcp, and the packages that npm ci installs. Prints the number of
passed checks."""

import asyncio
import pathlib
import sys
import tempfile

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

import checks
from checks import compare

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "clients" / "python" / "tests"))

from server import running_server  # noqa: E402

CONTENT = {
    "nodes": [{"id": "a", "label": "Alpha"}, {"id": "b", "metadata": {"kind": "enzyme"}}, {"id": "c"}],
    "edges": [{"source": "a", "target": "b", "relation": "inhibits"}, {"source": "b", "target": "c"}],
}


async def drive(url, token, mode, graph):
    """Calls each tool once, and checks the results."""
    calls = {
        "search_graphs": (
            {"query": "enzyme"},
            lambda data: [found["graph"]["id"] for found in data["graphs"]],
            [graph],
        ),
        "describe_graph": ({"graph": graph}, lambda data: data["components"], {"count": 1, "largest": 3}),
        "find_nodes": ({"graph": graph, "query": "alpha"}, lambda data: [node["id"] for node in data["nodes"]], ["a"]),
        "get_subgraph": (
            {"graph": graph, "nodes": ["a"]},
            lambda data: [node["id"] for node in data["nodes"]],
            ["a", "b"],
        ),
        "compare_versions": ({"graph": graph}, lambda data: data["nodes"]["added"], 3),
    }
    headers = {"Authorization": f"Bearer {token}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            listed = await client.list_tools()
            compare(f"{mode}: tools", [tool.name for tool in listed.tools], list(calls))
            for name, (arguments, look, expected) in calls.items():
                result = await client.call_tool(name, arguments)
                compare(f"{mode}: {name} succeeds", result.is_error, False)
                compare(f"{mode}: {name}", look(result.structured_content), expected)
            hidden = await client.call_tool("describe_graph", {"graph": graph + 1})
            compare(f"{mode}: a missing graph", hidden.content[0].text, "graph-not-found: Graph not found.")


def main():
    with tempfile.TemporaryDirectory(prefix="graphstead-mcp-") as work, running_server(pathlib.Path(work)) as server:
        token = server.user()
        graph = server.ask("/api/graphs", {"name": "Cells", "content": CONTENT}, token)["id"]
        for mode in ("2026-07-28", "legacy", "auto"):
            asyncio.run(drive(f"{server.url}/mcp", token, mode, graph))
    checks.end()


main()
