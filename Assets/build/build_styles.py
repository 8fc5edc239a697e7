#!/usr/bin/env python3
"""Writes Rhumb's own styles, day and night for each number of colours, into Assets/styles.

One description for all: the colours differ; with few of them, what has none is left out. Each style has one source for each
schema of vector tiles that Rhumb knows; the program draws the layers of the one that fits.
Zooms here are the map's, where the world is 256 pixels wide at zoom 0; the files count one less.
"""
import json
import pathlib

from palettes import FULL, INDEXED_16, INDEXED_256, MONO, WATER_SHADE

# Width in pixels by zoom; the first zoom is where the thing begins to show.
WIDTHS = {
    "motorway": {5: 1.2, 9: 1.6, 12: 2.2, 14: 3.2, 16: 7, 18: 20},
    "main": {8: 1.2, 11: 1.5, 13: 2, 14: 2.8, 16: 6, 18: 18},
    "second": {10: 1.2, 13: 1.5, 14: 2.2, 16: 5, 18: 15},
    "third": {12: 1.2, 14: 1.8, 16: 4.5, 18: 13},
    "street": {13: 0.7, 14: 0.9, 15: 1.7, 16: 3, 17: 6, 18: 11},
    "mall": {12: 0.7, 14: 0.9, 15: 1.7, 16: 3, 17: 6, 18: 11},
    "service": {15: 1.2, 17: 2.5, 18: 5},
    "path": {15: 1.2, 17: 1.5, 18: 2.5},
    "rail": {11: 1.2, 15: 1.4, 18: 3},
    "runway": {11: 1.5, 14: 5, 16: 20}, "taxiway": {13: 1.2, 16: 5},
    "river": {6: 1.2, 10: 1.4, 13: 2, 16: 6}, "stream": {13: 1.2, 16: 2, 18: 4},
    "world_country": {2: 0.5, 6: 0.8, 8: 1.4}, "world_region": {4: 0.5, 8: 0.9}, "world_district": {9: 0.5, 11: 0.8},
    "world_river": {1: 0.5, 5: 0.9, 8: 1.4}, "world_brook": {3: 0.45, 8: 0.8}, "world_rill": {8: 0.4, 10: 0.8},
    "country": {1: 1.2, 5: 1.4, 8: 2}, "region": {4: 1.2, 8: 1.3},
}


# Metres from which the bands of the built-in map begin.
HEIGHTS, DEPTHS = (200, 500, 1000, 2000, 3500), (200, 2000, 4000, 6000)
NIGHT = 1
# Told from rivers and roads by their dashes where there are no colours.
BORDERS = ("country", "region", "district")
# The areas that are shaded where there are no colours.
WATERS = ("water", "ocean", "lake", "pond")
# Pixels; as wide as a dot of braille.
LEAST_INK = 1.2


def ramp(stops):
    return ["interpolate", ["exponential", 1.4], ["zoom"], *(x for z, v in stops.items() for x in (z - 1, v))]


def mix(a, b, share):
    """The colour that has so large a share of the second."""
    parts = zip(*(bytes.fromhex(colour[1:]) for colour in (a, b)))
    return "#" + "".join(f"{round(x + (y - x) * share):02X}" for x, y in parts)


