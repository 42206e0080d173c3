"""Reads a trace of OTLP from standard input by OpenTelemetry's own classes, and writes its spans."""

import json
import sys

from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Status

written = json.load(sys.stdin)


def to_base64(value):
    """OTLP writes ids as hexadecimal text, other than proto3's mapping, which has base64."""
    import base64

    if isinstance(value, dict):
        ids = {"traceId", "spanId", "parentSpanId"}
        return {
            key: base64.b64encode(bytes.fromhex(each)).decode() if key in ids else to_base64(each)
            for key, each in value.items()
        }
    return [to_base64(each) for each in value] if isinstance(value, list) else value


request = Parse(json.dumps(to_base64(written)), ExportTraceServiceRequest())


def read_attributes(attributes):
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


(resource,) = request.resource_spans
(scope,) = resource.scope_spans
print(
    json.dumps(
        {
            "resource": read_attributes(resource.resource.attributes),
            "scope": scope.scope.name,
            "spans": [
                {
                    "name": span.name,
                    "trace": span.trace_id.hex(),
                    "id": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "state": span.trace_state,
                    "from": span.start_time_unix_nano / 1e6,
                    "until": span.end_time_unix_nano / 1e6,
                    "status": Status.StatusCode.Name(span.status.code),
                    "message": span.status.message,
                    "attributes": read_attributes(span.attributes),
                    "events": [[event.name, read_attributes(event.attributes)] for event in span.events],
                }
                for span in scope.spans
            ],
        }
    )
)
