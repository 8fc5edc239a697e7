#!/usr/bin/env python3
"""Writes natural features to be named on maps of a region: rivers, lakes and peaks. See README.md beside it."""
import argparse
import tempfile
from pathlib import Path

import numpy as np

import features
from build_labels import double_area, halved, outline, simplified
from folding import fold
from nature import ACCENTED, PEAK, RIVER, WATER, _lines, _names
from packages import SHA256, unpack
from sources import GPUWM, MAGICS, read_shapefile, read_with_table

INPUTS = ("gpuwm", "libmagics")
# Degrees that a line may leave its true course.
TOLERANCE = 0.008
# Degrees between a lake's shore and the place that the tables give for its middle.
NEAR = 0.02
# A letter that the package has lost without a trace.
LOST = {"Rhne": "Rhône"}
# Steps in the side of the Mercator square.
SIDE = 131072


def rivers(root):
    """Yields the importance, name, English name and courses of each named river."""
    english = {}
    for name, _, _, others in _lines(RIVER):
        english |= {fold(known): name for known in (*_names(others), name)}
    found = {}
    for lines, row in read_with_table(root / MAGICS / "10m/ne_10m_rivers_lake_centerlines"):
        name = LOST.get(row["name"]) or ACCENTED.get(row["name"], row["name"].replace("  ", " ")).split("(")[0].strip()
        if name and "?" not in name:
            river = found.setdefault((row["rivernum"], name), [99, []])
            river[0] = min(river[0], round(float(row["scalerank"])))
            river[1] += [line.tolist() for line in lines if len(line) > 1]
    for (_, name), (rank, lines) in found.items():
        other = english.get(fold(name), "")
        yield 6.7 - 0.25 * rank, name, other if other != name else "", [halved(line, TOLERANCE) for line in joined(lines)]


def joined(lines):
    """Joins lines that meet end to end."""
    lines, whole = [list(line) for line in lines], []
    while lines:
        line = lines.pop()
        while True:
            after = next((other for other in lines if other[0] == line[-1]), None)
            before = next((other for other in lines if other[-1] == line[0]), None)
            if after:
                lines.remove(after)
                line = line + after[1:]
            elif before:
                lines.remove(before)
                line = before + line[1:]
            else:
                break
        whole.append(line)
    return whole


def lakes(root):
    """Yields the importance, name and outline of each lake that the tables name."""
    rings = [shape[0] for shape in read_shapefile(root / GPUWM / "natural_earth_10m/ne_10m_lakes.shp") if shape]
    middles = [(name, latitude, longitude) for kind, name, latitude, longitude, *_ in features.read() if kind == features.WATER]
    middles += [(name, *map(float, at.split())) for name, at, *_ in _lines(WATER) if not name.endswith("Canal")]
    taken = set()
    for name, north, east in middles:
        at = next((at for at, ring in enumerate(rings) if at not in taken and is_near(ring, east, north)), None)
        if at is not None:
            taken.add(at)
            ring = rings[at][:-1].tolist()
            yield 5 + 0.6 * np.log10(double_area(ring) / 2), name, "", [simplified(ring, TOLERANCE / 2)]


def peaks():
    """Yields the importance, name and place of each peak of the table."""
    for name, at, rank, _ in _lines(PEAK):
        north, east = map(float, at.split())
        yield float(rank) - 0.5, name, "", [[(east, north)]]


def is_near(ring, east, north):
    """True if a point is in a ring or close to it."""
    low, high = ring.min(0), ring.max(0)
    if not (low[0] - NEAR <= east <= high[0] + NEAR and low[1] - NEAR <= north <= high[1] + NEAR):
        return False
    if np.hypot(*(ring - (east, north)).T).min() < NEAR:
        return True
    (x, y), (u, v) = ring[:-1].T, ring[1:].T
    crossed = (y > north) != (v > north)
    return bool(np.count_nonzero(x[crossed] + (north - y[crossed]) * (u[crossed] - x[crossed]) / (v[crossed] - y[crossed]) > east) % 2)


def rows(packages):
    with tempfile.TemporaryDirectory() as folder:
        unpack(packages, folder, {name: sum for name, sum in SHA256.items() if name.startswith(INPUTS)})
        found = [(-importance, kind, name, other, shapes)
                 for kind, listed in (("lake", lakes(Path(folder))), ("river", rivers(Path(folder))), ("peak", peaks()))
                 for importance, name, other, shapes in listed]
    for importance, kind, name, other, shapes in sorted(found, key=lambda row: row[:3]):
        yield [kind, round(-importance, 1), name, other, *(outline(shape, SIDE) for shape in shapes)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package files")
    arguments.add_argument("output", type=Path, help="the file to write")
    options = arguments.parse_args()
    lines = ["\t".join(map(str, row)) for row in rows(options.packages)]
    options.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} features, {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
