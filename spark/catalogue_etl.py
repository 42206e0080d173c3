#!/usr/bin/env python3
"""Runs a pipeline of catalogue-etl in shards on Apache Spark: plan, one task a shard, commit.

    spark-submit --master spark://HOST:7077 catalogue_etl.py CONFIG --to PLAN
    python3 catalogue_etl.py CONFIG --to PLAN --remote sc://HOST:15002

PLAN is a folder or an s3:// prefix that all machines see. The command catalogue-etl has to be on this machine and on
those of the executors, in one version. Python needs pyspark here, and pandas and pyarrow on all. docs/scale-out.md says more.
"""

import argparse
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# Exit codes of `shards run`: no repetition mends these; all others but 0 may be better elsewhere or later.
PERMANENT = {2}
# Exit codes of this script where no command gives one.
USAGE, ENGINE_FAILED, INTERRUPTED = 2, 5, 130

# As Python says it, and as pyspark does.
MISSING_PACKAGE = re.compile(r"No module named '([\w-]+)|\b([\w-]+) >= [\d.]+ must be installed", re.IGNORECASE)

ROW = "shard int, attempt int, host string, exit_code int, seconds double, stderr string"
STDERR_BYTES = 64 * 1024


def main(arguments):
    options = parse(arguments)
    stop = Stop(watches_stdin=options.end_with_stdin or "PYSPARK_GATEWAY_PORT" in os.environ)
    try:
        if options.shards is not None:
            write_outcome(options, {"rows": run_tasks(options, options.shards, options.stage, stop)})
            return 0
        return run_pipeline(options, stop)
    except Failure as failure:
        if options.shards is not None:
            write_outcome(options, {"failure": str(failure)})
        elif str(failure):
            print(failure, file=sys.stderr)
        return failure.exit_code


class Failure(Exception):
    """Ends the script with a message, empty where it has been printed, and an exit code."""

    def __init__(self, exit_code, message=""):
        super().__init__(message)
        self.exit_code = exit_code


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="catalogue_etl.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("config", nargs="?", metavar="CONFIG", help="the config of the pipeline; without it, PLAN is there")
    add("--to", required=True, metavar="PLAN", help="folder or s3:// prefix of the plan, seen by all machines")
    add("--bytes", metavar="SIZE", help="size of a shard; default 512MB")
    add("--out", metavar="DIR", help="replaces the leading out/ of all paths")
    add("--set", metavar="KEY=VALUE", action="append", default=[], help="replaces a value of the config (repeatable)")
    add("--env", metavar="FILE", action="append", default=[], help="NAME=value lines, on every machine (repeatable)")
    add("--master", metavar="URL", help="such as spark://HOST:7077; default: that of spark-submit")
    add("--remote", metavar="URL", help="a server of Spark Connect, such as sc://HOST:15002")
    add("--conf", metavar="KEY=VALUE", action="append", default=[], help="a setting of Spark (repeatable)")
    add("--command", metavar="COMMAND", help="the command; default: CATALOGUE_ETL on each machine, else catalogue-etl")
    add("--log-level", metavar="LEVEL", default="FATAL", help="of Spark's own log; default FATAL")
    # For `catalogue-etl run --engine spark`, which plans and commits itself: shards, file for the rows, stage.
    add("--shards", type=parse_shards, help=argparse.SUPPRESS)
    add("--rows", help=argparse.SUPPRESS)
    add("--stage", default="rows", help=argparse.SUPPRESS)
    add("--end-with-stdin", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.to = options.to if "://" in options.to else os.path.abspath(options.to)
    options.remote = options.remote or (None if options.master else os.environ.get("SPARK_REMOTE"))
    options.env = [os.path.abspath(each) for each in options.env]
    return options


def parse_shards(text):
    """Numbers and ranges: 0-16,19."""
    ranges = [each.partition("-") for each in text.split(",")]
    return [shard for first, _, last in ranges for shard in range(int(first), int(last or first) + 1)]


class Stop:
    """Is set by SIGINT, SIGTERM and SIGHUP, and by the end of standard input where a parent holds it open."""

    def __init__(self, watches_stdin):
        self.event = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.event.set())
        if watches_stdin:
            threading.Thread(target=self.watch_stdin, daemon=True).start()

    def watch_stdin(self):
        while os.read(0, 65536):
            pass
        self.event.set()

    def check(self):
        if self.event.is_set():
            raise Failure(INTERRUPTED, "INTERRUPTED The run was interrupted; nothing was saved.")


def run_pipeline(options, stop):
    """Plan, tasks and commit; the first that fails ends it with its own message and exit code."""
    common = to_env_arguments(options)
    if options.config is not None:
        settings = [argument for each in options.set for argument in ("--set", each)]
        settings += ["--bytes", options.bytes] if options.bytes else []
        settings += ["--out", options.out] if options.out else []
        call = ["plan", options.config, "--to", options.to, *settings, *common, "--json"]
        made = json.loads(run_here(options, stop, call, subprocess.PIPE))
        print(f"spark: {len(made['shards'])} shards, plan {made['planId'][:8]} in {options.to}", file=sys.stderr)
    status = json.loads(run_here(options, stop, ["status", options.to, "--json", *common], subprocess.PIPE))
    for stage in status["stages"]:
        if stage["open"]:
            report_failures(run_tasks(options, stage["open"], stage["stage"], stop))
        if stage["stage"] == "ids" and status["published"] is None:
            run_here(options, stop, ["resolve", options.to, *common])
    run_here(options, stop, ["commit", options.to, *common])
    return 0


