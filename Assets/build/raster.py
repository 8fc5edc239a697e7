"""Draws shapes as classes and shrinks the drawing to palette indices.

The drawing is four times finer than the picture in both directions and not smoothed: every fine
pixel belongs to one class. Counting them gives the exact share of each class in each pixel.
"""
import cairo
import numpy as np

import palette

FINE = 4
TILE = 256
SPECK = 4  # pixels: a closed line smaller than this would be a dot, and is left out


def project(shape):
    """Degrees to the unit square of Web Mercator; the pole is cut off a little beyond its edge."""
    return [_mercator(part) for part in shape]


def _mercator(part):
    lat = np.radians(np.clip(part[:, 1], -85.5, 85.5))
    y = (1 - np.arcsinh(np.tan(lat)) / np.pi) / 2
    return np.column_stack([part[:, 0] / 360 + 0.5, y])


class Layer:
    """Shapes of one class at one zoom. Width in pixels for lines, None for areas."""

    def __init__(self, name, shapes, zoom, width=None):
        self.value, self.width = palette.NAMES.index(name), width
        self.shapes = [s for s in (_fit(shape, zoom, width) for shape in shapes) if s]

    def draw(self, context, left, top, size):
        """Draws what falls in a square; left, top and size in fine pixels of the whole world."""
        context.set_source_rgba(0, 0, 0, self.value / 255)
        if self.width:
            context.set_line_width(self.width * FINE)
        for shape in self.shapes:
            near = [points for points, box in shape if _touches(box, left, top, size)]
            if near:
                self._path(context, near, left, top)
                context.stroke() if self.width else context.fill()

    def _path(self, context, parts, left, top):
        for points in parts:
            xs, ys = (points - (left, top)).T.tolist()
            context.move_to(xs[0], ys[0])
            for x, y in zip(xs, ys):
                context.line_to(x, y)
            if not self.width:
                context.close_path()


def _fit(shape, zoom, width):
    """Scales to fine pixels, and drops the points and rings too small to show."""
    parts = []
    for part in shape:
        points = np.rint(part * (TILE * FINE << zoom) * 2) / 2
        keep = np.ones(len(points), bool)
        keep[1:] = (points[1:] != points[:-1]).any(1)
        points = points[keep]
        low, high = points.min(0), points.max(0)
        loop = width and (points[0] == points[-1]).all()
        if len(points) < (2 if width else 3) or loop and max(high - low) < SPECK * FINE:
            continue
        margin = (width or 0) * FINE + 2
        parts.append((points, (*(low - margin), *(high + margin))))
    return parts


def _touches(box, left, top, size):
    return box[0] < left + size and box[2] > left and box[1] < top + size and box[3] > top


def render(layers, zoom, x, y, tiles):
    """Palette indices of a square block of tiles, `tiles` wide, whose first tile is x, y."""
    size = tiles * TILE * FINE
    surface = cairo.ImageSurface(cairo.FORMAT_A8, size, size)
    context = cairo.Context(surface)
    context.set_antialias(cairo.ANTIALIAS_NONE)
    context.set_operator(cairo.OPERATOR_SOURCE)
    context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
    context.set_line_join(cairo.LINE_JOIN_ROUND)
    context.set_line_cap(cairo.LINE_CAP_ROUND)
    for layer in layers:
        layer.draw(context, x * TILE * FINE, y * TILE * FINE, size)
    surface.flush()
    fine = np.frombuffer(surface.get_data(), np.uint8).reshape(size, surface.get_stride())
    return _shrink(fine[:, :size])


def _shrink(fine):
    """Counts the classes in each FINE x FINE square, six bits a class, and names the mixture."""
    one = np.uint64(1) << (np.uint64(6) * np.arange(len(palette.NAMES), dtype=np.uint64))
    height, width = fine.shape
    rows = sum(one[fine[i::FINE]] for i in range(FINE))
    counts = rows.reshape(height // FINE, width // FINE, FINE).sum(2, dtype=np.uint64)
    kinds, where = np.unique(counts, return_inverse=True)
    shift = np.uint64(6) * np.arange(len(palette.NAMES), dtype=np.uint64)
    shares = ((kinds[:, None] >> shift) & np.uint64(63)).astype(float) / FINE ** 2
    return palette.nearest(shares)[where].reshape(counts.shape)
