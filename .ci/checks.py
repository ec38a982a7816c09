"""Assertions, Graphstead's commands and free ports for the scripts in this folder."""

import pathlib
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

passed = failed = 0


def check(name, holds, told=""):
    """Counts a check. Prints its name and details if it fails."""
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"not ok {name}\n  {str(told)[-2000:]}")


def compare(name, actual, expected):
    """Checks that both values are equal."""
    check(name, actual == expected, f"is       {str(actual)[:600]}\n  expected {str(expected)[:600]}")


def command(name, *arguments):
    """Runs a command of Graphstead, which must succeed. Returns its output."""
    line = ["node", ROOT / "src/graphstead.js", *name.split(), *arguments]
    done = subprocess.run(list(map(str, line)), capture_output=True, text=True)
    compare(f"graphstead {name}", [done.returncode, done.stderr if done.returncode else ""], [0, ""])
    return done.stdout


def end():
    """Prints the counts and exits: with 1 if a check failed or none ran, otherwise with 0."""
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or not passed)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
