import java.io.File;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.AuditsApi;
import org.openapitools.client.api.GraphsApi;
import org.openapitools.client.api.HistoryApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.AuditEvent;
import org.openapitools.client.model.Credentials;
import org.openapitools.client.model.Edge;
import org.openapitools.client.model.GraphContent;
import org.openapitools.client.model.GraphCreate;
import org.openapitools.client.model.GraphPatch;
import org.openapitools.client.model.GraphRecord;
import org.openapitools.client.model.ImportResult;
import org.openapitools.client.model.Node;
import org.openapitools.client.model.Problem;

/** Tests the client of openapi-generator's `java`. */
public class Drive {
  static ApiClient client(String token) {
    var client = new ApiClient().setBasePath(System.getenv("URL"));
    if (token != null) client.setBearerToken(token);
    return client;
  }

  static String logIn(String username, String password) throws ApiException {
    return new AccountApi(client(null)).authenticate(new Credentials().username(username).password(password)).getIdToken();
  }

  static void expect(String name, Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError(name + ": " + actual + " instead of " + expected);
  }

  static String refusal(String token) throws Exception {
    try {
      new UsersApi(client(token)).listUsers(null, null, null, null);
    } catch (ApiException error) {
      return error.getCode() + " " + Problem.fromJson(error.getResponseBody()).getCode();
    }
    throw new AssertionError("not refused");
  }

  static ImportResult read(GraphsApi graphs, File file, boolean dryRun) throws ApiException {
    return graphs.importGraph(
        file, "Path", null, null, null, null, null, null, null, null, null, null, null, null, dryRun);
  }

  public static void main(String[] arguments) throws Exception {
    var login = System.getenv("LOGIN");
    var admin = logIn("admin", System.getenv("ADMIN_PASSWORD"));
    var token = logIn(login, System.getenv("PASSWORD"));
    var graphs = new GraphsApi(client(token));
    var history = new HistoryApi(client(token));
    var content =
        new GraphContent()
            .nodes(List.of(new Node().id("a").putMetadataItem("colour", "red"), new Node().id("b")))
            .edges(List.of(new Edge().source("a").target("b")));
    var answer = graphs.createGraphWithHttpInfo(new GraphCreate().name("Pair").content(content));
    var graph = answer.getData();
    expect("version", graph.getVersion(), 1L);
    expect("metadata", graph.getContent().getNodes().get(0).getMetadata(), Map.of("colour", "red"));

    var file = new File(System.getenv("FILE"));
    expect("dry run", read(graphs, file, true).getImportReport().getNodeCount(), 3);
    expect("imported", read(graphs, file, false).getGraphRecord().getNodeCount(), 3L);
    var listed = graphs.listGraphs(null, null, null, null, null, null, null, null, null, null);
    expect("listed", listed.stream().map(GraphRecord::getName).sorted().toList(), List.of("Pair", "Path"));

    graphs.patchGraph(graph.getId(), new GraphPatch().name("Two"), answer.getHeaders().get("etag").get(0));
    var changes = history.diffVersions(graph.getId(), null, null, null).getFields();
    expect("differences of versions", changes.size(), 1);
    expect("the changed field", changes.get(0).getPointer(), "#/name");
    expect("the changed values", List.of(changes.get(0).getFrom(), changes.get(0).getTo()), List.of("Pair", "Two"));
    var compared = history
            .compareFile(graph.getId(), file, null, null, null, null, null, null, null, null, null)
            .getDiff();
    expect("nodes that a file adds", compared.getNodes().getAdded().getCount(), 1);

    var audits = new AuditsApi(client(admin));
    var events = audits.listAudits(null, null, null, login, null, null, null, null, null, null, null, null);
    var created = events.stream().filter(event -> event.getType() == AuditEvent.TypeEnum.GRAPH_CREATED);
    expect("events", created.count(), 2L);
    expect("without a token", refusal(null), "401 token-missing");
    expect("without the right", refusal(token), "403 forbidden");
  }
}
