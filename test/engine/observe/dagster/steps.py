"""Materializes the assets of the recipe in Dagster itself, and others; prints what Dagster has recorded of them."""

import json
import os
import sys

import dagster as dg
from catalogue_assets import catalogue


@dg.asset(check_specs=[dg.AssetCheckSpec("products_public_price_range", asset="whole")])
def whole(context: dg.AssetExecutionContext):
    client = dg.PipesSubprocessClient()
    command = ["catalogue-etl", *os.environ["WHOLE"].split()]
    extras = {"checks": ["products_public_price_range"]}
    return client.run(context=context, command=command, extras=extras).get_materialize_result()


def to_plain(metadata):
    return {name: getattr(each, "value", None) for name, each in metadata.items() if "schema" not in name}


def to_exception(entry):
    event = entry.dagster_event
    error = event.event_specific_data.error if event and event.is_engine_event else None
    return error and error.cls_name


def show(name, asset, instance, **env):
    os.environ.update(env)
    result = dg.materialize([asset], instance=instance, raise_on_error=False)
    events = [event.event_type_value for event in result.all_events]
    materialized = result.asset_materializations_for_node(asset.op.name)
    shown = {
        "success": result.success,
        "retries": events.count("STEP_RESTARTED"),
        "assets": {
            each.asset_key.to_user_string(): {
                name: value for name, value in to_plain(each.metadata).items() if isinstance(value, (int, str, dict))
            }
            for each in materialized
        },
        "columns": {
            each.asset_key.to_user_string(): [
                column.name for column in each.metadata["dagster/column_schema"].value.columns
            ]
            for each in materialized
        },
        "checks": {
            each.check_name: [each.passed, each.severity.value] for each in result.get_asset_check_evaluations()
        },
        "exceptions": [name for name in map(to_exception, instance.all_logs(result.run_id)) if name],
    }
    print(f"\n== {name} {json.dumps(shown)}", flush=True)


if __name__ == "__main__":
    with dg.DagsterInstance.ephemeral() as instance:
        if "waiting" in sys.argv:
            show("waiting", catalogue, instance)
        else:
            show("published", catalogue, instance)
            show("refused", catalogue, instance, SEVERITY="error")
            show("missing", catalogue, instance, INPUT="none.ndjson")
            os.environ.update(SEVERITY="warn", INPUT="input.ndjson")
            show("whole", whole, instance, WHOLE="run pipelines/products.yaml")
            show("committed", whole, instance, WHOLE="shards commit plan")
