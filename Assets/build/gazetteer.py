"""Writes the places into a SQLite file made to be read in place.

Places are numbered from 1: by classes of rank, the first ones first, and within a class along a
Hilbert curve. So the numbers serve both orders: a full-text search answers with the well-known
places first, and the places of an area lie together. `chunk` holds the places,
some hundred in a row: numbers in one blob, names deflated in the other.
"""
import bisect
import sqlite3
import zlib

from archive import tile_id
from folding import fold, table
from places import NATURE
from scripts import is_latin

# The lower ends of the classes of rank (powers of ten of people, and fame).
CLASSES = [7, 6.5, 6, 5.5, 5, 4.5, 4, 3.5, 3, 0]
CURVE_ZOOM = 16
UNITS = 10_000  # of coordinates, in a degree
# What the kind of a remote settlement or capital is raised by.
REMOTE = 5
# What one row of `chunk` may hold in its blobs so that it fills a page and no more.
CHUNK_BYTES = 4020
CHUNK_PLACES = 512
# Alternates of places from this importance on are words a typing mistake may have meant.
FAMOUS = 5
PAGE = 4096

SCHEMA = """
PRAGMA page_size = %d;
PRAGMA journal_mode = OFF;
PRAGMA application_id = 0x52504c43;
PRAGMA user_version = 5;
CREATE TABLE text (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
CREATE TABLE region (id INTEGER PRIMARY KEY, country TEXT, name TEXT);
CREATE TABLE chunk (
    first INTEGER PRIMARY KEY, count INTEGER, class INTEGER,
    west INTEGER, south INTEGER, east INTEGER, north INTEGER, ceiling INTEGER,
    numbers BLOB, names BLOB);
-- Has all that is read when the file is opened, so that the chunks themselves need not be.
CREATE INDEX chunk_box ON chunk (first, count, ceiling, west, south, east, north);
CREATE VIRTUAL TABLE names USING fts5(
    words, content='', columnsize=0, detail=none, tokenize='ascii', prefix='1');
INSERT INTO names (names, rank) VALUES ('automerge', 0);
""" % PAGE


def write(path, places, countries, region_names, areas):
    path.unlink(missing_ok=True)
    places = sorted(places, key=_order)
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    regions = _write_regions(connection, places, countries, region_names)
    for number, place in enumerate(places, 1):
        connection.execute("INSERT INTO names (rowid, words) VALUES (?, ?)", (number, _words(place)))
    first = 1
    for group in _groups(places, regions):
        connection.execute("INSERT INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?)", _chunk(first, group, regions))
        first += len(group)
    connection.execute("INSERT INTO text VALUES ('folding', ?)", (
        _deflate(table(name for place in places for name in place.names)),))
    connection.execute("INSERT INTO text VALUES ('words', ?)", (_deflate("\n".join(_vocabulary(places))),))
    connection.execute("INSERT INTO text VALUES ('areas', ?)", (_deflate(_areas(areas, regions)),))
    connection.execute("INSERT INTO names (names) VALUES ('optimize')")
    connection.commit()
    connection.execute("VACUUM")
    connection.close()


def _order(place):
    """Class, then the Hilbert curve; the rest only makes the order certain."""
    side = (1 << CURVE_ZOOM) - 1
    x = int((place.longitude + 180) / 360 * side)
    y = int((90 - place.latitude) / 180 * side)
    return _class(place), tile_id(CURVE_ZOOM, x, y), -place.population, place.kind, place.name


def _class(place):
    return next(i for i, least in enumerate(CLASSES) if max(place.rank, 0) >= least)


def _words(place):
    words = {word for name in [*place.names, place.kind_words] for word in fold(name).split()}
    return " ".join(sorted(words))


def _write_regions(connection, places, countries, region_names):
    """Numbers of the regions, with their countries; a country's own place has region ""."""
    keys = sorted({(place.country, place.region if (place.country, place.region) in region_names else "")
                   for place in places})
    connection.executemany("INSERT INTO country VALUES (?, ?)", sorted(countries.items()))
    for number, key in enumerate(keys):
        connection.execute("INSERT INTO region VALUES (?, ?, ?)", (number, key[0], region_names.get(key, "")))
    return {key: number for number, key in enumerate(keys)}


def _areas(areas, regions):
    """A line for each name that narrows a search: the name, a tab, and codes of countries and numbers of regions."""
    lines = []
    for name, targets in sorted(areas.items()):
        numbers = [str(regions[target]) if isinstance(target, tuple) else target for target in targets
                   if isinstance(target, str) or target in regions]
        if numbers:
            lines.append(f"{name}\t{' '.join(sorted(numbers))}")
    return "\n".join(lines)


def _groups(places, regions):
    """Runs of places of one class, each as long as fits into a page."""
    start = 0
    while start < len(places):
        alike = places[start:start + CHUNK_PLACES]
        alike = [place for place in alike if _class(place) == _class(alike[0])]
        fits = bisect.bisect_right(
            range(1, len(alike) + 1), CHUNK_BYTES,
            key=lambda count: sum(map(len, _blobs(alike[:count], regions))))
        yield places[start:start + max(fits, 1)]
        start += max(fits, 1)


def _chunk(first, group, regions):
    east, north = zip(*map(_units, group))
    ceiling = int(max(place.importance for place in group) * 100) + 1
    return (first, len(group), _class(group[0]), min(east), min(north), max(east), max(north), ceiling,
            *_blobs(group, regions))


def _blobs(group, regions):
    """Numbers as steps from place to place, and names deflated."""
    numbers, last = bytearray(), (0, 0)
    for place in group:
        at = _units(place)
        numbers += _varint(_zigzag(at[0] - last[0])) + _varint(_zigzag(at[1] - last[1]))
        numbers += _number(place)
        last = at
    return bytes(numbers), _deflate(_names(group, regions))


def _number(place):
    """Population, kind (5 more for remote ones), and fame in hundredths where there is any; of nature its importance with the kind in it."""
    fame = round(place.fame * 100)
    if place.kind in NATURE:
        value, kind = place.population * len(NATURE) + NATURE.index(place.kind), NATURE[0]
    else:
        value, kind = place.population, place.kind + (REMOTE if place.is_remote else 0)
    return _varint(value << 4 | bool(fame) << 3 | kind) + (_varint(_zigzag(fame)) if fame else b"")


def _units(place):
    return round(place.longitude * UNITS), round(place.latitude * UNITS)


def _names(group, regions):
    """A line for each place: its region's number and its names, the usual one first.

    "=" stands before the name that people there use, "+" before the English one, where they are others. "~" stands
    before each rare name, "~~" before each one out of use.
    """
    lines = []
    for place in group:
        region = regions.get((place.country, place.region), regions.get((place.country, "")))
        marked = ["=" + place.local] * bool(place.local) + ["+" + place.english] * bool(place.english)
        others = [name for name in place.alternates if name not in (place.local, place.english)]
        others += ["~" + name for name in place.rare] + ["~~" + name for name in place.obsolete]
        lines.append("\t".join([str(region), place.name, *marked, *others]))
    return "\n".join(lines)


def _vocabulary(places):
    """Every word of the names people type, sorted."""
    words = set()
    for place in places:
        famous = [*place.alternates, *place.rare] if place.rank >= FAMOUS else []
        for name in [place.name, *filter(is_latin, famous)]:
            words.update(word for word in fold(name).split() if len(word) > 3)
    return sorted(words)


def _zigzag(value):
    return value << 1 if value >= 0 else -value << 1 | 1


def _varint(value):
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes(result) + bytes([value])


def _deflate(text):
    return zlib.compress(text.encode(), 9)