class Sheet:
    """Collects the layers of one style."""

    def __init__(self, palette, theme):
        self.palette, self.theme = palette, theme
        self.layers = []
        self.source = None

    def colour(self, name):
        return self.palette[name][self.theme]

    def paint(self, colour):
        """A named colour's value; other values as they are."""
        return self.colour(colour) if isinstance(colour, str) and colour in self.palette else colour

    def ground(self, far, near):
        """A colour that changes between the zooms of countries and of streets.

        By night, land is lighter than water far away and darker near by, so that both change at once: between, they
        would be alike.
        """
        if self.theme == NIGHT:
            return self.colour(near) and ["step", ["zoom"], self.colour(far), 10, self.colour(near)]
        if self.palette is not FULL:
            return self.colour(near) and ["step", ["zoom"], self.colour(far), 7, self.colour(near)]
        return ["interpolate", ["linear"], ["zoom"], 8, self.colour(far), 11, self.colour(near)]

    def world_water(self):
        """The colour of the built-in map's waters."""
        return self.ground("shelf", "sea") if self.theme == NIGHT else "shelf"

    def stream(self):
        """The colour of lines of water: near by that of areas of water, so that a river is one thing."""
        return "river" if self.palette in (MONO, INDEXED_16) else self.ground("river", "sea")

    def quiet(self, name):
        """A colour that is nearer to the land's the farther one is, where there are colours between."""
        if self.palette is not FULL:
            return self.colour(name)
        shares = {1: 0.5, 4: 0.75, 8: 1}
        return ["interpolate", ["linear"], ["zoom"],
                *(x for zoom, share in shares.items() for x in (zoom - 1, mix(self.colour("land"), self.colour(name), share)))]

    def add(self, kind, name, layer, test, paint, layout=None, zooms=(0, 25)):
        entry = {"id": f"{self.source}-{name}", "type": kind, "source": self.source, "source-layer": layer}
        if zooms[0] > 0:
            entry["minzoom"] = max(zooms[0] - 1, 0)
        if zooms[1] < 25:
            entry["maxzoom"] = zooms[1] - 1
        if test is not None:
            entry["filter"] = test
        if layout:
            entry["layout"] = layout
        entry["paint"] = paint
        self.layers.append(entry)

    def fill(self, name, layer, test, colour, zooms=(0, 25), opacity=None):
        test = is_type("Polygon") if test is None else both(is_type("Polygon"), test)
        if self.paint(colour) is None:
            return
        if self.palette is MONO:
            if name in WATERS:
                self.add("fill", f"{name}-shade", layer, test, {"fill-color": WATER_SHADE}, zooms=zooms)
            self.add("line", name, layer, test, {"line-color": self.paint(colour), "line-width": LEAST_INK}, zooms=zooms)
            return
        paint = {"fill-color": self.paint(colour)}
        if opacity is not None and self.palette is FULL:
            paint["fill-opacity"] = opacity
        self.add("fill", name, layer, test, paint, zooms=zooms)

    def bands(self, name, layer, levels):
        """Bands of height or depth, each over the one before; they fade where they would be too coarse."""
        fade = ["interpolate", ["linear"], ["zoom"], 4, 1, 5, 0.6]
        for metres in levels:
            self.fill(f"{name}-{metres}", layer, ["==", get("metres"), metres], f"{name}_{metres}", (0, 8), fade)

    def covers(self, names, zooms, opacity):
        """Tints of deserts or woods, each over the one before, as faint as their outlines are coarse."""
        for name in names:
            self.fill(name, name, None, name, zooms, opacity)

    def urban(self):
        """Built-up areas of the built-in map: near by a fainter tint, as their outlines are coarse."""
        tint = ["interpolate", ["linear"], ["zoom"], 5, 0.9, 6, 0.4, 9, 0.22]
        self.fill("urban", "urban", None, "urban", (0, 13 if self.palette is FULL else 7), tint)

    def line(self, name, layer, test, width, colour=None, zooms=None, dashes=None, opacity=None):
        first = min(WIDTHS[width])
        colour = self.paint(colour or width)
        if colour is None:
            return
        if self.palette is MONO and name in BORDERS:
            dashes = [2, 2]
        stops = {zoom: max(value, LEAST_INK) for zoom, value in WIDTHS[width].items()} if self.palette is MONO else WIDTHS[width]
        paint = {"line-color": colour, "line-width": ramp(stops)}
        if dashes:
            paint["line-dasharray"] = dashes
        if opacity is not None and self.palette is FULL:
            paint["line-opacity"] = opacity
        layout = {"line-cap": "butt" if dashes else "round", "line-join": "round"}
        self.add("line", name, layer, test, paint, layout, zooms or (first, 25))

    def roads(self, layer, tests):
        """Roads from the least to the most important; of each the test is which features."""
        kinds = [("path", "path"), ("service", "street"), ("mall", "street"), ("street", "street"), ("third", "second"),
                 ("second", "second"), ("main", "main"), ("motorway", "motorway")]
        for name, colour in kinds:
            self.line(name, layer, tests[name], name, colour)

    def names(self, name, layer, test, colour, size, zooms, key=None, along=False, icon=None, room=None, upper=None):
        """Names of a kind of thing. Sizes from 14 are bold; room is what is kept free around, in pixels."""
        layout = {"text-field": ["coalesce", get("name"), ""], "text-size": size}
        if key is not None:
            layout["symbol-sort-key"] = key
        if along:
            layout["symbol-placement"] = "line"
        if icon is not None:
            layout["icon-image"] = icon
        if room is not None:
            layout["text-padding"] = room
        if upper is not None:
            layout["text-transform"] = upper
        paint = {"text-color": self.colour(colour), "text-halo-color": self.colour("halo"), "text-halo-width": 1}
        named = ["has", "name"]
        self.add("symbol", "name-" + name, layer, named if test is None else both(named, test), paint, layout, zooms)

    def streets(self, layer, tests):
        """Names along roads, from the least to the most important."""
        for name, first in (("street", 14), ("third", 14), ("second", 13), ("main", 13)):
            if name in tests:
                self.names("road-" + name, layer, tests[name], "name_street", 11, (first, 25), along=True,
                           room=sparse(first + 1, 16, 4))

    def points(self, layer, kind, key=None):
        """Things of interest: what guides a stranger from afar, the rest near by."""
        listed = [name for _, names in POINTS for name in names]
        self.names("poi", layer, ["!", one_of(kind, *listed)], "name_poi", 10, (18, 25), key, icon=kind, room=10)
        for first, names in POINTS:
            self.names(f"poi-{first}", layer, one_of(kind, *names), "name_poi", 10, (first, 25), key, icon=kind,
                       room=sparse(16, 14, 8))

    def settlements(self, layer, tests, rank, capital):
        """Names of places, from the least to the most important."""
        near = until(12)
        self.names("suburb", layer, tests["suburb"], "name_place", 11, (12, 17), rank, upper="uppercase",
                   room=sparse(13, 12, 6))
        self.names("village", layer, tests["village"], "name_place", 11, (11, 18), rank, icon=near("village"))
        self.names("town", layer, tests["town"], "name_city", 12, (8, 17), rank, icon=near("town"))
        icon = ["match", ["to-string", capital], ["2", "yes", "true"], "capital", "city"]
        self.names("city", layer, tests["city"], "name_city", 14, (3, 16), rank, icon=near(icon))


