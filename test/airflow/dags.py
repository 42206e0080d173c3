"""DAGs that Airflow itself runs. As a script: runs those that are named, and prints what Airflow's database has of them."""

import json
import os
import sys
from datetime import timedelta

from airflow.sdk import DAG, Asset
from catalogue_etl import CatalogueEtlOperator

FOLDER = os.environ["CATALOGUE_FOLDER"]


def define(name, retries=0, **options):
    with DAG(name, schedule=None, default_args={"retries": retries, "retry_delay": timedelta(0)}) as dag:
        CatalogueEtlOperator(task_id="load", cwd=FOLDER, **options)
    return dag


dags = {
    "published": define("published", config="{{ dag.dag_id }}.yaml", outlets=[Asset("products"), Asset("catalogue")]),
    "refused": define("refused", config="refused.yaml", retries=2),
    "missing": define("missing", config="published.yaml", args=["--set", "source.files=none.ndjson"], retries=1),
    "waiting": define(
        "waiting",
        config="waiting.yaml",
        env={"SECRET": "{{ 'sword' + 'fish' }}"},
        execution_timeout=timedelta(seconds=10),
    ),
}


def show(name, value):
    print(f"\n== {name} {json.dumps(value)}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run = dags[name].test()
        [task] = run.get_task_instances()
        show(name, {"state": str(run.state), "tries": task.try_number})

    from airflow.models.asset import AssetEvent
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session

    with create_session() as session:
        for event in session.query(AssetEvent):
            show(f"event:{event.asset.name}", event.extra)
        [value] = [each.value for each in session.query(XComModel) if each.key == "return_value"]
        show("xcom", json.loads(value) if isinstance(value, str) else value)
