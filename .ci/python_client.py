"""Builds the Python client as a wheel and an sdist, and installs the wheel in an empty environment. Checks its types there, and
runs its tests and the examples in its README against a server of this repository. Needs Python 3.10 with venv, and the packages
that npm ci installs. Prints a line for each step, the output of failing steps, and the counts of tests and steps."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

CLIENT = pathlib.Path(__file__).resolve().parent.parent / "clients" / "python"
sys.path.insert(0, str(CLIENT / "tests"))

from server import running_server  # noqa: E402

EXTRAS = "igraph,networkx,pandas"
passed = failed = 0


def run(*command, folder=CLIENT, seconds=200, **environment):
    """Runs a command. Returns whether it succeeded, and its output."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return False, f"took more than {seconds} seconds"
    return done.returncode == 0, done.stdout


def count(good, bad):
    global passed, failed
    passed += good
    failed += bad


def step(name, *command, **options):
    """Runs a command as a step. Returns whether it succeeded."""
    success, output = run(*command, **options)
    count(success, not success)
    print(f"{'ok' if success else 'not ok'} {name}", *([] if success else [output[-5000:]]), flush=True)
    return success


def environment_in(folder):
    """Creates an empty virtual environment. Returns the folder of its programs."""
    venv.create(folder, with_pip=True)
    return folder / "bin"


def tests(python):
    """Runs the tests, and adds them to the counts."""
    success, output = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", seconds=900)
    totals = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?)\b", output[-300:])}
    good, bad = totals.pop("passed", 0), sum(totals.values())
    count(good, bad or int(not success or good == 0))
    print(f"{'ok' if success else 'not ok'} tests: {good}", *([] if success else [output[-15000:]]), flush=True)


def readme(python, folder):
    """Runs the examples of the README in order, as one program."""
    blocks = re.findall(r"^```python\n(.*?)^```", (CLIENT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    program = folder / "readme.py"
    program.write_text("\n".join(blocks))
    with running_server(folder) as server:
        options = {"GRAPHSTEAD_URL": server.url, "GRAPHSTEAD_TOKEN": server.user()}
        step(f"README.md: {len(blocks)} examples", python, "-W", "error", program, folder=folder, **options)


def main(work):
    pins = CLIENT / "requirements.txt"
    tools = environment_in(work / "tools")
    # A first failure is not reported, because the registry may just have failed to respond.
    install = [tools / "pip", "install", "--quiet", "-r", pins]
    if not (run(*install)[0] or step("the tools are installed", *install)):
        return
    step("ruff: lint", tools / "ruff", "check", "--no-cache", ".")
    step("ruff: format", tools / "ruff", "format", "--no-cache", "--check", ".")
    dist = work / "dist"
    if not step("the wheel and the sdist", tools / "python", "-m", "build", "--no-isolation", "--outdir", dist):
        return
    [wheel], [_] = dist.glob("*.whl"), dist.glob("*.tar.gz")

    bare = environment_in(work / "bare")
    step("the wheel alone", bare / "pip", "install", "--quiet", "-c", pins, wheel)
    step(
        "the package works without extras",
        bare / "python",
        "-c",
        "import graphstead; graphstead.Graphstead('http://localhost', 't')",
    )
    user = environment_in(work / "user")
    step(
        "the wheel with extras",
        user / "pip",
        "install",
        "--quiet",
        "-c",
        pins,
        f"graphstead[{EXTRAS}] @ {wheel.as_uri()}",
    )
    (work / "readme").mkdir()
    readme(user / "python", work / "readme")

    if step("the wheel next to the tools", tools / "pip", "install", "--quiet", "--no-deps", wheel):
        mypy = [tools / "python", "-m", "mypy", "--cache-dir", work / "mypy"]
        step("mypy --strict", *mypy)
        program = (
            "from graphstead import Graphstead\nversion: int = Graphstead('http://localhost', 'none').get(1).version"
        )
        step("mypy --strict of a program that uses it", *mypy, "--strict", "-c", program, folder=work)
        tests(tools / "python")


with tempfile.TemporaryDirectory(prefix="graphstead-python-") as name:
    main(pathlib.Path(name))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
