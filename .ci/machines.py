"""Checks the executables for all platforms, built by npm run build:exe -- --target all. LIEF checks their sizes, formats and parts.
Our own verifier, which has to accept Apple's signatures, and LLVM check the signatures of the macOS files, which are not run. The
files for Linux on ARM and for Windows run under qemu-user and Wine. Needs lief, qemu-aarch64 with the arm64 libraries, wine64,
llvm-objcopy and Node.js. Prints the number of passed checks."""

import atexit
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import time
import urllib.request

import lief

import checks
from checks import check, free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PREBUILDS = ROOT / "node_modules/better-sqlite3/prebuilds"
EXAMPLE = ROOT / "docs/examples/les-miserables.jgf.json"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-machines-"))
PASSWORD = "four score and seven"
# The executables, each with its addon and LIEF's name for its processor. .ci/release.py checks their packed sizes.
FILES = {
    "graphstead-linux-x64": ("linux-x64", lief.ELF.ARCH.X86_64),
    "graphstead-linux-arm64": ("linux-arm64", lief.ELF.ARCH.AARCH64),
    "graphstead-darwin-x64": ("darwin-x64", lief.MachO.Header.CPU_TYPE.X86_64),
    "graphstead-darwin-arm64": ("darwin-arm64", lief.MachO.Header.CPU_TYPE.ARM64),
    "graphstead-win-x64.exe": ("win32-x64", lief.PE.Header.MACHINE_TYPES.AMD64),
}
MEGABYTE = 1_000_000
FUSE = b"NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:"
processes = []
# LIEF mistakes the embedded program for ELF notes, and warns about it.
lief.logging.disable()


@atexit.register
def end():
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
    shutil.rmtree(WORK, ignore_errors=True)


def judge_file(name):
    addon, processor = FILES[name]
    path = DIST / name
    content = path.read_bytes()
    check(f"{name}: at most 135 MB", len(content) <= 135 * MEGABYTE, len(content))
    print(f"{name}: {len(content) / MEGABYTE:.1f} MB")
    check(
        f"{name}: the fuse of the embedded program is set",
        content.count(FUSE + b"1") == 1 and FUSE + b"0" not in content,
    )
    check(f"{name}: contains the addon for its platform", (PREBUILDS / f"{addon}.node").read_bytes() in content)
    others = [
        other
        for other, *_ in FILES.values()
        if other != addon and (PREBUILDS / f"{other}.node").read_bytes() in content
    ]
    check(f"{name}: contains no other addon", not others, others)
    check(f"{name}: no path of the building machine", b"graphstead-build-" not in content)
    for asset in (b"main.js", b"ui/index.html", b"docs-page/swagger-ui.css", b"help/index.html"):
        check(f"{name}: contains {asset.decode()}", asset in content)
    bill = json.loads((DIST / f"{name}.cdx.json").read_text())
    [node] = [component for component in bill["components"] if component["name"] == "node"]
    parts = [node] + [part for part in node["components"] if part["name"] in ("v8", "openssl", "icu", "sqlite", "uv")]
    missing = [part["name"] for part in parts if part["version"].encode() not in content]
    check(f"{name}: contains the versions in its bill", len(parts) == 6 and not missing, missing)
    if "linux" in name:
        elf = lief.ELF.parse(str(path))
        check(f"{name}: for its processor", elf.header.machine_type == processor, elf.header.machine_type)
        check(f"{name}: no symbols", not list(elf.symtab_symbols))
    elif "win" in name and "darwin" not in name:
        judge_windows(name, path, processor)
    else:
        judge_mac(name, path, content, processor)


def judge_windows(name, path, processor):
    pe = lief.PE.parse(str(path))
    check(f"{name}: for its processor", pe.header.machine == processor, pe.header.machine)
    check(f"{name}: no broken signature of Node.js", not pe.has_signatures)
    addon = lief.PE.parse(str(PREBUILDS / "win32-x64.node"))
    # The addon's delay-load hook resolves node.exe to the running program, whatever its name.
    check(
        f"{name}: the addon loads node.exe lazily",
        [library.name for library in addon.delay_imports] == ["node.exe"],
    )


def commands(content):
    """Yields the type and offset of each load command in a 64-bit Mach-O file."""
    place = 32
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        kind, size = struct.unpack_from("<II", content, place)
        yield kind, place
        place += size


