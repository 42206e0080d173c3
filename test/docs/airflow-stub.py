"""Stands in for the parts of Airflow that the DAG of docs/scheduling.md takes; runs its task and prints how it ends."""

import json
import sys
import types


class AirflowException(Exception):
    pass


class AirflowFailException(AirflowException):
    pass


def task(**_):
    return lambda function: function


def dag(**options):
    assert options["schedule"] == "15 2 * * *" and options["max_active_runs"] == 1 and not options["catchup"]
    return lambda function: function


package = types.ModuleType("airflow")
decorators = types.ModuleType("airflow.decorators")
decorators.dag, decorators.task = dag, task
exceptions = types.ModuleType("airflow.exceptions")
exceptions.AirflowException, exceptions.AirflowFailException = AirflowException, AirflowFailException
sys.modules.update({"airflow": package, "airflow.decorators": decorators, "airflow.exceptions": exceptions})

try:
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {"__name__": "dag"})
    print(json.dumps({"end": "success"}))
except AirflowFailException as error:
    print(json.dumps({"end": "fail", "message": str(error)}))
except AirflowException as error:
    print(json.dumps({"end": "retry", "message": str(error)}))
