"""Plans an archive, runs a mapped task for each shard, then commits. For Airflow 3, with catalogue-etl on every worker."""

import json
import os
import subprocess

from airflow.sdk.exceptions import AirflowFailException
from airflow.sdk import dag, task

COMMAND = os.environ.get("CATALOGUE_ETL", "catalogue-etl")
CONFIG = os.environ.get("CATALOGUE_CONFIG", "/data/pipelines/archive.yaml")
PLAN = os.environ.get("CATALOGUE_PLAN", "/data/plan")


def shards(*arguments: str) -> str:
    """Runs the command, whose messages go to the log of the task. What a repetition can't mend is not repeated."""
    ended = subprocess.run([COMMAND, "shards", *arguments], stdout=subprocess.PIPE, text=True)
    final = (2, 3, 4) if arguments[0] == "commit" else (2,)
    if ended.returncode in final:
        raise AirflowFailException(f"exit code {ended.returncode}: see the messages above")
    ended.check_returncode()
    return ended.stdout


@dag(schedule=None, max_active_tasks=10)
def catalogue_shards():
    @task
    def plan() -> list[int]:
        shards("plan", CONFIG, "--to", PLAN)
        [rows] = json.loads(shards("status", PLAN, "--json"))["stages"]
        return rows["open"]

    @task(retries=3)
    def run_shard(number: int) -> None:
        shards("run", PLAN, "--shard", str(number))

    # Also where a shard has used up its attempts: the commit names it, and publishes nothing.
    @task(retries=3, trigger_rule="all_done")
    def commit() -> None:
        shards("commit", PLAN)

    run_shard.expand(number=plan()) >> commit()


pipeline = catalogue_shards()

if __name__ == "__main__":
    pipeline.test()
