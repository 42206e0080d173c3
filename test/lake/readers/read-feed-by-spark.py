"""
Reads the change feed of a Delta table by Spark, from a version on: prints lines of JSON as read-feed.py does. Needs pyspark, and in
CATALOGUE_LAKE_JARS, with commas in between, the jars of delta-spark and delta-storage.
"""

import datetime
import json
import os
import sys

from pyspark.sql import SparkSession

path, since = sys.argv[1:]
settings = {
    "spark.jars": os.environ["CATALOGUE_LAKE_JARS"],
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",
}
builder = SparkSession.builder.master("local[1]")
for key, value in settings.items():
    builder = builder.config(key, value)
feed = builder.getOrCreate().read.format("delta").option("readChangeFeed", True).option("startingVersion", since).load(path)


def plain(value):
    return round(value.timestamp() * 1000) if isinstance(value, datetime.datetime) else value


for row in feed.collect():
    cells = row.asDict()
    version, change, _ = (cells.pop(name) for name in ["_commit_version", "_change_type", "_commit_timestamp"])
    print(json.dumps([version, change, [plain(value) for value in cells.values()]]))
