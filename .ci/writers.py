"""Clients that write graphs to a server, and remember which names it acknowledged."""

import collections
import http.client
import json
import threading
import time
import urllib.parse
import urllib.request

CONTENT = {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]}


class Writers:
    """Clients that write graphs with unique names until `stop`. Half of them create graphs with POST, and send a name again only
    if nothing was changed. The others push to a key, which is safe to repeat, and do so until it is acknowledged."""

    def __init__(self, url, tokens):
        self.host = urllib.parse.urlsplit(url).netloc
        self.lock = threading.Lock()
        self.acknowledged, self.unknown, self.sent, self.faults = set(), set(), set(), []
        # When each write was acknowledged, and how often each problem occurred.
        self.times, self.problems = [], collections.Counter()
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=part, daemon=True) for part in enumerate(tokens)]
        for thread in self.threads:
            thread.start()

    def run(self, number, token):
        keyed = number % 2 == 1
        turn = 0
        while not self.stopping.is_set():
            turn += 1
            name = f"writer {number}, graph {turn}"
            self.sent.add(name)
            try:
                while not self.write(name, keyed, token):
                    time.sleep(0.1)
            except Exception as error:
                self.faults.append(f"{name}: {error!r}")
                return

    def write(self, name, keyed, token):
        """Returns whether the writer is done with this name. Raises an error if the response is wrong."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        if keyed:
            path = f"/api/account/graphs/{urllib.parse.quote(name)}/content?format=jgf"
            body = {"graph": {"label": name, "nodes": {"a": {}, "b": {}}, "edges": [{"source": "a", "target": "b"}]}}
        else:
            path, body = "/api/graphs", {"name": name, "content": CONTENT}
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("PUT" if keyed else "POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        with self.lock:
            if answer.status in ((200, 201) if keyed else (201,)):
                self.acknowledged.add(name)
                self.times.append(time.monotonic())
                return True
            if answer.status != 503:
                raise RuntimeError(f"{answer.status} {text}")
            code = json.loads(text)["code"]
            self.problems[code] += 1
            if code != "outcome-unknown":
                return False
            self.unknown.add(name)
            return not keyed

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(120)
        return not any(thread.is_alive() for thread in self.threads)


def stored(server, token):
    """Returns the id and name of each graph of a user."""
    found, cursor = [], ""
    while cursor is not None:
        query = urllib.parse.urlencode({"size": 1000, "cursor": cursor})
        request = urllib.request.Request(
            f"{server.url}/api/graphs?{query}", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            found += [(graph["id"], graph["name"]) for graph in json.load(answer)]
            cursor = answer.headers.get("X-Next-Cursor")
    return found
