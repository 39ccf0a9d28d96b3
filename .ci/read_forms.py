"""Reads hostile lists of events in every form with other readers than ours, and compares them with what was written.

python read_forms.py FOLDER: folders that test/support/processes/hostile-forms-child.ts wrote.
"""

import csv
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from icalendar import Calendar

ATOM = "{http://www.w3.org/2005/Atom}"
PAGE = "https://events.example/events/noon-concert"
GUARDED = re.compile(r"'+[\s\ufeff]*[=+\-@\t\n\uff1d\uff20]")


def main(folder):
    places = sorted(path for path in Path(folder).iterdir() if path.is_dir())
    count = 0
    for place in places:
        wanted = json.loads((place / "wanted.json").read_text("utf-8"))
        for check in (calendar, table, rss, atom, json_forms):
            check(place, wanted)
        count += len(wanted)
    assert count > 0, f"nothing to read in {folder}"
    print(f"{count} events in 8 forms are what was written: read by icalendar, csv, expat and json of Python")


def calendar(place, wanted):
    text = (place / "events.ics").read_bytes()
    events = Calendar.from_ical(text).walk("VEVENT")
    same([str(event["UID"]) for event in events], [each["id"] for each in wanted])
    for event, each in zip(events, wanted):
        same(str(event["SUMMARY"]), each["cleaned"]["title"])
        same(str(event["DESCRIPTION"]), each["cleaned"]["description"] + "\n\n" + PAGE)
        same(str(event["LOCATION"]), each["cleaned"]["venue"] + ", 8 Quay St")


def table(place, wanted):
    with open(place / "events.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    same([row["id"] for row in rows], [each["id"] for each in wanted])
    for row, each in zip(rows, wanted):
        same(unguarded(row["title"]), each["cleaned"]["title"])
        same(unguarded(row["description"]), each["cleaned"]["description"])
        same(unguarded(row["venueName"]), each["cleaned"]["venue"])


def rss(place, wanted):
    items = ElementTree.parse(place / "events.rss").findall("channel/item")
    same([item.findtext("guid") for item in items], ["urn:uuid:" + each["id"] for each in wanted])
    same([item.findtext("title") for item in items], [each["cleaned"]["title"] for each in wanted])


def atom(place, wanted):
    entries = ElementTree.parse(place / "events.atom").findall(ATOM + "entry")
    same([entry.findtext(ATOM + "id") for entry in entries], ["urn:uuid:" + each["id"] for each in wanted])
    same([entry.findtext(ATOM + "title") for entry in entries], [each["cleaned"]["title"] for each in wanted])
    for entry, each in zip(entries, wanted):
        assert entry.findtext(ATOM + "content").endswith(each["cleaned"]["description"])


def json_forms(place, wanted):
    titles = [each["title"] for each in wanted]
    read = lambda name: (place / name).read_text("utf-8")
    same([feature["properties"]["title"] for feature in json.loads(read("events.geojson"))["features"]], titles)
    same([item["title"] for item in json.loads(read("events.feed.json"))["items"]], titles)
    same([item["item"]["name"] for item in json.loads(read("events.jsonld"))["itemListElement"]], titles)
    same([json.loads(line)["title"] for line in read("events.ndjson").split("\n")[:-1]], titles)


def unguarded(cell):
    return cell[1:] if GUARDED.match(cell) else cell


def same(found, wanted):
    assert found == wanted, f"found {found!r}, wanted {wanted!r}"


if __name__ == "__main__":
    main(sys.argv[1])
