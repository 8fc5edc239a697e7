"""Coasts, lakes and rivers: Natural Earth's at its three scales, with its supplements, and GSHHG's shorelines for near by.

A supplement says for each water from which zoom to show it. Shapes are on the Mercator square.
"""
import numpy as np
import shapely

import shapes
from shorelines import ISLAND, LAKE, LAND, Shorelines
from sources import read_geojson, read_shapefile, read_with_table

# South of it, 60 degrees, the shorelines are those of ice, and Natural Earth's land is drawn.
SOUTH = 0.7096
# Square kilometres of the smallest island and lake among the shorelines.
LEAST_ISLAND, LEAST_LAKE = 0.1, 1
# The shorelines' lakes of that many square kilometres are seas, which the ocean has.
SEA = 200_000
FROM_START = 4
NEAR = "near"


class Waters:
    def __init__(self, root, ten, magics, resolution="h"):
        self.land = {"10m": shapes.areas(read_shapefile(ten / "ne_10m_land.shp"))}
        self.coarse_lakes = {}
        # The two coarser files leave lakes out of the land.
        for scale in ("110m", "50m"):
            dry = shapes.areas(read_shapefile(magics / scale / f"ne_{scale}_land.shp"))
            self.land[scale] = shapes.filled(dry)
            self.coarse_lakes[scale] = shapely.difference(self.land[scale], dry)
        shorelines = Shorelines(root, resolution)
        self.land[NEAR] = self._near_land(shorelines)
        self.lakes = self._lakes(root, ten, shorelines)
        self.rivers = {scale: _rivers(magics / scale) for scale in ("50m", "10m")}
        self.rivers["110m"] = self.rivers["50m"]
        self.rivers[NEAR] = self.rivers["10m"] + [
            river for part in ("europe", "north_america")
            for river in _ranked(read_geojson(root / f"ne_10m_rivers_{part}.json"))]

    def lakes_at(self, scale, zoom):
        """The lakes of a scale that are shown at a zoom."""
        if scale in self.coarse_lakes:
            return self.coarse_lakes[scale]
        return shapely.union_all([shape for shape, least in self.lakes if least <= zoom])

    def lakes_from(self, zoom):
        """The lakes of the supplements and the shorelines that are shown from a zoom on."""
        return shapely.union_all([shape for shape, least in self.lakes if least == zoom])

    def _near_land(self, shorelines):
        seas = [sea for sea in shorelines.areas(LAKE, SEA)]
        north = shapely.difference(shapely.union_all(shorelines.areas(LAND, LEAST_ISLAND)), shapely.union_all(seas))
        return shapely.union_all([shapely.intersection(north, shapely.box(0, -1, 1, SOUTH)),
                                  shapely.intersection(self.land["10m"], shapely.box(0, SOUTH, 1, 2))])

    def _lakes(self, root, ten, shorelines):
        """Lakes with the zooms from which they are shown: the world's from the first on, and last those that only the
        shorelines have, such as wide rivers."""
        found = [(shape, FROM_START) for shape in shapes.polygons(shapes.areas(read_shapefile(ten / "ne_10m_lakes.shp")))]
        for part in ("europe", "north_america"):
            known = shapely.STRtree([shape for shape, _ in found])
            found += [(shape, row["min_zoom"]) for shape, row in _areas(root / f"ne_10m_lakes_{part}.json")
                      if not len(known.query(shape, "intersects"))]
        known = shapely.STRtree([shape for shape, _ in found])
        islands = shapely.STRtree(shorelines.areas(ISLAND))
        for lake in shorelines.areas(LAKE, LEAST_LAKE):
            if not len(known.query(lake, "intersects")) and lake.area < 1e-4:
                dry = [islands.geometries[index] for index in islands.query(lake, "contains")]
                found += [(part, 8) for part in shapes.polygons(shapely.difference(lake, shapely.union_all(dry)))]
        return found


def _areas(path):
    for rings, row in read_geojson(path):
        for shape in shapes.polygons(shapes.areas([rings])):
            yield shape, row


def _rivers(folder):
    """Rivers with their ranks, and their courses through lakes, which the lakes then hide."""
    rows = read_with_table(folder / f"ne_{folder.name}_rivers_lake_centerlines.shp")
    return [(shape, round(float(row["scalerank"]))) for shape, row in rows]


def _ranked(rows):
    """The rivers of a supplement; their ranks follow on those of the world's rivers."""
    return [(shape, RANKS[row["min_zoom"]]) for shape, row in rows]


RANKS = {6.0: 10, 6.7: 11, 7.0: 12}
