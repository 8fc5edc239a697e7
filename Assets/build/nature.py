"""Natural features: the tables nature_*.txt and features.py, and Natural Earth's rivers."""
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import features
from folding import fold
from names import proper
from sources import MAGICS, read_geojson, read_with_table

WATER, LANDSCAPE, PEAK, RIVER, ISLAND = "water", "landscape", "peak", "river", "island"
SIGHT, AIRPORT, PORT = "sight", "airport", "port"
# Words of names that say the kind; a search may add them or leave them out. The program has them in NatureQuery.swift.
KIND_WORDS = {
    PEAK: "mt mount mountain peak volcano mont monte",
    RIVER: "river rio fleuve fluss fiume",
    WATER: "lake lago lac loch sea ocean gulf bay strait channel canal",
    ISLAND: "island islands isle isles isla ile isola archipelago",
    LANDSCAPE: "mountains mountain range desert plateau cape valley canyon national park peninsula plain falls waterfall waterfalls",
    SIGHT: "",
    AIRPORT: "airport aeroport aeropuerto aeroporto flughafen airfield",
    PORT: "port harbour harbor",
}
# The word that is indexed with every name of a kind that has none of its own.
USUAL_WORDS = {
    PEAK: "mount mountain", RIVER: "river", ISLAND: "island islands", WATER: "lake", AIRPORT: "airport", PORT: "port harbour harbor",
}
HERE = Path(__file__).parent
# Peaks are named on maps of larger scale than places of their rank.
PEAK_RANK = 3.5
# Features of one kind and name within this number of degrees are one.
SAME = 8
# Natural Earth's kinds of areas and points, by ours; others are not taken.
KINDS = {LANDSCAPE: "range/mtn foothills plateau desert plain lowland basin valley gorge tundra depression delta wetlands coast geoarea "
                    "pen/cape peninsula isthmus cape waterfall", ISLAND: "island|island group"}


# Letters that the package's list of rivers has lost.
ACCENTED = {
    "A?na": "Aïna", "Ajaj?": "Ajajú", "Amgun?": "Amgun", "Anadyr?": "Anadyr", "Aoukal?": "Aoukalé",
    "Argun? (Ergun)": "Argun (Ergun)", "Aripuan?": "Aripuanã", "B?nou?": "Bénoué", "B?o-B?o": "Bío-Bío",
    "Bago?": "Bagoé", "Baoul?": "Baoulé", "Bol?shaya Kuonamka": "Bolshaya Kuonamka",
    "Bol?shoy Anyuy": "Bolshoy Anyuy", "Bol?shoy Yenisey": "Bolshoy Yenisey", "Bol?shoy Yugan": "Bolshoy Yugan",
    "Caquet?": "Caquetá", "Caron?": "Caroní", "Copiap?": "Copiapó", "Dal?lven": "Dalälven", "G?ba": "Gêba",
    "Gh?ghara": "Ghāghara", "God?vari": "Godāvari", "Gu?rico": "Guárico", "Guain?a": "Guainía", "Guapor?": "Guaporé",
    "Ibicu?": "Ibicuí", "Indals?lven": "Indalsälven", "Iva?": "Ivaí", "Japur?": "Japurá", "Jiparan?": "Jiparaná",
    "Juru?": "Juruá", "Juta?": "Jutaí", "Kiz?lirmak": "Kızılırmak", "Mah?na Nad?": "Mahānadī", "Mamor?": "Mamoré",
    "Mara??n": "Marañón", "Nakanb? (White Volta)": "Nakanbé (White Volta)", "Neuqu?n": "Neuquén",
    "Nhamund?": "Nhamundá", "Ob?": "Ob", "Ogoou?": "Ogooué", "Ol?kma": "Olekma", "Olen?k": "Olenëk",
    "Ou?m?": "Ouémé", "Paran?": "Paraná", "Parana?ba": "Paranaíba", "Parna?ba": "Parnaíba", "Piau?": "Piauí",
    "Pungu?": "Pungué", "Pur?s": "Purús", "S?n?gal": "Sénégal", "S?o  Francisco": "São Francisco",
    "Severnaya Sos?va": "Severnaya Sosva", "Song?acha": "Songacha", "Tapaj?s": "Tapajós", "Thj?rs?": "Þjórsá",
    "Tiet?": "Tietê", "Tom?": "Tom", "Uaup?s": "Uaupés", "Za?gya": "Zaïgya",
}


