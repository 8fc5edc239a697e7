#!/usr/bin/env python3
"""Writes the grounds and ranks of large labels: countries and oceans. See README.md beside it."""
import argparse
import gzip
import math
import sqlite3
import tempfile
import zlib
from pathlib import Path

import oceans
from sources import GPUWM, read_table
from packages import SHA256, unpack

RANKS = "natural_earth_110m/ne_110m_admin_0_countries.dbf"
# Degrees that a line may leave its true course: a share of the side of a square as large as the country, within limits.
TOLERANCE, FINEST, COARSEST = 0.012, 0.03, 0.2
# Rings smaller than this share of the largest are left out, and those farther from it than so many degrees, but for the part
# of a country beyond the antimeridian.
LEAST, LEAST_CONTINUED, FARTHEST = 0.03, 0.002, 60
# Steps in the side of the Mercator square, and its latitude.
SIDE, MERCATOR = 32768, 85.0511287
COUNTRY = 3
# Codes of countries.bin that Natural Earth's table has otherwise.
CODES = {"KOS": "XKX", "SDS": "SSD", "PSX": "PSE", "SAH": "ESH"}
# The middle, where Natural Earth's is meant for maps of a part.
MIDDLES = {"RU": (62, 96)}
# The box of degrees that counts, where territories would take the place of the country's own ground.
APART = {"FRA": (-10, 40, 12, 52)}


class Numbers:
    """Unsigned LEB128 numbers in a row."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def next(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.next()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def text(self):
        count = self.next()
        self.at += count
        return self.data[self.at - count:self.at].decode()


def grounds(path):
    """The outer rings of every country in countries.bin, by its code in capitals; the format is CountryAreas.swift's."""
    numbers = Numbers(gzip.decompress(path.read_bytes()[8:]))
    steps, arcs, x, y = numbers.next(), [], 0, 0
    for _ in range(numbers.next()):
        arc = []
        for _ in range(numbers.next()):
            x, y = x + numbers.signed(), y + numbers.signed()
            arc.append((x / steps, y / steps))
        arcs.append(arc)

    def area():
        outer, reference = [], 0
        for _ in range(numbers.next()):
            for part in range(numbers.next()):
                ring = []
                for _ in range(numbers.next()):
                    reference += numbers.signed()
                    ring += (arcs[reference] if reference >= 0 else arcs[-1 - reference][::-1])[:-1]
                if part == 0:
                    outer.append(ring)
        return outer

    for _ in range(numbers.next()):
        numbers.text()
    found = {}
    for _ in range(numbers.next()):
        code, _, _ = numbers.text(), numbers.text(), numbers.next()
        found[code.upper()] = area()
        for _ in range(numbers.next()):
            numbers.text()
            area()
    return found


def country_names(path):
    """Each country's usual name, its own and the English one, by ISO code, as places.db has them."""
    database = sqlite3.connect(path)
    codes = dict(database.execute("SELECT id, country FROM region"))
    found = {}
    for count, data, names in database.execute("SELECT count, numbers, names FROM chunk"):
        numbers, lines = Numbers(data), zlib.decompress(names).decode().split("\n")
        for line in lines[:count]:
            numbers.next(), numbers.next()
            people = numbers.next()
            if people & 8:
                numbers.next()  # fame
            if people & 7 == COUNTRY:
                region, name, *others = line.split("\t")
                marked = [next((other[1:] for other in others if other.startswith(mark)), "") for mark in "=+"]
                found[codes[int(region)]] = (name, *marked, people >> 4)
    return found


def double_area(ring):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1])))


def main_rings(rings, box):
    """The rings that count for a label, simplified, the largest first."""
    if box:
        rings = [ring for ring in rings if box[0] < ring[0][0] < box[2] and box[1] < ring[0][1] < box[3]]
    rings = sorted(rings, key=double_area, reverse=True)
    first = rings[0]
    tolerance = min(max(math.sqrt(double_area(first) / 2) * TOLERANCE, FINEST), COARSEST)
    return [simplified(ring, tolerance) for ring in rings
            if double_area(ring) >= LEAST * double_area(first) and apart(ring[0], first[0]) < FARTHEST or is_continued(first, ring)]


