"""Check counts and free ports for the scripts in this folder."""

import socket
import sys

passed = failed = 0


def check(name, holds, told=""):
    """Count a check. If it fails, print its name and details."""
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"not ok {name}\n  {str(told)[-2000:]}")


def compare(name, actual, expected):
    """Check that both values are equal."""
    check(name, actual == expected, f"is       {str(actual)[:600]}\n  expected {str(expected)[:600]}")


def end():
    """Print the counts and exit, with 1 if a check failed or none ran."""
    print(f"{passed} held, {failed} did not")
    sys.exit(failed > 0 or not passed)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
