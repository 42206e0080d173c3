"""A service that shares no code with this tool, records every request and has no record to give: python3 recording-service.py

Prints its port, then each request on a line of JSON: method, target as it came, headers in their order, body as base64.
"""
import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.record()

    def do_POST(self):
        self.record()

    def record(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        request = {
            "method": self.command,
            "target": self.path,
            "headers": [[name.lower(), value] for name, value in self.headers.items()],
            "body": base64.b64encode(body).decode(),
        }
        sys.stdout.write(json.dumps(request) + "\n")
        sys.stdout.flush()
        path = urlsplit(self.path).path
        if path.endswith(("/stream", "/export")):
            return self.send(204, b"")
        if path.endswith(("/find", "/get")):
            return self.send(404, b"")
        self.send(200, b'{"meta": {"total": 0}, "results": []}')

    def send(self, status, body):
        self.send_response(status)
        if body:
            self.send_header("content-type", "application/json")
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
