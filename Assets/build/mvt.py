"""Writes vector tiles: Mapbox Vector Tile 2.1 in Protocol Buffers.

A layer's features are pairs of attributes and a geometry in the tile's own steps, y down; all
attributes are whole numbers.
"""
import numpy as np
import shapely

from archive import varint
from shapes import polygons, strings

LINE, POLYGON = 2, 3
MOVE, DRAW, CLOSE = 1, 2, 7


def tile(layers, extent):
    """A tile of the layers that have anything in them; `layers` maps names to features."""
    return b"".join(_bytes(3, _layer(name, features, extent)) for name, features in layers.items() if features)


def _layer(name, features, extent):
    keys, values, messages = [], [], []
    for attributes, geometry in features:
        tags = [_index(table, item) for pair in attributes.items() for table, item in zip((keys, values), pair)]
        kind, commands = _commands(geometry)
        messages.append(_bytes(2, _packed(2, tags) + _number(3, kind) + _packed(4, commands)))
    return (_bytes(1, name.encode()) + b"".join(messages)
            + b"".join(_bytes(3, key.encode()) for key in keys)
            + b"".join(_bytes(4, _number(5, value)) for value in values)
            + _number(5, extent) + _number(15, 2))


def _index(table, item):
    if item not in table:
        table.append(item)
    return table.index(item)


def _commands(geometry):
    """The kind of a geometry, and its commands: steps from point to point, zigzag."""
    commands, cursor = [], np.zeros((1, 2), int)
    rings = [ring for polygon in polygons(geometry) for ring in _rings(polygon)]
    for points in rings or map(_points, strings(geometry)):
        steps = np.diff(np.vstack([cursor, points]), axis=0)
        zigzag = ((steps << 1) ^ (steps >> 63)).ravel().tolist()
        commands += [MOVE | 1 << 3, *zigzag[:2], DRAW | len(points) - 1 << 3, *zigzag[2:]]
        if rings:
            commands.append(CLOSE | 1 << 3)
        cursor = points[-1:]
    return POLYGON if rings else LINE, commands


def _rings(polygon):
    """The outer ring clockwise on the screen, then the holes the other way; last points left out."""
    turned = shapely.orient_polygons(polygon)
    return [_points(ring)[:-1] for ring in (turned.exterior, *turned.interiors)]


def _points(line):
    return shapely.get_coordinates(line).astype(int)


def _number(field, value):
    return varint(field << 3) + varint(value)


def _bytes(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def _packed(field, values):
    return _bytes(field, b"".join(map(varint, values))) if values else b""
