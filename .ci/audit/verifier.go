// Verifier verifies proofs of Graphstead's audit log with golang.org/x/mod, without any of Graphstead's own code.
//
//	verifier proof KEY PROOF ENTRY
//	verifier consistency KEY OLD NEW ANSWER
//	verifier roots ENTRIES SIZE...
//	verifier server KEY URL [OLD]...
//	verifier cosigned KEY WITNESS CHECKPOINT
//	verifier witness KEY
//
// All arguments except URL and SIZE name files: KEY contains a verifier key, PROOF a proof (c2sp.org/tlog-proof), ENTRY the bytes
// of an entry, OLD and NEW checkpoints, and ANSWER a consistency proof as JSON {"from", "to", "hashes"}. The exit code is 0 if
// the proof is valid, and 1 if it is not. The third form prints, for each SIZE, the root of the tree of the first SIZE lines of
// ENTRIES.
//
// The fourth form verifies the log of a server, given the URL of its audit API: tiles, entries, proofs of some entries, and that
// the log continues each OLD. It sends the token in the environment variable AUDIT_TOKEN.
//
// The fifth form verifies that CHECKPOINT is signed by the log and by the witness whose verifier key is in WITNESS. The last
// form runs a witness: see witness.go.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const usage = `usage: verifier proof KEY PROOF ENTRY | consistency KEY OLD NEW ANSWER | roots ENTRIES SIZE... |
  server KEY URL [OLD]... | cosigned KEY WITNESS CHECKPOINT | witness KEY`

type head struct {
	size int64
	root tlog.Hash
}

// number parses a decimal number without leading zeros.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return n, nil
}

// readHead parses the text of a checkpoint of the log with this origin.
func readHead(text, origin string) (head, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[0] != origin {
		return head{}, fmt.Errorf("the checkpoint does not belong to the log %s", origin)
	}
	size, err := number(lines[1])
	if err != nil {
		return head{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return head{size, root}, err
}

// open verifies and parses a checkpoint whose signer and origin are the name of the key.
func open(checkpoint []byte, key note.Verifier) (head, error) {
	opened, err := note.Open(checkpoint, note.VerifierList(key))
	if err != nil {
		return head{}, err
	}
	return readHead(opened.Text, key.Name())
}

func hashes(lines []string) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(lines))
	for i, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		read[i] = hash
	}
	return read, nil
}

// checkProof checks the proof of an entry. It returns the entry's index and the size of the tree.
func checkProof(key note.Verifier, proof, entry []byte) (int64, int64, error) {
	begin, checkpoint, found := bytes.Cut(proof, []byte("\n\n"))
	lines := strings.Split(string(begin), "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return 0, 0, fmt.Errorf("not a proof")
	}
	lines = lines[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return 0, 0, fmt.Errorf("the proof has no index")
	}
	index, err := number(strings.TrimPrefix(lines[0], "index "))
	if err != nil {
		return 0, 0, err
	}
	path, err := hashes(lines[1:])
	if err != nil {
		return 0, 0, err
	}
	tree, err := open(checkpoint, key)
	if err != nil {
		return 0, 0, err
	}
	return index, tree.size, tlog.CheckRecord(path, tree.size, tree.root, index, tlog.RecordHash(entry))
}

// growth is a consistency proof as returned by a server.
type growth struct {
	From, To   int64
	Hashes     []string
	Checkpoint string
}

func checkGrowth(older, newer head, proof growth) error {
	if proof.From != older.size || proof.To != newer.size {
		return fmt.Errorf("the proof and the checkpoints have different sizes")
	}
	path, err := hashes(proof.Hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, newer.size, newer.root, older.size, older.root)
}

func checkConsistency(key note.Verifier, from, to, answer []byte) error {
	older, err := open(from, key)
	if err != nil {
		return err
	}
	newer, err := open(to, key)
	if err != nil {
		return err
	}
	var proof growth
	if err := json.Unmarshal(answer, &proof); err != nil {
		return err
	}
	return checkGrowth(older, newer, proof)
}

// roots prints the root of the tree of the first lines, for each size.
func roots(entries []byte, sizes []string) error {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		read := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			read[i] = stored[index]
		}
		return read, nil
	})
	lines := bytes.Split(bytes.TrimSuffix(entries, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		added, err := tlog.StoredHashes(int64(i), line, reader)
		if err != nil {
			return err
		}
		stored = append(stored, added...)
	}
	for _, text := range sizes {
		size, err := number(text)
		if err != nil {
			return err
		}
		if size > int64(len(lines)) {
			return fmt.Errorf("there are fewer than %d lines", size)
		}
		root, err := tlog.TreeHash(size, reader)
		if err != nil {
			return err
		}
		fmt.Println(root)
	}
	return nil
}

func readFiles(paths []string) ([][]byte, error) {
	files := make([][]byte, len(paths))
	for i, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[i] = file
	}
	return files, nil
}

func run(arguments []string) error {
	if len(arguments) < 2 {
		return errors.New(usage)
	}
	mode, others := arguments[0], arguments[2:]
	first, err := os.ReadFile(arguments[1])
	if err != nil {
		return err
	}
	if mode == "roots" {
		return roots(first, others)
	}
	key, err := note.NewVerifier(strings.TrimSpace(string(first)))
	if err != nil {
		return err
	}
	if mode == "witness" && len(others) == 0 {
		return serveWitness(key)
	}
	url := ""
	if mode == "server" && len(others) > 0 {
		url, others = others[0], others[1:]
	}
	files, err := readFiles(others)
	if err != nil {
		return err
	}
	switch {
	case mode == "proof" && len(files) == 2:
		_, _, err := checkProof(key, files[0], files[1])
		return err
	case mode == "consistency" && len(files) == 3:
		return checkConsistency(key, files[0], files[1], files[2])
	case url != "":
		return checkServer(key, server{url, os.Getenv("AUDIT_TOKEN")}, files)
	case mode == "cosigned" && len(files) == 2:
		return checkCosigned(key, files[0], files[1])
	}
	return errors.New(usage)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
