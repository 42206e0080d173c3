"""Serves moto's S3, one request at a time, as it does not decide conditions of concurrent ones. Prints its port."""

import sys

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

app = DomainDispatcherApplication(create_backend_app)
server = make_server("127.0.0.1", 0, app, threaded=False)
print(server.server_port, flush=True)
sys.stderr = open("/dev/null", "w")
server.serve_forever()
