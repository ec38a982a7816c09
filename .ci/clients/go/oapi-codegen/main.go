// Tests the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"

	"graphstead/clients/oapi-codegen/client"
)

const anyFile = "application/octet-stream"

var background = context.Background()

// must returns the value, and panics if there is an error.
func must[T any](value T, err error) T {
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

func as(token string) *client.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	return must(client.NewClientWithResponses(os.Getenv("URL"), client.WithRequestEditorFn(authorize)))
}

func logIn(username, password string) string {
	credentials := client.Credentials{Username: username, Password: &password}
	return must(as("").AuthenticateWithResponse(background, credentials)).JSON200.IdToken
}

func refusal(token string) string {
	answer := must(as(token).ListUsersWithResponse(background, nil))
	problem := answer.ApplicationproblemJSON401
	if problem == nil {
		problem = answer.ApplicationproblemJSON403
	}
	return fmt.Sprint(answer.StatusCode(), " ", problem.Code)
}

func open() *os.File {
	return must(os.Open(os.Getenv("FILE")))
}

func main() {
	login := os.Getenv("LOGIN")
	admin, token := logIn("admin", os.Getenv("ADMIN_PASSWORD")), logIn(login, os.Getenv("PASSWORD"))
	api := as(token)
	metadata := map[string]any{"colour": "red"}
	content := client.GraphContent{
		Nodes: []client.Node{{Id: "a", Metadata: &metadata}, {Id: "b"}},
		Edges: []client.Edge{{Source: "a", Target: "b"}},
	}
	answer := must(api.CreateGraphWithResponse(background, client.GraphCreate{Name: "Pair", Content: &content}))
	graph := answer.JSON201
	expect("version", graph.Version, 1)
	expect("metadata", *graph.Content.Nodes[0].Metadata, metadata)

	name, dryRun := "Path", true
	parameters := client.ImportGraphParams{Name: &name, DryRun: &dryRun}
	tried := must(api.ImportGraphWithBodyWithResponse(background, &parameters, anyFile, open()))
	expect("dry run", must(tried.JSON200.AsImportReport()).NodeCount, 3)
	imported := must(api.ImportGraphWithBodyWithResponse(background, &client.ImportGraphParams{Name: &name}, anyFile, open()))
	expect("imported", imported.JSON201.NodeCount, 3)
	var names []string
	for _, listed := range *must(api.ListGraphsWithResponse(background, nil)).JSON200 {
		names = append(names, listed.Name)
	}
	sort.Strings(names)
	expect("listed", names, []string{"Pair", "Path"})

	renamed := "Two"
	condition := client.PatchGraphParams{IfMatch: answer.Headers201.ETag}
	patched := must(api.PatchGraphWithResponse(background, graph.Id, &condition, client.GraphPatch{Name: &renamed}))
	expect("renamed", patched.StatusCode(), 200)
	changes := must(api.DiffVersionsWithResponse(background, graph.Id, nil)).JSON200.Fields
	expect("differences of versions", len(changes), 1)
	expect("the changed values", []any{changes[0].Pointer, changes[0].From, changes[0].To}, []any{"#/name", "Pair", "Two"})
	compared := must(api.CompareFileWithBodyWithResponse(background, graph.Id, nil, anyFile, open())).JSON200
	expect("nodes that a file adds", compared.Diff.Nodes.Added.Count, 1)

	created := 0
	events := must(as(admin).ListAuditsWithResponse(background, &client.ListAuditsParams{Principal: &login})).JSON200
	for _, event := range *events {
		if event.Type == client.AuditEventTypeGRAPHCREATED {
			created++
		}
	}
	expect("events", created, 2)
	expect("without a token", refusal(""), "401 token-missing")
	expect("without the right", refusal(token), "403 forbidden")
}
