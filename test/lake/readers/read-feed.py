"""
Reads the change feed of a Delta table by deltalake, from a version on: prints lines of JSON with the version, the type of the change
and the cells of the row, with times as milliseconds.
"""

import datetime
import json
import sys

import pyarrow
from deltalake import DeltaTable


def plain(value):
    if isinstance(value, datetime.datetime):
        return round(value.timestamp() * 1000)
    return value.isoformat() if isinstance(value, datetime.date) else value


path, since = sys.argv[1:]
table = DeltaTable(path)
columns = [field.name for field in table.schema().fields]
for row in pyarrow.table(table.load_cdf(starting_version=int(since))).to_pylist():
    cells = [plain(row[name]) for name in columns]
    print(json.dumps([row["_commit_version"], row["_change_type"], cells]))
