"""
Runs statements in the engine that the first argument names: `clickhouse` (chdb), `snowflake` (fakesnow) or `spark` (with the jars of
CATALOGUE_LAKE_JARS, for Delta); those for `bigquery` and `redshift` are only parsed (sqlglot). Reads a line of JSON for each request, and answers with a line of JSON. `{"run": [statement, …]}` runs
them until one fails, or `{"run": …, "keepsGoing": true}` all of them, and answers `{"failure": message or null}`; `{"rows": query}`
answers `{"rows": [[text or null, …], …]}`.
"""

import json
import os
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
answers = os.fdopen(os.dup(1), "w")
# What engines print is no answer.
os.dup2(2, 1)
# What ends if it is forgotten.
opened = []


def open_clickhouse():
    from chdb.session import Session

    session = Session(tempfile.mkdtemp())
    session.query("CREATE DATABASE warehouse ENGINE = Atomic")
    session.query("USE warehouse")

    def read(query):
        lines = str(session.query(query, "JSONCompactStringsEachRow")).splitlines()
        return [[None if cell == "ᴺᵁᴸᴸ" else cell for cell in json.loads(line)] for line in lines]

    return session.query, read


def open_snowflake():
    import fakesnow
    import snowflake.connector

    patch = fakesnow.patch()
    patch.__enter__()
    opened.append(patch)
    cursor = snowflake.connector.connect(database="warehouse", schema="public").cursor()
    cursor.execute("CREATE STAGE CATALOGUE URL='file:///'")

    def run(statement):
        # MERGE of fakesnow writes down tables in another database of DuckDB, which one transaction can't do.
        if statement.strip() not in ["BEGIN", "COMMIT"]:
            cursor.execute(statement)

    return run, lambda query: cursor.execute(query).fetchall()


def open_spark():
    from pyspark.sql import SparkSession

    settings = {
        "spark.jars": os.environ.get("CATALOGUE_LAKE_JARS", ""),
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        # By default the log of a table of few rows is read in 50 tasks.
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    }
    builder = SparkSession.builder.master("local[1]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    # Whatever a statement selects is computed.
    return lambda statement: spark.sql(statement).collect(), lambda query: [list(row) for row in spark.sql(query).collect()]


def open_parser(dialect):
    import sqlglot

    def parse(statement):
        parsed = sqlglot.parse_one(statement, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        if isinstance(parsed, sqlglot.exp.Command):
            raise ValueError(f"no statement that the parser knows: {statement}")

    return parse, None


engines = {
    "clickhouse": open_clickhouse,
    "snowflake": open_snowflake,
    "spark": open_spark,
    "bigquery": lambda: open_parser("bigquery"),
    "redshift": lambda: open_parser("redshift"),
}
run, read = engines[sys.argv[1]]()


def run_all(statements, keeps_going):
    failure = None
    for statement in statements:
        try:
            run(statement)
        except Exception as error:
            failure = failure or f"{str(error) or type(error).__name__} in {statement[:200]}"
            if not keeps_going:
                break
    return failure


for line in sys.stdin:
    asked = json.loads(line)
    if "rows" in asked:
        answer = {"rows": [[None if cell is None else str(cell) for cell in row] for row in read(asked["rows"])]}
    else:
        answer = {"failure": run_all(asked["run"], asked.get("keepsGoing", False))}
    print(json.dumps(answer), file=answers, flush=True)
# Threads of engines do not end by themselves.
os._exit(0)
