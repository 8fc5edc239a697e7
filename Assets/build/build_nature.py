#!/usr/bin/env python3
"""Writes natural features to be named on maps, and the outlines of seas and landscapes. See README.md beside it."""
import argparse
import tempfile
from pathlib import Path

import numpy as np
import shapely

import landscapes
import nature
import shapes
from build_labels import double_area, halved, outline, simplified
from folding import fold
from names import proper
from names import river as river_names
from nature import ISLAND, LANDSCAPE, PEAK, RIVER, WATER, Feature, _lines, _names
from packages import NATURAL_EARTH_SHA256, SHA256, SHORELINES_SHA256, unpack
from shorelines import LAKE, LAND, Shorelines
from sources import MAGICS, read_geojson, read_with_table
from spines import spines

INPUTS = ("libmagics",)
# Degrees that a line may leave its true course: of a river, of an area's middle, and of a lake's shore.
TOLERANCE, AREA_TOLERANCE, SHORE_TOLERANCE = 0.008, 0.05, 0.004
# The same for the small rivers of the supplements, which are named from nearer by.
SMALL_TOLERANCE = 0.015
# The same for the outlines of seas and landscapes, as a share of the side of a square as large, within limits.
GROUND_TOLERANCE, FINEST, COARSEST = 0.004, 0.005, 0.05
# Square kilometres of the smallest lake among GSHHG's shorelines that is named, and the share of the Mercator square of the
# largest: seas are among them.
LEAST_LAKE, LARGEST_LAKE = 1, 1e-4
# Degrees between lakes of one name that are one.
SAME_LAKE = 2
# Degrees between a lake's shore and the place that the tables give for its middle.
NEAR = 0.02
# The zoom from which all rivers, lakes and peaks are named, and how much sooner than on maps in pixels areas are: a cell
# shows as much as a pixel does there, but a letter fills it. Ranges are named up to the zoom that names all lakes.
FROM, SOONER, LAST = 7, 1.5, 99
# The zoom from which islands that Natural Earth lacks are named at the earliest.
ISLANDS_FROM = 5
# The importance that a map of zoom 0 would require of each kind, half of it for each zoom, and the first zoom: important
# ones are named farther away, lakes first, because they take least room beside other names.
FAR_FROM = {"lake": (7, 3), "river": (7.7, 3), "peak": (9, 5)}
# Degrees of a great river, and how much less important one of half the length is, and the shortest.
GREAT, BRANCH, MOST_BRANCH = 6, 0.25, 0.75
# By the zooms from which the supplements name rivers.
SMALL_FROM = {7.0: 7, 7.7: 7.8, 8.0: 8.4}
# Shores of lakes that Natural Earth shows as they were before dikes divided them.
SHORES = {
    "IJsselmeer": [
        (5.304, 52.706), (5.293, 52.743), (5.287, 52.748), (5.221, 52.763), (5.169, 52.746), (5.136, 52.763),
        (5.122, 52.776), (5.114, 52.861), (5.065, 52.922), (5.043, 52.934), (5.128, 52.96), (5.287, 53.045),
        (5.372, 53.078), (5.389, 53.046), (5.414, 53.02), (5.405, 52.995), (5.416, 52.952), (5.4, 52.94),
        (5.414, 52.924), (5.367, 52.896), (5.37, 52.879), (5.411, 52.858), (5.507, 52.851), (5.556, 52.838),
        (5.639, 52.854), (5.721, 52.838), (5.655, 52.819), (5.611, 52.775), (5.598, 52.708), (5.598, 52.67),
        (5.63, 52.605), (5.52, 52.58), (5.43, 52.525)],
    "Markermeer": [
        (5.28, 52.69), (5.243, 52.665), (5.227, 52.653), (5.166, 52.63), (5.136, 52.625), (5.111, 52.64),
        (5.084, 52.645), (5.051, 52.641), (5.034, 52.625), (5.051, 52.57), (5.084, 52.526), (5.092, 52.501),
        (5.07, 52.488), (5.078, 52.473), (5.051, 52.468), (5.092, 52.439), (5.076, 52.421), (5.043, 52.404),
        (5.01, 52.386), (5.032, 52.347), (5.111, 52.337), (5.15, 52.345), (5.17, 52.39), (5.27, 52.42), (5.38, 52.47),
        (5.43, 52.525)],
}
# Degrees between the lines of an area and the middle that the tables give, and the same as a share of the longest line.
ELSEWHERE, LEAST_NEAR = 1, 0.25
# Degrees of lines too short for a name, which is then at the place that the tables give.
TINY = 0.03
# Degrees between an area and the place that the tables give by its name.
FAR = 10
# Lines of areas whose outline has more sea than land.
MIDDLES = {
    "Alaska": [[(-161.5, 65.2), (-155, 65.5), (-149, 65.5), (-143, 65.2)]],
    "Dalmatia": [[(15.3, 44.2), (16.0, 43.8), (16.9, 43.4), (17.5, 43.1)]],
    "Hasa Plain": [[(47.6, 28.2), (48.6, 26.6), (49.3, 25.2)]],
    "Patagonia": [[(-70.6, -41), (-70, -45), (-71.3, -50.5)]],
    "Svalbard": [[(14, 77.7), (19.5, 77.7)]],
    "West Antarctica": [[(-140, -79), (-80, -79)]],
    "Dinaric Alps": [[(14.6, 45.5), (15.8, 44.6), (17.3, 43.8), (18.6, 43.1), (19.6, 42.6)]],
}
# Steps in the side of the Mercator square.
SIDE = 131072
# Square kilometres of the smallest land that areas are cut to, how exactly on the Mercator square, and the share of an area that
# must remain. GSHHG lacks the land beyond the latitude.
LEAST_LAND, LAND_TOLERANCE, LEAST_LEFT, SOUTHERN = 20, 2e-5, 0.15, -59
# Islands that are countries.
STATES = {
    "Barbados", "Dominica", "Grenada", "Kiribati", "Malta", "Marshall Islands", "Mauritius", "Micronesia", "Nauru", "Saint Lucia",
    "Seychelles", "Tuvalu",
}