def run_here(options, stop, arguments, stdout=None):
    """Runs `shards …` on this machine; returns its standard output where that is asked for."""
    try:
        child = start_command([*to_command(options.command), "shards", *arguments], stdout=stdout)
    except OSError as error:
        raise Failure(USAGE, describe_missing(options.command, error)) from error
    output = []
    reader = threading.Thread(target=lambda: output.append(child.stdout.read() if stdout else b""))
    reader.start()
    while child.poll() is None:
        if stop.event.wait(0.05):
            end_command(child)
    reader.join()
    stop.check()
    if child.returncode != 0:
        raise Failure(to_exit_code(child.returncode))
    return output[0]


def run_tasks(options, shards, stage, stop):
    """Runs each shard in a task of its own. Returns a row (see ROW) for each; throws where Spark can't run them."""
    job = Job(options, shards, stage)
    thread = threading.Thread(target=job.run, daemon=True)
    thread.start()
    while thread.is_alive() and not stop.event.is_set():
        thread.join(0.1)
        job.watch()
    if stop.event.is_set() and job.spark is not None:
        job.cancel()
        thread.join(10)
    job.end()
    stop.check()
    if job.error is not None:
        raise to_failure(job.error)
    return job.rows


class Job:
    """The tasks of a stage. Everything of Spark is called in one thread, as signals are for the main one."""

    def __init__(self, options, shards, stage):
        self.options, self.shards, self.stage = options, shards, stage
        self.spark, self.rows, self.error = None, [], None
        self.tag = f"catalogue-etl-{os.getpid()}-{stage}"
        self.started, self.has_warned = None, False

    def run(self):
        try:
            self.spark = open_session(self.options)
            if not self.options.remote:
                self.spark.sparkContext.setJobGroup(self.tag, f"{self.stage} of {self.options.to}", True)
            else:
                self.spark.addTag(self.tag)
            task = to_task(self.options, self.stage, self.shards, count_attempts(self.spark))
            count = len(self.shards)
            self.started = time.monotonic()
            rows = self.spark.range(0, count, 1, count).mapInArrow(task, ROW).collect()
            self.rows = sorted((row.asDict() for row in rows), key=lambda row: row["shard"])
        except BaseException as error:  # Handed to the main thread, which decides.
            self.error = error

    def watch(self):
        """Says so once where no task begins for half a minute: Spark itself waits for ever."""
        if self.has_warned or self.options.remote or self.started is None or time.monotonic() - self.started < 30:
            return
        tracker = self.spark.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numActiveTasks + stage.numCompletedTasks == 0 for stage in stages):
            note = "spark: no task has begun: has the cluster a free core, and the memory of spark.executor.memory?"
            print(note, file=sys.stderr)
            self.has_warned = True

    def cancel(self):
        if self.options.remote:
            self.spark.interruptTag(self.tag)
        else:
            self.spark.sparkContext.cancelJobGroup(self.tag)

    def end(self):
        if self.spark is not None:
            self.spark.stop()


