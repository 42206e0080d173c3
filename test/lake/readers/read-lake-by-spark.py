"""
Reads tables with Spark: reads `[{path, columns}, …]` from its input, Delta and Iceberg tables, and prints for each the number of rows
and a digest of all cells. Needs pyspark and pyarrow, and in CATALOGUE_LAKE_JARS, with commas in between, the jars of delta-spark,
delta-storage and iceberg-spark-runtime.
"""

import json
import os
import sys

from digest import digest
from pyspark.sql import SparkSession

asked = json.load(sys.stdin)
isIceberg = {each["path"]: os.path.exists(f"{each['path']}/metadata") for each in asked}
# A catalog for each folder of Iceberg tables.
folders = sorted({os.path.dirname(path) for path, iceberg in isIceberg.items() if iceberg})
settings = {
    "spark.jars": os.environ["CATALOGUE_LAKE_JARS"],
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension,org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.ui.enabled": "false",
}
for at, folder in enumerate(folders):
    settings[f"spark.sql.catalog.lake{at}"] = "org.apache.iceberg.spark.SparkCatalog"
    settings[f"spark.sql.catalog.lake{at}.type"] = "hadoop"
    settings[f"spark.sql.catalog.lake{at}.warehouse"] = folder
builder = SparkSession.builder.master("local[1]")
for key, value in settings.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()


def read(path):
    folder, name = os.path.split(path)
    table = f"lake{folders.index(folder)}.{name}" if isIceberg[path] else f"delta.`{path}`"
    return spark.sql(f"SELECT * FROM {table}").toArrow()


print(json.dumps([{"spark": digest(read(each["path"]), each["columns"])} for each in asked]))
