# dags/catalogue.py
from __future__ import annotations

import json
import subprocess
from datetime import datetime, timedelta

from airflow.decorators import dag, task
from airflow.exceptions import AirflowException, AirflowFailException

CONFIGS = ["pipelines/products.yaml", "pipelines/brands.yaml"]
TRY_AGAIN = {4, 5, 6, 130}


@dag(
    schedule="15 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=15)},
)
def catalogue():
    @task(execution_timeout=timedelta(hours=3))
    def run() -> dict[str, int]:
        command = ["catalogue-etl", "run", *CONFIGS, "--parallel", "2", "--wait", "30m", "--log", "json", "--json"]
        # The log goes to the log of the task.
        done = subprocess.run(command, cwd="/srv/catalogue", stdout=subprocess.PIPE, text=True)
        document = json.loads(done.stdout) if done.stdout else {}
        runs = document.get("runs", [])
        if done.returncode != 0:
            errors = [run["error"] for run in runs if not run["ok"]] + [document[key] for key in ["error"] if key in document]
            reasons = "; ".join(f"{error['code']} {error['message']}" for error in errors)
            failure = AirflowException if done.returncode in TRY_AGAIN else AirflowFailException
            raise failure(f"catalogue-etl ended with {done.returncode}: {reasons}")
        return {run["pipeline"]: run["report"]["ledger"]["accepted"] for run in runs}

    run()


catalogue()
