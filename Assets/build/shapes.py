"""Natural Earth's shapes on the plane: in Web Mercator, simplified, and with whole coordinates.

Shapes come as lists of arrays in degrees (see sources.py) and leave as Shapely geometries whose
unit is the side of the world, or, once fitted, a step of a zoom's grid. A line of the map is
simplified as a whole before it is cut into tiles, so that tiles agree on their edges; the ends of
lines stay, so that lines that meet still do.
"""
import numpy as np
import shapely

MANY_CORNERS = 1_000_000
FARTHEST = 85.5  # degrees; a little beyond the edge of the map, so that the poles are closed


def lines(shapes):
    """Every part of the shapes as one line."""
    return shapely.MultiLineString([shapely.linestrings(p) for p in _parts(shapes) if len(p) > 1])


def areas(shapes):
    """What an odd number of the rings of all shapes encloses, together."""
    rings = [shapely.linestrings(ring) for ring in _parts(shapes) if len(ring) > 3]
    return shapely.build_area(shapely.union_all(rings))


def degrees_area(rings):
    """What an odd number of rings encloses, in degrees."""
    return shapely.build_area(shapely.union_all([shapely.linestrings(ring) for ring in rings if len(ring) > 3]))


def union(shapes):
    """What any of the shapes covers; in each the first ring is the outer one, others are holes."""
    outlined = [[shapely.linearrings(mercator(ring)) for ring in rings if len(ring) > 2] for rings in shapes]
    found = [shapely.polygons(rings[0], rings[1:] or None) for rings in outlined if rings]
    return shapely.union_all(shapely.make_valid(found))


def filled(shape):
    """The polygons without their holes."""
    return shapely.union_all([shapely.polygons(part.exterior) for part in polygons(shape)])


def _parts(shapes):
    return [mercator(part) for shape in shapes for part in shape]


def mercator(part):
    """Degrees on the Mercator square, whose side is 1."""
    latitude = np.radians(np.clip(part[:, 1], -FARTHEST, FARTHEST))
    y = (1 - np.arcsinh(np.tan(latitude)) / np.pi) / 2
    return np.column_stack([part[:, 0] / 360 + 0.5, y])


def degrees(points):
    """Points of the Mercator square in degrees, the inverse of `mercator`."""
    return np.column_stack([points[:, 0] * 360 - 180, np.degrees(np.arctan(np.sinh((1 - 2 * points[:, 1]) * np.pi)))])


def around(shape, reach):
    """The shape with what lies just beyond the antimeridian repeated on the other side; areas may touch."""
    west, east = shapely.clip_by_rect(shape, 0, -1, reach, 2), shapely.clip_by_rect(shape, 1 - reach, -1, 1, 2)
    pieces = [shape, moved(west, 1), moved(east, -1)]
    return shapely.GeometryCollection(polygons(pieces)) if shape.area else shapely.MultiLineString(strings(pieces))


def without_inlets(shape, width):
    """Areas with the water in and between them that is narrower than a width."""
    wide = shapely.buffer(shapely.MultiPolygon(polygons(shape)), width / 2, quad_segs=2)
    return shapely.buffer(wide, -width / 2, quad_segs=2)


def moved(shape, along):
    """A shape, or an array of them, farther east by so many turns."""
    return shapely.transform(shape, lambda points: points + (along, 0))


def fit_areas(shape, grid, tolerance, least):
    """Polygons on a grid of so many steps for the world, less those smaller than `least` steps."""
    parts = np.array([part for part in polygons(_scaled(shape, grid)) if part.area >= least])
    # With so many corners, to watch that no sides cross would take an hour. Those that do are mended.
    watches = shapely.get_num_coordinates(parts).sum() < MANY_CORNERS
    fine = shapely.simplify(parts, tolerance, preserve_topology=watches)
    fine = shapely.set_precision(shapely.make_valid(fine, method="structure", keep_collapsed=False), 1)
    fitted = shapely.union_all(fine, grid_size=1)
    return shapely.MultiPolygon([_whole(p, least) for p in polygons(fitted) if p.area >= least])


def _whole(polygon, least):
    """A polygon without the holes too small to be seen."""
    holes = [ring for ring in polygon.interiors if shapely.polygons(ring).area >= least]
    return shapely.polygons(polygon.exterior, holes or None)


def fit_lines(shape, grid, tolerance, least=0):
    """Lines on a grid; those that run into each other are one, and closed ones that span less
    than `least` steps are left out, since they would be dots."""
    joined = shapely.line_merge(shapely.MultiLineString(strings(_scaled(shape, grid))))
    return _snapped(shapely.simplify(joined, tolerance), least)


def _snapped(shape, least=0):
    distinct = (_distinct(np.rint(shapely.get_coordinates(line))) for line in strings(shape))
    return shapely.MultiLineString(
        [shapely.linestrings(points) for points in distinct if len(points) > 1 and _spans(points, least)])


def _distinct(points):
    keep = np.ones(len(points), bool)
    keep[1:] = (points[1:] != points[:-1]).any(1)
    return points[keep]


def _spans(points, least):
    return (points[0] != points[-1]).any() or np.ptp(points, axis=0).max() >= least


def cut(shape, box):
    """The part of polygons or lines with whole coordinates that lies in a box, with such again."""
    if shape.area:
        return shapely.MultiPolygon(polygons(shapely.intersection(shape, box, grid_size=1)))
    return _snapped(shapely.clip_by_rect(shape, *box.bounds))


def _scaled(shape, grid):
    return shapely.transform(shape, lambda points: points * grid)


def polygons(shape):
    return [part for part in shapely.get_parts(shapely.get_parts(shapely.get_parts(shape)))
            if part.geom_type == "Polygon" and not part.is_empty]


def strings(shape):
    return [part for part in shapely.get_parts(shapely.get_parts(shape)) if part.geom_type == "LineString"
            and not part.is_empty]
