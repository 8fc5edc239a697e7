"""Natural features: the tables nature_*.txt and features.py, and Natural Earth's rivers."""
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import features
from folding import fold
from sources import MAGICS, read_with_table

WATER, LANDSCAPE, PEAK, RIVER, ISLAND = "water", "landscape", "peak", "river", "island"
# Words of names that say the kind; a search may add them or leave them out. The program has them in NatureQuery.swift.
KIND_WORDS = {
    PEAK: "mt mount mountain peak volcano mont monte",
    RIVER: "river rio fleuve fluss fiume",
    WATER: "lake lago lac loch sea ocean gulf bay strait channel canal",
    ISLAND: "island islands isle isles isla ile isola archipelago",
    LANDSCAPE: "mountains mountain range desert plateau cape valley canyon national park peninsula plain falls waterfall waterfalls",
}
# The word that is indexed with every name of a kind that has none of its own.
USUAL_WORDS = {PEAK: "mount mountain", RIVER: "river", ISLAND: "island islands"}
HERE = Path(__file__).parent
# Peaks are named on maps of larger scale than places of their rank.
PEAK_RANK = 3.5
# Features of one kind and name within this number of degrees are one.
SAME = 8


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
    for feature in [*_oriented(), *_table(PEAK), *_table(ISLAND), *_table(WATER), *_table(LANDSCAPE), *_rivers(root)]:
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
