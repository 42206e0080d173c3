"""
Changes a Delta table as the first argument says, by Spark, and prints its rows as lines of JSON before. Needs pyspark, and the jars of
delta-spark and delta-storage in CATALOGUE_LAKE_JARS, with commas in between.
"""

import os
import sys

from pyspark.sql import SparkSession

how, path = sys.argv[1:]
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.jars", os.environ["CATALOGUE_LAKE_JARS"])
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
table = f"delta.`{path}`"
print("\n".join(spark.sql(f"SELECT * FROM {table}").toJSON().collect()))
if how == "delete":
    spark.sql(f"DELETE FROM {table} WHERE id = 'A'")
elif how == "optimize":
    spark.sql(f"OPTIMIZE {table} ZORDER BY (id)")
elif how == "append":
    spark.sql(f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1")
elif how == "update":
    spark.sql(f"UPDATE {table} SET name = 'forged'")
