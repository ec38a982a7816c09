"""Tests the client of openapi-python-client."""

import io
import os

from client.api.account import authenticate
from client.api.audits import list_audits
from client.api.graphs import create_graph, import_graph, list_graphs, patch_graph
from client.api.history import compare_file, diff_versions
from client.api.users import list_users
from client.client import AuthenticatedClient, Client
from client.models import (
    Credentials,
    Edge,
    FileDiff,
    GraphContent,
    GraphCreate,
    GraphDiff,
    GraphPatch,
    GraphRecord,
    ImportReport,
    Node,
    NodeMetadata,
    Problem,
    Token,
)
from client.types import File, Unset

URL = os.environ["URL"]


def log_in(username: str, password: str) -> str:
    token = authenticate.sync(client=Client(base_url=URL), body=Credentials(username=username, password=password))
    assert isinstance(token, Token), token
    return token.id_token


def caller(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=URL, token=token)


def refusal(token: str) -> tuple[int, str]:
    answer = list_users.sync_detailed(client=caller(token))
    assert isinstance(answer.parsed, Problem), answer
    return answer.status_code, answer.parsed.code


def file() -> File:
    return File(io.BytesIO(b"source,target\na,b\nb,c\n"))


login = os.environ["LOGIN"]
admin, token = log_in("admin", os.environ["ADMIN_PASSWORD"]), log_in(login, os.environ["PASSWORD"])
metadata = NodeMetadata.from_dict({"colour": "red", "rank": 2})
content = GraphContent(nodes=[Node(id="a", metadata=metadata), Node(id="b")], edges=[Edge(source="a", target="b")])
answer = create_graph.sync_detailed(client=caller(token), body=GraphCreate(name="Pair", content=content))
graph = answer.parsed
assert graph and not isinstance(graph, Problem) and graph.version == 1, graph
assert not isinstance(graph.content, Unset) and graph.content.nodes[0].metadata == metadata, graph
report = import_graph.sync(client=caller(token), body=file(), name="Path", dry_run=True)
assert isinstance(report, ImportReport) and report.node_count == 3, report
imported = import_graph.sync(client=caller(token), body=file(), name="Path")
assert isinstance(imported, GraphRecord) and imported.node_count == 3, imported
listed = list_graphs.sync(client=caller(token))
assert isinstance(listed, list) and sorted(graph.name for graph in listed) == ["Pair", "Path"], listed
patch_graph.sync(graph.id, client=caller(token), body=GraphPatch(name="Two"), if_match=answer.headers["ETag"])
diff = diff_versions.sync(graph.id, client=caller(token))
assert isinstance(diff, GraphDiff), diff
assert [(change.pointer, change.from_, change.to) for change in diff.fields] == [("#/name", "Pair", "Two")], diff
compared = compare_file.sync(graph.id, client=caller(token), body=file())
assert isinstance(compared, FileDiff) and not isinstance(compared.diff, Unset), compared
assert compared.diff.nodes.added.count == 1, compared
events = list_audits.sync(client=caller(admin), principal=login)
assert isinstance(events, list) and sum(event.type_ == "GRAPH_CREATED" for event in events) == 2, events
# If an operation requires a token, the client cannot omit it.
assert refusal("nobody") == (401, "token-invalid")
assert refusal(token) == (403, "forbidden")
