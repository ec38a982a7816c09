"""Tests the files of deploy/: the container's command as an unprivileged user on a read-only root (with bubblewrap instead of a
container engine), the unit with systemd-analyze, the commands of the macOS and Windows services, nginx and Caddy in front of a
server, and Prometheus with the alerts and every expression of the dashboard. Needs dist/graphstead, and bwrap, systemd-analyze,
nginx, caddy, prometheus, promtool and hadolint on PATH. Prints the number of passed checks."""

import atexit
import json
import os
import pathlib
import plistlib
import re
import shutil
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from xml.etree import ElementTree

from prometheus_client.parser import text_string_to_metric_families

import checks
from checks import check, free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
PROGRAM = ROOT / "dist" / "graphstead"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-deploy-"))
PASSWORD = "four score and seven"
processes = []


@atexit.register
def end():
    for process in processes:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
    shutil.rmtree(WORK, ignore_errors=True)


def start(name, command, **options):
    log = open(WORK / f"{name}.log", "w")
    process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT, **options)
    processes.append(process)
    return process


def said(name):
    return (WORK / f"{name}.log").read_text()


trusting = ssl.create_default_context(cafile=str(ROOT / "test/tls/first.crt"))


def ask(url, method="GET", body=None, headers=None):
    """Returns the status, headers and body of a response. If there is no response, the status is None."""
    request = urllib.request.Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request, timeout=10, context=trusting) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()
    except (urllib.error.URLError, OSError) as error:
        return None, {}, str(error)


def wait_for(url, status=200, seconds=15):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if ask(url)[0] == status:
            return True
        time.sleep(0.1)
    return False


def token_at(url):
    status, _, text = ask(f"{url}/api/authenticate", "POST", {"username": "admin", "password": PASSWORD})
    return json.loads(text)["id_token"] if status == 200 else ""


