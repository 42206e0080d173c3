# dags/catalogue.py, beside plugins/catalogue_etl.py, which is the file of this name in the folder airflow/ of the package
from __future__ import annotations

from datetime import datetime, timedelta

from airflow.sdk import DAG, Asset
from catalogue_etl import CatalogueEtlOperator

with DAG(
    "catalogue",
    schedule="15 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=15), "execution_timeout": timedelta(hours=3)},
):
    for name in ["products", "brands"]:
        CatalogueEtlOperator(
            task_id=name,
            config=f"pipelines/{name}.yaml",
            args=["--wait", "30m"],
            env={"CATALOGUE_KEY_ID": "{{ conn.catalogue.login }}", "CATALOGUE_KEY_SECRET": "{{ conn.catalogue.password }}"},
            cwd="/srv/catalogue",
            outlets=[Asset(name)],
        )
