"""Kills or freezes the primary of a PostgreSQL cluster ten times while eight clients write graphs to a server, and compares the
stored names with the acknowledged ones, and the events with the graphs. Needs what cluster.py needs, and Node.js. Prints the
longest time without a write and the number of problems in each round, and the number of passed checks."""

import collections
import itertools
import json
import os
import pathlib
import sys
import tempfile
import time
import urllib.request

import checks
from checks import ROOT, check, command, compare
from cluster import Cluster, Node
from writers import Writers, stored

sys.path.insert(0, str(ROOT / "clients" / "python" / "tests"))

from server import PASSWORD, running_server  # noqa: E402

ROUNDS = 10
WRITERS = 8
# What happens to the primary, and how it returns.
FAILURES = {
    "PostgreSQL killed": (Node.kill_postgres, None),
    "machine killed": (Node.kill, Node.start),
    "machine frozen": (Node.freeze, Node.resume),
}


def rounds(cluster, writers, keep):
    gaps = collections.defaultdict(list)
    failures = itertools.cycle(FAILURES.items())
    for number in range(1, ROUNDS + 1):
        primary, standby = cluster.wait_for_both()
        first, before, began = len(writers.times), writers.problems.copy(), time.monotonic()
        time.sleep(3)
        keep(number)
        failure, (fail, restore) = next(failures)
        fail(primary)
        _, is_promoted = cluster.wait(lambda roles, name=standby.name: roles.get(name) == "leader")
        check(f"round {number}: the standby is promoted", is_promoted, standby.log())
        # The new primary acknowledges writes while the old one is away.
        time.sleep(3)
        if restore:
            restore(primary)
        cluster.wait_for_both(standby)
        times, problems = writers.times[first:], writers.problems - before
        gaps[failure].append(max(after - before for before, after in itertools.pairwise(times)))
        print(
            f"round {number}, {failure}: {len(times)} writes in {time.monotonic() - began:.1f} s, none for {gaps[failure][-1]:.1f} s; "
            f"{problems.pop('outcome-unknown', 0)} outcome-unknown, other 503: {dict(problems)}",
            flush=True,
        )
    told = [f"{failure}: {min(found):.1f} to {max(found):.1f} s" for failure, found in gaps.items()]
    print(f"longest time without a write: {', '.join(told)}; problems: {dict(writers.problems)}")


def compare_names(writers, graphs):
    counts = collections.Counter(name for _, name in graphs)
    uncertain = writers.unknown - writers.acknowledged
    compare("every acknowledged graph is stored", sorted(writers.acknowledged - counts.keys()), [])
    compare("no graph is stored twice", [name for name, count in counts.items() if count > 1], [])
    others = counts.keys() - writers.acknowledged - uncertain
    compare("no graph is stored that was neither acknowledged nor uncertain", sorted(others), [])
    print(
        f"{len(writers.acknowledged)} acknowledged, {len(graphs)} stored; of {len(uncertain)} with an unknown outcome, "
        f"{len(uncertain & counts.keys())} stored"
    )


def main(folder):
    cluster = Cluster()
    cluster.wait_for_both()
    os.environ["GRAPHSTEAD_DATABASE_URL"] = cluster.url
    kept = []
    with running_server(folder) as server:
        # Writes of one user may wait for each other.
        tokens = [server.user() for _ in range(WRITERS)]
        admin = server.ask("/api/authenticate", {"username": "admin", "password": PASSWORD})["id_token"]
        writers = Writers(server.url, tokens)

        def keep(number):
            """Keeps a checkpoint of the audit log, as an auditor would."""
            kept.append(folder / f"checkpoint-{number}")
            headers = {"Authorization": f"Bearer {admin}"}
            request = urllib.request.Request(f"{server.url}/management/audits/log/checkpoint", headers=headers)
            with urllib.request.urlopen(request, timeout=60) as answer:
                kept[-1].write_bytes(answer.read())

        rounds(cluster, writers, keep)
        check("every request is answered", writers.stop())
        compare("every response is success or 503", writers.faults, [])
        graphs = [graph for token in tokens for graph in stored(server, token)]
        compare_names(writers, graphs)

    log = folder / "log"
    command("audit export", "--tiles", log, "--data", folder / "data")
    (folder / "key").write_text(command("audit key", "--database", cluster.url))
    command("audit verify", log, "--key", folder / "key", *(part for file in kept for part in ("--kept", file)))
    events = [json.loads(line)["event"] for line in (log / "events.jsonl").read_text().splitlines()]
    created = [event["target"]["id"] for event in events if event["type"] == "GRAPH_CREATED"]
    compare("each graph has one event", sorted(created), sorted(number for number, _ in graphs))
    command("copy", "--from", cluster.url, "--to", f"sqlite:{folder / 'copy'}")
    del os.environ["GRAPHSTEAD_DATABASE_URL"]
    command("check", "--data", folder / "copy")
    checks.end()


with tempfile.TemporaryDirectory(prefix="graphstead-failover-") as work:
    main(pathlib.Path(work))
