"""A small service of its own, which knows nothing of this tool: python3 other-service.py prints its port.

The first part of a path names in what it differs from the specification, such as /one-based/v4/products/query; plain is in nothing.
Every text that it sends holds MARKER, which must never be printed.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

COUNT = 12000
NEWEST = 1700000000


def product(i, differs, v3):
    time = NEWEST - i
    price = 100 + i
    scale = 1000 if "milliseconds" in differs else 1
    formats = {"large": "https://MARKER.example.com/a.jpg"}
    record = {
        "id": i if v3 and "v3-integer-ids" in differs else "M%08dX" % i,
        "status": ["active", "inactive", "replaced"][i % 3],
        "name": {"nl": "MARKER"},
        "vat": 2100 if "vat-2100" in differs else 6.0,
        "cnk": "%07d" % (i + 10000000) if "long-codes" in differs else i,
        "publicPrice": price / 100 if "euros" in differs and not v3 else price,
        "photos": [{"id": i, "type" if v3 else "photoType": "packshot", "formats": ["https://MARKER.example.com/a.jpg"] if "format-lists" in differs else formats}],
        "meta": {"createdAt": time * scale, "updatedAt": time * scale, "embedUrl": "https://MARKER.example.com"},
    }
    if not v3:
        record["eanGtin13"] = 5400000000000 + i
        record["officialDeletionAt"] = 1330473600 if "utc-midnight" in differs else 1330556400
    if "other-fields" in differs:
        record["artgId"] = "MARKER"
        record["MARKER@example.com"] = 1
    if "other-values" in differs:
        record["status"] = "MARKER"
    return record


def simple(i, name, differs):
    meta = {"createdAt": NEWEST - i, "updatedAt": NEWEST - i}
    if name.startswith("v4/users"):
        email = {} if "no-emails" in differs else {"email": "MARKER%d@example.com" % i}
        return {"id": i, "name": "MARKER", "meta": meta, **email}
    code = any(each in name for each in ("colors", "dietary", "catalog-", "bcfi-", "apb-"))
    record = {"id": "MARKER%05d" % i if code else i}
    if "corrections" in name:
        return {**record, "text": "MARKER", "meta": meta}
    if "updates" in name or "news" in name:
        return {**record, "title": {"nl": "MARKER"}, "meta": meta}
    return {**record, "name": ["MARKER"] if "name-lists" in differs else {"nl": "MARKER"}}


def meets(i, differs, filter):
    record = product(i, set(), False)
    for key, value in filter.items():
        if key == "and":
            results = [meets(i, differs, part) for part in value]
            ok = any(results) if "and-is-or" in differs else all(results)
        elif key == "id":
            ok = record["id"] in value or i in value
        elif key == "status":
            ok = record["status"] in value
        elif key == "createdAt":
            ok = record["meta"]["createdAt"] >= value["from"]
        elif key == "eanGtin13":
            ok = "codes-as-numbers" not in differs and str(record["eanGtin13"]) in value
        else:
            ok = False
        if not ok:
            return False
    return not ("empty-is-active" in differs and not filter and record["status"] != "active")


def to_indexes(differs, filter):
    if not filter and "empty-is-active" not in differs:
        return range(COUNT)
    return [i for i in range(COUNT) if meets(i, differs, filter)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else a body waits 40 ms for its head to be acknowledged.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(None)

    def do_POST(self):
        self.answer(json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or "{}"))

    def answer(self, body):
        url = urlparse(self.path)
        _, mode, name = url.path.split("/", 2)
        differs = {mode}
        if self.headers.get("authorization") is None:
            return self.refuse(401)
        if "no-products" in differs and "/products/" in name:
            return self.refuse(403)
        if body is None:
            return self.answer_get(name, differs, parse_qs(url.query))
        if name == "v3/news-items/search" and "news-get" in differs:
            return self.send(405, None)
        if name in ("v4/products/stream", "v3/products/export"):
            return self.stream(to_indexes(differs, body.get("filter") or {}), differs, name.startswith("v3"))
        if name == "v4/media/stream" and "media-elsewhere" not in differs:
            ids = (body.get("filter") or {}).get("id")
            return self.stream(ids or range(1, 26), differs, False, True)
        page = body.get("page")
        is_reference = name.split("/")[1] not in ("products", "media", "updates", "corrections", "active-ingredients", "news-items")
        if "sorting-required" in differs and is_reference and "sorting" not in body:
            return self.refuse(422)
        if "media-elsewhere" in differs and name.startswith("v4/media"):
            return self.refuse(422)
        if "v3-page-required" in differs and name == "v3/products/search" and page is None:
            return self.refuse(400)
        if name in ("v4/products/query", "v3/products/search"):
            indexes = to_indexes(differs, body.get("filter") or {})
            make = lambda i: product(i, differs, name.startswith("v3"))
            cap = COUNT if "uncapped" in differs else 10000
        else:
            indexes = range(25, 0, -1) if "descending" in differs else range(1, 26)
            make = lambda i: simple(i, name, differs)
            cap = COUNT
            if "pages-needed" in differs and page is None:
                page = {"no": 0, "size": 10}
        total = min(cap, len(indexes))
        size = page["size"] if page else total
        if "small-pages" in differs and page:
            size = min(size, 5)
        no = page.get("no", 0) if page else 0
        if "one-based" in differs:
            no = max(no, 1) - 1
        if "repeated-ids" in differs and is_reference:
            indexes = [1] * 25
        results = [make(i) for i in list(indexes[no * size : (no + 1) * size])]
        if "bare" in differs:
            return self.send(200, results)
        meta = {} if "no-total" in differs else {"total": total}
        if page:
            meta["page"] = {"no": no, "offset": no * size, "size": size}
        self.send(200, {"meta": meta, ("items" if "other-name" in differs else "results"): results})

    def answer_get(self, name, differs, query):
        if name.endswith(("/find", "/get")):
            if "find-by-code" in differs and "code" not in query:
                return self.refuse(400)
            key = query.get("id", [""])[0]
            if "products" in name:
                found = [i for i in range(20) if str(product(i, differs, name.startswith("v3"))["id"]) == key]
                records = [product(i, differs, name.startswith("v3")) for i in found]
            else:
                records = [simple(i, name, differs) for i in range(1, 26) if str(i) == key]
            if not records:
                if "empty-finds" in differs:
                    return self.send(204, None)
                if "plain-errors" in differs:
                    return self.send(404, {"MARKER": "MARKER"})
                return self.refuse(404)
            if "two-keys" in differs:
                return self.send(200, {"a": records[0], "b": records[0]})
            return self.send(200, records[0])
        records = [simple(i, name, differs) for i in range(1, 6)]
        if "lists-by-locale" in differs and "locale" not in query:
            return self.refuse(400)
        if "cut-lists" in differs:
            return self.send(200, {"meta": {"total": 9}, "results": records})
        if "no-lists" in differs:
            return self.send(200, {"a": {"MARKER": 1}})
        self.send(200, records)

    def stream(self, indexes, differs, v3, media=False):
        if len(indexes) == 0:
            return self.send(200 if "empty-200" in differs else 204, None)
        total = min(len(indexes), 10000) if "capped-stream" in differs else len(indexes)
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson")
        self.send_header("connection", "close")
        self.end_headers()
        if "stream-ignores-ids" in differs and not media and len(indexes) < 10:
            indexes = range(50, 60)
            total = 10
        try:
            for at, i in enumerate(list(indexes)[:500]):
                record = {"id": i, "name": {"nl": "MARKER"}} if media else product(i, differs, v3)
                line = record if "bare-lines" in differs else {"meta": {"total": total, "index": at}, "result": record}
                self.wfile.write(json.dumps(line).encode() + b"\n")
        except OSError:
            pass
        self.close_connection = True

    def refuse(self, status):
        self.send(status, {"error": {"status": status, "code": "MARKER", "message": "MARKER"}})

    def send(self, status, document):
        data = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        if document is not None:
            self.send_header("content-type", "application/json")
        if status != 204:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