def rivers(root):
    """Yields the importance, name, English name and courses of each named river."""
    english = {}
    for name, _, _, others in _lines(RIVER):
        english |= {fold(known): name for known in (*_names(others), name)}
    found = {}
    for lines, row in read_with_table(root / MAGICS / "10m/ne_10m_rivers_lake_centerlines"):
        for name in river_names(row["name"])[:1] if is_course(row) else ():
            river = found.setdefault((row["rivernum"], name), [99, []])
            river[0] = min(river[0], round(float(row["scalerank"])))
            river[1] += [line.tolist() for line in lines if len(line) > 1]
    for (_, name), (rank, lines) in found.items():
        other = english.get(fold(name), "")
        length = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in lines)
        # Natural Earth ranks each branch and each upper course as the whole river.
        branch = min(max(BRANCH * np.log2(GREAT / length), 0), MOST_BRANCH)
        yield 6.7 - 0.25 * rank - branch, FROM, name, other if other != name else "", [halved(line, TOLERANCE) for line in joined(lines)]
    yield from small_rivers(root, {fold(name) for _, name in found})


def small_rivers(root, known):
    """Yields the rivers of the supplements that the world's rivers don't have."""
    found = {}
    for part in ("europe", "north_america"):
        for lines, row in read_geojson(root / f"ne_10m_rivers_{part}.json"):
            name = next(iter(river_names(proper(row.get("name_full") or row["name"]))), "")
            if name and is_course(row) and not (row["min_label"] == 8 and part == "north_america") and fold(name).removesuffix(" river") not in known:
                river = found.setdefault((part, row["rivernum"], name), [99, []])
                river[0] = min(river[0], row["min_label"])
                river[1] += [line.tolist() for line in lines if len(line) > 1]
    for (_, _, name), (first, lines) in found.items():
        yield 4.6 - 0.7 * (first - 7), SMALL_FROM[first], name, "", [halved(line, SMALL_TOLERANCE) for line in joined(lines)]


