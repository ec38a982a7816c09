package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The height of a tile, which has 2^8 hashes.
const height, width = 8, 1 << 8

// server is the audit API of a server. The log is under `log/` (c2sp.org/tlog-tiles).
type server struct {
	url, token string
}

func (s server) get(path string) ([]byte, error) {
	request, err := http.NewRequest(http.MethodGet, s.url+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// pathOf returns the path of a tile. x/mod begins it with the height, and uses "data" for the entries.
func pathOf(tile tlog.Tile) string {
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "log/tile/", 1)
	return strings.Replace(path, "/data/", "/entries/", 1)
}

func (s server) Height() int { return height }

func (s server) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(tiles))
	for i, tile := range tiles {
		data, err := s.get(pathOf(tile))
		if err != nil {
			return nil, err
		}
		read[i] = data
	}
	return read, nil
}

func (s server) SaveTiles([]tlog.Tile, [][]byte) {}

// entries fetches a bundle of entries, each of which is preceded by its length.
func (s server) entries(index, count int64) ([][]byte, error) {
	bundle, err := s.get(pathOf(tlog.Tile{H: height, L: -1, N: index, W: int(count)}))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
			return nil, fmt.Errorf("bundle %d is truncated", index)
		}
		end := 2 + int(binary.BigEndian.Uint16(bundle))
		entries = append(entries, bundle[2:end])
		bundle = bundle[end:]
	}
	if int64(len(entries)) != count {
		return nil, fmt.Errorf("bundle %d has %d entries instead of %d", index, len(entries), count)
	}
	return entries, nil
}

// checkBundle checks the hashes of a bundle's entries against the tiles, and the server's proof of the last entry.
func checkBundle(key note.Verifier, s server, index int64, tree head, reader tlog.HashReader) error {
	first := index * width
	count := min(width, tree.size-first)
	entries, err := s.entries(index, count)
	if err != nil {
		return err
	}
	places := make([]int64, count)
	for i := range places {
		places[i] = tlog.StoredHashIndex(0, first+int64(i))
	}
	leaves, err := reader.ReadHashes(places)
	if err != nil {
		return err
	}
	for i, entry := range entries {
		if tlog.RecordHash(entry) != leaves[i] {
			return fmt.Errorf("entry %d has a different hash than its leaf", first+int64(i))
		}
	}
	return checkEvent(key, s, first+count-1, tree.size, entries[count-1])
}

// checkEvent checks the server's proof of the entry's event.
func checkEvent(key note.Verifier, s server, index, size int64, entry []byte) error {
	var event struct{ ID int64 }
	if err := json.Unmarshal(entry, &event); err != nil {
		return err
	}
	proof, err := s.get(fmt.Sprintf("%d/proof", event.ID))
	if err != nil {
		return err
	}
	proved, of, err := checkProof(key, proof, entry)
	if err != nil {
		return fmt.Errorf("the proof of event %d: %w", event.ID, err)
	}
	// The log may have grown since its checkpoint was fetched.
	if proved != index || of < size {
		return fmt.Errorf("event %d is proved at %d of %d instead of %d of %d", event.ID, proved, of, index, size)
	}
	return nil
}

// checkContinues checks against the tiles and the server's proof that the log continues a checkpoint.
func checkContinues(key note.Verifier, s server, checkpoint []byte, reader tlog.HashReader) error {
	older, err := open(checkpoint, key)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(older.size, reader)
	if err != nil {
		return err
	}
	if root != older.root {
		return fmt.Errorf("the log does not begin with the tree of %d", older.size)
	}
	answer, err := s.get(fmt.Sprintf("log/consistency?from=%d", older.size))
	if err != nil {
		return err
	}
	var proof growth
	if err := json.Unmarshal(answer, &proof); err != nil {
		return err
	}
	newer, err := open([]byte(proof.Checkpoint), key)
	if err != nil {
		return err
	}
	if err := checkGrowth(older, newer, proof); err != nil {
		return fmt.Errorf("the consistency proof from %d: %w", older.size, err)
	}
	return nil
}

// checkServer checks a whole log. The reader verifies each tile against the root of the checkpoint.
func checkServer(key note.Verifier, s server, older [][]byte) error {
	checkpoint, err := s.get("log/checkpoint")
	if err != nil {
		return err
	}
	tree, err := open(checkpoint, key)
	if err != nil {
		return err
	}
	reader := tlog.TileHashReader(tlog.Tree{N: tree.size, Hash: tree.root}, s)
	for index := int64(0); index*width < tree.size; index++ {
		if err := checkBundle(key, s, index, tree, reader); err != nil {
			return err
		}
	}
	for _, checkpoint := range older {
		if err := checkContinues(key, s, checkpoint, reader); err != nil {
			return err
		}
	}
	fmt.Printf("%d entries are in the log, which continues %d checkpoints\n", tree.size, len(older))
	return nil
}
