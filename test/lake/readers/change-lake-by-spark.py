"""
Changes a table of a lake as its arguments say, by Spark, and prints its rows as lines of JSON before: `change-lake-by-spark.py delta
delete lake/products`, or `iceberg delete 'https://catalog.example.com, catalogue.products'`. Needs pyspark, and in CATALOGUE_LAKE_JARS, with commas in between, the jars of delta-spark, delta-storage and
iceberg-spark-runtime.
"""

import os
import sys

from pyspark.sql import SparkSession

format, how, path = sys.argv[1:]
is_in_catalog = path.startswith("http")
lake, name = path.split(", ") if is_in_catalog else os.path.split(path)
place = {"type": "rest", "uri": lake} if is_in_catalog else {"type": "hadoop", "warehouse": lake}
settings = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
    "iceberg": {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        **{f"spark.sql.catalog.lake.{key}": value for key, value in place.items()},
    },
}
builder = SparkSession.builder.master("local[1]").config("spark.jars", os.environ["CATALOGUE_LAKE_JARS"])
for key, value in settings[format].items():
    builder = builder.config(key, value)
spark = builder.config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false").getOrCreate()
table = f"delta.`{path}`" if format == "delta" else f"lake.{name}"
print("\n".join(spark.sql(f"SELECT * FROM {table}").toJSON().collect()))
if how == "delete":
    spark.sql(f"DELETE FROM {table} WHERE id = 'A'")
elif how == "optimize" and format == "delta":
    spark.sql(f"OPTIMIZE {table} ZORDER BY (id)")
elif how == "optimize":
    spark.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))")
    spark.sql(f"CALL lake.system.expire_snapshots(table => '{name}', older_than => TIMESTAMP '2100-01-01', retain_last => 1)")
elif how == "append":
    spark.sql(f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1")
elif how == "update":
    spark.sql(f"UPDATE {table} SET name = 'forged'")
