"""
Reads tables of lakes at versions, `[{path, version}, …]` in its input, and prints the ids of their rows in order by reader, or null
where the reader fails. For a Delta table `vacuum` in place of a version names the files that deltalake's VACUUM would remove.
"""

import glob
import json
import os
import sys
from importlib.util import find_spec

import duckdb
import pyarrow
from deltalake import DeltaTable, QueryBuilder
from pyiceberg.table import StaticTable

connection = duckdb.connect()
for name in ["delta", "avro", "iceberg"]:
    [folder] = find_spec(f"duckdb_extension_{name}").submodule_search_locations
    [extension] = glob.glob(f"{folder}/extensions/*/*.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")


def attempt(read):
    try:
        return sorted(read().column("id").to_pylist())
    except Exception:
        return None


def query(table):
    found = QueryBuilder().register("t", table).execute("SELECT id FROM t").read_all()
    return pyarrow.table(found)


def read(path, version):
    if version == "vacuum":
        return sorted(DeltaTable(path).vacuum(retention_hours=168, dry_run=True, full=True))
    if not os.path.exists(f"{path}/_delta_log"):
        metadata = f"{path}/metadata/v{version}.metadata.json"
        return {
            "pyiceberg": attempt(lambda: StaticTable.from_metadata(metadata).scan().to_arrow()),
            "duckdb": attempt(lambda: connection.execute("SELECT id FROM iceberg_scan(?)", [metadata]).to_arrow_table()),
        }
    scan = f"SELECT id FROM delta_scan('{path}', version => {version})"
    return {
        "deltalake": attempt(lambda: query(DeltaTable(path, version=version))),
        "duckdb": attempt(lambda: connection.execute(scan).to_arrow_table()),
    }


print(json.dumps([read(each["path"], each["version"]) for each in json.load(sys.stdin)]))
