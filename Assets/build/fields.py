"""Fields of numbers over the world, on a grid of latitudes and longitudes: in Mercator, smoothed, and traced as areas."""
import contourpy
import numpy as np
import shapely


class Field:
    """Numbers on a grid: rows from 90° north to 90° south, columns from 180° west to 180° east."""

    def __init__(self, grid):
        self.grid = grid

    def mercator(self, side):
        """The world in Mercator so many pixels wide and high, north up, and the latitude of each row.

        Coarse pictures are averages of what they cover.
        """
        rows, columns = self.grid.shape
        fold = max(1, columns // (2 * side))
        grid = self.grid[:rows // fold * fold, :columns // fold * fold]
        grid = grid.reshape(rows // fold, fold, columns // fold, fold).mean((1, 3))
        y = (np.arange(side) + 0.5) / side
        latitudes = np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * y))))
        down = (90 - latitudes) / 180 * grid.shape[0] - 0.5
        right = (np.arange(side) + 0.5) / side * grid.shape[1] - 0.5
        between = _between if fold > 1 or side <= columns else _curved
        return between(between(grid, down, 0), right, 1), latitudes

    def beyond(self, level, side, smoothed=2):
        """What exceeds a level in Mercator, the world being 1 wide, from a grid so many steps wide.

        Below zero: what is less than it.
        """
        field, _ = self.mercator(side)
        field = smooth(field, smoothed)
        field = np.hstack([field[:, -1:], field, field[:, :1]])
        places = (np.arange(-1, side + 1) + 0.5) / side
        traced = contourpy.contour_generator(places, places[1:-1], field if level > 0 else -field, fill_type="OuterOffset")
        outlines, offsets = traced.filled(abs(level), np.inf)
        outlined = [[shapely.linearrings(ring) for ring in rings if len(ring) > 3] for rings in map(_rings, outlines, offsets)]
        found = [shapely.polygons(rings[0], rings[1:] or None) for rings in outlined if rings]
        whole = shapely.union_all(shapely.make_valid(found))
        return shapely.intersection(whole, shapely.box(0, 0, 1, 1))


def smooth(ground, times):
    """Each place as the mean of itself and its neighbours, the nearest counting most."""
    for _ in range(times):
        ground = (np.roll(ground, 1, 1) + 2 * ground + np.roll(ground, -1, 1)) / 4
        padded = np.pad(ground, ((1, 1), (0, 0)), "edge")
        ground = (padded[:-2] + 2 * ground + padded[2:]) / 4
    return ground


def _rings(points, offsets):
    return [points[first:last] for first, last in zip(offsets[:-1], offsets[1:])]


def _between(grid, places, axis):
    """Values between those of the grid along an axis; columns go round the world."""
    below = np.floor(places).astype(int)
    share = (places - below).astype(np.float32)
    count = grid.shape[axis]
    first, second = (np.take(grid, place % count if axis else np.clip(place, 0, count - 1), axis)
                     for place in (below, below + 1))
    share = share[None, :] if axis else share[:, None]
    return first * (1 - share) + second * share


def _curved(grid, places, axis):
    """Values between those of the grid along an axis by cubic B-splines, for pictures finer than the grid."""
    below = np.floor(places).astype(int)
    t = (places - below).astype(np.float32)
    weights = ((1 - t) ** 3 / 6, (3 * t ** 3 - 6 * t ** 2 + 4) / 6, (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6, t ** 3 / 6)
    count, result = grid.shape[axis], 0
    for step, weight in enumerate(weights, -1):
        place = below + step
        values = np.take(grid, place % count if axis else np.clip(place, 0, count - 1), axis)
        result = result + values * (weight[None, :] if axis else weight[:, None])
    return result