def directories(content):
    """Yields the start of the signature and the bytes of each of its code directories with SHA-256 hashes."""
    [(start, size)] = [
        struct.unpack_from("<II", content, place + 8) for kind, place in commands(content) if kind == 0x1D
    ]
    blob = content[start : start + size]
    magic, _, count = struct.unpack_from(">III", blob)
    assert magic == 0xFADE0CC0 and start + size == len(content)
    for index in range(count):
        _, place = struct.unpack_from(">II", blob, 12 + index * 8)
        magic, length = struct.unpack_from(">II", blob, place)
        if magic == 0xFADE0C02 and blob[place + 37] == 2:
            yield start, blob[place : place + length]


def hashes(directory):
    start, _, _, count = struct.unpack_from(">IIII", directory, 16)
    return [directory[start + 32 * page : start + 32 * page + 32] for page in range(count)]


def is_signed(content):
    """Returns whether each code directory covers everything before the signature, and all page hashes match."""
    found = list(directories(content))
    for start, directory in found:
        (limit,) = struct.unpack_from(">I", directory, 32)
        page = 1 << directory[39]
        real = [hashlib.sha256(content[at : min(at + page, limit)]).digest() for at in range(0, limit, page)]
        if limit != start or real != hashes(directory):
            return False
    return bool(found)


def sections(content):
    """Returns the bytes of each section in the file by segment and name, with the fuse reset."""
    found = {}
    for kind, place in commands(content):
        if kind != 0x19:
            continue
        for index in range(struct.unpack_from("<I", content, place + 64)[0]):
            at = place + 72 + index * 80
            names = content[at + 16 : at + 32].rstrip(b"\0"), content[at : at + 16].rstrip(b"\0")
            (size,) = struct.unpack_from("<Q", content, at + 40)
            (offset,) = struct.unpack_from("<I", content, at + 48)
            if offset:
                found[names] = content[offset : offset + size].replace(FUSE + b"1", FUSE + b"0")
    return found


