"""Messages of the Debug Adapter Protocol: JSON behind a Content-Length header.

Limits: one reader; any thread may send. What is no request is answered with an error, and the next message is
looked for behind it.
"""

from __future__ import annotations

import contextlib
import json
import threading

#: Bytes of a message beyond which its length is taken for a mistake.
_LARGEST = 1 << 26


class Channel:
    """A pair of binary streams."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self._lock = threading.Lock()
        self._sent = 0

    def receive(self) -> dict | None:
        """The next request, None at the end of the stream."""
        while True:
            try:
                text = self._read()
                if text is None:
                    return None
                message = json.loads(text)
            except OSError:  # the connection was reset
                return None
            except (ValueError, RecursionError) as error:
                self.refuse({}, f"not a message of the Debug Adapter Protocol: {error}")
                continue
            problem = _problem(message)
            if problem is None:
                return message
            self.refuse(message if isinstance(message, dict) else {}, problem)

    def _read(self) -> bytes | None:
        """The text of the next message, None at the end of the stream."""
        length = None
        while True:
            line = self._reader.readline(1 << 16)
            if not line:
                return None
            name, _, value = line.decode("ascii", "replace").strip().partition(":")
            if name.lower() == "content-length" and value.strip().isdecimal():
                length = int(value.strip()[:20])
            elif not name and length is not None:
                break
        if length > _LARGEST:
            raise ValueError(f"its Content-Length is {length}, and more than {_LARGEST} bytes are not taken")
        text = self._reader.read(length)
        return text if len(text) == length else None

    def send(self, message: dict) -> None:
        # An editor that is gone is noticed where requests are read.
        with self._lock, contextlib.suppress(OSError):
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
                "request_seq": _plain(request.get("seq"), int, 0),
                "command": _plain(request.get("command"), str, ""),
                "success": False,
                "message": text,
                "body": {"error": {"id": 1, "format": text, "showUser": True}},
            }
        )


def _plain(value, kind, otherwise):
    return value if type(value) is kind else otherwise


def _problem(message) -> str | None:
    """Why a message is no request."""
    if not isinstance(message, dict) or message.get("type") != "request":
        return "a message to a debug adapter is an object whose `type` is `request`"
    if type(message.get("seq")) is not int or not isinstance(message.get("command"), str):
        return "a request has a number `seq` and a `command`"
    if not isinstance(message.get("arguments") or {}, dict):
        return "the `arguments` of a request are an object"
    return None