def sparse(zoom, far, near):
    """Room around names: more below a zoom."""
    return ["step", ["zoom"], far, zoom - 1, near]


def until(zoom):
    """Makes a picture's name hold only below a zoom: nearer by, a place is an area."""
    return lambda icon: ["step", ["zoom"], icon, zoom - 1, ""]


# The zoom from which things show, and what they are called in the schemas. The last show first.
POINTS = (
    (17, ("library", "hotel", "lodging", "hostel", "school", "artwork", "gallery", "art_gallery", "parking", "pharmacy",
          "police", "fire_station", "post_office", "cinema", "fuel", "marketplace", "embassy", "bus_station", "memorial")),
    (16, ("theatre", "theme_park", "arts_centre", "viewpoint", "college", "courthouse", "ruins", "attraction", "museum")),
    (15, ("place_of_worship", "church", "university", "castle", "zoo", "aquarium", "monument", "stadium", "townhall",
          "town_hall")),
    (14, ("hospital",)),
    (13, ("station", "railway")),
    (12, ("aerodrome", "airport", "ferry_terminal")),
)


# Kinds of things that may be sights of a city.
SIGHTS = ("museum", "attraction", "artwork", "gallery", "monument", "memorial", "castle", "ruins", "place_of_worship", "church",
          "theatre", "townhall", "viewpoint", "zoo", "aquarium", "stadium", "university", "library", "archaeological_site")


def get(name):
    return ["get", name]


def one_of(value, *labels):
    return ["match", value, list(labels), True, False]


def both(*tests):
    return ["all", *tests]


