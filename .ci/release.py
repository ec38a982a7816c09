"""Checks the files that npm run release -- --dry-run creates in dist/release: names, checksums, sizes, the content of archives,
packages and clients, and the recipes. Ruby reads the formula. The argument is the --url of the release, if it had one.
Needs lintian, dpkg-deb and ruby on PATH. Prints the number of passed checks."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import checks
from checks import check

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
RELEASE = DIST / "release"
VERSION = json.loads((ROOT / "package.json").read_text())["version"]
URL = f"{sys.argv[1] if len(sys.argv) > 1 else 'https://graphstead.invalid/releases'}/v{VERSION}"
TARBALLS = {
    target: f"graphstead-{VERSION}-{target}.tar.xz"
    for target in ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64")
}
ZIP = f"graphstead-{VERSION}-win-x64.zip"
NPM = f"graphstead-{VERSION}.tgz"
DEBS = {architecture: f"graphstead_{VERSION}_{architecture}.deb" for architecture in ("amd64", "arm64")}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def clients():
    """Returns the file names of the clients, which have their own versions."""
    typescript = json.loads((ROOT / "clients/typescript/package.json").read_text())["version"]
    python = re.search(r'"(.*)"', (ROOT / "clients/python/src/graphstead/_version.py").read_text()).group(1)
    return [f"graphstead-client-{typescript}.tgz", f"graphstead-{python}-py3-none-any.whl"]


def files():
    archives = [*TARBALLS.values(), ZIP, NPM]
    texts = ["NOTES.md", "SHA256SUMS", "graphstead.json", "graphstead.rb", "openapi.json"]
    expected = sorted([*archives, *(f"{name}.cdx.json" for name in archives), *DEBS.values(), *clients(), *texts])
    found = sorted(path.name for path in RELEASE.iterdir())
    check("the release has exactly these files", found == expected, found)
    command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    checked = subprocess.run(command, cwd=RELEASE, capture_output=True, text=True)
    check("the checksums match", checked.returncode == 0, checked.stdout + checked.stderr)
    summed = [line.split("  ")[1] for line in (RELEASE / "SHA256SUMS").read_text().splitlines()]
    check("each file has a checksum", summed == sorted(set(expected) - {"SHA256SUMS"}), summed)
    large = {name: size for name in found if (size := (RELEASE / name).stat().st_size) > 45_000_000}
    check("each file has at most 45 MB", not large, large)
    document = (RELEASE / "openapi.json").read_bytes()
    check("the API document is the repository's", document == (ROOT / "openapi.json").read_bytes())
    notes = (RELEASE / "NOTES.md").read_text()
    check("the notes are for this version", notes.startswith(f"# Graphstead {VERSION}"), notes[:200])
    check("the notes mention macOS", "nobody has run these files yet" in notes, notes[-2000:])


def code_of_clients():
    typescript, python = clients()
    with tarfile.open(RELEASE / typescript) as tar:
        packed = sorted(name for name in tar.getnames() if name.startswith("package/dist/"))
    modules = [path.stem for path in (ROOT / "clients/typescript/src").glob("*.ts")]
    expected = sorted(f"package/dist/{module}{end}" for module in modules for end in (".js", ".d.ts"))
    check("the TypeScript client has each module and its types", packed == expected, packed)
    with zipfile.ZipFile(RELEASE / python) as wheel:
        packed = sorted(name for name in wheel.namelist() if name.startswith("graphstead/"))
    source = ROOT / "clients/python/src"
    expected = sorted(
        str(path.relative_to(source))
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    check("the Python client has each module", packed == expected, packed)


def archive(target, name, members):
    """Checks the names, modes and contents of the files in an archive."""
    end = ".exe" if target.startswith("win-") else ""
    sources = {
        f"graphstead{end}": DIST / f"graphstead-{target}{end}",
        "graphstead.cdx.json": RELEASE / f"{name}.cdx.json",
        **{text: ROOT / text for text in ("CHANGELOG.md", "LICENSE", "README.md")},
    }
    service = {"linux": "graphstead.service", "darwin": "graphstead.plist", "win": "graphstead-service.xml"}[
        target.split("-")[0]
    ]
    sources[service] = ROOT / "deploy" / service
    expected = [
        (path, 0o755 if path == f"graphstead{end}" else 0o644, sha256(sources[path].read_bytes()))
        for path in sorted(sources)
    ]
    check(f"{name}: the program and its files", members == expected, members)


def archives():
    for target, name in TARBALLS.items():
        with tarfile.open(RELEASE / name) as tar:
            members = [(entry.name, entry.mode, sha256(tar.extractfile(entry).read())) for entry in tar]
            owners = {(entry.uid, entry.gid, entry.uname) for entry in tar}
        archive(target, name, members)
        check(f"{name}: no user of this machine", owners == {(0, 0, "")}, owners)
    with zipfile.ZipFile(RELEASE / ZIP) as packed:
        members = [
            (entry.filename, entry.external_attr >> 16 & 0o777, sha256(packed.read(entry)))
            for entry in packed.infolist()
        ]
    archive("win-x64", ZIP, members)


def listed(package):
    """Returns the mode, owner and path of each file in a Debian package."""
    lines = subprocess.check_output(["dpkg-deb", "--contents", RELEASE / package], text=True).splitlines()
    return [(line.split()[0], line.split()[1], line.split()[5]) for line in lines]


def debian():
    for architecture, package in DEBS.items():
        command = ["lintian", "--profile", "debian", "--fail-on", "error,warning", RELEASE / package]
        linted = subprocess.run(command, capture_output=True, text=True)
        check(f"lintian finds nothing in {package}", linted.returncode == 0, linted.stdout + linted.stderr)
        field = subprocess.check_output(["dpkg-deb", "--field", RELEASE / package, "Architecture"], text=True).strip()
        check(f"{package} is for {architecture}", field == architecture, field)
        target = {"amd64": "linux-x64", "arm64": "linux-arm64"}[architecture]
        content = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", RELEASE / package], stdout=subprocess.PIPE)
        with tarfile.open(fileobj=content.stdout, mode="r|") as tar:
            programs = [sha256(tar.extractfile(entry).read()) for entry in tar if entry.name == "./usr/bin/graphstead"]
        content.stdout.close()
        content.wait()
        check(f"{package} has its program", programs == [sha256((DIST / f"graphstead-{target}").read_bytes())])
    amd64, arm64 = ([*map(list, listed(package))] for package in DEBS.values())
    for line in amd64:
        line[2] = line[2].replace("linux-x64", "linux-arm64")
    check("both packages have the same files", sorted(amd64) == sorted(arm64), (amd64, arm64))


def recipes():
    command = ["ruby", "-W2", ROOT / ".ci/formula.rb", RELEASE / "graphstead.rb"]
    read = subprocess.run(command, capture_output=True, text=True)
    check("Ruby reads the formula", read.returncode == 0 and not read.stderr, read.stderr)
    machines = {
        "macos arm": "darwin-arm64",
        "macos intel": "darwin-x64",
        "linux arm": "linux-arm64",
        "linux intel": "linux-x64",
    }
    formula = json.loads(read.stdout or "{}")
    check("the formula supports these platforms", formula.keys() == machines.keys(), formula.keys())
    for machine, facts in formula.items():
        name = TARBALLS[machines[machine]]
        fetched = [facts["version"], facts["url"], facts["sha256"], facts["installs"]]
        expected = [VERSION, f"{URL}/{name}", sha256((RELEASE / name).read_bytes()), ["graphstead"]]
        check(f"the formula fetches the file for {machine}", fetched == expected, fetched)
        run = ["opt_bin/graphstead", "serve", "--data", "var/graphstead"]
        check(
            f"the formula has a service and a test for {machine}",
            facts["service"]["run"] == run and facts["test"],
            facts,
        )
    manifest = json.loads((RELEASE / "graphstead.json").read_text())
    fetched = [manifest["version"], manifest["architecture"]["64bit"]]
    expected = [VERSION, {"url": f"{URL}/{ZIP}", "hash": sha256((RELEASE / ZIP).read_bytes())}]
    check("the manifest fetches the file for Windows", fetched == expected, fetched)


for part in (files, code_of_clients, archives, debian, recipes):
    part()
checks.end()