def is_continued(ring, other):
    """True if a ring that is not a small island continues another one beyond the antimeridian."""
    return double_area(other) >= LEAST_CONTINUED * double_area(ring) and any(
        max(east for east, _ in a) > 179.5 and min(east for east, _ in b) < -179.5 for a, b in ((ring, other), (other, ring)))


def apart(a, b):
    east = abs(a[0] - b[0])
    return max(min(east, 360 - east) - 60, abs(a[1] - b[1]))


def simplified(ring, tolerance):
    """Douglas and Peucker on both halves of a ring."""
    middle = max(range(len(ring)), key=lambda at: math.dist(ring[at], ring[0]))
    return halved(ring[:middle + 1], tolerance)[:-1] + halved(ring[middle:] + ring[:1], tolerance)[:-1]


def halved(line, tolerance):
    if len(line) < 3:
        return line
    (ax, ay), (bx, by) = line[0], line[-1]
    length = math.hypot(bx - ax, by - ay)

    def off(point):
        if length == 0:
            return math.hypot(point[0] - ax, point[1] - ay)
        return abs((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / length

    at = max(range(1, len(line) - 1), key=lambda i: off(line[i]))
    if off(line[at]) <= tolerance:
        return [line[0], line[-1]]
    return halved(line[:at + 1], tolerance)[:-1] + halved(line[at:], tolerance)


def outline(ring, side=SIDE):
    """Encodes steps from corner to corner on the Mercator square, x first, in groups of five bits as Google encodes lines."""
    text, before = "", (0, 0)
    for east, north in ring:
        latitude = math.radians(min(max(north, -MERCATOR), MERCATOR))
        now = (round((east + 180) / 360 * side), round((1 - math.asinh(math.tan(latitude)) / math.pi) / 2 * side))
        for step in (now[0] - before[0], now[1] - before[1]):
            value = ~(step << 1) if step < 0 else step << 1
            while value >= 0x20:
                text += chr((0x20 | value & 0x1F) + 63)
                value >>= 5
            text += chr(value + 63)
        before = now
    return text


def rows(packages, countries, places):
    with tempfile.TemporaryDirectory() as folder:
        name = next(name for name in SHA256 if name.startswith("gpuwm"))
        unpack(packages, folder, {name: SHA256[name]})
        table = read_table(Path(folder) / GPUWM / RANKS)
    found, names = grounds(countries), country_names(places)
    for name, north, east, rings in oceans.OCEANS:
        yield ["ocean", "", -9.0, 0, north, east, name, "", "", *(outline([(east, north) for north, east in ring]) for ring in rings)]
    countries = []
    for row in table:
        code, letters = row["iso_a2_eh"], CODES.get(row["adm0_a3"], row["adm0_a3"])
        if code not in names or letters not in found:
            print("left out:", row["name"])
            continue
        rings = main_rings(found[letters], APART.get(letters))
        name, local, english, people = names[code]
        weight = math.log10(people + 1) + math.log10(double_area(rings[0]) + 1e-3)
        at = MIDDLES.get(code, (float(row["label_y"]), float(row["label_x"])))
        countries.append((float(row["min_label"]), -weight, [code, people, *at, name, local, english, *map(outline, rings)]))
    for rank, _, (code, *others) in sorted(countries):
        yield ["country", code, rank, *others]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package file")
    arguments.add_argument("countries", type=Path, help="countries.bin")
    arguments.add_argument("places", type=Path, help="places.db")
    arguments.add_argument("output", type=Path, help="the file to write")
    options = arguments.parse_args()
    lines = ["\t".join(map(str, row)) for row in rows(options.packages, options.countries, options.places)]
    options.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} labels, {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
