"""Runs Graphstead's commands on an empty data folder, which is deleted at the end. Needs Node.js on PATH."""

import atexit
import json
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="graphstead-judge-"))
DATA = WORK / "data"
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def graphstead(*args, stdin=None):
    command = ["node", str(ROOT / "src/graphstead.js"), *map(str, args), "--data", str(DATA)]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, args))}: {done.stderr}")
    return done.stdout


ids = 0


def import_file(path, *flags):
    """Imports a file. Returns the id of its graph."""
    global ids
    graphstead("import", path, "--owner", "judge", *flags)
    ids += 1
    return ids


def give_out(graph, name, *flags):
    path = WORK / name
    graphstead("export", graph, path, "--force", *flags)
    return path


def content(graph):
    return json.loads(give_out(graph, "content.jgf.json").read_text("utf-8"))["graph"]


def write_json(name, value):
    path = WORK / name
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


graphstead("user", "add", "judge", "--role", "USER", "--password-stdin", stdin="a judge of graph files")