def is_type(name):
    return ["==", ["geometry-type"], name]


def most(name):
    """Sorts by the greatest number first."""
    return ["-", ["to-number", get(name), 0]]


# Tags that famous things have, and how much each counts. Names in languages from afar tell the sights of a city.
FAME = {"wikidata": 2, "wikipedia": 2, "name:ja": 2, "name:en": 1, "name:de": 1}


def fame():
    return ["+", *(["case", ["has", tag], weight, 0] for tag, weight in FAME.items())]


def openmaptiles(s):
    kind = get("class")
    s.fill("ice", "landcover", one_of(kind, "ice"), "ice")
    s.fill("field", "landcover", one_of(kind, "farmland"), "field", (9, 25))
    s.fill("grass", "landcover", one_of(kind, "grass", "wetland"), "park", (9, 25), 0.6)
    s.fill("sand", "landcover", one_of(kind, "sand"), "sand", (8, 25))
    s.fill("quarter", "landuse", one_of(kind, "residential", "suburb", "neighbourhood", "quarter"),
           s.ground("urban", "quarter"))
    s.fill("works", "landuse", one_of(kind, "industrial", "commercial", "retail", "railway", "military"), "works", (11, 25))
    s.fill("wood", "landcover", one_of(kind, "wood", "forest"), "wood", (5, 25))
    s.fill("green", "landuse", one_of(kind, "cemetery", "pitch", "stadium", "zoo", "theme_park", "playground"), "park", (11, 25))
    s.fill("park", "park", None, "park", (6, 25), 0.5)
    s.line("stream", "waterway", one_of(kind, "stream", "drain", "ditch"), "stream", s.stream())
    s.line("river", "waterway", one_of(kind, "river", "canal"), "river", s.stream())
    s.fill("water", "water", ["!=", get("brunnel"), "tunnel"], s.ground("water", "sea"))
    s.fill("apron", "aeroway", None, "works", (11, 25))
    s.line("taxiway", "aeroway", one_of(kind, "taxiway"), "taxiway", "runway")
    s.line("runway", "aeroway", one_of(kind, "runway"), "runway")
    s.fill("building", "building", None, "building", (15, 25))
    s.line("rail", "transportation", one_of(kind, "rail", "transit"), "rail")
    mall = one_of(get("subclass"), "pedestrian")
    s.roads("transportation", {
        "path": both(one_of(kind, "path", "track"), ["!", mall]), "mall": mall,
        "service": one_of(kind, "service", "raceway", "busway"),
        "street": one_of(kind, "minor"), "third": one_of(kind, "tertiary"), "second": one_of(kind, "secondary"),
        "main": one_of(kind, "primary", "trunk"), "motorway": one_of(kind, "motorway")})
    level = ["to-number", get("admin_level"), 99]
    land = ["!=", ["to-number", get("maritime"), 0], 1]
    s.line("region", "boundary", both([">", level, 2], ["<=", level, 4], land), "region")
    s.line("country", "boundary", both(["<=", level, 2], land), "country")
    s.streets("transportation_name", {
        "street": one_of(kind, "minor"), "third": one_of(kind, "tertiary"), "second": one_of(kind, "secondary"),
        "main": one_of(kind, "primary", "trunk", "motorway")})
    s.names("water-line", "waterway", None, "name_water", 11, (12, 25), along=True)
    s.points("poi", ["coalesce", get("subclass"), kind, ""], get("rank"))
    sight = both(one_of(["coalesce", get("subclass"), kind, ""], *SIGHTS), ["<=", ["to-number", get("rank"), 99], 6])
    s.names("famous-poi", "poi", sight, "name_poi", 10, (14, 25), get("rank"), icon=["coalesce", get("subclass"), kind, ""], room=8)
    s.names("peak", "mountain_peak", None, "name_green", 11, (10, 25), get("rank"), icon="peak")
    s.names("park", "park", None, "name_green", 11, (12, 25), get("rank"))
    s.names("airport", "aerodrome_label", None, "name_poi", 11, (10, 25), icon="airport")
    s.names("water", "water_name", None, "name_water", 12, (2, 25))
    rank = get("rank")
    s.settlements("place", {
        "suburb": one_of(kind, "suburb", "quarter", "neighbourhood", "hamlet", "isolated_dwelling"),
        "village": one_of(kind, "village"), "town": one_of(kind, "town"), "city": one_of(kind, "city")}, rank, get("capital"))
    s.names("region", "place", one_of(kind, "state", "province"), "name_country", 11, (5, 9), rank)
    s.names("country", "place", one_of(kind, "country"), "name_country", 14, (1, 9), rank, upper="uppercase")


