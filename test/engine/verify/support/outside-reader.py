"""Says which cells of a CSV file, a SQLite table and given texts are not those of a reference, by this language's own readers.

Standard input: {"columns": {name: type}, "reference": rows of texts or null, "csv": file, "sqlite": file, "texts": rows}; standard output:
for "csv", "sqlite" and "texts" a list of [key, column]. The first column is the key.
"""

import csv
import json
import sqlite3
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def moment(text):
    at = datetime.fromisoformat(text.replace(" ", "T").replace("Z", "+00:00"))
    whole = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return (whole - EPOCH) // timedelta(microseconds=1)


READERS = {
    "integer": int,
    "decimal": Decimal,
    "number": float,
    "boolean": lambda text: {"true": True, "1": True, "false": False, "0": False}[text.lower()],
    "date": date.fromisoformat,
    "timestamp": moment,
    "string": str,
}


def meaning(kind, cell):
    if cell is None or (cell == "" and kind != "string"):
        return None
    return READERS[kind](str(cell))


def table(columns, rows, empty_is_null=False):
    kinds = list(columns.values())
    found = {}
    for row in rows:
        cells = [None if empty_is_null and cell == "" else cell for cell in row]
        found[int(cells[0])] = [meaning(kind, cell) for kind, cell in zip(kinds, cells)]
    return found


def differing(columns, left, right):
    names = list(columns)
    cells = [[str(key), names[0]] for key in sorted(left.keys() ^ right.keys())]
    for key in sorted(left.keys() & right.keys()):
        pairs = zip(names, left[key], right[key])
        cells += [[str(key), name] for name, a, b in pairs if repr(a) != repr(b) and a != b]
    return cells


given = json.load(sys.stdin)
columns = given["columns"]
names = list(columns)
reference = table(columns, given["reference"])
with open(given["csv"], newline="", encoding="utf-8") as file:
    listed = [[row[name] for name in names] for row in csv.DictReader(file)]
database = sqlite3.connect(given["sqlite"])
stored = database.execute(f"SELECT {', '.join(names)} FROM items").fetchall()
# This reader does not tell an empty text from null in CSV.
found = {
    "csv": differing(columns, table(columns, given["reference"], True), table(columns, listed, True)),
    "sqlite": differing(columns, reference, table(columns, stored)),
    "texts": differing(columns, reference, table(columns, given["texts"])),
}
json.dump(found, sys.stdout)
