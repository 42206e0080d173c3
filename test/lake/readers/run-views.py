"""
Runs the statements of an input `{statements, views}` in the engine that the first argument names, `duckdb` or `spark`, and prints the
rows of the views as lists of text, by view; `views` has their columns. Needs what read-lake.py and change-lake-by-spark.py need.
"""

import glob
import json
import os
import sys
import tempfile
from importlib.util import find_spec


def open_duckdb():
    import duckdb

    connection = duckdb.connect()
    for name in ["delta", "avro", "iceberg"]:
        [folder] = find_spec(f"duckdb_extension_{name}").submodule_search_locations
        [extension] = glob.glob(f"{folder}/extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD '{extension}'")
    return lambda sql: connection.execute(sql).fetchall()


def open_spark():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.jars", os.environ["CATALOGUE_LAKE_JARS"])
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    return lambda sql: spark.sql(sql).collect()


query = {"duckdb": open_duckdb, "spark": open_spark}[sys.argv[1]]()
asked = json.load(sys.stdin)
for statement in asked["statements"].split(";\n"):
    if statement.strip():
        query(statement)
rows = {
    view: sorted([str(cell) for cell in row] for row in query(f"SELECT {columns} FROM {view}"))
    for view, columns in asked["views"].items()
}
print(json.dumps(rows))
