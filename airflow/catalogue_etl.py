"""Runs pipelines of catalogue-etl as tasks of Apache Airflow 3, or 2.11.

    CatalogueEtlOperator(task_id="products", config="pipelines/products.yaml", outlets=[Asset("products")])

Put this file into the plugins folder of Airflow. The command catalogue-etl has to be on every worker. docs/scheduling.md says more.
"""

from __future__ import annotations

import json
import logging
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

try:
    from airflow.sdk import Asset, BaseOperator
except ImportError:  # Airflow 2
    from airflow.datasets import Dataset as Asset
    from airflow.models.baseoperator import BaseOperator
try:
    from airflow.sdk.exceptions import AirflowException, AirflowFailException
except ImportError:  # Airflow before 3.2
    from airflow.exceptions import AirflowException, AirflowFailException

# Exit codes that no repetition mends: a defect, usage or config, the data. Other runs, the source and outputs may be better later.
PERMANENT = {1, 2, 3}

LEVELS = {"warn": logging.WARNING, "error": logging.ERROR, "fatal": logging.ERROR}

# Seconds that the command has to end after SIGTERM; then it is killed.
GRACE = 30


class CatalogueEtlOperator(BaseOperator):
    """Runs the command for one config, and logs what it says.

    Fails at once if no repetition helps, else as Airflow's `retries` say. Returns what was published, as an XCom, and
    attaches it to the events of `outlets`: an asset that is named like a table, or `pipeline.table`, gets the numbers of this table.

    :param config: the config of the pipeline, or the plan of `shards commit` (templated)
    :param command: the command that is run: `run`, or another that knows `--json`
    :param args: more arguments, such as `["--wait", "30m"]` (templated)
    :param env: variables beside those of the worker, such as secrets (templated; stored and logged nowhere)
    :param cwd: the folder that relative paths start from (templated); default: that of the worker
    :param executable: the program; default: the variable CATALOGUE_ETL, else catalogue-etl
    """

    template_fields = ("config", "args", "cwd")
    template_fields_renderers = {"args": "json"}
    ui_color = "#d9efe6"

    def __init__(self, *, config, command="run", args=(), env=None, cwd=None, executable=None, **kwargs):
        super().__init__(**kwargs)
        self.config = config
        self.command = command
        self.args = args
        # No template field, as Airflow stores and shows those.
        self.env = env
        self.cwd = cwd
        self.executable = executable
        self.child = None

    def execute(self, context):
        variables = self.render_template(self.env or {}, context)
        with tempfile.TemporaryFile() as output:
            self.child = self.start(output, {**os.environ, **variables})
            try:
                self.follow()
            except BaseException:  # Such as the timeout of the task.
                self.on_kill()
                self.follow()
                raise
            document = read_document(output)
        exit_code = self.child.returncode
        if exit_code != 0:
            failure = AirflowFailException if exit_code in PERMANENT else AirflowException
            raise failure(f"catalogue-etl ended with {exit_code}: {describe_failure(document)}")
        return self.publish(document, context)

    def start(self, output, variables):
        program = shlex.split(self.executable or variables.get("CATALOGUE_ETL") or "catalogue-etl")
        call = [*program, *shlex.split(self.command), self.config, *map(str, self.args), "--json"]
        self.log.info("runs %s", shlex.join(call))
        try:
            return subprocess.Popen(
                call,
                cwd=self.cwd,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                start_new_session=True,
                preexec_fn=to_end_with_parent(),
            )
        except OSError as error:
            expected = f'expected the command "{program[0]}" in PATH, in CATALOGUE_ETL or as executable'
            raise AirflowFailException(f"{expected}, got: {error}") from error

    def follow(self):
        """Passes the log of the command on until it has ended."""
        for line in self.child.stderr:
            level, message = read_event(line.decode(errors="replace").rstrip())
            self.log.log(level, "%s", message)
        self.child.wait()

    def publish(self, document, context):
        [report] = [run["report"] for run in document.get("runs", [document]) if "report" in run] or [None]
        if report is None:
            return document
        for rule in list_broken(report):
            place = ".".join(rule[key] for key in ("table", "column") if key in rule)
            self.log.warning("rule broken: %s: expected %s, got %s", place, rule["expected"], rule["found"])
        names = {name: table["name"] for table in report["tables"] for name in to_asset_names(report, table)}
        for asset in self.outlets:
            if isinstance(asset, Asset):
                table = names.get(getattr(asset, "name", asset.uri))
                context["outlet_events"][asset].extra = summarize(report, table)
        return summarize(report)

    def on_kill(self):
        """Has the command end, which then publishes nothing. Airflow calls it in the middle of `execute`, or after it."""
        if self.child is None or self.child.poll() is not None:
            return
        os.killpg(self.child.pid, signal.SIGTERM)
        timer = threading.Timer(GRACE, end_by_force, [self.child])
        timer.daemon = True
        timer.start()


def end_by_force(child):
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)


def to_end_with_parent():
    """Has Linux end the command if the task is killed; loads nothing after the fork."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl, set_death_signal = ctypes.CDLL(None).prctl, 1
    return lambda: prctl(set_death_signal, signal.SIGTERM)


def read_event(line):
    """Level and message of a line of the log, which is JSON but for what Node or a wrapper says."""
    try:
        event = json.loads(line)
        advice = f" Try: {event['fix']}" if event.get("fix") else ""
        return LEVELS.get(event["level"], logging.INFO), event["msg"] + advice
    except (ValueError, TypeError, KeyError, AttributeError):
        return logging.INFO, line


def read_document(output):
    output.seek(0)
    try:
        return json.load(output)
    except ValueError:
        return {}


def describe_failure(document):
    errors = [found["error"] for found in [document, *document.get("runs", [])] if "error" in found]
    return "; ".join(f"{error['code']} {error['message']}" for error in errors) or "see the log above"


def to_asset_names(report, table):
    return table["name"], f"{report['pipeline']}.{table['name']}"


def summarize(report, table=None):
    """What was published, without values of records: all of it, or one table."""
    tables = {each["name"]: each["rows"] for each in report["tables"] if table in (None, each["name"])}
    files = {file["path"]: file for file in report["files"] if file["table"] in tables}
    state = report.get("state")
    return {
        "pipeline": report["pipeline"],
        "runId": report["runId"],
        **({"tables": tables} if table is None else {"table": table}),
        "rows": sum(tables.values()),
        "bytes": sum(file["bytes"] for file in files.values()),
        "completeness": report["completeness"]["status"],
        "ledger": report["ledger"],
        **({"kind": state["kind"], "changes": state["changes"]} if state else {}),
        **({"databases": list_changes(report)} if "databases" in report else {}),
        "brokenRules": [rule for rule in list_broken(report) if rule["table"] in tables],
        "rejects": report["rejects"]["count"],
        "manifest": report["manifest"],
    }


def list_changes(report):
    return [{key: database[key] for key in ("target", "changes")} for database in report["databases"]]


def list_broken(report):
    kept = ("table", "column", "rule", "severity", "expected", "found", "count")
    broken = (rule for rule in report.get("rules", []) if rule["result"] == "broken")
    return [{key: rule[key] for key in kept if key in rule} for rule in broken]
