"""Drops and corrects rows of GeoNames whose population belongs to another place.

Two kinds are common. A quarter of a city is listed with the population of the city: it has few
names, and the city, which has many, is next to it. The other kind is a small town with the population
of its district, which nothing in the list reveals; `corrections.tsv` holds those among the 500 largest
places and others that were noticed.
"""
import math
from collections import defaultdict
from pathlib import Path

from folding import fold

# Kilometres round a place of so many people within which one of its name is the same.
AROUND, LARGE = 7, 30_000
# Kilometres between places of the same people, to the last digit, within which one that has the other's name is the same; the least
# people of such, and what round numbers are multiples of.
SAME, SAME_LEAST, ROUND = 30, 10_000, 100
# A quarter has at most so many names, and is at most so many kilometres from a city of at least so
# many names, whose population it shares. Smaller places are not worth a test.
FEW_NAMES, MANY_NAMES, NEAR, SHARE, SMALLEST = 4, 20, 1.6, (0.9, 1.5), 60_000


def plausible(cities):
    """The rows without those that can't be, and with corrected populations."""
    corrections = dict(_corrections())
    cities = [{**city, **corrections.get(city["geonameid"], {})}
              for city in cities if corrections.get(city["geonameid"], {}) is not None]
    known = defaultdict(list)
    for city in cities:
        if city["population"] >= SMALLEST / SHARE[1] and len(city["alternatenames"]) >= MANY_NAMES:
            known[_cell(city)].append(city)
    return [city for city in cities if not _is_repeated(city, known)]


def distinct(cities):
    """The rows without those that repeat a larger place of the same name and region close by."""
    named = defaultdict(list)
    for city in cities:
        named[city["countrycode"], city["admin1code"], fold(city["name"]).replace(" ", "")].append(city)
    repeated = set()
    for same in named.values():
        same.sort(key=lambda city: (-city["population"], -len(city["alternatenames"]), city["geonameid"]))
        repeated |= {other["geonameid"] for index, city in enumerate(same) for other in same[index + 1:]
                     if city["population"] >= LARGE and _distance(city, other) < AROUND}
    counted = defaultdict(list)
    for city in cities:
        if city["population"] >= SAME_LEAST and city["population"] % ROUND:
            counted[city["countrycode"], city["population"]].append(city)
    for same in counted.values():
        same.sort(key=lambda city: (-len(city["alternatenames"]), city["geonameid"]))
        repeated |= {other["geonameid"] for index, city in enumerate(same) for other in same[index + 1:]
                     if _distance(city, other) < SAME and _letters(other["name"]) in map(_letters, [city["name"], *city["alternatenames"]])}
    return [city for city in cities if city["geonameid"] not in repeated]


def _letters(name):
    return fold(name).replace(" ", "")


def _corrections():
    """What a row has otherwise, by id; None for a row to drop."""
    for line in (Path(__file__).parent / "corrections.tsv").read_text().splitlines():
        if not line.startswith("#"):
            number, right, _ = line.split("\t")
            if " " in right:
                yield int(number), dict(zip(("latitude", "longitude"), map(float, right.split())))
            else:
                yield int(number), None if right == "-" else {"population": int(right)}


def _cell(city, north=0, east=0):
    return city["countrycode"], math.floor(city["latitude"] * 10) + north, math.floor(city["longitude"] * 10) + east


def _is_repeated(city, known):
    if city["population"] < SMALLEST or len(city["alternatenames"]) > FEW_NAMES:
        return False
    around = (other for north in (-1, 0, 1) for east in (-1, 0, 1) for other in known[_cell(city, north, east)])
    return any(SHARE[0] <= city["population"] / other["population"] <= SHARE[1] and _distance(city, other) < NEAR
               for other in around)


def _distance(a, b):
    """Kilometres, for places near each other."""
    east = (a["longitude"] - b["longitude"]) * math.cos(math.radians(a["latitude"]))
    return 111.2 * math.hypot(a["latitude"] - b["latitude"], east)