def protomaps(s):
    kind = ["coalesce", get("kind"), get("pmap:kind"), ""]
    detail = ["coalesce", get("kind_detail"), get("highway"), get("place"), ""]
    s.fill("cover-field", "landcover", one_of(kind, "farmland"), "field", (5, 25), 0.6)
    s.fill("cover-wood", "landcover", one_of(kind, "forest"), "wood", (3, 25), 0.6)
    s.fill("cover-ice", "landcover", one_of(kind, "glacier"), "ice")
    s.fill("cover-urban", "landcover", one_of(kind, "urban_area"), s.ground("urban", "quarter"), (4, 11))
    use = ["coalesce", get("landuse"), ""]
    s.fill("field", "landuse", one_of(kind, "farmland", "orchard", "meadow"), "field", (9, 25))
    s.fill("quarter", "landuse", ["any", one_of(kind, "residential", "urban_area"), ["==", use, "residential"]],
           s.ground("urban", "quarter"))
    s.fill("works", "landuse", ["any", one_of(kind, "industrial", "commercial", "railway", "military", "aerodrome"),
                                one_of(use, "industrial", "commercial", "railway", "retail")], "works", (11, 25))
    s.fill("site", "landuse", one_of(kind, "hospital", "school", "university", "college"), "works", (14, 25))
    s.fill("sand", "landuse", one_of(kind, "beach", "sand"), "sand", (9, 25))
    s.fill("wood", "landuse", one_of(kind, "forest", "wood", "nature_reserve"), "wood", (7, 25))
    natural = ["coalesce", get("natural"), get("landuse"), get("leisure"), kind]
    s.fill("nature-wood", "natural", one_of(natural, "wood", "forest"), "wood", (7, 25))
    s.fill("nature-green", "natural", one_of(natural, "scrub", "heath", "grassland", "park", "wetland"), "park", (10, 25), 0.7)
    s.fill("nature-ice", "natural", one_of(natural, "glacier"), "ice")
    s.fill("nature-sand", "natural", one_of(natural, "sand", "beach"), "sand", (9, 25))
    s.fill("green", "landuse", ["any", one_of(kind, "park", "national_park", "cemetery", "golf_course", "grass", "garden",
                                              "pitch", "zoo", "playground", "grassland"),
                                one_of(use, "grass", "cemetery")], "park", (10, 25))
    lines = is_type("LineString")
    s.line("stream", "water", both(lines, one_of(kind, "stream", "ditch", "drain")), "stream", s.stream())
    s.line("river", "water", both(lines, one_of(kind, "river", "canal")), "river", s.stream())
    way = get("waterway")
    s.line("old-stream", "physical_line", one_of(way, "stream", "drain", "ditch"), "stream", s.stream())
    s.line("old-river", "physical_line", one_of(way, "river", "canal"), "river", s.stream())
    s.fill("water", "water", None, s.ground("water", "sea"))
    s.line("taxiway", "roads", one_of(detail, "taxiway"), "taxiway", "runway")
    s.line("runway", "roads", one_of(detail, "runway"), "runway")
    s.fill("building", "buildings", None, "building", (15, 25))
    s.line("rail", "roads", one_of(kind, "rail"), "rail")
    s.line("old-rail", "transit", one_of(kind, "railway", "rail"), "rail")
    large = one_of(kind, "major_road", "medium_road")
    mall = one_of(detail, "pedestrian")
    foot = ("footway", "path", "steps", "cycleway", "track", "bridleway", "corridor")
    s.roads("roads", {
        "path": both(["any", one_of(kind, "path"), one_of(detail, *foot)], ["!", mall]), "mall": mall,
        "service": one_of(detail, "service"),
        "street": both(one_of(kind, "minor_road", "other"), ["!", one_of(detail, "service", "pedestrian", *foot)]),
        "third": both(large, one_of(detail, "tertiary", "tertiary_link")),
        "second": both(large, ["!", one_of(detail, "tertiary", "tertiary_link", "trunk", "trunk_link", "primary", "primary_link")]),
        "main": both(large, one_of(detail, "trunk", "trunk_link", "primary", "primary_link")),
        "motorway": one_of(kind, "highway")})
    level = ["to-number", get("pmap:min_admin_level"), get("kind_detail"), 99]
    s.line("region", "boundaries", ["any", one_of(kind, "region", "macroregion"), both([">", level, 2], ["<=", level, 4])], "region")
    s.line("country", "boundaries", ["any", one_of(kind, "country"), ["<=", level, 2]], "country")
    s.streets("roads", {
        "street": both(one_of(kind, "minor_road", "other"), ["!", one_of(detail, "service", *foot)]),
        "second": both(large, ["!", one_of(detail, "trunk", "trunk_link", "primary", "primary_link")]),
        "main": ["any", both(large, one_of(detail, "trunk", "primary")), one_of(kind, "highway")]})
    water = ["any", one_of(kind, "river", "canal"), one_of(way, "river", "canal")]
    for old, layer in (("", "water"), ("old-", "physical_line")):
        s.names(old + "stream", layer, both(lines, ["!", water]), "name_water", 11, (15, 25), along=True)
        s.names(old + "river", layer, both(lines, water), "name_water", 11, (12, 25), along=True)
    s.names("building", "buildings", None, "name_poi", 10, (15, 25), icon="building", room=sparse(16, 20, 8))
    what = ["coalesce", get("kind"), get("amenity"), get("tourism"), get("railway"), get("aeroway"), get("historic"),
            get("shop"), ""]
    s.points("pois", what, ["-", ["to-number", get("min_zoom"), 99], fame()])
    famous, most_famous = [">=", fame(), 2], ["-", 0, fame()]
    s.names("famous-poi", "pois", both(famous, one_of(what, *SIGHTS)), "name_poi", 10, (14, 25), most_famous, icon=what, room=8)
    s.names("famous-building", "buildings", famous, "name_poi", 10, (14, 25), most_famous, icon="landmark", room=8)
    nature = ["coalesce", get("natural"), ""]
    s.names("peak", "pois", one_of(what, "peak", "volcano"), "name_green", 11, (10, 25), icon="peak")
    s.names("old-peak", "physical_point", one_of(nature, "peak", "volcano", "hill"), "name_green", 11, (10, 25), icon="peak")
    s.names("old-park", "landuse", one_of(kind, "park", "cemetery", "nature_reserve"), "name_green", 11, (12, 25))
    s.names("park", "pois", one_of(kind, "park", "national_park", "nature_reserve"), "name_green", 11, (12, 25))
    s.names("water", "water", ["!", lines], "name_water", 12, (3, 25))
    s.names("old-water", "physical_point", one_of(nature, "", "water", "bay", "strait"), "name_water", 12, (3, 25))
    rank = ["-", ["to-number", get("population_rank"), get("population"), 0]]
    town = ["any", one_of(kind, "locality", "city", "town", "village"), one_of(detail, "village", "town", "city")]
    s.settlements("places", {
        "suburb": both(one_of(kind, "neighbourhood", "macrohood"), ["!", one_of(detail, "village", "town", "city")]),
        "village": both(town, ["!", one_of(detail, "city", "town")]), "town": one_of(detail, "town"),
        "city": ["any", one_of(detail, "city"), both(one_of(kind, "city"), ["==", detail, ""])]}, rank, get("capital"))
    s.names("region", "places", one_of(kind, "region", "state"), "name_country", 11, (5, 9), rank)
    s.names("country", "places", one_of(kind, "country"), "name_country", 14, (1, 9), rank, upper="uppercase")


