"""Two PostgreSQL servers under Patroni, with Patroni's Raft store and a third voter, behind HAProxy. Needs PostgreSQL, and bwrap and
haproxy on PATH, and the packages patroni, pysyncobj and psycopg2."""

import atexit
import json
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from signal import SIGCONT, SIGKILL, SIGSTOP

import psutil
import yaml

from checks import ROOT, free_port

PASSWORD = "replicas-and-rewinds"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-cluster-"))
# Registered first, so that it runs after all processes have ended.
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
[*_, BIN] = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
PATRONI = pathlib.Path(sys.executable).parent
# PostgreSQL refuses to run as root. In this namespace, the current user is called postgres, and owns the same files.
USER = pwd.getpwnam("postgres")
UNPRIVILEGED = ["bwrap", "--unshare-user", "--uid", USER.pw_uid, "--gid", USER.pw_gid, "--die-with-parent"]
UNPRIVILEGED += ["--dev-bind", "/", "/", "--"]


def documented(language):
    """Returns the settings in docs/failover.md."""
    page = (ROOT / "docs/failover.md").read_text()
    return re.search(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL).group(1)


def start(name, command):
    with open(WORK / f"{name}.log", "a") as log:
        return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def signal(processes, number):
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            pass


class Node:
    """A machine with PostgreSQL and Patroni. It is killed at the end."""

    def __init__(self, name):
        self.name = name
        self.port, self.rest, self.raft = free_port(), free_port(), f"127.0.0.1:{free_port()}"
        self.process = None
        atexit.register(self.kill)

    def configure(self, voters):
        file = WORK / f"{self.name}.yml"
        raft = {"self_addr": self.raft, "data_dir": str(WORK / f"{self.name}-raft")}
        raft["partner_addrs"] = [voter for voter in voters if voter != self.raft]
        login = {"password": PASSWORD}
        settings = {
            "scope": "graphstead",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "raft": raft,
            "bootstrap": {
                **yaml.safe_load(documented("yaml"))["bootstrap"],
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "bin_dir": str(BIN),
                "data_dir": str(WORK / self.name),
                "pgpass": str(WORK / f"{self.name}.pgpass"),
                "parameters": {"unix_socket_directories": ""},
                "pg_hba": [f"host {kind} all 127.0.0.1/32 scram-sha-256" for kind in ("all", "replication")],
                "authentication": {
                    "superuser": {"username": "postgres", **login},
                    "replication": {"username": "replicator", **login},
                    "rewind": {"username": "rewinder", **login},
                },
            },
        }
        file.write_text(yaml.safe_dump(settings))
        self.command = [*UNPRIVILEGED, PATRONI / "patroni", file]

    def start(self):
        self.process = start(self.name, self.command)

    def postgres(self):
        """Returns the processes of PostgreSQL."""
        try:
            postmaster = psutil.Process(int((WORK / self.name / "postmaster.pid").read_text().split()[0]))
            # After a crash, another process may have this id.
            is_ours = str(WORK / self.name) in postmaster.cmdline()
            return [postmaster, *postmaster.children(recursive=True)] if is_ours else []
        except (OSError, psutil.NoSuchProcess):
            return []

    def patroni(self):
        """Returns the processes of Patroni. As long as it runs, it gives up the leader's lock if PostgreSQL fails."""
        patroni = psutil.Process(self.process.pid)
        return [*patroni.children(recursive=True), patroni]

    def kill_postgres(self):
        signal(self.postgres(), SIGKILL)

    def kill(self):
        if self.process is not None:
            signal([*self.patroni(), *self.postgres()], SIGKILL)
            self.process.wait()
        self.process = None

    def freeze(self):
        """Stops the machine without closing its connections."""
        signal([*self.patroni(), *self.postgres()], SIGSTOP)

    def resume(self):
        signal([*self.postgres(), *self.patroni()], SIGCONT)

    def log(self):
        return (WORK / f"{self.name}.log").read_text()[-3000:]


class Cluster:
    def __init__(self):
        self.nodes = [Node("first"), Node("second")]
        witness = f"127.0.0.1:{free_port()}"
        voters = [*(node.raft for node in self.nodes), witness]
        settings = {
            "raft": {"self_addr": witness, "partner_addrs": voters[:-1], "data_dir": str(WORK / "witness-raft")}
        }
        (WORK / "witness.yml").write_text(yaml.safe_dump({"scope": "graphstead", "name": "witness", **settings}))
        atexit.register(start("witness", [PATRONI / "patroni_raft_controller", WORK / "witness.yml"]).kill)
        for node in self.nodes:
            node.configure(voters)
            node.start()
        self.port = free_port()
        (WORK / "haproxy.cfg").write_text(self.proxy())
        atexit.register(start("haproxy", ["haproxy", "-f", WORK / "haproxy.cfg"]).kill)
        self.url = f"postgres://postgres:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def proxy(self):
        """Returns the documented configuration with this cluster's addresses."""
        text = documented("haproxy").replace("bind :5000", f"bind 127.0.0.1:{self.port}")
        for name, node in zip(("10.0.0.21", "10.0.0.22"), self.nodes, strict=True):
            text = text.replace(f"{name}:5432 check port 8008", f"127.0.0.1:{node.port} check port {node.rest}")
        return text

    def roles(self):
        """Returns the role of each member that runs: leader, replica, or sync_standby."""
        for node in self.nodes:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{node.rest}/cluster", timeout=2) as answer:
                    members = json.load(answer)["members"]
                return {
                    member["name"]: member["role"] for member in members if member["state"] in ("running", "streaming")
                }
            except (urllib.error.URLError, OSError, ValueError, KeyError):
                continue
        return {}

    def wait(self, condition, seconds=120):
        """Waits until the roles fulfil the condition. Returns the last roles, and whether they do."""
        deadline = time.monotonic() + seconds
        while True:
            roles = self.roles()
            if condition(roles) or time.monotonic() > deadline:
                return roles, condition(roles)
            time.sleep(0.2)

    def wait_for_both(self, leader=None):
        """Waits for a leader, which may be given, with a synchronous standby. Returns both nodes, the leader first. Raises an
        error if they take too long."""

        def is_complete(roles):
            # A node that has just resumed still reports old roles.
            return {*roles.values()} == {"leader", "sync_standby"} and (not leader or roles[leader.name] == "leader")

        roles, complete = self.wait(is_complete)
        if not complete:
            logs = [node.log() for node in self.nodes]
            raise RuntimeError("\n".join([f"the cluster is not complete: {roles}", *logs]))
        return sorted(self.nodes, key=lambda node: roles[node.name])
