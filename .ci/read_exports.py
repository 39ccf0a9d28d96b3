"""Reads exports of hostile events in every format with other readers than ours, and compares them with what GET /events answers.

python read_exports.py FOLDER: the folder that test/support/processes/hostile-exports-child.ts wrote.
"""

import csv
import json
import re
import sys
from datetime import datetime
from pathlib import Path

import pyarrow.parquet

# What JavaScript calls blank.
BLANK = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
FORMULA = re.compile(rf"'+[{BLANK}\0]*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")


def main(folder):
    wanted = json.loads((folder / "wanted.json").read_text("utf-8"))
    assert len(wanted) > 0, f"nothing to read in {folder}"
    for name, read in (("ndjson", lines), ("geojson", features), ("csv", table), ("parquet", columns)):
        parts = sorted((folder / name).glob("events-*"))
        assert len(parts) > 1, f"{name} has one part only"
        found = [record for part in parts for record in read(part)]
        same(name, [record["id"] for record in found], [each["id"] for each in wanted])
        for record, each in zip(found, wanted):
            compare(name, record, flat(each) if name in ("csv", "parquet") else each)
    print(f"{len(wanted)} events in 4 formats are what GET /events answers: read by pyarrow, csv and json of Python")


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def features(path):
    found = json.loads(path.read_text("utf-8"))["features"]
    for feature in found:
        venue = feature["properties"]["venue"]
        same("geometry", feature["geometry"]["coordinates"], [venue["longitude"], venue["latitude"]])
    return [feature["properties"] for feature in found]


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: cell(name, text) for name, text in row.items()} for row in csv.DictReader(file, strict=True)]


def cell(name, text):
    if text == "":
        return None
    if name == "isFree":
        return text == "true"
    if name in ("discoveryScore", "priceMin", "priceMax", "latitude", "longitude"):
        return float(text)
    if name in ("startDatetime", "endDatetime"):
        return datetime.fromisoformat(text)
    return text[1:] if FORMULA.match(text) else text


def columns(path):
    return pyarrow.parquet.read_table(path).to_pylist()


def flat(event):
    """An event as a row: a venue is a cell for each of its fields."""
    venue = event["venue"]
    row = {name: value for name, value in event.items() if name != "venue"}
    row["startDatetime"] = datetime.fromisoformat(row["startDatetime"])
    names = {"id": "venueId", "name": "venueName", "slug": "venueSlug", "neighborhood": "venueNeighborhood"}
    return row | {names[name]: value for name, value in venue.items() if name in names}


def compare(name, record, wanted):
    for field, value in wanted.items():
        found = record.get(field)
        if isinstance(value, dict):
            compare(name, found, value)
        elif name == "csv" and isinstance(value, list):
            same(f"{name} {field}", found or "", "|".join(value))
        elif name == "csv" and value == "":
            same(f"{name} {field}", found, None)
        else:
            same(f"{name} {field}", found, value)


def same(what, found, wanted):
    assert found == wanted, f"{what}: found {found!r}, wanted {wanted!r}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
