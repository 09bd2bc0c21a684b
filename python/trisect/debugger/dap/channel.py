"""Messages of the Debug Adapter Protocol: JSON behind a Content-Length header.

Limits: one reader; any thread may send.
"""

from __future__ import annotations

import json
import threading


class Channel:
    """A pair of binary streams."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self._lock = threading.Lock()
        self._sent = 0

    def receive(self) -> dict | None:
        """The next message, None at the end of the stream."""
        length = None
        while True:
            line = self._reader.readline()
            if not line:
                return None
            name, _, value = line.decode("ascii", "replace").strip().partition(":")
            if not name:
                break
            if name.lower() == "content-length":
                length = int(value)
        if length is None:
            raise ValueError("a message of the Debug Adapter Protocol begins with its Content-Length")
        return json.loads(self._reader.read(length))

    def send(self, message: dict) -> None:
        with self._lock:
            self._sent += 1
            text = json.dumps({"seq": self._sent, **message}).encode()
            self._writer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
            self._writer.flush()

    def event(self, name: str, **body) -> None:
        self.send({"type": "event", "event": name, "body": body})

    def respond(self, request: dict, body: dict | None = None) -> None:
        self.send(
            {
                "type": "response",
                "request_seq": request["seq"],
                "command": request["command"],
                "success": True,
                "body": body or {},
            }
        )

    def refuse(self, request: dict, text: str) -> None:
        self.send(
            {
                "type": "response",
                "request_seq": request["seq"],
                "command": request["command"],
                "success": False,
                "message": text,
                "body": {"error": {"id": 1, "format": text, "showUser": True}},
            }
        )