def shortbread(s):
    kind = get("kind")
    s.fill("ice", "land", one_of(kind, "glacier", "ice"), "ice")
    s.fill("field", "land", one_of(kind, "farmland", "farmyard", "orchard", "vineyard", "meadow", "wet_meadow"), "field", (9, 25))
    s.fill("quarter", "land", one_of(kind, "residential"), s.ground("urban", "quarter"))
    s.fill("works", "land", one_of(kind, "industrial", "commercial", "retail", "railway", "quarry", "landfill"), "works", (11, 25))
    s.fill("sand", "land", one_of(kind, "sand", "beach"), "sand", (9, 25))
    s.fill("wood", "land", one_of(kind, "forest", "wood"), "wood", (6, 25))
    s.fill("green", "land", one_of(kind, "grass", "grassland", "park", "garden", "cemetery", "golf_course", "recreation_ground",
                                   "village_green", "heath", "scrub", "allotments", "swamp", "bog", "marsh"), "park", (10, 25))
    s.fill("site", "sites", one_of(kind, "hospital", "school", "university", "college"), "works", (14, 25))
    s.line("stream", "water_lines", one_of(kind, "stream", "ditch", "drain"), "stream", s.stream())
    s.line("river", "water_lines", one_of(kind, "river", "canal"), "river", s.stream())
    s.fill("ocean", "ocean", None, s.ground("water", "sea"))
    s.fill("water", "water_polygons", ["!=", kind, "glacier"], s.ground("water", "sea"))
    s.fill("glacier", "water_polygons", one_of(kind, "glacier"), "ice")
    s.fill("square", "street_polygons", None, "square", (15, 25))
    s.fill("building", "buildings", None, "building", (15, 25))
    rails = ("rail", "narrow_gauge", "light_rail", "tram", "funicular", "monorail", "subway")
    s.line("rail", "streets", one_of(kind, *rails), "rail")
    s.line("taxiway", "streets", one_of(kind, "taxiway"), "taxiway", "runway")
    s.line("runway", "streets", one_of(kind, "runway"), "runway")
    s.roads("streets", {
        "path": one_of(kind, "footway", "path", "steps", "cycleway", "track", "bridleway"), "service": one_of(kind, "service", "busway"),
        "mall": one_of(kind, "pedestrian"), "street": one_of(kind, "residential", "unclassified", "living_street"), "third": one_of(kind, "tertiary"),
        "second": one_of(kind, "secondary"), "main": one_of(kind, "primary", "trunk"), "motorway": one_of(kind, "motorway")})
    level = ["to-number", get("admin_level"), 99]
    land = ["!=", get("maritime"), True]
    s.line("region", "boundaries", both([">", level, 2], ["<=", level, 4], land), "region")
    s.line("country", "boundaries", both(["<=", level, 2], land), "country")
    s.streets("street_labels", {
        "street": ["!", one_of(kind, "tertiary", "secondary", "primary", "trunk", "motorway")],
        "third": one_of(kind, "tertiary"), "second": one_of(kind, "secondary"),
        "main": one_of(kind, "primary", "trunk", "motorway")})
    s.names("water-line", "water_lines_labels", None, "name_water", 11, (12, 25), along=True)
    s.points("pois", ["coalesce", get("amenity"), get("tourism"), get("historic"), get("leisure"), get("shop"), ""])
    sight = ["coalesce", get("tourism"), get("historic"), ""]
    s.names("famous-poi", "pois", one_of(sight, "attraction", "museum", "castle", "monument"), "name_poi", 10, (14, 25), icon=sight,
            room=12)
    s.names("station", "public_transport", one_of(kind, "station", "aerodrome", "ferry_terminal"), "name_poi", 10, (14, 25),
            icon=kind, room=8)
    s.names("water", "water_polygons_labels", None, "name_water", 12, (3, 25), most("way_area"))
    s.settlements("place_labels", {
        "suburb": one_of(kind, "suburb", "quarter", "neighborhood", "neighbourhood", "hamlet"),
        "village": one_of(kind, "village"), "town": one_of(kind, "town"),
        "city": one_of(kind, "city", "capital", "state_capital")}, most("population"), ["==", kind, "capital"])
    s.names("region", "boundary_labels", [">", level, 2], "name_country", 11, (5, 9), most("way_area"))
    s.names("country", "boundary_labels", ["<=", level, 2], "name_country", 14, (1, 9), most("way_area"), upper="uppercase")