def is_course(row):
    """False for a course through a lake, where the lake's name belongs."""
    return not row["featurecla"].startswith("Lake Centerline")


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
    """Yields the importance, name and outline of each lake, by the tables' name if they have it."""
    middles = [(feature.name, feature.latitude, feature.longitude) for feature in [*nature._oriented(), *nature._table(WATER)]
               if feature.kind == WATER and not feature.name.endswith("Canal")]
    found = []
    for part in ("", "_europe", "_north_america"):
        for rings, row in read_geojson(root / f"ne_10m_lakes{part}.json"):
            ring = max(rings, key=len)
            near = next((middle for middle in middles if is_near(ring, middle[2], middle[1])), None)
            own = nature.lake_name(row, ring)
            if near:
                middles.remove(near)
            name = near[0] if near else own
            if not name or (not near and any(is_near(ring, *other.mean(0)) or is_near(other, *ring.mean(0)) for other, _ in found)):
                continue
            found.append((ring, name))
            points = SHORES.get(name, ring[:-1].tolist())
            yield 5 + 0.6 * np.log10(double_area(points) / 2), FROM, name, "", [simplified(points, SHORE_TOLERANCE)]
    others = [middle for middle in middles if not any(is_same_lake(middle, *known) for known in found)]
    yield from other_lakes(root, others, [ring for ring, _ in found])
    points = SHORES["Markermeer"]
    yield 5 + 0.6 * np.log10(double_area(points) / 2), FROM, "Markermeer", "", [points]


def is_same_lake(middle, ring, name):
    """True if a lake of the tables has the name of one of Natural Earth's near by."""
    return middle[0] == name and bool(np.hypot(*(ring - middle[:0:-1]).T).min() < SAME_LAKE)


def other_lakes(root, middles, rings):
    """Yields the lakes of the tables that Natural Earth lacks, by GSHHG's shorelines."""
    named = shapely.STRtree([shapely.make_valid(shapely.polygons(shapes.mercator(ring))) for ring in rings])
    known = shapely.STRtree(Shorelines(root, "h").areas(LAKE, LEAST_LAKE))
    for name, latitude, longitude in middles:
        place = shapely.points(shapes.mercator(np.array([(longitude, latitude)])))[0]
        found = [known.geometries[index] for index in known.query(place, "dwithin", NEAR / 360)]
        nearest = min(found, key=place.distance, default=None)
        if nearest and nearest.area < LARGEST_LAKE and not len(named.query(nearest, "intersects")):
            points = shapes.degrees(shapely.get_coordinates(nearest.exterior))[:-1].tolist()
            yield 5 + 0.6 * np.log10(double_area(points) / 2), FROM, name, "", [simplified(points, SHORE_TOLERANCE)]


def peaks(root):
    """Yields the importance, name, height and place of each peak of the table and of Natural Earth."""
    measured = list(nature.named_peaks(root))
    heights = {name: int(metres) for name, metres in _lines("height")}
    for feature in nature._table(PEAK):
        same = [peak for peak in measured if nature.is_same_peak(feature, *peak[:3])]
        height = round(same[0][3]["elevation"]) if same else heights.get(feature.name, 0)
        measured = [peak for peak in measured if peak not in same]
        yield feature.rank - 0.5, FROM, feature.name, "", [[(feature.longitude, feature.latitude)]], height
    for name, latitude, longitude, row in measured:
        rank = 6.6 - 0.22 * row["scalerank"]
        yield rank - 0.5, max(FROM, row["min_zoom"]), name, "", [[(longitude, latitude)]], round(row["elevation"])


def named_areas(root):
    """Yields ranges, plains, islands and other areas by the tables' names: kind, name, the table's feature, rings and row, and
    whether it is a point."""
    known = nature.by_core([*nature._oriented(), *nature._table(ISLAND), *nature._table(LANDSCAPE)])
    rows = [(rings, row, False) for rings, row in read_geojson(root / "ne_10m_geography_regions_polys.json")]
    rows += [(rings, row, True) for rings, row in read_geojson(root / "ne_10m_geography_regions_points.json")]
    for rings, row, is_point in rows:
        name, kind = proper(row["name"]), nature.kind_of(row)
        if not name or not kind:
            continue
        here = Feature(kind, name, *rings[0].mean(0)[::-1].tolist(), 0, 0)
        if nature.is_otherwise(kind, name, *nature.box(rings)[:2]):
            continue
        table = next((table for table in known.get(here.core, []) if nature.is_same_sort(table.name, name)
                      and (nature._is_near(table, here) or is_within(table, name, rings))), None)
        yield kind, table.name if table else name, table, rings, row, is_point


