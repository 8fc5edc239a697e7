"""Cuts a zoom's shapes into tiles, quarter by quarter."""
import shapely

import mvt
import shapes

# What reaches no farther than another layer does.
WITHIN = {"depths": "ocean"}
BUFFER = 1 / 64  # of a tile, kept beyond its edges, so that lines cross them unbroken


class Tiling:
    """A zoom's layers: for each name a list of attributes and a geometry on the zoom's grid."""

    def __init__(self, zoom, extent, pack):
        self.zoom, self.extent, self.pack = zoom, extent, pack
        self.known = {}

    def tiles(self, layers):
        """Every tile of the zoom: x, y and its packed bytes."""
        return self._cut(layers, 0, 0, self.zoom)

    def _cut(self, layers, x, y, levels):
        side = self.extent << levels
        box = self._box(x * side, y * side, side)
        clipped = _clip(layers, box)
        if levels == 0 or _is_even(clipped, box):
            yield from self._same(clipped, x << levels, y << levels, 1 << levels)
            return
        for down in (0, 1):
            for right in (0, 1):
                yield from self._cut(clipped, 2 * x + right, 2 * y + down, levels - 1)

    def _box(self, left, top, side):
        reach = round(self.extent * BUFFER)
        return shapely.box(left - reach, top - reach, left + side + reach, top + side + reach)

    def _same(self, layers, x, y, count):
        """Tiles that look alike: one, or a square of those that are sea or land and no more."""
        west, north = x * self.extent, y * self.extent
        clipped = layers if count == 1 else _clip(layers, self._box(west, north, self.extent))
        clipped = {name: _within(features, clipped.get(WITHIN[name], []) if name in WITHIN else None) for name, features in clipped.items()}
        moved = {name: [(attributes, shapely.transform(shape, lambda points: points - (west, north)))
                        for attributes, shape in features] for name, features in clipped.items()}
        body = mvt.tile(moved, self.extent)
        if body not in self.known:
            self.known[body] = self.pack(body)
        for j in range(count):
            for i in range(count):
                yield x + i, y + j, self.known[body]


def _clip(layers, box):
    """What of each layer lies in a box, with whole coordinates."""
    result = {}
    for name, features in layers.items():
        cut = [(attributes, shapes.cut(shape, box)) for attributes, shape in features]
        result[name] = [(attributes, shape) for attributes, shape in cut if not shape.is_empty]
    return result


def _within(features, others):
    """Features cut to where another layer has any; all of them where there is no such layer."""
    if others is None:
        return features
    room = shapely.union_all([shape for _, shape in others])
    cut = [(attributes, shapes.cut(shape, room)) for attributes, shape in features]
    return [(attributes, shape) for attributes, shape in cut if not shape.is_empty]


def _is_even(layers, box):
    """Whether nothing is in the box but what fills it wholly."""
    return all(shape.area == box.area for features in layers.values() for _, shape in features)
