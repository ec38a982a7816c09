"""Checks proofs of the audit log with pymerkle. Reads one case per line as JSON, either {"proof": the text of a .tlog-proof,
"entry": base64} or {"older": a checkpoint, "newer": a checkpoint, "hashes": [base64]}. Prints a line for each: `accepted`, or
`refused` with the reason. Other programs check the signatures of checkpoints. Needs pymerkle 7."""

import base64
import json
import sys

from pymerkle import ConsistencyProof, InclusionProof, InvalidProof, verify_consistency, verify_inclusion
from pymerkle.core import _consistency_path_layout, _inclusion_path_layout
from pymerkle.hasher import MerkleHasher

ALGORITHM = "sha256"


def head(checkpoint):
    """Returns the size and the root of a checkpoint."""
    _, size, root = checkpoint.split("\n")[:3]
    return int(size), base64.b64decode(root, validate=True)


def judge_inclusion(proof, entry):
    begin, checkpoint = proof.split("\n\n", 1)
    name, index, *hashes = begin.split("\n")
    if name != "c2sp.org/tlog-proof@v1" or not index.startswith("index "):
        raise InvalidProof("not a proof")
    # pymerkle counts from one, and includes the leaf itself in the path.
    place = int(index.removeprefix("index ")) + 1
    size, root = head(checkpoint)
    if place > size:
        raise InvalidProof("the index is beyond the tree")
    leaf = MerkleHasher(ALGORITHM).hash_buff(base64.b64decode(entry))
    rule, _ = _inclusion_path_layout(place, size)
    path = [leaf, *map(base64.b64decode, hashes)]
    verify_inclusion(leaf, root, InclusionProof(ALGORITHM, True, size, place, rule, path), place, size, ALGORITHM)


def judge_consistency(older, newer, hashes):
    prior_size, prior = head(older)
    size, root = head(newer)
    if not 0 < prior_size <= size:
        raise InvalidProof("the newer tree is smaller")
    path = [base64.b64decode(hash) for hash in hashes]
    # Proofs in RFC 9162 stop at the last complete subtree of the older tree, but pymerkle's go down to the leaves. So pymerkle
    # is given subtrees of this size as its leaves; the last one may be smaller.
    leaves = prior_size & -prior_size
    prior_size, size = prior_size // leaves, -(-size // leaves)
    # RFC 9162 omits the older root if it is a node of the newer tree.
    if prior_size in (1, size):
        path.insert(0, prior)
    # pymerkle expects the first two hashes in reverse order.
    path[:2] = path[1::-1]
    rule, subset, _ = _consistency_path_layout(prior_size, size)
    proof = ConsistencyProof(ALGORITHM, True, size, prior_size, rule, subset, path)
    verify_consistency(prior, root, proof, prior_size, size, ALGORITHM)


for line in sys.stdin:
    case = json.loads(line)
    try:
        (judge_inclusion if "proof" in case else judge_consistency)(**case)
        print("accepted")
    except InvalidProof as error:
        print(f"refused: {error}")