def judge_mac(name, path, content, processor):
    pins = json.loads((ROOT / "deploy/node-packages.json").read_text())["packages"]
    [package] = [
        place.split("/")[1] for place in pins if name.removeprefix("graphstead-") in place.replace("-bin-", "-")
    ]
    version = pins[f"node_modules/{package}"]["version"]
    subprocess.run(
        ["npm", "pack", f"{package}@{version}", "--prefer-offline", "--pack-destination", WORK],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run(["tar", "-xzf", WORK / f"{package}-{version}.tgz", "-C", WORK, "package/bin/node"], check=True)
    original = (WORK / "package/bin/node").read_bytes()

    ours, nodes = lief.MachO.parse(str(path)).at(0), lief.MachO.parse(str(WORK / "package/bin/node")).at(0)
    check(f"{name}: for its processor", ours.header.cpu_type == processor, ours.header.cpu_type)
    check(f"{name}: LIEF accepts its layout", *lief.MachO.check_layout(ours))
    exports = [sorted(symbol.name for symbol in binary.exported_symbols) for binary in (ours, nodes)]
    check(f"{name}: has the exports of Node.js", exports[0] == exports[1] and len(exports[0]) > 10_000, len(exports[0]))
    libraries = [[library.name for library in binary.libraries] for binary in (ours, nodes)]
    check(f"{name}: loads the libraries of Node.js", libraries[0] == libraries[1], libraries)
    bindings = [sorted((b.symbol.name, b.address) for b in binary.bindings if b.has_symbol) for binary in (ours, nodes)]
    check(
        f"{name}: has the bindings of Node.js",
        bindings[0] == bindings[1] and bindings[0],
        [len(all) for all in bindings],
    )
    before, after = sections(original), sections(content)
    added = set(after) - set(before)
    check(f"{name}: the only new section is the program", added == {(b"NODE_SEA", b"__NODE_SEA_BLOB")}, added)
    changed = [names for names in before if before[names] != after.get(names)]
    check(f"{name}: the sections of Node.js are unchanged", len(before) > 10 and not changed, changed)

    check(f"{name}: its signature is valid", is_signed(content))
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 1
    check(f"{name}: the signature is invalid after a changed byte", not is_signed(bytes(flipped)))
    check(f"{name}: Apple's signature of Node.js is valid by the same check", is_signed(original))
    # LLVM re-signs its copies, and orders the symbols differently, but most pages are the same.
    subprocess.run(["llvm-objcopy", path, WORK / "graphstead"], check=True)
    copy = (WORK / "graphstead").read_bytes()
    check(f"{name}: LLVM's signature is valid by the same check", is_signed(copy))
    [(_, theirs)], [(_, own)] = directories(copy), directories(content)
    pages = [at // 4096 for at in range(0, len(copy), 4096) if copy[at : at + 4096] == content[at : at + 4096]]
    listed = hashes(theirs), hashes(own)
    check(
        f"{name}: LLVM's hashes are the same",
        len(pages) > 20_000 and all(listed[0][page] == listed[1][page] for page in pages),
    )
    check(f"{name}: LLVM's flags are the same", theirs[8:16] == own[8:16] and theirs[32:88] == own[32:88])


def judge_mac_addon():
    check(
        "the addon for Apple silicon has a valid signature",
        is_signed((PREBUILDS / "darwin-arm64.node").read_bytes()),
    )


def ask(url, body=None, token=""):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
        return answer.read()


class Machine:
    """An emulated machine: the command that runs the program, its environment, and the path of the real root folder."""

    def __init__(self, name, command, environment, root=""):
        self.name, self.command, self.root = name, command, root
        self.environment = {**os.environ, **environment, "GRAPHSTEAD_ADMIN_PASSWORD": PASSWORD}
        self.folder = WORK / name
        self.folder.mkdir()

    def run(self, says, *arguments, text=""):
        """Runs a command, and checks that it succeeds and prints this text. Uses files, because Wine writes only to files."""
        with open(self.folder / "said", "w+b") as said, open(self.folder / "typed", "w+") as typed:
            typed.write(text)
            typed.seek(0)
            code = subprocess.run(
                [*self.command, *arguments],
                cwd=self.folder,
                env=self.environment,
                stdin=typed,
                stdout=said,
                stderr=said,
                timeout=120,
            ).returncode
            said.seek(0)
            told = said.read().decode()
        check(f"{self.name}: {' '.join(arguments)}", code == 0 and says in told, f"{code}: {told}")

    def serve(self):
        """Starts a server on the folder's data, and waits until it is ready. Returns its process and its address."""
        url = f"http://127.0.0.1:{free_port()}"
        log = open(self.folder / "log", "ab")
        arguments = ["serve", "--data", "data", "--port", url.rsplit(":")[-1]]
        process = subprocess.Popen(
            [*self.command, *arguments], cwd=self.folder, env=self.environment, stdout=log, stderr=log
        )
        processes.append(process)
        for _ in range(600):
            try:
                ask(f"{url}/readyz")
                break
            except OSError:
                time.sleep(0.1)
            if process.poll() is not None:
                break
        check(f"{self.name}: the server is ready", process.poll() is None, (self.folder / "log").read_text())
        return process, url


def linux_on_arm(libraries):
    command = ["qemu-aarch64", "-L", libraries, DIST / "graphstead-linux-arm64"]
    script = WORK / "graphstead-arm64"
    script.write_text(f'#!/bin/sh\nexec {shutil.which(command[0])} -L {libraries} {command[3]} "$@"\n')
    script.chmod(0o755)
    tour = subprocess.run(
        ["node", "test/run.ts", "--sqlite", "test/commands/tour.test.ts"],
        cwd=ROOT,
        env={**os.environ, "GRAPHSTEAD_TEST_PROGRAM": str(script)},
        capture_output=True,
        text=True,
    )
    check("linux-arm64: the tour", tour.returncode == 0, tour.stdout[-2000:] + tour.stderr[-2000:])

    server = use(Machine("linux-arm64", command, {}))
    server.terminate()
    check("linux-arm64: ends on SIGTERM", server.wait(60) == 0)


def use(machine):
    """Uses the program as a user would: runs a server and kills it, runs commands on its data, and serves restored data."""
    name, ada = machine.name, ("--role", "ADMIN", "--password-stdin", "--keep-password", "--data", "data")
    machine.run("can sign in", "user", "add", "ada", *ada, text=PASSWORD)
    machine.run("77 nodes, 254 edges", "import", f"{machine.root}{EXAMPLE}", "--owner", "ada", "--data", "data")
    machine.run("", "export", "1", "one.graphml", "--data", "data")
    check(f"{name}: the exported file", (machine.folder / "one.graphml").read_text().count("<edge ") == 254)
    server, url = machine.serve()
    for folder, path in (("ui/assets", "assets"), ("docs-page", "docs"), ("help", "help")):
        files = [file for file in (DIST / folder).rglob("*") if file.suffix in (".js", ".css")]
        unlike = [
            file for file in files if served(f"{url}/{path}/{file.relative_to(DIST / folder)}") != file.read_bytes()
        ]
        check(f"{name}: the files of {folder}", len(files) >= 2 and not unlike, unlike)
    # Each response has its own nonce.
    page = re.sub(rb'nonce="[^"]+"', b'nonce="{{nonce}}"', served(url))
    check(f"{name}: the page of the web app", page == (DIST / "ui/index.html").read_bytes(), page)
    token = json.loads(ask(f"{url}/api/authenticate", {"username": "ada", "password": PASSWORD}))["id_token"]
    content = {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]}
    ask(f"{url}/api/graphs", {"name": "Before the kill", "content": content}, token)
    picture = ask(f"{url}/api/graphs/1/picture.png", token=token)
    check(f"{name}: a picture of the graph", picture.startswith(b"\x89PNG\r\n"), picture[:100])
    machine.run("good     port", "doctor", "--data", "data", "--port", url.rpartition(":")[2])
    server.kill()
    server.wait()
    machine.run("is sound: 1 user, 2 graphs", "check", "--data", "data")
    machine.run("", "backup", "copy.db", "--data", "data")
    machine.run("is sound: 1 user, 2 graphs", "check", "copy.db", "--data", "data")
    machine.run("", "restore", "copy.db", "--force", "--data", "data")
    server, url = machine.serve()
    token = json.loads(ask(f"{url}/api/authenticate", {"username": "ada", "password": PASSWORD}))["id_token"]
    names = [graph["name"] for graph in json.loads(ask(f"{url}/api/graphs?sort=id", token=token))]
    check(f"{name}: the restored graphs", sorted(names) == ["Before the kill", "les_miserables"], names)
    return server


def served(url):
    """Returns the body of the response, or the text of an error."""
    try:
        return ask(url)
    except OSError as error:
        return str(error).encode()


def windows(wine):
    """Uses the program under Wine, as far as Wine supports it.

    Node.js reserves memory with VirtualAlloc2 if the system has it. Wine 8 implements the function only in part, so Node.js
    would exit. This hides the function in Wine's library, as in older versions of Windows. The executable is unchanged.
    """
    prefix = WORK / "wine"
    machine = Machine(
        "win-x64", [wine, DIST / "graphstead-win-x64.exe"], {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all"}, "Z:"
    )
    quiet = {"env": machine.environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    subprocess.run([wine, "reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"], **quiet)
    library = prefix / "drive_c/windows/system32/kernelbase.dll"
    code = library.read_bytes()
    check("win-x64: Wine's library is as expected", b"VirtualAlloc2\0" in code and b"Wine builtin DLL" in code)
    library.unlink()
    library.write_bytes(
        code.replace(b"VirtualAlloc2\0", b"VirtualAlloc1\0").replace(b"Wine builtin DLL", b"Wine patched DLL")
    )
    machine.environment["WINEDLLOVERRIDES"] = "kernelbase=n"
    version = json.loads((ROOT / "package.json").read_text())["version"]
    machine.run(version, "--version")
    # Wine does not pass on signals, so Ctrl-C cannot be tested.
    use(machine).kill()
    kept = list(prefix.glob("drive_c/users/*/AppData/Local/graphstead/*"))
    check("win-x64: the addon is kept", [file.suffix for file in kept] == [".node"], kept)


for executable in FILES:
    judge_file(executable)
judge_mac_addon()
linux_on_arm(os.environ.get("GRAPHSTEAD_ARM64_LIBRARIES", "/usr/aarch64-linux-gnu"))
windows(shutil.which("wine64") or "/usr/lib/wine/wine64")

checks.end()