def world(s):
    """The built-in map: ice and borders reach below the sea, which has the one true coast."""
    level, rank = get("level"), get("rank")
    # Tints let the bands through, but where there are no colours between.
    land = [lambda: s.bands("height", "heights", HEIGHTS),
            lambda: s.covers(("wooded", "woods"), (0, 7), ["interpolate", ["linear"], ["zoom"], 4, 0.5, 6, 0.1]),
            lambda: s.covers(("dry", "desert"), (0, 12), ["interpolate", ["linear"], ["zoom"], 6, 0.36, 11, 0.1])]
    for draw in land if s.palette is FULL else reversed(land):
        draw()
    s.urban()
    s.line("district", "borders", ["==", level, 6], "world_district", "region")
    s.line("region", "borders", ["==", level, 4], "world_region", s.quiet("region"))
    s.line("rill", "rivers", [">", rank, 10], "world_rill", s.quiet("river"))
    s.line("brook", "rivers", both([">", rank, 3], ["<=", rank, 10]), "world_brook", s.quiet("river"))
    s.line("river", "rivers", ["<=", rank, 3], "world_river", s.quiet("river"))
    s.fill("lake", "lakes", ["!", ["has", "from"]], s.world_water())
    s.fill("pond", "lakes", ["has", "from"], s.world_water(), (8, 25))
    s.fill("ice", "ice", ["!", ["has", "to"]], "ice", opacity=["interpolate", ["linear"], ["zoom"], 6, 1, 9, 0.5])
    s.fill("glacier", "ice", ["has", "to"], "ice", (0, 9), ["interpolate", ["linear"], ["zoom"], 6, 0.8, 8, 0])
    s.line("country", "borders", ["==", level, 2], "world_country", s.quiet("country"))
    s.fill("ocean", "ocean", None, s.world_water())
    s.bands("depth", "depths", DEPTHS)


