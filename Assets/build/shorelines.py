"""Reads GSHHG's shorelines as Debian's GMT packages carry them: of land, lakes and islands in lakes.

The file divides the world into square bins, and each shoreline into segments, one for each bin that it crosses.
"""
from collections import defaultdict
from pathlib import Path

import h5py
import numpy as np
import shapely

from shapes import mercator, moved, polygons

LAND, LAKE, ISLAND = 1, 2, 3
# Steps in the side of a bin.
STEPS = 65535


class Shorelines:
    """The shorelines of one resolution: "h" for 0.2 km, "f" for 0.1 km."""

    def __init__(self, folder, resolution):
        with h5py.File(Path(folder) / f"usr/share/gmt-gshhg/binned_GSHHS_{resolution}.nc") as file:
            values = {name: np.asarray(file[name]) for name in file}
        self.square_kilometres = values["The_km_squared_area_of_polygons"]
        self.columns = int(values["N_bins_in_360_longitude_range"][0])
        self.around = self.columns * STEPS
        self.segments = defaultdict(list)  # by level and shoreline
        self._read(values)

    def areas(self, level, least=0):
        """The areas within the shorelines of a level, on the Mercator square, less those of fewer square kilometres."""
        rings = [ring for (found, shoreline), segments in self.segments.items()
                 if found == level and self.square_kilometres[shoreline] >= least
                 for ring in self._joined(segments)]
        found = shapely.make_valid(shapely.polygons([shapely.linearrings(self._mercator(ring)) for ring in rings]))
        parts = np.array([part for shape in found for part in polygons(shape)])
        # A shoreline that crosses the antimeridian lies partly beyond the square.
        return [part for turn in (-1, 0, 1)
                for shape in shapely.intersection(moved(parts, turn), shapely.box(0, -1, 1, 2)) for part in polygons(shape)]

    def _read(self, values):
        packed, first = values["Embedded_npts_levels_exit_entry_for_a_segment"], values["Id_of_first_point_in_a_segment"]
        shoreline, southern = values["Id_of_GSHHS_ID"], values["Embedded_ANT_flag"]
        counts, starts = values["N_segments_in_a_bin"], values["Id_of_first_segment_in_a_bin"]
        steps = np.column_stack([values[f"Relative_{axis}_from_SW_corner_of_bin"].astype(np.uint16).astype(np.int64)
                                 for axis in ("longitude", "latitude")])
        for place in np.flatnonzero(counts).tolist():
            corner = (place % self.columns * STEPS, (self.columns // 2 - 1 - place // self.columns) * STEPS)
            for segment in range(starts[place], starts[place] + counts[place]):
                if southern[segment] == 0:  # others are drawn twice: as the edge of the ice and as that of the ground
                    points = steps[first[segment]:first[segment] + (packed[segment] >> 9)] + corner
                    self.segments[int(packed[segment] >> 6 & 7), int(shoreline[segment])].append(points)

    def _joined(self, segments):
        """Yields the rings that segments form, each of which begins where another ends."""
        follows = defaultdict(list)
        for index, segment in enumerate(segments):
            follows[self._key(segment[0])].append(index)
        left = set(range(len(segments)))
        while left:
            index = min(left)
            ring, start = [], self._key(segments[index][0])
            while index is not None:
                left.discard(index)
                ring.append(segments[index])
                end = self._key(segments[index][-1])
                index = None if end == start else next((other for other in follows[end] if other in left), None)
            points = np.vstack(ring)
            if len(points) > 3:
                yield points

    def _key(self, point):
        return int(point[0]) % self.around, int(point[1])

    def _mercator(self, ring):
        """A ring on the Mercator square, without jumps between its western and eastern edge."""
        leaps = np.rint(np.diff(ring[:, 0]) / self.around).cumsum()
        x = ring[:, 0] - np.concatenate([[0], leaps]) * self.around
        return mercator(np.column_stack([x / self.around * 360, ring[:, 1] / self.around * 360 - 90]))
