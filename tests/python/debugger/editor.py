"""An editor's half of the Debug Adapter Protocol.

What: `Editor` starts `python -m trisect dap`, sends requests and waits for responses and events.
Limits: what does not come within half a minute is a failure.
"""

import json
import queue
import socket
import subprocess
import sys
import threading

from terminal import HERE, environment

_PATIENCE = 300.0


class Refused(Exception):
    """The adapter answered that it cannot."""


class Editor:
    """A client of one adapter."""

    def __init__(self, folder, port=False):
        command = [sys.executable, "-m", "trisect", "dap", *(["--port", "0"] if port else [])]
        self.process = subprocess.Popen(
            command,
            cwd=HERE,
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._reader, self._writer = self.process.stdout, self.process.stdin
        if port:
            place = self.process.stderr.readline().decode().rsplit(":", 1)
            connection = socket.create_connection(("127.0.0.1", int(place[1])), timeout=_PATIENCE)
            self._reader = self._writer = connection.makefile("rwb")
        self._sent = 0
        self._incoming = queue.Queue()
        self.events, self.output = [], ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while header := self._reader.readline():
            length = int(header.split(b":")[1])
            self._reader.readline()
            self._incoming.put(json.loads(self._reader.read(length)))
        self._incoming.put(None)

    def _next(self):
        message = self._incoming.get(timeout=_PATIENCE)
        if message is None:
            raise EOFError(f"the adapter ended; it said: {self.process.stderr.read().decode()}")
        if message["type"] == "event":
            if message["event"] == "output":
                self.output += message["body"]["output"]
            else:
                self.events.append(message)
        return message

    def send(self, command, **arguments):
        """Sends a request without waiting; its number."""
        self._sent += 1
        request = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        text = json.dumps(request).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self._writer.flush()
        return self._sent

    def request(self, command, **arguments):
        """The body of the response."""
        number = self.send(command, **arguments)
        while True:
            message = self._next()
            if message["type"] == "response" and message["request_seq"] == number:
                if not message["success"]:
                    raise Refused(message["message"])
                return message["body"]

    def event(self, name):
        """The body of the next event of a name."""
        while True:
            for position, message in enumerate(self.events):
                if message["event"] == name:
                    del self.events[position]
                    return message.get("body", {})
            self._next()

    # What most conversations do.

    def start(self, script, *, lines=(), functions=(), filters=("fault", "call"), **launch):
        """From the first request to the running program; the answer to setBreakpoints."""
        self.request("initialize", adapterID="trisect")
        self.event("initialized")
        self.path = str(HERE / "scripts" / script)
        self.request("launch", program=self.path, **launch)
        answer = self.set_lines(*lines)
        if functions:
            self.request("setFunctionBreakpoints", breakpoints=list(functions))
        self.request("setExceptionBreakpoints", filters=list(filters))
        self.request("configurationDone")
        return answer

    def set_lines(self, *lines):
        asked = [line if isinstance(line, dict) else {"line": line} for line in lines]
        return self.request("setBreakpoints", source={"path": self.path}, breakpoints=asked)["breakpoints"]

    def go(self, command):
        """Moves on; the stop that this ends in."""
        self.request(command, threadId=self.thread)
        return self.stop()

    def stop(self):
        body = self.event("stopped")
        self.thread = body["threadId"]
        return body

    def frames(self):
        return self.request("stackTrace", threadId=self.thread)["stackFrames"]

    def line(self):
        return self.frames()[0]["line"]

    def scopes(self, frame=1):
        scopes = self.request("scopes", frameId=frame)["scopes"]
        return {scope["name"]: scope["variablesReference"] for scope in scopes}

    def variables(self, reference, **paging):
        found = self.request("variables", variablesReference=reference, **paging)["variables"]
        return {each["name"]: each for each in found}

    def locals(self, frame=1):
        return self.variables(self.scopes(frame)["Variables"])

    def evaluate(self, expression, context="watch", frame=1):
        return self.request("evaluate", expression=expression, context=context, frameId=frame)["result"]

    def finish(self):
        """Lets the program end; its exit status."""
        self.request("continue", threadId=self.thread)
        return self.ended()

    def ended(self):
        status = self.event("exited")["exitCode"]
        self.event("terminated")
        self.process.wait(timeout=_PATIENCE)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
