/// The commands that search for places and describe them.
extension CommandTable {
    static let search = CommandSpec(
        name: .search,
        summary: "Search for places, streets, addresses and points of interest, offline or with --online.",
        operand: OperandSpec(
            placeholder: "TEXT",
            help:
                "a name or its beginning, in any language, optionally with a region or country after a comma, a "
                + "street "
                + "with or without a house number, a kind of place, such as pharmacy, or coordinates, a tile z/x/y, a geohash, "
                + "a plus code or a map link, to find the address there",
            isRequired: false, isJoined: true),
        options: [
            json,
            OptionSpec(.near, .place, help: "prefer results near this place (default: the last view)"),
            OptionSpec(
                .searchArea, .text, metavar: "REGION|ARCHIVE",
                help: "search only this region, package or vector tile archive"),
            OptionSpec(
                .kind, .text, metavar: "WORD",
                help:
                    "only this kind, such as pharmacy, charging, street or bakery; without TEXT, the nearest ones"
            ),
            OptionSpec(.limit, .whole(1...1000), "n", help: "show at most N results (default " + "10)"),
            OptionSpec(.online, help: "also ask a search service, with a single request"),
            OptionSpec(
                .engine, .text, metavar: "NAME|KIND=URL",
                help: "search service: a name from rhumb source list, or nominatim=URL or photon=URL"),
            OptionSpec(
                .agree, .text, metavar: "NAME",
                help: "accept the rules of a volunteer-run service; needed once"),
        ] + client + [passing, featureList, cachePath, dataPath, config] + common,
        details: [
            "Prints coordinates, kind, name, region and country, and population; for map features also distance and direction, "
                + "and their details. The best match is first. Small typing errors are tolerated. The exit status is 1 if nothing is found.",
            "Streets, addresses and points of interest come from the vector tiles of regions, packages, the shared cache and "
                + "archives opened before. New tiles are indexed first.",
            "--online also asks a service: one from your configuration (a source of kind nominatim or "
                + "photon), else one whose rules you accepted with --agree. It receives the search text and the place. Offline it is "
                + "never asked, unless --pass-through includes onlineSearch. If it can't be asked, the exit status is 3 with offline "
                + "results and 1 without.",
            "Place names: GeoNames (geonames.org), CC BY 4.0.",
        ],
        examples: [
            ("rhumb search Åbo", "Turku, under its Swedish name"),
            ("rhumb search springfield --near 42.1,-72.5", "the one in Massachusetts first"),
            ("rhumb search via dei neri 12 --in florence.pmtiles", "an address in an archive"),
            ("rhumb search --kind pharmacy --near 43.77,11.25", "the nearest pharmacies"),
            ("rhumb search 43.7700,11.2557", "the address at these coordinates"),
            ("rhumb search 43.7700,11.2557 --online", "the same, and results from a web service"),
            (
                "rhumb search --agree nominatim && rhumb search --online osteria del sole",
                "with OpenStreetMap's search "
                    + "service"
            ),
        ])

    static let describe = CommandSpec(
        name: .describe, summary: "Describe a place and its surroundings in words, from stored data.",
        operand: OperandSpec(
            placeholder: "PLACE|FILE",
            help:
                "coordinates, or the name of a place, a street or a feature of stored maps (default: the last view); or a "
                + "file with points, lines and areas, such as a GPX file",
            isRequired: false, isJoined: true),
        options: [
            OptionSpec(
                .center, .place, "c", rivals: [Option.bbox.name],
                help: "describe this place; with PLACE, prefer results near it"),
            OptionSpec(
                .bbox, .bounds, "b",
                help: "describe this box from its centre, in degrees; W above E crosses the antimeridian"),
            OptionSpec(
                .radius, .width, metavar: "LENGTH",
                help: "describe features within this distance, up to 5km (default: 2km)"),
            OptionSpec(.lines, .whole(1...100), "n", help: "print at most N lines (default: 25)"),
            OptionSpec(
                .heading, .number(0...360), metavar: "DEGREES",
                help: "the direction you face: directions become clock hours, 12 o'clock ahead"),
            OptionSpec(
                .searchArea, .text, metavar: "ARCHIVE",
                help: "also read this vector tile archive, and take roads only from it, or from this region"),
            OptionSpec(
                .over, .source, isRepeatable: true, isConfigurable: true,
                help: "also describe what this file of points, lines and areas has there"),
            units, terrain, json,
        ] + client + [passing, featureList, cachePath, dataPath, config] + common,
        details: [
            "Each line is useful alone, and the most important comes first: what is here, waters and on which side of "
                + "them, your overlays, crossing streets, quarters, stations, sights, peaks, the next towns, shops, borders, and "
                + "the height. Nothing is requested from the network. The last lines name facts that are not stored or "
                + "can't be read; the exit status is 3 if data can't be read.",
            "Place names: GeoNames (geonames.org), CC BY 4.0. Borders: Natural Earth.",
        ],
        examples: [
            ("rhumb describe Via dei Neri, Florence", "a street, with those that cross it"),
            ("rhumb describe -c 43.7696,11.2558 --heading 90", "directions for someone who looks east"),
            ("rhumb describe -c 43.7384,7.4246 --in monaco.mbtiles --json", "the facts, for a script"),
            ("rhumb describe walk.gpx", "the tracks and points of a file, with the towns near them"),
        ])
}
