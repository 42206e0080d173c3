# Assets of Dagster: each table is one, and completeness, ledger and each rule of `expect` can be a check of it
import os
import subprocess

import dagster as dg

TABLES = ["products", "product_brands"]
CHECKS = ["completeness", "ledger", "products_public_price_range"]


@dg.multi_asset(
    specs=[dg.AssetSpec(table) for table in TABLES],
    check_specs=[dg.AssetCheckSpec(check, asset="products") for check in CHECKS],
    retry_policy=dg.RetryPolicy(max_retries=3, delay=15 * 60),
)
def catalogue(context: dg.AssetExecutionContext):
    declared = [check.to_user_string() for check in context.selected_asset_check_keys]
    reader, injector = dg.PipesTempFileMessageReader(), dg.PipesTempFileContextInjector()
    with dg.open_pipes_session(context, injector, reader, {"checks": declared}) as pipes:
        env = {**os.environ, **pipes.get_bootstrap_env_vars()}
        run = subprocess.Popen(["catalogue-etl", "run", "pipelines/products.yaml"], env=env)
        try:
            run.wait()
        except BaseException as ended:  # Dagster ends the step: nothing is published, and nothing tried again.
            run.terminate()
            run.wait()
            raise dg.Failure("interrupted", allow_retries=False) from ended
    yield from pipes.get_results(implicit_materializations=run.returncode == 0)
    if run.returncode != 0:
        raise dg.Failure(f"catalogue-etl ended with {run.returncode}", allow_retries=run.returncode not in (1, 2, 3))
