// Tests the client of openapi-generator's `go`.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sort"

	"graphstead/clients/openapi-generator/client"
)

var api = func() *client.APIClient {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("URL")}}
	return client.NewAPIClient(configuration)
}()

func as(token string) context.Context {
	if token == "" {
		return context.Background()
	}
	return context.WithValue(context.Background(), client.ContextAccessToken, token)
}

// must returns the value, and panics if there is an error.
func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expect(name string, actual, expected any) {
	if fmt.Sprint(actual) != fmt.Sprint(expected) {
		panic(fmt.Sprintf("%s: %v instead of %v", name, actual, expected))
	}
}

func logIn(username, password string) string {
	request := api.AccountAPI.Authenticate(as("")).Credentials(*client.NewCredentials(username, password))
	return must(request.Execute()).IdToken
}

func refusal(token string) string {
	_, response, err := api.UsersAPI.ListUsers(as(token)).Execute()
	var refused *client.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	problem, ok := refused.Model().(client.Problem)
	if !ok {
		panic(err)
	}
	return fmt.Sprint(response.StatusCode, " ", problem.Code)
}

// open opens the file for each request, because the client closes it.
func open(path string) *os.File {
	file, err := os.Open(path)
	return must(file, nil, err)
}

func main() {
	login := os.Getenv("LOGIN")
	admin, token := logIn("admin", os.Getenv("ADMIN_PASSWORD")), logIn(login, os.Getenv("PASSWORD"))
	metadata := map[string]any{"colour": "red"}
	node := client.NewNode("a")
	node.SetMetadata(metadata)
	create := client.NewGraphCreate("Pair")
	create.SetContent(*client.NewGraphContent(
		[]client.Node{*node, *client.NewNode("b")}, []client.Edge{*client.NewEdge("a", "b")}))
	graph, response, err := api.GraphsAPI.CreateGraph(as(token)).GraphCreate(*create).Execute()
	must(graph, response, err)
	expect("version", graph.Version, 1)
	expect("metadata", graph.Content.Nodes[0].Metadata, metadata)

	path := os.Getenv("FILE")
	importGraph := api.GraphsAPI.ImportGraph(as(token)).Name("Path")
	report := must(importGraph.Body(open(path)).DryRun(true).Execute())
	expect("dry run", report.ImportReport.NodeCount, 3)
	imported := must(importGraph.Body(open(path)).Execute())
	expect("imported", imported.GraphRecord.NodeCount, 3)
	var names []string
	for _, listed := range must(api.GraphsAPI.ListGraphs(as(token)).Execute()) {
		names = append(names, listed.Name)
	}
	sort.Strings(names)
	expect("listed", names, []string{"Pair", "Path"})

	patch := client.NewGraphPatch()
	patch.SetName("Two")
	rename := api.GraphsAPI.PatchGraph(as(token), graph.Id).GraphPatch(*patch).IfMatch(response.Header.Get("ETag"))
	must(rename.Execute())
	changes := must(api.HistoryAPI.DiffVersions(as(token), graph.Id).Execute()).Fields
	expect("differences of versions", len(changes), 1)
	expect("the changed values", []any{changes[0].Pointer, changes[0].From, changes[0].To}, []any{"#/name", "Pair", "Two"})
	compared := must(api.HistoryAPI.CompareFile(as(token), graph.Id).Body(open(path)).Execute())
	expect("nodes that a file adds", compared.Diff.Nodes.Added.Count, 1)

	created := 0
	for _, event := range must(api.AuditsAPI.ListAudits(as(admin)).Principal(login).Execute()) {
		if event.Type == "GRAPH_CREATED" {
			created++
		}
	}
	expect("events", created, 2)
	expect("without a token", refusal(""), "401 token-missing")
	expect("without the right", refusal(token), "403 forbidden")
}
