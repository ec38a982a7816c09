package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The signature type of witness keys (c2sp.org/tlog-cosignature).
const cosignature = 4

// The maximum number of hashes in a consistency proof (c2sp.org/tlog-witness).
const mostHashes = 63

func keyID(name string, key ed25519.PublicKey) []byte {
	id := sha256.Sum256(append([]byte(name+"\n\x04"), key...))
	return id[:4]
}

// witnessed returns the text that a witness signs.
func witnessed(seconds uint64, text string) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, text)
}

// witness is a witness of one log, for tests (c2sp.org/tlog-witness). It keeps the last signed tree only in memory.
type witness struct {
	name   string
	key    ed25519.PrivateKey
	log    note.Verifier
	mutex  sync.Mutex
	signed head
	// The statuses of its responses since the last query.
	given []string
}

// answer is a response of add-checkpoint.
type answer struct {
	status int
	body   string
}

func refuse(status int, reason string) answer { return answer{status, reason + "\n"} }

// readRequest parses the body of add-checkpoint: the old size, the hashes and the checkpoint.
func readRequest(body []byte) (old int64, path []tlog.Hash, checkpoint []byte, err error) {
	begin, checkpoint, found := bytes.Cut(body, []byte("\n\n"))
	lines := strings.Split(string(begin), "\n")
	if !found || !strings.HasPrefix(lines[0], "old ") || len(lines) > 1+mostHashes {
		return 0, nil, nil, fmt.Errorf("not a request to a witness")
	}
	if old, err = number(strings.TrimPrefix(lines[0], "old ")); err != nil {
		return 0, nil, nil, err
	}
	path, err = hashes(lines[1:])
	return old, path, checkpoint, err
}

// judge checks a request in the order that the standard specifies, and signs its checkpoint. Calls must not overlap.
func (w *witness) judge(body []byte) answer {
	old, path, checkpoint, err := readRequest(body)
	if err != nil {
		return refuse(http.StatusBadRequest, err.Error())
	}
	if !bytes.HasPrefix(checkpoint, []byte(w.log.Name()+"\n")) {
		return refuse(http.StatusNotFound, "the origin is unknown")
	}
	opened, err := note.Open(checkpoint, note.VerifierList(w.log))
	if err != nil {
		return refuse(http.StatusForbidden, err.Error())
	}
	newer, err := readHead(opened.Text, w.log.Name())
	if err != nil || old > newer.size {
		return refuse(http.StatusBadRequest, fmt.Sprintf("the checkpoint does not fit the old size: %v", err))
	}
	if old != w.signed.size || old != 0 && old == newer.size && newer.root != w.signed.root {
		return answer{http.StatusConflict, fmt.Sprintf("%d\n", w.signed.size)}
	}
	if err := w.check(newer, path); err != nil {
		return refuse(http.StatusUnprocessableEntity, err.Error())
	}
	w.signed = newer
	return answer{http.StatusOK, w.sign(opened.Text)}
}

// check checks that the tree continues the last signed one.
func (w *witness) check(newer head, path []tlog.Hash) error {
	if w.signed.size > 0 {
		return tlog.CheckTree(path, newer.size, newer.root, w.signed.size, w.signed.root)
	}
	if len(path) > 0 {
		return fmt.Errorf("there is no proof from size 0")
	}
	return nil
}

// sign returns a signature line.
func (w *witness) sign(text string) string {
	seconds := uint64(time.Now().Unix())
	line := keyID(w.name, w.key.Public().(ed25519.PublicKey))
	line = binary.BigEndian.AppendUint64(line, seconds)
	line = append(line, ed25519.Sign(w.key, witnessed(seconds, text))...)
	return fmt.Sprintf("— %s %s\n", w.name, base64.StdEncoding.EncodeToString(line))
}

func (w *witness) ServeHTTP(reply http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(reply, request.Body, 1<<20))
	given := refuse(http.StatusBadRequest, "the request is too long or truncated")
	w.mutex.Lock()
	if err == nil {
		given = w.judge(body)
	}
	w.given = append(w.given, strconv.Itoa(given.status))
	w.mutex.Unlock()
	contentType := "text/plain; charset=utf-8"
	if given.status == http.StatusConflict {
		contentType = "text/x.tlog.size"
	}
	reply.Header().Set("Content-Type", contentType)
	reply.WriteHeader(given.status)
	io.WriteString(reply, given.body)
}

// tell returns the statuses of the responses since the last query, for tests.
func (w *witness) tell(reply http.ResponseWriter, _ *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	io.WriteString(reply, strings.Join(w.given, ","))
	w.given = nil
}

// serveWitness runs a new witness of the log until standard input ends. It prints the address and the verifier key.
func serveWitness(log note.Verifier) error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	w := &witness{name: "witness.example/1", key: private, log: log}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	encoded := base64.StdEncoding.EncodeToString(append([]byte{cosignature}, public...))
	fmt.Printf("http://%s %s+%x+%s\n", listener.Addr(), w.name, keyID(w.name, public), encoded)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	routes := http.NewServeMux()
	routes.Handle("POST /add-checkpoint", w)
	routes.HandleFunc("GET /answers", w.tell)
	return http.Serve(listener, routes)
}

// cosigner verifies the signatures of a witness. x/mod supports only the keys of logs.
type cosigner struct {
	name string
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return binary.BigEndian.Uint32(keyID(c.name, c.key)) }

func (c cosigner) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(signature)
	return ed25519.Verify(c.key, witnessed(seconds, string(text)), signature[8:])
}

// readCosigner parses the verifier key of a witness.
func readCosigner(text string) (cosigner, error) {
	parts := strings.SplitN(strings.TrimSpace(text), "+", 3)
	if len(parts) != 3 {
		return cosigner{}, fmt.Errorf("not a verifier key")
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != cosignature {
		return cosigner{}, fmt.Errorf("not a witness key")
	}
	read := cosigner{parts[0], key[1:]}
	if fmt.Sprintf("%08x", read.KeyHash()) != parts[1] {
		return cosigner{}, fmt.Errorf("the key of the witness has a different id")
	}
	return read, nil
}

// checkCosigned checks that both the log and the witness have signed the checkpoint.
func checkCosigned(log note.Verifier, witnessKey, checkpoint []byte) error {
	by, err := readCosigner(string(witnessKey))
	if err != nil {
		return err
	}
	opened, err := note.Open(checkpoint, note.VerifierList(log, by))
	if err != nil {
		return err
	}
	if _, err := readHead(opened.Text, log.Name()); err != nil {
		return err
	}
	if len(opened.Sigs) != 2 {
		return fmt.Errorf("the checkpoint is not signed by both the log and the witness")
	}
	return nil
}