def areas(root):
    """Yields ranges, plains, islands and other areas: kind, importance, name, lines in their middle, and zooms."""
    moved, named, land = set(), set(), Land(root)
    for kind, name, table, rings, row, is_point in named_areas(root):
        first = row["min_zoom"] if is_point else row["min_label"]
        lines = [rings[0].tolist()] if is_point else [halved(line.tolist(), AREA_TOLERANCE) for line in area_lines(rings, kind, land)]
        lines = MIDDLES.get(name, lines)
        if table and lines and not is_point and is_elsewhere(lines, table):
            # The table's middle comes first, for one row of the area; what is left of the area is named where it alone is in view.
            middle = [] if table.name in moved else [[(table.longitude, table.latitude)]]
            lines = middle + [line for line in lines if shapely.LineString(line).length >= ELSEWHERE]
            moved.add(table.name)
        if table and lines and all(np.ptp(line, axis=0).max() < TINY for line in lines):
            lines = [[(table.longitude, table.latitude)]]
        if lines:
            last = LAST if is_point else max(row["max_label"] - 1, first)
            zooms = first - SOONER, max(last, FROM) if row["featurecla"] == "Range/mtn" and row["scalerank"] <= 2 else last
            named.add(name)
            yield kind, 6.4 - 0.4 * row["scalerank"], name, lines, zooms
    yield from other_islands(named)


def other_islands(named):
    """Yields the islands of the tables that Natural Earth lacks, at their middle."""
    for feature in nature._table(ISLAND):
        if feature.name not in named:
            first = max(2 * (7 - feature.importance) - SOONER, ISLANDS_FROM)
            yield ISLAND, feature.rank - 1, feature.name, [[(feature.longitude, feature.latitude)]], (round(first, 1), LAST)


def grounds(root):
    """Yields the outlines of seas and landscapes, smallest first: kind, name and rings."""
    found = [("sea", name, rings) for name, rings, *_ in nature.named_seas(root) if name not in landscapes.SEAS]
    found += [("ground", name, rings) for kind, name, _, rings, _, is_point in named_areas(root)
              if kind == LANDSCAPE and not is_point and name not in landscapes.LANDSCAPES]
    outlined = [(kind, name, shapes.degrees_area(rings)) for kind, name, rings in found]
    outlined += [(kind, name, shapely.Polygon(ring)) for kind, name, ring in landscapes.read()]
    for kind, name, whole in sorted(outlined, key=lambda row: (row[2].area, *row[:2])):
        if rings := ground_rings(whole):
            yield kind, name, rings


def ground_rings(whole):
    """The rings of an area, outer ones and holes, the coarser the larger it is; none of slivers."""
    tolerance = min(max(whole.area ** 0.5 * GROUND_TOLERANCE, FINEST), COARSEST)
    parts = shapes.polygons(shapely.simplify(whole, tolerance))
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    return [shapely.get_coordinates(ring)[:-1].tolist() for ring in rings if shapely.polygons(ring).area >= (3 * tolerance) ** 2]


def is_within(feature, name, rings):
    """True if a feature of the tables has the name of an area and is in or near its box."""
    points, place = np.vstack(rings), (feature.longitude, feature.latitude)
    return fold(feature.name) == fold(name) and bool(np.all(points.min(0) - FAR <= place) and np.all(points.max(0) + FAR >= place))


def is_elsewhere(lines, feature):
    """True if the lines are far from the place that the tables give: Natural Earth's areas never overlap, so that of many a
    small part is left, such as the north of the Urals."""
    place = shapely.Point(feature.longitude, feature.latitude)
    lines = [shapely.LineString(line) for line in lines if len(line) > 1]
    return bool(lines) and min(line.distance(place) for line in lines) > max(ELSEWHERE, LEAST_NEAR * max(line.length for line in lines))


