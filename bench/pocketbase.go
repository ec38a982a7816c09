// PocketBase as a Go module, to be measured by peers.ts. README.md in this folder explains how to build it.
package main

import (
	"log"
	"path/filepath"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
)

// The linker sets this to FULL for a variant in which each commit waits for the disk. If empty, PocketBase keeps its default.
var synchronous string

func main() {
	var config pocketbase.Config
	if synchronous != "" {
		config.DBConnect = connect
	}
	if err := pocketbase.NewWithConfig(config).Start(); err != nil {
		log.Fatal(err)
	}
}

// connect opens a database as core.DefaultDBConnect does, but with a different synchronous mode for the records.
func connect(path string) (*dbx.DB, error) {
	if filepath.Base(path) == "auxiliary.db" {
		return core.DefaultDBConnect(path)
	}
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
		"&_pragma=journal_size_limit(200000000)&_pragma=synchronous("+synchronous+")&_pragma=foreign_keys(ON)"+
		"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}