@dataclass
class Feature:
    kind: str
    name: str
    latitude: float
    longitude: float
    importance: float  # what it counts on a map, by its size
    rank: float  # what it counts in a search
    others: list = field(default_factory=list)

    @property
    def core(self):
        words = fold(self.name).split()
        rest = [word for word in words if word not in KIND_WORDS[self.kind].split()]
        return self.kind, " ".join(rest or words)


def read(root):
    """All features; of those in several tables the place of the first and the names of all."""
    found = {}
    for feature in [*_oriented(), *_table(PEAK), *_table(ISLAND), *_table(WATER), *_table(LANDSCAPE), *_rivers(root),
                    *_areas(root), *_points(root), *_peaks(root), *_lakes(root), *_sights(), *_airports(root), *_ports(root)]:
        near = [other for other in found.setdefault(feature.core, []) if _is_near(feature, other)]
        if near:
            near[0].rank = max(near[0].rank, feature.rank)
            near[0].others += [name for name in [feature.name, *feature.others] if name not in [near[0].name, *near[0].others]]
        else:
            found[feature.core].append(feature)
    return [feature for those in found.values() for feature in those]


def _is_near(a, b):
    return abs(a.latitude - b.latitude) < SAME and abs(a.longitude - b.longitude) * math.cos(math.radians(a.latitude)) < SAME


def _oriented():
    """The features that orient on a map of the world."""
    kinds = {features.WATER: WATER, features.LAND: LANDSCAPE}
    for kind, name, latitude, longitude, importance, others in features.read():
        yield Feature(kinds[kind], name, latitude, longitude, importance, max(importance + 0.3, 6), others)


def _lines(kind):
    for line in (HERE / f"nature_{kind}s.txt").read_text().splitlines():
        if not line.startswith("#"):
            yield [part.strip() for part in line.split("|")]


def _table(kind):
    for name, at, *width, rank, others in _lines({LANDSCAPE: "land"}.get(kind, kind)):
        latitude, longitude = map(float, at.split())
        importance = _importance(float(width[0])) if width else float(rank) - PEAK_RANK
        yield Feature(kind, name, latitude, longitude, importance, float(rank), _names(others))


def _names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def _importance(kilometres):
    """The importance that makes a map of this width show it whole; the program counts alike."""
    return max((math.log10(kilometres * 1000) - 2.7) / 0.55, 0.1)


