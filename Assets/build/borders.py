"""Borders as arcs: the line between two areas is there once, and is simplified once for both.

Areas come as lists of rings of whole coordinates, and leave as lists of rings that refer to arcs: to the
n-th forwards as n, backwards as -1 - n.
"""
from collections import defaultdict


# The width of an area is so many times what may be lost of it.
WIDTHS = 12


class Borders:
    """The arcs of many areas, and of what groups of areas are together."""

    def __init__(self, areas, groups, tolerance):
        rings = [ring for area in areas for ring in area]
        nodes = _nodes(rings)
        self.arcs, self.numbers = [], {}
        self.full = self.arcs
        self.areas = [[loop for ring in area for loop in self._loops(self._arcs_of(ring, nodes))] for area in areas]
        self.groups = [self._union([self.areas[number] for number in group]) for group in groups]
        self.tolerances = self._tolerances(tolerance)
        self.arcs = [_simplified(arc, most) for arc, most in zip(self.full, self.tolerances)]
        self._mend(tolerance)

    def _tolerances(self, most):
        """Of each arc, so that what is small keeps its shape: a part of the width of the smallest area it bounds."""
        found = [most] * len(self.full)
        for rings in self.areas:
            for ring in rings:
                width = abs(area(self.points(ring))) ** 0.5
                for reference in ring:
                    number = reference if reference >= 0 else -1 - reference
                    found[number] = min(found[number], width / WIDTHS)
        return found

    def points(self, ring):
        """The corners of a ring, the first not repeated."""
        points = []
        for reference in ring:
            arc = self.arcs[reference] if reference >= 0 else self.arcs[-1 - reference][::-1]
            points += arc[:-1]
        return points

    def _union(self, areas):
        """The rings round several areas together."""
        forwards = defaultdict(list)
        references = [reference for area in areas for ring in area for reference in ring]
        there = set(references)
        for reference in references:
            if -1 - reference not in there:
                forwards[self._ends(reference)[0]].append(reference)
        rings = []
        for start in list(forwards):
            while forwards[start]:
                way, at = [], start
                while forwards[at]:
                    way.append(forwards[at].pop())
                    at = self._ends(way[-1])[1]
                rings += self._loops(way)
        return rings

    def _loops(self, way):
        """A way back to its beginning, cut into loops where it comes to a node again."""
        loops, open_way, places = [], [], {self._ends(way[0])[0]: 0}
        for reference in way:
            open_way.append(reference)
            node = self._ends(reference)[1]
            if node in places:
                cut = places[node]
                loops.append(open_way[cut:])
                for passed in open_way[cut:-1]:
                    del places[self._ends(passed)[1]]
                del open_way[cut:]
            else:
                places[node] = len(open_way)
        return loops

    def _ends(self, reference):
        arc = self.full[reference if reference >= 0 else -1 - reference]
        return (arc[0], arc[-1]) if reference >= 0 else (arc[-1], arc[0])

    def _arcs_of(self, ring, nodes):
        cuts = [at for at, point in enumerate(ring) if point in nodes]
        start = cuts[0] if cuts else ring.index(min(ring))
        turned = ring[start:] + ring[:start] + [ring[start]]
        references, arc = [], [turned[0]]
        for point in turned[1:]:
            arc.append(point)
            if point in nodes or point == turned[-1] and len(arc) > len(ring):
                references.append(self._number(arc))
                arc = [point]
        return references

    def _number(self, arc):
        for candidate, sign in ((arc, 1), (arc[::-1], -1)):
            number = self.numbers.get(tuple(candidate))
            if number is not None:
                return number if sign > 0 else -1 - number
        self.numbers[tuple(arc)] = len(self.arcs)
        self.arcs.append(arc)
        return len(self.arcs) - 1

    def _mend(self, tolerance):
        """Simplifies less where rings would collapse or cross themselves; where that does not help, takes
        away the points where they do."""
        for less in (tolerance / 2, tolerance / 4, 1, 0):
            for number, _ in self._bad_arcs():
                self.arcs[number] = _simplified(self.full[number], min(less, self.tolerances[number]))
        for _ in range(20):
            for number, points in self._bad_arcs():
                arc = self.arcs[number]
                self.arcs[number] = arc[:1] + [point for point in arc[1:-1] if point not in points] + arc[-1:]

    def _bad_arcs(self):
        found = [(ring, fault(self.points(ring))) for area in self.areas + self.groups for ring in area]
        return [(reference if reference >= 0 else -1 - reference, points)
                for ring, points in found if points for reference in ring]


def _nodes(rings):
    """Where more than two lines meet."""
    neighbours = defaultdict(set)
    for ring in rings:
        for before, point, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1]):
            neighbours[point].update((before, after))
    return {point for point, found in neighbours.items() if len(found) != 2}


def _simplified(arc, tolerance):
    """Douglas and Peucker's way; the ends stay, of a closed arc also the point farthest from them."""
    if arc[0] == arc[-1] and len(arc) > 4:
        far = max(range(len(arc)), key=lambda at: _square(arc[0], arc[at]))
        return _simplified(arc[:far + 1], tolerance)[:-1] + _simplified(arc[far:], tolerance)
    kept, waiting = {0, len(arc) - 1}, [(0, len(arc) - 1)]
    while waiting:
        first, last = waiting.pop()
        far, distance = None, tolerance * tolerance
        for at in range(first + 1, last):
            found = _distance(arc[at], arc[first], arc[last])
            if found > distance:
                far, distance = at, found
        if far is not None:
            kept.add(far)
            waiting += [(first, far), (far, last)]
    return [arc[at] for at in sorted(kept)]


def _square(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _distance(point, a, b):
    """Squared, from the part of the line between a and b."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = x * x + y * y
    along = 0 if length == 0 else max(0, min(1, ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / length))
    return (a[0] + along * x - point[0]) ** 2 + (a[1] + along * y - point[1]) ** 2


def area(ring):
    """Twice the area of a ring, positive where it runs against the clock."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))


def fault(ring):
    """Points where a ring touches or crosses itself, all where it has no area; none of a good one."""
    if len(set(ring)) < max(len(ring), 3) or area(ring) == 0:
        return set(ring)
    edges = sorted((min(a[0], b[0]), max(a[0], b[0]), a, b) for a, b in zip(ring, ring[1:] + ring[:1]))
    for at, (_, right, a, b) in enumerate(edges):
        for left, _, c, d in edges[at + 1:]:
            if left > right:
                break
            if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
                continue
            if {a, b} & {c, d}:
                if _turn(a, b, c) == _turn(a, b, d) == 0 and _folds(a, b, c, d):
                    return {a, b, c, d}
            elif _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0:
                return {a, b, c, d}
    return set()


def _folds(a, b, c, d):
    """Whether two edges on one line, with an end in common, lie on each other."""
    common = ({a, b} & {c, d}).pop()
    p, q = (b if a == common else a), (d if c == common else c)
    return (p[0] - common[0]) * (q[0] - common[0]) + (p[1] - common[1]) * (q[1] - common[1]) > 0


def _turn(a, b, c):
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)


def is_inside(point, ring):
    """Whether a point lies within a ring."""
    inside = False
    for a, b in zip(ring, ring[1:] + ring[:1]):
        if (a[1] > point[1]) != (b[1] > point[1]):
            if point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]):
                inside = not inside
    return inside
