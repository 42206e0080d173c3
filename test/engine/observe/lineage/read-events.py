"""Reads OpenLineage events, one a line, by the Python client, and writes them again as the client does.

Each facet is read into the client's class of its `_schemaURL`; a member that the class lacks is an error."""

import importlib
import json
import pkgutil
import sys

import attr
import cattrs
from openlineage.client import event_v2, generated
from openlineage.client.serde import Serde

converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)

facets = {}
for module in pkgutil.iter_modules(generated.__path__):
    for value in vars(importlib.import_module(f"{generated.__name__}.{module.name}")).values():
        if isinstance(value, type) and attr.has(value) and hasattr(value, "_get_schema"):
            facets[value._get_schema()] = value


def read_facets(written):
    return {name: read_facet(facet) for name, facet in written.items()}


def read_facet(facet):
    cls = facets[facet["_schemaURL"]]
    content = {key: value for key, value in facet.items() if not key.startswith("_")}
    read = converter.structure(content, attr.resolve_types(cls))
    read._producer = facet["_producer"]
    return read


def read_dataset(cls, key, written):
    own = {key: read_facets(written[key])} if key in written else {}
    return cls(written["namespace"], written["name"], facets=read_facets(written["facets"]), **own)


def read_event(event):
    run, job = event["run"], event["job"]
    read = event_v2.RunEvent(
        eventTime=event["eventTime"],
        producer=event["producer"],
        eventType=event_v2.RunState(event["eventType"]),
        run=event_v2.Run(run["runId"], read_facets(run["facets"])),
        job=event_v2.Job(job["namespace"], job["name"], read_facets(job["facets"])),
        inputs=[read_dataset(event_v2.InputDataset, "inputFacets", each) for each in event["inputs"]],
        outputs=[read_dataset(event_v2.OutputDataset, "outputFacets", each) for each in event["outputs"]],
    )
    return json.loads(Serde.to_json(read))


def without_empty(value):
    """What the client adds: lists and objects with nothing in them."""
    if isinstance(value, dict):
        cleaned = {key: without_empty(each) for key, each in value.items()}
        return {key: each for key, each in cleaned.items() if each not in ({}, [], None)}
    return [without_empty(each) for each in value] if isinstance(value, list) else value


for line in sys.stdin:
    event = json.loads(line)
    written = without_empty(read_event(event))
    differs = [key for key in event if without_empty(event)[key] != written.get(key)]
    print(json.dumps({"type": written["eventType"], "differs": differs}))
