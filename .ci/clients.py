"""Generates clients from openapi.json, compiles each strictly and runs it against a server: it signs in, creates, lists,
imports, renames and compares graphs, reads audit events, and handles refusals. docs/clients.md lists the clients that work.
Arguments select clients; the default is all.
Needs java, mvn, node, npm, tsc, esbuild and the programs in .ci/requirements.txt on PATH.
Prints a line for each client, and the number of clients that work."""

import atexit
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from checks import free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRIVERS = ROOT / ".ci" / "clients"
OPENAPI = ROOT / "openapi.json"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-clients-"))
TABLE = WORK / "edges.csv"
JARS = WORK / "jars"
TYPESCRIPT = WORK / "typescript"
GO = WORK / "go"
GENERATORS = WORK / "npm" / "node_modules" / ".bin"
ADMIN_PASSWORD = "three blind mice run"
PASSWORD = "see how they run"
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


class Failure(Exception):
    """A failed step, with the reason."""


def run(*command, folder=WORK, seconds=300, **environment):
    """Runs a command. Kills its process group after this many seconds."""
    command = [str(part) for part in command]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failure(f"{' '.join(command)[:300]} took more than {seconds} seconds") from None
    if process.returncode != 0:
        raise Failure(f"{' '.join(command)[:300]} ended with {process.returncode}\n{output[-3000:]}")