class Land:
    """The land north of Antarctica."""

    def __init__(self, root):
        self.tree = shapely.STRtree(shapely.make_valid(shapely.simplify(Shorelines(root, "h").areas(LAND, LEAST_LAND), LAND_TOLERANCE)))

    def part(self, area):
        """The part of an area, in degrees, that is land; all of one that is hardly land by these shorelines."""
        if area.bounds[1] < SOUTHERN or area.bounds[2] > 180:
            return area
        flat = shapely.make_valid(shapely.transform(area, shapes.mercator))
        pieces = shapely.clip_by_rect(self.tree.geometries[self.tree.query(flat, "intersects")], *flat.bounds)
        found = shapely.intersection(flat, shapely.union_all(shapely.make_valid(pieces)))
        return shapely.transform(found, shapes.degrees) if found.area >= LEAST_LEFT * flat.area else area


def area_lines(rings, kind, land):
    if np.ptp(np.vstack(rings)[:, 0]) > 180:  # on both sides of the antimeridian
        rings = [np.column_stack([ring[:, 0] % 360, ring[:, 1]]) for ring in rings]
    whole = shapes.degrees_area(rings)
    if kind == LANDSCAPE and not whole.is_empty:
        whole = land.part(whole)
    lines = spines(whole, kind == LANDSCAPE) if not whole.is_empty else []
    return [line - (360 * (line[:, 0].mean() > 180), 0) for line in map(np.asarray, lines)]


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


def far_from(kind, importance, first):
    """The zoom from which a river, a lake or a peak is named; small lakes later than the others."""
    required, least = FAR_FROM[kind]
    zoom = round(max(2 * (required - round(importance, 1)), least), 1)
    return zoom if kind == "lake" else min(zoom, first)


def rows(packages):
    with tempfile.TemporaryDirectory() as folder:
        unpack(packages, folder, {name: sum for name, sum in SHA256.items() if name.startswith(INPUTS)} | NATURAL_EARTH_SHA256 | SHORELINES_SHA256)
        root = Path(folder)
        found = [(-importance, kind, name, other, (far_from(kind, importance, first), LAST), height[0] if height else 0, lines)
                 for kind, listed in (("lake", lakes(root)), ("river", rivers(root)), ("peak", peaks(root)))
                 for importance, first, name, other, lines, *height in listed]
        found += [(-importance, {LANDSCAPE: "land", ISLAND: "island"}[kind], name, "", zooms, 0, lines)
                  for kind, importance, name, lines, zooms in areas(root)]
        outlines = list(grounds(root))
    for importance, kind, name, other, zooms, height, lines in sorted(found, key=lambda row: row[:3]):
        kind = "state" if kind == "island" and name in STATES else kind
        yield [kind, round(-importance, 1), *(f"{zoom:g}" for zoom in zooms), box(lines), height or "", name, other,
               *(outline(line, SIDE) for line in lines)]
    for kind, name, rings in outlines:
        yield [kind, 0, LAST, LAST, box(rings), "", name, "", *(outline(ring, SIDE) for ring in rings)]


def box(lines):
    """The north-western and the south-eastern corner of the box around some lines, encoded like them."""
    points = [point for line in lines for point in line]
    longitudes, latitudes = [point[0] for point in points], [point[1] for point in points]
    return outline([(min(longitudes), max(latitudes)), (max(longitudes), min(latitudes))], SIDE)


def part(fields):
    """0 for what maps of countries name, 1 for what only maps of regions name, and 2 for outlines of seas and landscapes."""
    is_small = fields[0] in ("island", "state") and len(fields) == 9 and float(fields[2]) >= ISLANDS_FROM
    return 2 if fields[0] in ("sea", "ground") else int(is_small or fields[0] in ("lake", "river", "peak"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package files")
    arguments.add_argument("output", type=Path, help="the file to write")
    options = arguments.parse_args()
    lines = ["\t".join(map(str, row)) for row in rows(options.packages)]
    # Maps of countries need only the first part, and maps of regions the second one, too.
    parts = [[line for line in lines if part(line.split("\t")) == number] for number in range(3)]
    options.output.write_text("\n\n".join("\n".join(part) for part in parts) + "\n")
    print(f"{len(lines)} features, {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
