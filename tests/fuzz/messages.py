"""Editors that send nonsense: mutated conversations with `trisect dap` and trisect-lsp-server.

What: a round sends one conversation whose messages were dropped, doubled, reordered, cut, or whose values and
bytes were changed, and then closes the connection. The server must end by itself, without a signal, and what
it says must be messages.
"""

import copy
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import sanitized
from harness import ROOT, Failure, finish, main

KERNEL = ROOT / "tests/python/debugger/scripts/vector.py"
VALUES = [None, True, -1, 0, 1 << 70, 1.5, "", "x", "../../etc", [], {}, [[]], {"path": 1}, "\ud800", "%0"]


def dap(folder):
    def request(command, **arguments):
        return {"type": "request", "command": command, "arguments": arguments}

    points = [{"line": 15, "condition": "pid == 2"}, {"line": 14, "hitCondition": "2", "logMessage": "{x}"}]
    asked = [
        request("initialize", adapterID="trisect"),
        request("launch", program=str(KERNEL), stopOnEntry=True, args=["a"], env={"A": "b"}, cwd=folder),
        request("setBreakpoints", source={"path": str(KERNEL)}, breakpoints=points),
        request("setFunctionBreakpoints", breakpoints=[{"name": "add"}]),
        request("setDataBreakpoints", breakpoints=[{"dataId": "out[3]", "accessType": "write"}]),
        request("setExceptionBreakpoints", filters=["fault", "call"]),
        request("configurationDone"),
        request("threads"),
        request("stackTrace", threadId=1, levels=20),
        request("scopes", frameId=1),
        request("variables", variablesReference=1, start=0, count=2),
        request("evaluate", expression="x + 1", frameId=1, context="hover"),
        request("evaluate", expression="print(x)", context="repl"),
        request("dataBreakpointInfo", name="out[3]"),
        request("exceptionInfo", threadId=1),
        request("next", threadId=1),
        request("stepBack", threadId=1),
        request("stepIn", threadId=1),
        request("pause", threadId=1),
        request("continue", threadId=1),
        request("terminate"),
        request("disconnect"),
    ]
    return [{"seq": n + 1, **each} for n, each in enumerate(asked)]


def lsp(choose):
    files = sorted((ROOT / "tests/fuzz/seeds").glob("*.ttir"))
    text = choose.choice(files).read_text()
    document, place = {"uri": "file:///tmp/x.ttir"}, {"line": 5, "character": 8}
    at = {"textDocument": document, "position": place}
    span = {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 4}}
    opened = {**document, "languageId": "mlir", "version": 1, "text": text}
    change = {"textDocument": {**document, "version": 2}}
    asked = [
        ("initialize", {"capabilities": {}, "processId": None}),
        ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": opened}),
        ("textDocument/hover", at),
        ("textDocument/definition", at),
        ("textDocument/references", {**at, "context": {"includeDeclaration": True}}),
        ("textDocument/documentSymbol", {"textDocument": document}),
        ("textDocument/completion", at),
        ("textDocument/codeAction", {**at, "range": span, "context": {"diagnostics": []}}),
        ("textDocument/didChange", {**change, "contentChanges": [{"range": span, "text": "%0 = "}]}),
        ("textDocument/didChange", {**change, "contentChanges": [{"text": text}]}),
        ("mlir/convertToBytecode", document),
        ("mlir/convertFromBytecode", document),
        ("textDocument/didClose", {"textDocument": document}),
        ("shutdown", None),
        ("exit", None),
    ]  # fmt: skip
    return [
        {"jsonrpc": "2.0", "id": n, "method": name, "params": what} for n, (name, what) in enumerate(asked)
    ]


def places(value, found):
    """All (container, key) inside a message."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found.append((value, key))
            places(value[key], found)
    return found


def mutate_text(text, choose):
    """Bytes of a text, nested more deeply, cut, doubled or with other words of the same text."""
    what, at = choose.randrange(4), choose.randrange(len(text) + 1)
    if what == 0:
        return text[:at]
    if what == 1:
        return text[:at] + choose.choice('[({<"%!#@\0é') * choose.choice([1, 30, 3000]) + text[at:]
    words = re.findall(r"\S+", text) or [""]
    if what == 2:
        return text.replace(choose.choice(words), choose.choice(words), choose.choice([1, -1]))
    return text[: at // 2] + text[at:]


def mutated(messages, choose):
    messages = json.loads(json.dumps(messages))
    for _ in range(choose.choice([0, 1, 1, 2, 5, 20])):
        if not messages:
            break
        what, at = choose.randrange(5), choose.randrange(len(messages))
        if what == 0:
            messages.pop(at)
        elif what == 1:
            messages.insert(choose.randrange(len(messages)), json.loads(json.dumps(messages[at])))
        elif what == 2:
            messages.insert(choose.randrange(len(messages)), messages.pop(at))
        else:
            container, key = choose.choice(places(messages, []))
            old = container[key]
            if isinstance(old, str) and choose.random() < 0.6:
                container[key] = mutate_text(old, choose)
            elif isinstance(container, dict) and choose.random() < 0.3:
                del container[key]
            else:
                container[key] = copy.deepcopy(choose.choice(VALUES))
    return messages


def framed(messages, choose):
    sent = b""
    for message in messages:
        text = json.dumps(message).encode()
        length = len(text)
        if choose.random() < 0.01:
            text = bytes(choose.randrange(256) if choose.random() < 0.1 else byte for byte in text)
        if choose.random() < 0.01:
            length = choose.choice([0, -1, 1, length - 1, length + 1, 10**12, "x"])
        sent += b"Content-Length: %s\r\n\r\n%s" % (str(length).encode(), text)
    return sent[: choose.randrange(len(sent) + 1)] if choose.random() < 0.05 else sent


def check_answers(said: bytes, sent: bytes) -> int:
    at = count = 0
    while at < len(said):
        header = re.compile(rb"Content-Length: (\d+)\r\n\r\n").match(said, at)
        if not header:
            raise Failure(f"says what is no message: {said[at : at + 200]!r}", sent)
        at = header.end() + int(header.group(1))
        json.loads(said[header.end() : at])
        count += 1
    return count


def round(seed: int, left: float) -> str:
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        adapter = seed % 4 == 0  # the language server starts in a tenth of the time
        server = sanitized.folder() / "bin" / "trisect-lsp-server"
        command = [sys.executable, "-m", "trisect", "dap"] if adapter else [server]
        sent = framed(mutated(dap(folder) if adapter else lsp(choose), choose), choose)
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=sanitized.environment(python=adapter) | {"TRITON_CACHE_DIR": folder + "/cache"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        said, err = finish(process, sent, 60)
    if process.returncode < 0 or process.returncode > 127 and process.returncode != 130:
        raise Failure(f"{Path(str(command[-1])).name} ended with {process.returncode}: {err[-2000:]!r}", sent)
    return f"{check_answers(said, sent)} answers of {Path(str(command[-1])).name}"


if __name__ == "__main__":
    main("messages", round)
