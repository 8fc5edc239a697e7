"""Lines along which the name of an area is written: along its middle, or across where it is widest."""
import numpy as np
import shapely

from shapes import polygons

# An area so many times as long as it is wide is named along its middle.
LONG = 2.2
SAMPLES = 24
# Parts smaller than this share of the largest are not named themselves.
LEAST_PART = 0.35
# Shares of an area's height at which it is named across.
ACROSS = (0.5, 0.3, 0.7)


def spines(shape, along):
    """Lines in an area, the best one first; `along` has it follow any shape that isn't nearly round."""
    parts = sorted(polygons(shape), key=lambda part: -part.area)
    for part in parts:
        if part.area >= LEAST_PART * parts[0].area:
            yield from _lines(part, along)


def _lines(part, along):
    box = part.minimum_rotated_rectangle
    corners = shapely.get_coordinates(box)
    sides = [corners[1] - corners[0], corners[2] - corners[1]]
    long, wide = sorted(sides, key=lambda side: -np.hypot(*side))
    if along and np.hypot(*long) > LONG * np.hypot(*wide):
        line = _middle(part, corners, long, wide)
        if line is not None:
            yield line
            return
    west, south, east, north = part.bounds
    for share in ACROSS:
        level = south + (north - south) * share
        cut = shapely.intersection(part, shapely.LineString([(west, level), (east, level)]))
        pieces = [piece for piece in shapely.get_parts(cut) if piece.geom_type == "LineString"]
        if pieces:
            yield shapely.get_coordinates(max(pieces, key=shapely.length))[[0, -1]]


def _middle(part, corners, long, wide):
    """The middles of cuts across an area, one after another along it."""
    start = next(corner for corner, after in zip(corners, corners[1:]) if np.allclose(after - corner, long))
    middles = []
    inward = wide if shapely.Point(start + wide / 2 + long / 2).within(part.minimum_rotated_rectangle) else -wide
    for step in range(1, SAMPLES):
        foot = start + long * step / SAMPLES
        cut = shapely.intersection(part, shapely.LineString([foot - inward * 0.1, foot + inward * 1.1]))
        pieces = [piece for piece in shapely.get_parts(cut) if piece.geom_type == "LineString"]
        if pieces:
            middles.append(shapely.get_coordinates(max(pieces, key=shapely.length)).mean(0))
    return np.array(middles) if len(middles) > 2 else None