def other(s):
    """Tiles of any other schema: shapes as they are. "*" means every layer; it is Rhumb's own."""
    s.fill("areas", "*", None, "urban", opacity=0.7)
    s.add("line", "lines", "*", ["!=", ["geometry-type"], "Point"],
          {"line-color": s.colour("main"), "line-width": 1.2})
    s.add("circle", "points", "*", is_type("Point"),
          {"circle-color": s.colour("mark"), "circle-radius": ["interpolate", ["linear"], ["zoom"], 1, 1.5, 12, 3]})
    s.names("points", "*", is_type("Point"), "name_city", 12, (0, 25), icon="place")


def style(palette, theme, name):
    sheet = Sheet(palette, theme)
    ground = sheet.ground("land", "ground")
    sheet.layers.append({"id": "land", "type": "background", "paint": {"background-color": ground}})
    sources = {}
    for schema in (openmaptiles, protomaps, shortbread, world, other):
        sheet.source = schema.__name__
        sources[sheet.source] = {"type": "vector"}
        schema(sheet)
    return {"version": 8, "name": name, "sources": sources, "layers": sheet.layers}


def main():
    folder = pathlib.Path(__file__).parent.parent / "styles"
    folder.mkdir(exist_ok=True)
    for palette, suffix in ((FULL, ""), (INDEXED_256, "-256"), (INDEXED_16, "-16")):
        for theme, name in enumerate(("day", "night")):
            write(folder / f"{name}{suffix}.json", style(palette, theme, f"Rhumb {name}"))
    write(folder / "mono.json", style(MONO, 0, "Rhumb in ink"))


def write(path, document):
    """A line for each layer, so that changes can be read."""
    head = {key: value for key, value in document.items() if key != "layers"}
    lines = ",\n".join("  " + json.dumps(layer, separators=(",", ":")) for layer in document["layers"])
    path.write_text(json.dumps(head)[:-1] + ', "layers": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
