"""Fills in the column `corrected` of a workbook, as numbers: fill-in.py WORKBOOK {"ID PATH": NUMBER}."""

import json
import sys

import openpyxl

path, answers = sys.argv[1], json.loads(sys.argv[2])
book = openpyxl.load_workbook(path)
(sheet,) = book.worksheets
header, *rows = sheet.iter_rows()
names = [cell.value for cell in header]
for row in rows:
    cells = dict(zip(names, row))
    cells["corrected"].value = answers[f"{cells['id'].value} {cells['path'].value}"]
book.save(path)