def _rivers(root):
    """Natural Earth's rivers in their middle, with the ranks and names of the table."""
    known = {fold(name): (name, at, float(rank), _names(others)) for name, at, rank, others in _lines(RIVER)}
    found = {}
    for lines, row in read_with_table(Path(root) / MAGICS / "10m/ne_10m_rivers_lake_centerlines"):
        name = ACCENTED.get(row["name"], row["name"].replace("  ", " "))
        if name and "?" not in name:
            found.setdefault((row["rivernum"], name), []).append((float(row["scalerank"]), lines))
    # Of several rivers of a name the table means the greatest.
    taken = {}
    for (_, names), parts in found.items():
        rank = min(rank for rank, _ in parts)
        length = sum(_length(line) for _, lines in parts for line in lines)
        first, *others = [name.strip(" )") for name in names.split("(")]
        key = next((fold(name) for name in (first, *others) if fold(name) in known), fold(first))
        taken.setdefault(key, []).append((rank, -length, first, others, max((line for _, lines in parts for line in lines), key=_length)))
    for folded, rivers in taken.items():
        for index, (rank, length, name, others, line) in enumerate(sorted(rivers, key=lambda river: river[:2])):
            if index and rank > 6:
                continue
            longitude, latitude = map(float, line[len(line) // 2])
            feature = Feature(RIVER, name, latitude, longitude, _importance(min(max(-length * 60, 30), 2000)), 6.4 - 0.3 * rank, others)
            if index == 0 and folded in known:
                feature.name, at, feature.rank, more = known.pop(folded)
                feature.others = [*[other for other in (name, *others) if other != feature.name], *more]
                if at:
                    feature.latitude, feature.longitude = map(float, at.split())
            yield feature
    for name, at, rank, others in known.values():
        if not at:
            raise SystemExit(f"nature_rivers.txt: Natural Earth has no {name}, so it needs a place")
        latitude, longitude = map(float, at.split())
        yield Feature(RIVER, name, latitude, longitude, _importance(100), rank, others)


def _length(line):
    """In degrees."""
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def kind_of(row):
    """Our kind of one of Natural Earth's areas or points; None for those not taken."""
    name = row["featurecla"].lower()
    return next((kind for kind, names in KINDS.items() if name in names.replace("|", " ").split() or name in names.split("|")), None)


def _areas(root):
    """Ranges, plains, islands and other areas, in their middle."""
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_regions_polys.json"):
        name, kind = proper(row["name"]), kind_of(row)
        if name and kind:
            low, high = np.vstack(rings).min(0), np.vstack(rings).max(0)
            longitude, latitude = ((low + high) / 2).tolist()
            width = max(high[1] - low[1], (high[0] - low[0]) * math.cos(math.radians(latitude))) * 111
            rank = 6.2 - 0.3 * row["scalerank"]
            yield Feature(kind, name, latitude, longitude, _importance(min(max(width, 10), 6000)), rank)


def _points(root):
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_regions_points.json"):
        name, kind = proper(row["name"]), kind_of(row)
        if name and kind:
            longitude, latitude = rings[0][0].tolist()
            yield Feature(kind, name, latitude, longitude, _importance(40), 6.2 - 0.3 * row["scalerank"])


def _peaks(root):
    for name, latitude, longitude, row in named_peaks(root):
        rank = 6.6 - 0.22 * row["scalerank"]
        yield Feature(PEAK, name, latitude, longitude, rank - PEAK_RANK, rank)


# Not the peak, which is in France and 1,148 m high, but the highest ground of Monaco on its slope.
NO_PEAKS = {"Mont Agel"}


def named_peaks(root):
    """Natural Earth's mountains: name, latitude, longitude and row."""
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_regions_elevation_points.json"):
        name = proper(row["name"])
        if name and name not in NO_PEAKS and row["featurecla"] in ("mountain", "spot elevation"):
            longitude, latitude = rings[0][0].tolist()
            yield name, latitude, longitude, row


def _lakes(root):
    """Natural Earth's lakes; those that the table has in the same place are given its names, so that they are one."""
    known = [feature for feature in [*_oriented(), *_table(WATER)] if feature.kind == WATER]
    for name, latitude, longitude, width, row in named_lakes(root):
        others = [proper(row[key]) for key in ("name_alt",) if row.get(key)]
        same = next((feature for feature in known if abs(feature.latitude - latitude) < width / 400 + 0.02
                     and abs(feature.longitude - longitude) < width / 300 + 0.02), None)
        if same:
            name, others = same.name, [name, *others]
        yield Feature(WATER, name, latitude, longitude, _importance(max(width, 5)), 6.4 - 0.35 * (row["min_zoom"] - 1), others)


def lake_name(row, ring):
    """The lake's name; one of the file's two lakes of Como is Lago Maggiore."""
    name = proper(row["name"])
    return "Lago Maggiore" if name == "Lago di Como" and ring[0, 0] < 9 else name


def named_lakes(root):
    """Natural Earth's lakes: name, place, width in kilometres and row."""
    for part in ("", "_europe", "_north_america"):
        for rings, row in read_geojson(Path(root) / f"ne_10m_lakes{part}.json"):
            name = lake_name(row, rings[0])
            if name:
                low, high = rings[0].min(0), rings[0].max(0)
                longitude, latitude = ((low + high) / 2).tolist()
                width = max(high[1] - low[1], (high[0] - low[0]) * math.cos(math.radians(latitude))) * 111
                yield name, latitude, longitude, width, row


def _sights():
    for name, at, rank, others in _lines(SIGHT):
        latitude, longitude = map(float, at.split())
        yield Feature(SIGHT, name, latitude, longitude, 1, float(rank), _names(others))


def _airports(root):
    for rings, row in read_geojson(Path(root) / "ne_10m_airports.json"):
        longitude, latitude = rings[0][0].tolist()
        name = proper(row["name"].replace("Int'l", "International")) or row["name"]
        codes = [row[key] for key in ("iata_code", "gps_code") if row[key]]
        # "London Heathrow" is called "Heathrow", too.
        parts = name.removesuffix(" International").split(maxsplit=1)
        others = [code for code in codes if code.isalpha()] + parts[1:] + AIRPORTS.get(row["iata_code"], [])
        rank = row["scalerank"]
        yield Feature(AIRPORT, name, latitude, longitude, 5.5 - 0.35 * rank, 6.7 - 0.3 * rank + 0.4 * (row["natlscale"] >= 100), others)
    for name, at, rank, others in _lines(AIRPORT):
        latitude, longitude = map(float, at.split())
        yield Feature(AIRPORT, name, latitude, longitude, 5.5 - 0.35 * float(rank), 6.7 - 0.3 * float(rank), _names(others))


AIRPORTS = {
    "JFK": ["Kennedy Airport", "John F. Kennedy International Airport"], "CDG": ["Roissy", "Paris Charles de Gaulle"],
    "LGW": ["Gatwick"], "LHR": ["Heathrow"], "FCO": ["Fiumicino", "Rome Fiumicino"], "MXP": ["Malpensa"], "AMS": ["Schiphol"],
    "FRA": ["Frankfurt Airport"], "MUC": ["Munich Airport"], "LAX": ["Los Angeles International"], "ORD": ["O'Hare", "Chicago O'Hare"],
    "SFO": ["San Francisco International"], "EWR": ["Newark"], "LGA": ["LaGuardia"], "NRT": ["Narita"], "HND": ["Haneda"],
    "PEK": ["Beijing Capital"], "PVG": ["Pudong"], "HKG": ["Chek Lap Kok"], "SIN": ["Changi"], "DXB": ["Dubai International"],
    "IST": ["Istanbul Airport"], "HEL": ["Vantaa", "Helsinki-Vantaa"], "ARN": ["Arlanda"], "CPH": ["Kastrup"], "OSL": ["Gardermoen"],
    "BCN": ["El Prat"], "MAD": ["Barajas"], "SVO": ["Sheremetyevo"], "DME": ["Domodedovo"], "ATL": ["Hartsfield-Jackson"],
    "IAD": ["Dulles"], "DCA": ["Reagan National"], "BOS": ["Logan"], "GRU": ["Guarulhos"], "GIG": ["Galeão"], "ICN": ["Incheon"],
    "BKK": ["Suvarnabhumi"], "KUL": ["Kuala Lumpur International"], "SYD": ["Kingsford Smith"], "MEL": ["Tullamarine"],
}


def _ports(root):
    for rings, row in read_geojson(Path(root) / "ne_10m_ports.json"):
        name = proper(row["name"])
        if name:
            longitude, latitude = rings[0][0].tolist()
            yield Feature(PORT, name, latitude, longitude, 4.6 - 0.3 * row["scalerank"], 5.2 - 0.3 * row["scalerank"])
