// Verifies what the trail of Graphstead proves, with golang.org/x/mod alone and none of Graphstead's own code.
//
//	verifier proof KEY PROOF ENTRY
//	verifier consistency KEY OLD NEW ANSWER
//	verifier roots ENTRIES SIZE...
//
// KEY has a verifier key, PROOF a proof of c2sp.org/tlog-proof, ENTRY the bytes of an entry, OLD and NEW have checkpoints, and ANSWER the
// JSON {"from", "to", "hashes"} of a consistency proof. It exits with 0 if the proof holds and with 1 if it does not. The last form
// prints the root of the tree of the first SIZE lines of ENTRIES, for each SIZE.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type head struct {
	size int64
	root tlog.Hash
}

// Reads a number in decimal digits without zeros in front.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return n, nil
}

// Opens a checkpoint that the key has signed under its own name.
func open(checkpoint []byte, key note.Verifier) (head, error) {
	opened, err := note.Open(checkpoint, note.VerifierList(key))
	if err != nil {
		return head{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != key.Name() {
		return head{}, fmt.Errorf("the checkpoint is of another log than %s", key.Name())
	}
	size, err := number(lines[1])
	if err != nil {
		return head{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return head{size, root}, err
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

func checkProof(key note.Verifier, proof, entry []byte) error {
	begin, checkpoint, found := bytes.Cut(proof, []byte("\n\n"))
	lines := strings.Split(string(begin), "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("this is no proof")
	}
	lines = lines[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return fmt.Errorf("the proof has no index")
	}
	index, err := number(strings.TrimPrefix(lines[0], "index "))
	if err != nil {
		return err
	}
	path, err := hashes(lines[1:])
	if err != nil {
		return err
	}
	tree, err := open(checkpoint, key)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(path, tree.size, tree.root, index, tlog.RecordHash(entry))
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
	var proof struct {
		From, To int64
		Hashes   []string
	}
	if err := json.Unmarshal(answer, &proof); err != nil {
		return err
	}
	if proof.From != older.size || proof.To != newer.size {
		return fmt.Errorf("the proof is of other sizes than the checkpoints")
	}
	path, err := hashes(proof.Hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, newer.size, newer.root, older.size, older.root)
}

// Prints the roots of the trees of the first lines.
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

func run(arguments []string) error {
	if len(arguments) < 3 {
		return fmt.Errorf("usage: verifier proof KEY PROOF ENTRY | consistency KEY OLD NEW ANSWER | roots ENTRIES SIZE...")
	}
	mode := arguments[0]
	if mode == "roots" {
		entries, err := os.ReadFile(arguments[1])
		if err != nil {
			return err
		}
		return roots(entries, arguments[2:])
	}
	files := make([][]byte, 0, 4)
	for _, path := range arguments[1:] {
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	key, err := note.NewVerifier(strings.TrimSpace(string(files[0])))
	if err != nil {
		return err
	}
	if mode == "proof" && len(files) == 3 {
		return checkProof(key, files[1], files[2])
	}
	if mode == "consistency" && len(files) == 4 {
		return checkConsistency(key, files[1], files[2], files[3])
	}
	return fmt.Errorf("unknown mode or wrong number of files: %s", mode)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
