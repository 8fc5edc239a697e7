"""Natural features: the tables nature_*.txt and features.py, and Natural Earth's rivers."""
import functools
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import features
from folding import fold
from names import KNOWN_AS, proper, river, written_out
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
# The kilometres of map by which Natural Earth's seas count at most.
WIDEST_SEA = 150
# Degrees within which two peaks are one, by whatever name, and by the same.
ONE_PEAK, SAME_PEAK = 0.03, 0.3
# Words of names, by the sort of area that they tell.
SORTS = ("mountains mountain range", "peninsula cape", "desert", "plateau", "plain", "strait straits channel passage",
         "bay gulf bight", "sea ocean", "sound", "basin", "inlet")
# Degrees within which waters, islands and lands of one name are one.
SAME_GROUND = 2.5
# Kinds of which other names tell, too, that two features are one.
GROUNDS = (WATER, LANDSCAPE, ISLAND, RIVER)
# Natural Earth's kinds of areas and points, by ours; others are not taken.
KINDS = {LANDSCAPE: "range/mtn foothills plateau desert plain lowland basin valley gorge tundra depression delta wetlands coast geoarea "
                    "pen/cape peninsula isthmus cape waterfall", ISLAND: "island|island group"}


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
        return self._core(self.name)

    @property
    def cores(self):
        """The cores of the names by which features of its kind are one."""
        return list(dict.fromkeys(map(self._core, [self.name, *(self.others if self.kind in GROUNDS else [])])))

    def _core(self, name):
        words = fold(name).split()
        rest = [word for word in words if word not in KIND_WORDS[self.kind].split()]
        return self.kind, " ".join(rest or words)


def read(root):
    """All features; of those in several tables the place of the first and the names of all."""
    found, all = {}, []
    for feature in [*_oriented(), *_table(PEAK), *_table(ISLAND), *_table(WATER), *_table(LANDSCAPE), *_rivers(root),
                    *_areas(root), *_points(root), *_peaks(root), *_lakes(root), *_seas(root), *_sights(), *_airports(root), *_ports(root)]:
        near = [other for other in found.get(feature.core, []) if _is_near(feature, other) and is_same_sort(feature.name, other.name)]
        if near:
            near[0].rank = max(near[0].rank, feature.rank)
            near[0].others += [name for name in [feature.name, *feature.others] if name not in [near[0].name, *near[0].others]]
        else:
            all.append(feature)
            for core in feature.cores:
                found.setdefault(core, []).append(feature)
    return all


def is_same_sort(a, b):
    """False for the names of a range and of a peninsula, such as the Balkan Mountains and the Balkan Peninsula."""
    first, second = ({sort for sort, words in enumerate(SORTS) if set(words.split()) & set(fold(name).split())} for name in (a, b))
    return not first or not second or bool(first & second)


def is_same_peak(feature, name, latitude, longitude):
    """True if a peak of the table is one of Natural Earth's."""
    apart = max(abs(feature.latitude - latitude), abs(feature.longitude - longitude))
    return apart < ONE_PEAK or apart < SAME_PEAK and Feature(PEAK, name, latitude, longitude, 0, 0).core in feature.cores


def _is_near(a, b, apart=SAME):
    east = abs(_wrapped(a.longitude - b.longitude)) * math.cos(math.radians(a.latitude))
    return abs(a.latitude - b.latitude) < apart and east < apart