def container():
    """Runs the commands of the Dockerfile without a container engine."""
    linted = subprocess.run(["hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True)
    check("hadolint finds nothing", linted.returncode == 0, linted.stdout)
    text = re.sub(r"\\\n\s*", " ", (DEPLOY / "Dockerfile").read_text())

    stages = dict(re.findall(r"^FROM scratch AS (\w+)\nCOPY --chmod=0755 (\S+) /graphstead$", text, re.M))
    expected = {"amd64": "dist/graphstead-linux-x64", "arm64": "dist/graphstead-linux-arm64"}
    check("each architecture has its executable", stages == expected, stages)
    sent = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.M)
    check("only the executables are sent to the builder", sent == [*expected.values()], sent)

    def instruction(name):
        return re.search(rf"^{name}\s+(.*)$", text, re.M).group(1)

    uid, gid = instruction("USER").split(":")
    variables = dict(pair.split("=") for pair in instruction("ENV").split())
    command = [*json.loads(instruction("ENTRYPOINT")), *json.loads(instruction("CMD"))]
    health = json.loads(re.search(r"^HEALTHCHECK .*? CMD (\[.*\])$", text, re.M).group(1))
    port = free_port()
    data = WORK / "volume"
    data.mkdir(mode=0o700)
    root = [
        "bwrap", "--unshare-user", "--uid", uid, "--gid", gid, "--unshare-pid", "--as-pid-1", "--die-with-parent", "--new-session",
        "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64",
        "--ro-bind-try", "/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--dir", "/opt",
        "--ro-bind", str(PROGRAM), "/opt/graphstead", "--bind", str(data), instruction("VOLUME"),
        "--remount-ro", "/", "--remount-ro", "/dev", "--chdir", instruction("WORKDIR"), "--clearenv",
        "--setenv", "PATH", "/opt:/usr/bin:/bin",
    ]  # fmt: skip
    for name, value in {**variables, "GRAPHSTEAD_PORT": str(port), "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD}.items():
        root += ["--setenv", name, value]
    probe = subprocess.run([*root, "sh", "-c", "touch /x || touch /opt/x"], capture_output=True, text=True)
    check("the root is read-only", probe.stderr.count("Read-only file system") == 2, probe.stderr)

    server = start("container", [*root, *command])
    url = f"http://127.0.0.1:{port}"
    check("the server runs as an unprivileged user on a read-only root", wait_for(f"{url}/readyz"), said("container"))
    # Inside a container, the port is always 8080.
    check("the health check uses the port", "/8080" in health[-1])
    healthy = [word.replace("/8080", f"/{port}") for word in health]
    check("the health check succeeds", subprocess.run(healthy).returncode == 0)
    token = token_at(url)
    made = ask(f"{url}/api/graphs", "POST", {"name": "Contained"}, {"Authorization": f"Bearer {token}"})
    check("the server stores graphs in its volume", made[0] == 201 and (data / "graphstead.db").exists(), made)
    found = ask(f"{url}/api/graphs?q=contained", headers={"Authorization": f"Bearer {token}"})
    check("searches work, which run in threads", found[0] == 200 and "Contained" in found[2], found)
    left = sorted(entry.name for entry in data.iterdir() if not entry.name.startswith("graphstead.db"))
    check("only the keys are next to the database", left == ["audit.head", "audit.key", "token.key"], left)
    subprocess.run(["pkill", "-TERM", "-P", str(server.pid)], check=False)
    try:
        server.wait(15)
    except subprocess.TimeoutExpired:
        pass
    check("the server ends on SIGTERM", server.poll() is not None, said("container"))
    check("the health check fails without a server", subprocess.run(healthy, stderr=subprocess.DEVNULL).returncode != 0)


def unit():
    text = (DEPLOY / "graphstead.service").read_text()
    local = WORK / "graphstead.service"
    local.write_text(text.replace("/usr/local/bin/graphstead", str(PROGRAM)))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", local], capture_output=True, text=True)
    ours = [line for line in verified.stderr.splitlines() if "graphstead" in line]
    check("systemd finds nothing wrong with the unit", verified.returncode == 0 and not ours, verified.stderr)
    security = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", local],
        capture_output=True,
        text=True,
    )
    check(
        "the unit's exposure is at most 1.5 of 10", security.returncode == 0, security.stdout[-300:] + security.stderr
    )
    print((security.stdout.strip().splitlines() or [""])[-1])


def other_services():
    """Starts the program as launchd and WinSW would, with the arguments and environment in their files."""
    launchd = plistlib.loads((DEPLOY / "graphstead.plist").read_bytes())
    wrapper = ElementTree.parse(DEPLOY / "graphstead-service.xml").getroot()
    services = {
        "launchd": (launchd["ProgramArguments"][1:], launchd["EnvironmentVariables"]),
        "winsw": (
            wrapper.findtext("arguments").split(),
            {setting.get("name"): setting.get("value") for setting in wrapper.iter("env")},
        ),
    }
    check(
        "launchd waits as long as systemd, and restricts file modes",
        (launchd["ExitTimeOut"], launchd["Umask"]) == (20, 0o77),
    )
    for name, (arguments, environment) in services.items():
        port = free_port()
        own = {"GRAPHSTEAD_DATA": str(WORK / name), "GRAPHSTEAD_PORT": str(port)}
        unknown = set(environment) - set(own)
        start(name, [PROGRAM, *arguments], env={**environment, **own, "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD})
        ready = wait_for(f"http://127.0.0.1:{port}/readyz")
        check(f"the service of {name} starts", ready and not unknown, said(name))


def program(port, *args):
    data = WORK / f"data-{port}"
    environment = {"PATH": "/usr/bin:/bin", "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD}
    start(f"program-{port}", [PROGRAM, "serve", "--port", port, "--data", data, *args], env=environment)
    return wait_for(f"http://127.0.0.1:{port}/readyz")


def proxies():
    port = free_port()
    check("the server is ready", program(port, "--trust-proxy", "loopback"))
    direct = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {token_at(direct)}"}

    front = free_port()
    server = (DEPLOY / "nginx.conf").read_text()
    server = server.replace("listen 443 ssl", f"listen 127.0.0.1:{front} ssl").replace(
        "127.0.0.1:8080", f"127.0.0.1:{port}"
    )
    server = server.replace("/etc/ssl/graphs.pem", str(ROOT / "test/tls/first.crt"))
    server = server.replace("/etc/ssl/graphs.key", str(ROOT / "test/tls/first.key"))
    here = WORK / "nginx"
    here.mkdir()
    paths = "".join(f"{kind}_temp_path {here}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (here / "nginx.conf").write_text(
        f"daemon off; pid {here}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} {server} }}"
    )
    command = ["nginx", "-p", here, "-c", here / "nginx.conf", "-e", "stderr"]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True)
    check("nginx accepts its configuration", tested.returncode == 0, tested.stderr)
    start("nginx", command)
    behind("nginx", f"https://localhost:{front}", headers)

    front = free_port()
    site = (DEPLOY / "Caddyfile").read_text()
    site = site.replace("graphs.example.org", f"https://localhost:{front}").replace(
        "127.0.0.1:8080", f"127.0.0.1:{port}"
    )
    # A public certificate would require a public hostname.
    site = site.replace("{\n\t@metrics", f"{{\n\ttls {ROOT}/test/tls/first.crt {ROOT}/test/tls/first.key\n\t@metrics")
    caddyfile = WORK / "Caddyfile"
    caddyfile.write_text("{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + site)
    home = {**os.environ, "HOME": str(WORK), "XDG_DATA_HOME": str(WORK), "XDG_CONFIG_HOME": str(WORK)}
    start("caddy", ["caddy", "run", "--config", caddyfile, "--adapter", "caddyfile"], env=home)
    behind("caddy", f"https://localhost:{front}", headers)


def behind(name, url, headers):
    check(f"{name} serves over TLS", wait_for(f"{url}/readyz"), said(name))
    content = {"nodes": [{"id": str(index)} for index in range(20000)], "edges": []}
    made = ask(f"{url}/api/graphs", "POST", {"name": f"By {name}", "content": content}, headers)
    check(f"{name} forwards graphs", made[0] == 201 and '"nodeCount":20000' in made[2], made[2][:300])
    forged = ask(
        f"{url}/api/authenticate", "POST", {"username": "admin", "password": "x" * 12}, {"X-Forwarded-For": "10.9.8.7"}
    )
    check(
        f"{name} forwards refusals",
        forged[0] == 401 and "application/problem+json" in forged[1]["Content-Type"],
        forged,
    )
    trail = json.loads(ask(f"{url}/management/audits?size=1&type=AUTHENTICATION_FAILURE", headers=headers)[2])
    address = trail[0]["request"]["ip"]
    check(f"behind {name}, events have the real address of the client", address in ("127.0.0.1", "::1"), trail)
    check(f"{name} hides the metrics", ask(f"{url}/metrics", headers=headers)[0] == 404)


def prometheus():
    port, metrics, own = free_port(), free_port(), free_port()
    backups = WORK / "backups"
    check("the server is ready", program(port, "--metrics-port", metrics, "--every", "1h", "--backups", backups))
    url = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {token_at(url)}"}
    text = ask(f"http://127.0.0.1:{metrics}/metrics")[2]
    families = {family.name for family in text_string_to_metric_families(text)}
    expected = {
        "http_request_duration_seconds",
        "graphstead_commit_units",
        "graphstead_rows",
        "graphstead_logins_refused",
    }
    check("the Prometheus client library reads the metrics", expected <= families, families)

    here = WORK / "prometheus"
    here.mkdir()
    settings = (DEPLOY / "prometheus.yml").read_text()
    quicker = "global: { evaluation_interval: 1s }\n" + settings.replace("9464", str(metrics)).replace("15s", "1s")
    (here / "prometheus.yml").write_text(quicker)
    shutil.copy(DEPLOY / "alerts.yml", here)
    for kind, file in [("config", "prometheus.yml"), ("rules", "alerts.yml")]:
        told = subprocess.run(["promtool", "check", kind, here / file], capture_output=True, text=True)
        check(f"promtool accepts {file}", told.returncode == 0, told.stdout + told.stderr)
    linted = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    complaints = [line for line in linted.stderr.splitlines() if not re.match(r"(nodejs|process)_", line)]
    check("promtool finds nothing wrong with the metrics", not complaints, complaints)
    flags = [
        f"--config.file={here}/prometheus.yml",
        f"--storage.tsdb.path={here}/data",
        f"--web.listen-address=127.0.0.1:{own}",
    ]
    start("prometheus", ["prometheus", *flags])
    api = f"http://127.0.0.1:{own}/api/v1"
    check("Prometheus runs", wait_for(f"http://127.0.0.1:{own}/-/ready"), said("prometheus"))

    def query(expression):
        answer = ask(f"{api}/query?{urllib.parse.urlencode({'query': expression})}")
        return json.loads(answer[2]) if answer[0] == 200 else {"status": answer[2]}

    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    wanted = {
        f"{panel['title']}: {target['expr']}": target["expr"]
        for panel in dashboard["panels"]
        for target in panel["targets"]
    }
    wanted["the server is up"] = 'up{job="graphstead"} == 1'
    rules = []
    # Keeps sending requests until several scrapes have seen them.
    for index in range(100):
        ask(f"{url}/api/graphs", "POST", {"name": f"Graph {index}"}, headers)
        ask(f"{url}/api/authenticate", "POST", {"username": "admin", "password": "x" * 12})
        time.sleep(0.3)
        if index % 5:
            continue
        told = {name: query(expression.replace("$__rate_interval", "10s")) for name, expression in wanted.items()}
        missing = [
            name for name, answer in told.items() if answer["status"] != "success" or not answer["data"]["result"]
        ]
        rules = json.loads(ask(f"{api}/rules")[2])["data"]["groups"][0]["rules"]
        if not missing and all(rule["health"] == "ok" for rule in rules):
            break
    for rule in rules:
        check(f"the alert {rule['name']} is evaluated", rule["health"] == "ok", rule)
    for name, answer in told.items():
        check(f"the dashboard shows {name}", name not in missing, answer)


for part in (container, unit, other_services, proxies, prometheus):
    before = checks.failed
    part()
    print(f"{part.__name__}: {'passed' if checks.failed == before else 'failed'}")
checks.end()
