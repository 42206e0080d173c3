"""Digests of rows, whatever engine has read them."""

import hashlib
import json


def digest(table, columns):
    def plain(value):
        if isinstance(value, list):
            return [plain(each) for each in value]
        return value.isoformat() if hasattr(value, "isoformat") else value

    rows = sorted(json.dumps([plain(row[name]) for name in columns], default=str) for row in table.to_pylist())
    return {"rows": table.num_rows, "digest": hashlib.sha256("\n".join(rows).encode()).hexdigest()}