def _wrapped(longitude):
    return (longitude + 180) % 360 - 180


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
        if names := river(row["name"]):
            found.setdefault((row["rivernum"], *names), []).append((float(row["scalerank"]), lines))
    # Of several rivers of a name the table means the greatest.
    taken = {}
    for (_, first, *others), parts in found.items():
        rank = min(rank for rank, _ in parts)
        length = sum(_length(line) for _, lines in parts for line in lines)
        key = next((fold(name) for name in (first, *others) if fold(name) in known), fold(first))
        taken.setdefault(key, []).append((rank, -length, first, others, max((line for _, lines in parts for line in lines), key=_length)))
    for folded, rivers in taken.items():
        for index, (rank, length, name, others, line) in enumerate(sorted(rivers, key=lambda river: river[:2])):
            if index and rank > 6:
                continue
            longitude, latitude = map(float, line[len(line) // 2])
            if name.endswith(" Canal") and is_otherwise(RIVER, name, latitude, longitude):
                continue
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


def box(rings):
    """The latitude and longitude of the middle of an area's box, and its larger side in kilometres."""
    points = np.vstack(rings)
    if np.ptp(points[:, 0]) > 180:  # on both sides of the antimeridian
        points = np.column_stack([points[:, 0] % 360, points[:, 1]])
    low, high = points.min(0), points.max(0)
    longitude, latitude = ((low + high) / 2).tolist()
    return latitude, _wrapped(longitude), max(high[1] - low[1], (high[0] - low[0]) * math.cos(math.radians(latitude))) * 111


def by_core(features):
    """Features by the cores of their names."""
    known = {}
    for feature in features:
        for core in feature.cores:
            known.setdefault(core, []).append(feature)
    return known


def _areas(root):
    """Ranges, plains, islands and other areas, in their middle."""
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_regions_polys.json"):
        name, kind = proper(row["name"]), kind_of(row)
        if name and kind and name not in NO_LANDSCAPES:
            latitude, longitude, width = box(rings)
            rank = 6.2 - 0.3 * row["scalerank"]
            if not is_otherwise(kind, name, latitude, longitude):
                yield Feature(kind, name, latitude, longitude, _importance(min(max(width, 10), 6000)), rank, _own_names(row, name))


# The state, which is a region of the gazetteer.
NO_LANDSCAPES = {"Alaska"}


def _own_names(row, name):
    """The file's own name, where the tables have another."""
    return [own for own in [written_out(row["name"])] if own != name]


def named_seas(root):
    """Natural Earth's seas, bays and straits, by the tables' names: name, rings, row, and the latitude and longitude of their middle,
    by the tables if they have it."""
    known = by_core([*_oriented(), *_table(WATER)])
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_marine_polys.json"):
        if name := proper(row["name"]):
            latitude, longitude = inner_place(rings)
            here = Feature(WATER, name, latitude, longitude, 0, 0)
            table = next((table for table in known.get(here.core, []) if is_same_sort(table.name, name)
                          and (_is_near(table, here) or contains(rings, table.longitude, table.latitude))), None)
            yield table.name if table else name, rings, row, (table.latitude, table.longitude) if table else (latitude, longitude)


def _seas(root):
    for name, rings, row, (latitude, longitude) in named_seas(root):
        *_, width = box(rings)
        # On maps of the world, only the seas of the tables are named: those of the file that contain others have no room.
        importance = 0.1 if row["featurecla"] == "ocean" else _importance(min(max(width, 10), WIDEST_SEA))
        yield Feature(WATER, name, latitude, longitude, importance, 6.2 - 0.3 * row["scalerank"], _own_names(row, name))


def _crossings(rings, north):
    """Where a parallel crosses the rings, from west to east."""
    found = []
    for ring in rings:
        (x, y), (u, v) = ring[:-1].T, ring[1:].T
        crossed = (y > north) != (v > north)
        found += (x[crossed] + (north - y[crossed]) * (u[crossed] - x[crossed]) / (v[crossed] - y[crossed])).tolist()
    return sorted(found)


def contains(rings, east, north):
    """True if an odd number of rings encloses a point."""
    return bool(sum(crossing > east for crossing in _crossings(rings, north)) % 2)


def inner_place(rings):
    """The latitude and longitude in the middle of an area where it is widest; of slivers, which some rows are, of their box."""
    low, high = np.vstack(rings).min(0), np.vstack(rings).max(0)
    found = []
    for share in (0.5, 0.4, 0.6, 0.3, 0.7):
        north = float(low[1] + (high[1] - low[1]) * share)
        cuts = _crossings(rings, north)
        found += [((end - start) * math.cos(math.radians(north)), north, (start + end) / 2) for start, end in zip(cuts[::2], cuts[1::2])]
    return max(found)[1:] if found else box(rings)[:2]


@functools.cache
def _grounds():
    return [*_oriented(), *_table(WATER), *_table(LANDSCAPE), *_table(ISLAND)]


def is_otherwise(kind, name, latitude, longitude):
    """True if the tables have an area of Natural Earth as one of another kind: Jutland is no island, and salt pans are waters."""
    here = Feature(kind, name, latitude, longitude, 0, 0)
    return any(other.kind != kind and fold(other.name) == fold(name) and _is_near(other, here, SAME_GROUND) for other in _grounds())


def _points(root):
    for rings, row in read_geojson(Path(root) / "ne_10m_geography_regions_points.json"):
        name, kind = proper(row["name"]), kind_of(row)
        if name and kind:
            longitude, latitude = rings[0][0].tolist()
            if not is_otherwise(kind, name, latitude, longitude):
                yield Feature(kind, name, latitude, longitude, _importance(40), 6.2 - 0.3 * row["scalerank"])


def _peaks(root):
    """Natural Earth's peaks; those that the table has are given its names, so that they are one."""
    known = list(_table(PEAK))
    for name, latitude, longitude, row in named_peaks(root):
        rank = 6.6 - 0.22 * row["scalerank"]
        same = next((feature for feature in known if is_same_peak(feature, name, latitude, longitude)), None)
        yield Feature(PEAK, same.name if same else name, latitude, longitude, rank - PEAK_RANK, rank, [name] if same else [])


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
        if row["iata_code"] in NO_AIRPORTS:
            continue
        name = " ".join(re.sub(r"Int('l)?(?= |$)", "International", row["name"].replace("_", " ")).split())
        name = KNOWN_AS.get(name, name)
        codes = [row[key] for key in ("iata_code", "gps_code") if row[key]]
        # "London Heathrow" is called "Heathrow", too.
        parts = name.removesuffix(" International").removesuffix(" Airport").split(maxsplit=1)
        others = [code for code in codes if code.isalpha()] + parts[1:] + AIRPORTS.get(row["iata_code"], [])
        rank = row["scalerank"]
        yield Feature(AIRPORT, name, latitude, longitude, 5.5 - 0.35 * rank, 6.7 - 0.3 * rank + 0.4 * (row["natlscale"] >= 100), others)
    for name, at, rank, others in _lines(AIRPORT):
        latitude, longitude = map(float, at.split())
        yield Feature(AIRPORT, name, latitude, longitude, 5.5 - 0.35 * float(rank), 6.7 - 0.3 * float(rank), _names(others))


# A part of an airport, one that has closed, and those that have moved and are in the table.
NO_AIRPORTS = {"MUCf", "TXL", "IST", "KMG", "UIO", "ISB", "DUR", "DOH"}
# Names by which people call airports, such as their cities.
AIRPORTS = {
    "JFK": ["Kennedy Airport", "John F. Kennedy International Airport"], "CDG": ["Roissy", "Paris Charles de Gaulle"],
    "SEA": ["Seattle"], "LAS": ["Las Vegas", "McCarran"], "MEX": ["Mexico City", "Benito Juárez"], "JNB": ["Johannesburg"],
    "CLT": ["Charlotte"], "PHX": ["Phoenix"], "MCO": ["Orlando"], "CLE": ["Cleveland"], "STL": ["St. Louis"],
    "PIT": ["Pittsburgh"], "BUF": ["Buffalo"], "BDL": ["Hartford"], "OKC": ["Oklahoma City"], "MKE": ["Milwaukee"],
    "PVD": ["Providence"], "RDU": ["Raleigh"], "OGG": ["Maui"], "KOA": ["Kona"], "SNA": ["Orange County"], "YOW": ["Ottawa"],
    "YXE": ["Saskatoon"], "BOG": ["Bogotá"], "LIM": ["Lima"], "SCL": ["Santiago"], "EZE": ["Ezeiza", "Buenos Aires"],
    "GYE": ["Guayaquil"], "CCS": ["Caracas"], "MVD": ["Montevideo"], "ASU": ["Asunción"], "LPB": ["La Paz"],
    "VVI": ["Santa Cruz"], "CUZ": ["Cusco"], "BSB": ["Brasília"], "SSA": ["Salvador"], "REC": ["Recife"], "FOR": ["Fortaleza"],
    "POA": ["Porto Alegre"], "CWB": ["Curitiba"], "MAO": ["Manaus"], "CNF": ["Belo Horizonte"], "CGH": ["São Paulo Congonhas"],
    "HAV": ["Havana"], "SDQ": ["Santo Domingo"], "PTY": ["Panama City"], "GUA": ["Guatemala City"], "SJU": ["San Juan"],
    "MGA": ["Managua"], "TGU": ["Tegucigalpa"], "KIN": ["Kingston"], "MBJ": ["Montego Bay"], "BGI": ["Bridgetown"],
    "GDL": ["Guadalajara"], "MTY": ["Monterrey"], "TIJ": ["Tijuana"], "SJD": ["Cabo San Lucas"], "ADD": ["Addis Ababa"],
    "NBO": ["Nairobi"], "DAR": ["Dar es Salaam"], "MBA": ["Mombasa"], "ACC": ["Accra"], "LOS": ["Lagos"], "DKR": ["Dakar"],
    "ALG": ["Algiers"], "CMN": ["Casablanca"], "ABJ": ["Abidjan"], "LAD": ["Luanda"], "PLZ": ["Port Elizabeth"],
    "MRU": ["Mauritius"], "FIH": ["Kinshasa"], "TNR": ["Antananarivo"], "GBE": ["Gaborone"], "LLW": ["Lilongwe"],
    "SEZ": ["Mahé"], "HAH": ["Moroni"], "BOM": ["Mumbai"], "DEL": ["Delhi", "New Delhi"], "CCU": ["Kolkata"],
    "HYD": ["Hyderabad"], "AMD": ["Ahmedabad"], "CMB": ["Colombo", "Bandaranaike"], "DAC": ["Dhaka"], "KTM": ["Kathmandu"],
    "LHE": ["Lahore"], "RGN": ["Yangon"], "HAN": ["Hanoi"], "SGN": ["Ho Chi Minh City", "Saigon"], "PNH": ["Phnom Penh"],
    "CGK": ["Jakarta"], "SUB": ["Surabaya"], "DPS": ["Denpasar", "Ngurah Rai"], "MNL": ["Manila"],
    "DMK": ["Bangkok Don Mueang"], "TPE": ["Taipei"], "KIX": ["Osaka Kansai"], "NGO": ["Nagoya"], "GMP": ["Seoul Gimpo"],
    "PUS": ["Busan"], "SHA": ["Shanghai Hongqiao"], "XIY": ["Xi'an"], "RUH": ["Riyadh"], "JED": ["Jeddah"], "AMM": ["Amman"],
    "TLV": ["Tel Aviv"], "THR": ["Tehran"], "MCT": ["Muscat"], "ESB": ["Ankara"], "ADB": ["İzmir"],
    "SAW": ["Istanbul Sabiha Gökçen"], "GYD": ["Baku"], "EVN": ["Yerevan"], "ULN": ["Ulaanbaatar"], "LED": ["Saint Petersburg"],
    "KBP": ["Kyiv"], "BBU": ["Bucharest Băneasa"], "SOF": ["Sofia"], "BEG": ["Belgrade", "Nikola Tesla"], "BUD": ["Budapest"],
    "PRG": ["Prague", "Václav Havel"], "WAW": ["Warsaw", "Chopin"], "KRK": ["Kraków"], "ATH": ["Athens"], "MLA": ["Malta"],
    "LIN": ["Milan Linate"], "BGY": ["Bergamo", "Milan Bergamo"], "OPO": ["Porto"], "PDL": ["Ponta Delgada"],
    "CRL": ["Charleroi", "Brussels South"], "LYS": ["Lyon"], "FAE": ["Vágar", "Faroe Islands"], "TLL": ["Tallinn"],
    "AKL": ["Auckland"], "PPT": ["Tahiti", "Papeete"], "NAN": ["Fiji"], "GUM": ["Guam"], "TRW": ["Tarawa"], "MAJ": ["Majuro"],
    "LGW": ["Gatwick"], "LHR": ["Heathrow"], "FCO": ["Fiumicino", "Rome Fiumicino"], "MXP": ["Malpensa", "Milan Malpensa"],
    "AMS": ["Amsterdam", "Schiphol"], "FRA": ["Frankfurt Airport"], "MUC": ["Munich Airport"],
    "LAX": ["Los Angeles International"], "ORD": ["O'Hare", "Chicago O'Hare"], "SFO": ["San Francisco International"],
    "EWR": ["Newark"], "LGA": ["LaGuardia"], "NRT": ["Narita"], "HND": ["Haneda"], "PEK": ["Beijing Capital"],
    "PVG": ["Pudong"], "HKG": ["Chek Lap Kok"], "SIN": ["Changi"], "DXB": ["Dubai International"],
    "HEL": ["Vantaa", "Helsinki-Vantaa"], "ARN": ["Stockholm Arlanda"], "CPH": ["Kastrup"], "OSL": ["Gardermoen"],
    "BCN": ["El Prat"], "MAD": ["Madrid"], "SVO": ["Sheremetyevo"], "DME": ["Domodedovo"], "ATL": ["Atlanta"],
    "IAD": ["Washington Dulles"], "DCA": ["Reagan National", "Washington Reagan"], "BOS": ["Boston", "Logan"],
    "GRU": ["Guarulhos"], "GIG": ["Galeão", "Rio de Janeiro Galeão"], "ICN": ["Seoul Incheon"], "BKK": ["Suvarnabhumi"],
    "KUL": ["Kuala Lumpur International"], "SYD": ["Sydney"], "MEL": ["Tullamarine"],
}


def _ports(root):
    for rings, row in read_geojson(Path(root) / "ne_10m_ports.json"):
        name = proper(row["name"])
        if name:
            longitude, latitude = rings[0][0].tolist()
            yield Feature(PORT, name, latitude, longitude, 4.6 - 0.3 * row["scalerank"], 5.2 - 0.3 * row["scalerank"])