def ask(path, body=None, token=None):
    """Sends a request. Returns the parsed body of the response, or None if it is empty."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=30) as answer:
        return json.loads(answer.read() or "null")


PORT = free_port()
URL = f"http://127.0.0.1:{PORT}"


def start_server():
    """Starts a server without rate limits, and waits until it is ready. The server ends with this program."""
    options = ["--data", WORK / "data", "--port", PORT, "--log-level", "error"]
    for rate in ["user", "address"]:
        options += [f"--rate-{rate}", 0]
    command = ["node", ROOT / "src/graphstead.js", "serve", *options]
    log = open(WORK / "server.log", "w+")
    process = subprocess.Popen(
        list(map(str, command)),
        env={**os.environ, "GRAPHSTEAD_ADMIN_PASSWORD": ADMIN_PASSWORD},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
    )

    def stop():
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()

    atexit.register(stop)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            ask("/readyz")
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit(f"not ok the server starts\n{(WORK / 'server.log').read_text()}")


def drive(name, *command, **options):
    """Runs the driver of a client as a user of its own."""
    login = name.replace(" ", "-").lower()
    admin = ask("/api/authenticate", {"username": "admin", "password": ADMIN_PASSWORD})["id_token"]
    user = {"login": login, "password": PASSWORD, "role": "USER", "mustChangePassword": False}
    user["proof"] = {"password": ADMIN_PASSWORD}
    ask("/api/users", user, admin)
    options |= {"URL": URL, "ADMIN_PASSWORD": ADMIN_PASSWORD, "LOGIN": login, "PASSWORD": PASSWORD, "FILE": str(TABLE)}
    run(*command, **options)


def fetch(*command, folder=WORK):
    """Runs a command that downloads packages, and retries it once."""
    try:
        run(*command, folder=folder)
    except Failure:
        run(*command, folder=folder)


def get_jars():
    arguments = ["-f", DRIVERS / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={JARS}"]
    fetch("mvn", "--batch-mode", "--quiet", *arguments)


def get_generators():
    """Installs the npm generators in the temporary folder."""
    folder = WORK / "npm"
    folder.mkdir()
    for file in ["package.json", "package-lock.json", ".npmrc"]:
        shutil.copy(DRIVERS / file, folder)
    fetch("npm", "ci", "--no-audit", "--no-fund", folder=folder)


def get_modules():
    fetch("go", "mod", "download", folder=GO)


# Makes clients accept unknown fields, which later versions of Graphstead may add.
TOLERANT = "disallowAdditionalPropertiesIfNotPresent=false"


def openapi_generator(language, folder, *properties):
    (jar,) = JARS.glob("openapi-generator-cli-*.jar")
    options = ["-i", OPENAPI, "-g", language, "-o", folder]
    if properties:
        options += ["--additional-properties", ",".join(properties)]
    run("java", "-XX:TieredStopAtLevel=1", "-jar", jar, "generate", *options)


def drive_typescript(name, *bundling):
    """Compiles a TypeScript client with its driver, bundles both for Node.js and runs them."""
    driver, bundle = TYPESCRIPT / "drivers" / f"{name}.ts", TYPESCRIPT / f"{name}.js"
    options = "--ignoreConfig --noEmit --strict --target es2024 --module esnext --moduleResolution bundler "
    options += "--allowImportingTsExtensions --skipLibCheck --lib es2024,dom,dom.iterable --types node --typeRoots"
    run("tsc", *options.split(), ROOT / "node_modules" / "@types", driver)
    run("esbuild", driver, "--bundle", "--platform=node", "--format=esm", *bundling, f"--outfile={bundle}")
    drive(name, "node", bundle)


def typescript_fetch():
    openapi_generator("typescript-fetch", TYPESCRIPT / "typescript-fetch")
    drive_typescript("typescript-fetch")


def hey_api():
    run(GENERATORS / "openapi-ts", "-i", OPENAPI, "-o", TYPESCRIPT / "hey-api", "-c", "@hey-api/client-fetch")
    drive_typescript("hey-api")


def orval():
    run(GENERATORS / "orval", "--input", OPENAPI, "--output", TYPESCRIPT / "orval" / "api.ts", "--client", "fetch")
    drive_typescript("orval")


def orval_axios():
    output = TYPESCRIPT / "orval-axios" / "api.ts"
    run(GENERATORS / "orval", "--input", OPENAPI, "--output", output, "--client", "axios")
    # The client imports axios.
    (TYPESCRIPT / "node_modules").symlink_to(WORK / "npm" / "node_modules")
    drive_typescript("orval-axios", "--packages=external")


def swagger_typescript_api():
    folder = TYPESCRIPT / "swagger-typescript-api"
    run(GENERATORS / "swagger-typescript-api", "generate", "-p", OPENAPI, "-o", folder, "-n", "api.ts")
    drive_typescript("swagger-typescript-api")


def python():
    folder = WORK / "python"
    openapi_generator("python", folder)
    driver = shutil.copy(DRIVERS / "python.py", folder / "drive.py")
    run("mypy", driver, folder=folder)
    drive("python", "python", driver, folder=folder)


def openapi_python_client():
    folder = WORK / "openapi-python-client"
    folder.mkdir()
    run("openapi-python-client", "generate", "--path", OPENAPI, "--output-path", folder / "client", "--meta", "none")
    driver = shutil.copy(DRIVERS / "openapi_python_client.py", folder / "drive.py")
    run("mypy", "--config-file", DRIVERS / "mypy.ini", driver, folder=folder)
    drive("openapi-python-client", "python", driver, folder=folder)


def java():
    """Tests the Java client. Warnings are not failures, because the generated code causes a few."""
    folder = WORK / "java"
    openapi_generator("java", folder, TOLERANT)
    libraries = ":".join(str(jar) for jar in JARS.glob("*.jar") if not jar.name.startswith("openapi-generator-cli-"))
    sources = (folder / "src" / "main").rglob("*.java")
    run("javac", "-Xlint:all", "-cp", libraries, "-d", folder / "classes", *sources, DRIVERS / "Drive.java")
    drive("java", "java", "-cp", f"{libraries}:{folder / 'classes'}", "Drive")


def drive_go(name):
    """Compiles, vets and runs the client in the folder `client` next to its driver."""
    run("go", "vet", f"./{name}/...", folder=GO)
    run("go", "build", "-o", GO / name / "drive", f"./{name}", folder=GO)
    drive(f"go-{name}", GO / name / "drive")


def go():
    openapi_generator("go", GO / "openapi-generator" / "client", TOLERANT, "packageName=client", "withGoMod=false")
    # The generated tests are empty, and would need another package.
    shutil.rmtree(GO / "openapi-generator" / "client" / "test")
    drive_go("openapi-generator")


def oapi_codegen():
    folder = GO / "oapi-codegen" / "client"
    folder.mkdir()
    options = ["-generate", "types,client", "-package", "client", "-o", folder / "client.go"]
    run("go", "tool", "oapi-codegen", *options, OPENAPI, folder=GO)
    drive_go("oapi-codegen")


# For each client, the function that tests it and the setup it needs.
CLIENTS = {
    "oapi-codegen": (oapi_codegen, [get_modules]),
    "openapi-python-client": (openapi_python_client, []),
    "openapi-generator python": (python, [get_jars]),
    "openapi-generator java": (java, [get_jars]),
    "openapi-generator go": (go, [get_jars, get_modules]),
    "openapi-generator typescript-fetch": (typescript_fetch, [get_jars]),
    "hey-api": (hey_api, [get_generators]),
    "orval": (orval, [get_generators]),
    "orval-axios": (orval_axios, [get_generators]),
    "swagger-typescript-api": (swagger_typescript_api, [get_generators]),
}


def result_of(name, prepared):
    """Tests a client. Returns a line with the result."""
    client, needs = CLIENTS[name]
    started = time.monotonic()
    try:
        for need in needs:
            prepared[need].result()
        client()
    except Exception as error:
        return f"not ok {name}\n  {type(error).__name__}: {error}"
    return f"ok {name} ({time.monotonic() - started:.0f} s)"


TABLE.write_text("source,target\na,b\nb,c\n")
shutil.copytree(DRIVERS / "go", GO)
shutil.copytree(DRIVERS / "typescript", TYPESCRIPT / "drivers")
start_server()
# Preparation steps are queued first, so that no client waits for one that has not started.
with ThreadPoolExecutor(2) as pool:
    names = sys.argv[1:] or list(CLIENTS)
    needed = [
        need for need in [get_modules, get_jars, get_generators] if any(need in CLIENTS[name][1] for name in names)
    ]
    prepared = {preparation: pool.submit(preparation) for preparation in needed}
    tried = [pool.submit(result_of, name, prepared) for name in names]
    results = [future.result() for future in tried]
print("\n".join(results))
passed = sum(result.startswith("ok ") for result in results)
print(f"{passed} of {len(results)} clients work")
sys.exit(passed != len(results))
