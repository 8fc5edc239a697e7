"""Borders of regions, without those round ground too small to be seen: exclaves, and slivers between two borders."""
from collections import defaultdict

import shapely

import shapes

# The kingdom whose lines of regions lack the borders between its countries.
KINGDOM = "GBR"


class Divisions:
    """Lines that divide the land, noded once with what else bounds it.

    Attributes:
        edges: The divisions' pieces between two nodes, each with the index of its line and the faces beside it.
    """

    def __init__(self, lines, bounds):
        whole = shapely.union_all([*lines, *bounds])
        pieces = shapely.get_parts(shapely.line_merge(whole))
        faces = shapely.get_parts(shapely.polygonize(pieces))
        self.areas = shapely.area(faces).tolist()
        beside = defaultdict(set)
        for index, face in enumerate(faces):
            for ring in (face.exterior, *face.interiors):
                points = shapely.get_coordinates(ring).tolist()
                for a, b in zip(points, points[1:]):
                    beside[_key(a, b)].add(index)
        tree = shapely.STRtree(lines)
        self.edges = []
        for piece in pieces:
            points = shapely.get_coordinates(piece).tolist()
            middle = shapely.points([(points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2])
            near = tree.query(middle, "dwithin", 1e-9)
            sides = beside.get(_key(*points[:2]), ())
            if len(near):
                self.edges.append((piece, int(near[0]), tuple(sides)))

    def seen(self, chosen, least):
        """The pieces of the chosen lines, less those round ground of less than an area."""
        edges = [edge for edge in self.edges if edge[1] in chosen]
        group, area = list(range(len(self.areas))), list(self.areas)
        shared = defaultdict(lambda: defaultdict(float))
        for piece, _, sides in edges:
            if len(sides) == 2:
                a, b = sides
                shared[a][b] += piece.length
                shared[b][a] += piece.length

        def top(face):
            while group[face] != face:
                group[face] = group[group[face]]
                face = group[face]
            return face

        for face in sorted(range(len(area)), key=area.__getitem__):
            mine = top(face)
            if area[mine] >= least or mine not in shared:
                continue
            lengths = defaultdict(float)
            for other, length in shared[mine].items():
                if top(other) != mine:
                    lengths[top(other)] += length
            if not lengths:
                continue
            into = max(lengths, key=lambda other: (lengths[other], other))
            group[mine] = into
            area[into] += area[mine]
            for other, length in shared[mine].items():
                shared[into][other] += length
        return [piece for piece, _, sides in edges if len(sides) != 2 or top(sides[0]) != top(sides[1])]


def countries_of_kingdom(provinces):
    """The borders between the countries of the kingdom, in degrees.

    provinces: Their geometries in degrees, each with the code of its country in the kingdom.
    """
    parts = defaultdict(list)
    for shape, code in provinces:
        parts[code].append(shape)
    rims = [shapely.boundary(shapely.union_all(found)) for _, found in sorted(parts.items())]
    shared = [shapely.intersection(a, b) for place, a in enumerate(rims) for b in rims[place + 1:]]
    pieces = [piece for both in shared for piece in shapely.get_parts(both) if piece.geom_type == "LineString" and piece.length]
    merged = shapely.line_merge(shapely.MultiLineString(pieces))
    return [[shapely.get_coordinates(line) for line in shapely.get_parts(merged)]]


def _key(a, b):
    a, b = tuple(a), tuple(b)
    return (a, b) if a < b else (b, a)