def open_session(options):
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise to_failure(error) from error
    check_address(options.remote or options.master or "")
    settings = [setting.partition("=")[::2] for setting in options.conf]
    builder = SparkSession.builder
    if options.remote:
        builder = builder.remote(options.remote)
    else:
        from pyspark import SparkConf

        # What spark-submit or the caller has set counts.
        defaults = {
            "spark.app.name": "catalogue-etl",
            "spark.speculation": "true",
            "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        }
        given = SparkConf()
        settings = [*((key, value) for key, value in defaults.items() if not given.contains(key)), *settings]
        if options.master:
            builder = builder.master(options.master)
    for key, value in settings:
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    if not options.remote:
        spark.sparkContext.setLogLevel(options.log_level)
    return spark


def check_address(url):
    """Throws where nothing listens: Spark itself tries for minutes."""
    found = re.match(r"(sc|spark)://([^/;]+)", url)
    hosts = found.group(2).split(",") if found else []
    errors = []
    for host in hosts:
        name, _, port = host.rpartition(":") if ":" in host else (host, "", "15002")
        try:
            socket.create_connection((name.strip("[]"), int(port)), timeout=20).close()
            return
        except (OSError, ValueError) as error:
            errors.append(f"{host}: {error}")
    if errors:
        raise Failure(ENGINE_FAILED, f"spark: {url}: expected a server that takes connections, got {', '.join(errors)}")


def count_attempts(spark):
    """The number of attempts after which Spark gives a task, and with it all others, up."""
    local = re.fullmatch(r"local(?:\[[^,\]]+(?:,\s*(\d+))?\])?", spark.conf.get("spark.master", ""))
    return int(local.group(1) or 1) if local else int(spark.conf.get("spark.task.maxFailures", "4"))


def to_task(options, stage, shards, attempts):
    """A function for `mapInArrow`; what it needs travels with it, and nothing of this process."""
    plan, command = options.to, options.command
    fixed = ["--end-with-stdin", *(["--stage", stage] if stage != "rows" else []), *to_env_arguments(options)]

    def run_batches(batches):
        import pyarrow
        from pyspark import TaskContext

        context = TaskContext.get()
        attempt = context.attemptNumber()
        environment = {"CATALOGUE_WORKERS": str(context.cpus() - 1), **os.environ}
        for batch in batches:
            for index in batch.column(0).to_pylist():
                shard = shards[index]
                call = ["shards", "run", plan, "--shard", str(shard), *fixed]
                exit_code, seconds, stderr = run_shard(command, call, environment)
                if exit_code != 0 and exit_code not in PERMANENT and attempt + 1 < attempts:
                    raise RuntimeError(f"shard {shard}: exit code {exit_code}, is repeated\n{stderr}")
                int32, text = pyarrow.int32(), pyarrow.string()
                types = [int32, int32, text, int32, pyarrow.float64(), text]
                values = [shard, attempt, socket.gethostname(), exit_code, seconds, stderr]
                columns = [pyarrow.array([value], kind) for value, kind in zip(values, types)]
                yield pyarrow.RecordBatch.from_arrays(columns, names=[column.split()[0] for column in ROW.split(", ")])

    return run_batches


def to_env_arguments(options):
    return [argument for file in options.env for argument in ("--env", file)]


def run_shard(command, arguments, environment):
    """Runs the command to its end. Returns its exit code, seconds, and the end of its standard error."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as stderr:
        try:
            child = start_command([*to_command(command), *arguments], environment, subprocess.DEVNULL, stderr)
        except OSError as error:
            return 127, 0.0, describe_missing(command, error)
        try:
            child.wait()
        finally:
            end_command(child)
        size = stderr.seek(0, os.SEEK_END)
        stderr.seek(max(0, size - STDERR_BYTES))
        text = stderr.read().decode(errors="replace").strip()
    return to_exit_code(child.returncode), time.monotonic() - started, text


def start_command(command, environment=None, stdout=None, stderr=None):
    """Starts a command that does not survive this process, however it ends: its standard input ends then."""
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        preexec_fn=to_die_with_parent(),
    )


def to_die_with_parent():
    """Has Linux kill even a process that is stopped and can't see its input end; loads nothing after the fork."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl, set_death_signal = ctypes.CDLL(None).prctl, 1
    return lambda: prctl(set_death_signal, signal.SIGKILL)


def end_command(child):
    """Ends a command and what it has started; does nothing where it has ended."""
    child.stdin.close()
    if child.poll() is not None:
        return
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def to_command(command):
    return shlex.split(command or os.environ.get("CATALOGUE_ETL") or "catalogue-etl")


def to_exit_code(code):
    """That of a shell: 128 and its number for a signal."""
    return 128 - code if code < 0 else code


def describe_missing(command, error):
    name = to_command(command)[0]
    expected = f'expected the command "{name}" in PATH, or in CATALOGUE_ETL or --command'
    return f"{socket.gethostname()}: {expected}, got: {error}"


def to_failure(error):
    """What ended the tasks. A package that is missing, here or on an executor, is no matter of another try."""
    message = describe_error(error)
    found = MISSING_PACKAGE.search(str(error))
    if found is None:
        return Failure(getattr(error, "exit_code", ENGINE_FAILED), message)
    name = (found.group(1) or found.group(2)).lower()
    package = '"pyspark[connect]"' if name.startswith(("grpc", "google")) else name
    return Failure(
        USAGE, f"{message}; expected the Python package on this machine and on the executors: python3 -m pip install {package}"
    )


def describe_error(error):
    """The first line of a failure that says why, without the stack of a virtual machine."""
    if isinstance(error, Failure):
        return str(error)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [repr(error)]
    raised = [line for line in lines if re.match(r"\w*(Error|Interrupt|Exit)\b", line)]
    aborted = [line for line in lines if "Job aborted" in line]
    reason = [*raised[-1:], *aborted, *lines][0]
    return f"spark: {reason[:1000]}"


def report_failures(rows):
    """Prints the messages of shards that failed, each once, and ends with the exit code of the first."""
    failed = [row for row in rows if row["exit_code"] != 0]
    if not failed:
        return
    for message in dict.fromkeys(row["stderr"] for row in failed):
        alike = [row for row in failed if row["stderr"] == message]
        shards, first = ", ".join(str(row["shard"]) for row in alike), alike[0]
        said = message or f"expected exit code 0, got {first['exit_code']} at attempt {first['attempt'] + 1}"
        print(f"shard {shards} on {first['host']}: {said}", file=sys.stderr)
    raise Failure(min((row["exit_code"] for row in failed), key=lambda code: code not in PERMANENT))


def write_outcome(options, outcome):
    with open(f"{options.rows}.partial", "w", encoding="utf-8") as file:
        json.dump(outcome, file)
    os.replace(file.name, options.rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
