"""Replicates the database of a server with Litestream, kills Litestream while clients write, restores the replica, and compares
the restored names with the acknowledged ones. Needs litestream and Node.js on PATH. Prints the number of passed checks."""

import collections
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import checks
from checks import ROOT, check, command, compare
from writers import Writers, stored

sys.path.insert(0, str(ROOT / "clients" / "python" / "tests"))

from server import running_server  # noqa: E402

CLIENTS = 4


def settings(folder):
    """Writes the settings in docs/backup.md, with the paths of this test. Returns the file."""
    text = re.search(r"^```yaml\n(dbs:.*?)^```", (ROOT / "docs/backup.md").read_text(), re.MULTILINE | re.DOTALL).group(
        1
    )
    file = folder / "litestream.yml"
    file.write_text(
        text.replace("/var/lib/graphstead", str(folder / "data")).replace("/mnt/replica", str(folder / "replica"))
    )
    return file


def replicate(folder):
    log = open(folder / "litestream.log", "a")
    line = ["litestream", "replicate", "-config", settings(folder)]
    return subprocess.Popen(list(map(str, line)), stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def wait_for_copies(folder, count):
    """Waits until Litestream has written this many more files of changes."""
    deadline = time.monotonic() + 60
    copies = len(list(folder.rglob("0/*.ltx"))) + count
    while len(list(folder.rglob("0/*.ltx"))) < copies:
        if time.monotonic() > deadline:
            raise RuntimeError("Litestream copies nothing")
        time.sleep(0.1)


def replicated(folder, tokens):
    """Has clients write to a server until Litestream is killed. Returns the names that must be in the replica, and the writers."""
    with running_server(folder) as server:
        tokens += [server.user() for _ in range(CLIENTS)]
        litestream = replicate(folder)
        try:
            writers = Writers(server.url, tokens)
            wait_for_copies(folder / "replica", 10)
            before = set(writers.acknowledged)
            # Litestream may already be writing the first of these, which then lacks some of the names.
            wait_for_copies(folder / "replica", 2)
        finally:
            litestream.kill()
            litestream.wait()
        time.sleep(1)
        check("every request is answered", writers.stop())
        compare("every write succeeds", [writers.faults, dict(writers.problems)], [[], {}])
    return before, writers


def main(folder):
    tokens = []
    before, writers = replicated(folder, tokens)
    database = sqlite3.connect(folder / "data/graphstead.db")
    tables = database.execute("SELECT name FROM sqlite_schema WHERE name LIKE '%litestream%' ORDER BY name").fetchall()
    database.close()
    compare("Litestream adds tables", tables, [("_litestream_lock",), ("_litestream_seq",)])
    command("check", "--data", folder / "data")
    command("backup", folder / "backup.db", "--data", folder / "data")
    command("check", folder / "backup.db")
    command("copy", "--from", f"sqlite:{folder / 'data'}", "--to", f"sqlite:{folder / 'copy'}")
    command("check", "--data", folder / "copy")

    restored = folder / "restored.db"
    line = [
        "litestream",
        "restore",
        "-config",
        folder / "litestream.yml",
        "-o",
        restored,
        folder / "data/graphstead.db",
    ]
    done = subprocess.run(list(map(str, line)), capture_output=True, text=True)
    compare("Litestream restores the replica", done.returncode, 0)
    command("check", restored)
    again = folder / "again"
    command("restore", restored, "--data", again / "data")
    shutil.copy(folder / "data/token.key", again / "data")
    with running_server(again) as server:
        counts = collections.Counter(name for token in tokens for _, name in stored(server, token))
    compare("every graph acknowledged before the last copies is restored", sorted(before - counts.keys()), [])
    compare("no graph is restored twice", [name for name, count in counts.items() if count > 1], [])
    compare("no graph is restored that was never sent", sorted(counts.keys() - writers.sent), [])
    command("check", "--data", again / "data")
    lost = len(writers.acknowledged - counts.keys())
    print(f"{len(writers.acknowledged)} acknowledged, {len(counts)} restored; {lost} came after the last copied change")
    checks.end()


with tempfile.TemporaryDirectory(prefix="graphstead-litestream-") as work:
    main(pathlib.Path(work))
