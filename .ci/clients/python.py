"""Tests the client of openapi-generator's `python`."""

import os

from openapi_client import (
    AccountApi,
    ApiClient,
    ApiException,
    AuditsApi,
    Configuration,
    Credentials,
    Edge,
    GraphContent,
    GraphCreate,
    GraphPatch,
    GraphRecord,
    GraphsApi,
    HistoryApi,
    ImportReport,
    Node,
    Problem,
    UsersApi,
)


def client(token: str | None = None) -> ApiClient:
    return ApiClient(Configuration(host=os.environ["URL"], access_token=token))


def log_in(username: str, password: str) -> str:
    return AccountApi(client()).authenticate(Credentials(username=username, password=password)).id_token


def refusal(token: str | None) -> tuple[int | None, str]:
    try:
        UsersApi(client(token)).list_users()
    except ApiException as error:
        assert isinstance(error.data, Problem), error
        return error.status, error.data.code
    raise AssertionError("not refused")


login = os.environ["LOGIN"]
admin, token = log_in("admin", os.environ["ADMIN_PASSWORD"]), log_in(login, os.environ["PASSWORD"])
graphs, history = GraphsApi(client(token)), HistoryApi(client(token))
metadata = {"colour": "red", "rank": 2}
content = GraphContent(nodes=[Node(id="a", metadata=metadata), Node(id="b")], edges=[Edge(source="a", target="b")])
answer = graphs.create_graph_with_http_info(GraphCreate(name="Pair", content=content))
graph = answer.data
assert graph.version == 1 and answer.headers, answer
assert graph.content and graph.content.nodes[0].metadata == metadata, graph
file = b"source,target\na,b\nb,c\n"
report = graphs.import_graph(file, name="Path", dry_run=True).actual_instance
assert isinstance(report, ImportReport) and report.node_count == 3, report
imported = graphs.import_graph_with_http_info(file, name="Path").data
assert isinstance(imported, GraphRecord) and imported.node_count == 3, imported
listed = graphs.list_graphs()
assert sorted(graph.name for graph in listed) == ["Pair", "Path"], listed
graphs.patch_graph(graph.id, GraphPatch(name="Two"), if_match=answer.headers["etag"])
diff = history.diff_versions(graph.id)
assert [(change.pointer, change.var_from, change.to) for change in diff.fields] == [("#/name", "Pair", "Two")], diff
compared = history.compare_file(graph.id, file).diff
assert compared and compared.nodes.added.count == 1, compared
events = AuditsApi(client(admin)).list_audits(principal=login)
assert sum(event.type == "GRAPH_CREATED" for event in events) == 2, events
assert refusal(None) == (401, "token-missing")
assert refusal(token) == (403, "forbidden")
