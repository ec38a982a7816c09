"""Installs the Debian package in a clean Debian root, starts it with the command in its unit, upgrades it with data, then removes
and purges it. Needs dist/*_amd64.deb, root, and mmdebstrap, bwrap and dpkg-deb on PATH. Prints the number of passed checks."""

import atexit
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import checks
from checks import check

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-debian-"))
SYSTEM = WORK / "root"
PASSWORD = "four score and seven"
servers = []


@atexit.register
def end():
    for server in servers:
        if server.poll() is None:
            server.kill()
            server.wait()
    shutil.rmtree(WORK, ignore_errors=True)


def within(*command, user=None, environment=None):
    """Returns the command line that runs a command in the new system, in a separate process namespace."""
    line = ["bwrap", "--bind", SYSTEM, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run"]
    line += ["--ro-bind", pathlib.Path("/etc/resolv.conf").resolve(), "/etc/resolv.conf", "--unshare-pid", "--as-pid-1"]
    line += ["--die-with-parent", "--new-session", "--clearenv"]
    proxies = {name: os.environ[name] for name in ("http_proxy", "https_proxy") if name in os.environ}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    for name, value in {"PATH": path, "DEBIAN_FRONTEND": "noninteractive", **proxies, **(environment or {})}.items():
        line += ["--setenv", name, value]
    if user:
        line += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
    return [*map(str, line), *map(str, command)]


def run(*command, **options):
    """Runs a command in the new system. Returns its exit code and output."""
    outcome = subprocess.run(
        within(*command, **options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    return outcome.returncode, outcome.stdout


def apt(*args):
    return run("apt-get", "--yes", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", *args)


def place(package):
    shutil.copy(package, SYSTEM / "tmp" / package.name)
    return f"/tmp/{package.name}"


def owner(path):
    """Returns the mode and owner of a path in the new system."""
    return run("stat", "--format=%a %U:%G", path)[1].strip()


def earlier(package):
    """Builds the same package with an older version. Returns its path."""
    folder = WORK / "earlier"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control = folder / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^Version: .*$", "Version: 0.0.1", control.read_text()))
    output = WORK / "graphstead_0.0.1_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, output]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return output


def ask(url, body=None, token=None):
    """Returns the status and body of a response. If there is no response, the status is None."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return None, str(error)


def start():
    """Starts the service as its unit defines. Returns its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    unit = (SYSTEM / "usr/lib/systemd/system/graphstead.service").read_text()
    user, command = (re.search(rf"^{name}=(.*)$", unit, re.M).group(1) for name in ("User", "ExecStart"))
    variables = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", unit, re.M))
    settings = (SYSTEM / "etc/graphstead.env").read_text()
    variables |= dict(line.split("=", 1) for line in settings.splitlines() if re.match(r"\w+=", line))
    variables |= {"GRAPHSTEAD_PORT": str(port), "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD}
    log = open(WORK / "server.log", "a")
    line = within(*command.split(), user=user, environment=variables)
    servers.append(subprocess.Popen(line, stdout=log, stderr=log, cwd="/"))
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 30
    while ask(f"{url}/readyz")[0] != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    check("the unit's command starts the server", ask(f"{url}/readyz")[0] == 200, (WORK / "server.log").read_text())
    return url


def stop():
    """Stops the service as systemd does, by sending SIGTERM to its process, the child of bwrap."""
    server = servers[-1]
    children = subprocess.run(["pgrep", "-P", str(server.pid)], capture_output=True, text=True).stdout.split()
    for child in children:
        subprocess.run(["kill", "-TERM", child])
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        pass
    check("the service ends on SIGTERM", server.poll() is not None)


def token_at(url):
    status, text = ask(f"{url}/api/authenticate", {"username": "admin", "password": PASSWORD})
    return json.loads(text)["id_token"] if status == 200 else None


def names_at(url):
    status, text = ask(f"{url}/api/graphs", token=token_at(url))
    return [graph["name"] for graph in json.loads(text)] if status == 200 else text


def main():
    [package] = (ROOT / "dist").glob("graphstead_*_amd64.deb")
    command = ["mmdebstrap", "--quiet", "--variant=apt", "--skip=cleanup/apt", "bookworm", SYSTEM]
    made = subprocess.run(command, capture_output=True, text=True)
    check("a clean Debian is installed", made.returncode == 0, made.stderr)
    if checks.failed:
        return

    code, said = apt("install", place(earlier(package)))
    check("the package is installed with its dependencies", code == 0, said)
    check("apt prints no warning", "W:" not in said.replace("W: Download is performed unsandboxed", ""), said)
    data = "/var/lib/graphstead"
    check("the service owns the data", owner(data) == "700 graphstead:graphstead", owner(data))
    check("root owns the settings", owner("/etc/graphstead.env") == "600 root:root", owner("/etc/graphstead.env"))
    link = SYSTEM / "etc/systemd/system/multi-user.target.wants/graphstead.service"
    check("the service starts at boot", link.is_symlink())
    check("the program runs", run("graphstead", "--version")[0] == 0)
    url = start()
    made = ask(f"{url}/api/graphs", {"name": "Kept"}, token_at(url))
    check("the server stores a graph", made[0] == 201, made)
    stop()

    with open(SYSTEM / "etc/graphstead.env", "a") as settings:
        settings.write("GRAPHSTEAD_HOST=127.0.0.1\n")
    link.unlink()
    code, said = apt("install", place(package))
    check("the package is upgraded", code == 0 and "0.0.1" in said, said)
    version = json.loads((ROOT / "package.json").read_text())["version"]
    installed = run("dpkg-query", "--show", "--showformat=${Version}", "graphstead")[1]
    check("the new version is installed", installed == version, installed)
    kept = (SYSTEM / "etc/graphstead.env").read_text()
    check("an upgrade keeps the settings", kept.endswith("GRAPHSTEAD_HOST=127.0.0.1\n"), kept)
    check("a disabled service stays disabled", not link.is_symlink())
    url = start()
    check("an upgrade keeps the data", names_at(url) == ["Kept"], names_at(url))
    stop()
    code, said = run("graphstead", "check", "--data", data, user="graphstead")
    check("the data is valid", code == 0, said)

    code, said = apt("remove", "graphstead")
    check("the package is removed", code == 0 and not (SYSTEM / "usr/bin/graphstead").exists(), said)
    check(
        "settings and data are kept",
        (SYSTEM / "etc/graphstead.env").exists() and (SYSTEM / data[1:] / "graphstead.db").exists(),
    )
    code, said = apt("purge", "graphstead")
    check("the package is purged", code == 0 and not (SYSTEM / "etc/graphstead.env").exists(), said)
    left = [str(path) for path in (SYSTEM / "etc/systemd").rglob("graphstead*")]
    check("no files of the service are left", left == [], left)
    check(
        "a purge reports that it keeps the data", data in said and (SYSTEM / data[1:] / "graphstead.db").exists(), said
    )
    code, said = apt("install", place(package))
    check("the package is installed again", code == 0, said)
    url = start()
    check("the data is still there", names_at(url) == ["Kept"], names_at(url))
    stop()


main()
checks.end()
