"""Prints the cells of a workbook as JSON: by openpyxl, with their types, and by polars, with those of the columns."""

import json
import sys

import openpyxl
import polars
from openpyxl.utils.escape import unescape

path, *names = sys.argv[1:]


def to_cell(cell):
    value = unescape(cell.value) if isinstance(cell.value, str) else cell.value
    return [type(value).__name__, value.isoformat() if hasattr(value, "isoformat") else value]


def to_sheet(sheet):
    return {
        "frozen": sheet.freeze_panes,
        "filter": sheet.auto_filter.ref,
        "bold": all(cell.font.b for cell in sheet[1]),
        "rows": [[to_cell(cell) for cell in row] for row in sheet.iter_rows()],
    }


def to_frame(name):
    frame = polars.read_excel(path, sheet_name=name, engine="calamine")
    return {"types": [str(dtype) for dtype in frame.dtypes], "rows": json.loads(json.dumps(frame.rows(), default=str))}


workbook = openpyxl.load_workbook(path)
print(json.dumps({
    "openpyxl": {sheet.title: to_sheet(sheet) for sheet in workbook.worksheets},
    "polars": {name: to_frame(name) for name in names},
}))
