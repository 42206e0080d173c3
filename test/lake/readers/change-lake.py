"""Changes a Delta table as the first argument says, by deltalake."""

import sys

from deltalake import DeltaTable, write_deltalake

how, path = sys.argv[1:]
table = DeltaTable(path)
if how == "optimize":
    table.optimize.compact()
elif how == "z-order":
    table.optimize.z_order(["id"])
elif how == "delete":
    table.delete("id = 'A'")
elif how == "update":
    table.update(updates={"name": "'forged'"}, predicate="id <> 'B'")
elif how == "restore":
    if table.version() > 0:
        table.restore(0)
elif how == "append":
    rows = table.to_pyarrow_table().slice(0, 2)
    write_deltalake(path, rows, mode="append")
elif how == "checkpoint":
    table.create_checkpoint()
elif how == "vacuum":
    table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
elif how == "properties":
    table.alter.set_table_properties({"delta.logRetentionDuration": "interval 60 days"})
else:
    sys.exit(f"unknown change {how}")
