"""Runs the shards of a plan on a Ray cluster, then commits: python ray_shards.py PLAN. Exits as the commit does."""

import json
import os
import subprocess
import sys

import ray

COMMAND = [os.environ.get("CATALOGUE_ETL", "catalogue-etl"), "shards"]
PLAN = sys.argv[1]


class Repeatable(Exception):
    """An attempt ended in a way that another may not."""


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=[Repeatable])
def run_shard(number: int, stage: str) -> tuple[int, str]:
    """One attempt: the exit code and the messages of the command, which ends when this task is gone."""
    call = [*COMMAND, "run", PLAN, "--shard", str(number), "--stage", stage, "--end-with-stdin"]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        messages = child.stderr.read()
        code = child.wait()
    if code not in (0, 2):
        raise Repeatable(f"shard {number}: exit code {code}\n{messages}")
    return code, messages


def run_stage(stage: str, numbers: list[int]) -> None:
    waiting = [run_shard.remote(number, stage) for number in numbers]
    while waiting:
        [ended], waiting = ray.wait(waiting)
        code, messages = ray.get(ended)
        sys.stderr.write(messages)
        if code == 2:
            sys.exit(2)


# RAY_ADDRESS names the cluster; without it one is started on this machine.
ray.init(log_to_driver=False)
status = json.loads(subprocess.run([*COMMAND, "status", PLAN, "--json"], stdout=subprocess.PIPE, check=True).stdout)
for each in status["stages"]:
    run_stage(each["stage"], each["open"])
    if each["stage"] == "ids":
        subprocess.run([*COMMAND, "resolve", PLAN], check=True)
sys.exit(subprocess.run([*COMMAND, "commit", PLAN]).returncode)
