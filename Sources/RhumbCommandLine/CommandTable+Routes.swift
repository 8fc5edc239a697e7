internal import RhumbCore

/// The options and the command of routes and reachable areas.
extension CommandTable {
    static let engine = OptionSpec(
        .engine, .text, metavar: "[MODE=]URL|NAME", isRepeatable: true, isConfigurable: true,
        help:
            "routing engine: the URL of an OSRM or Valhalla server, a name from rhumb source list, or tiles for the roads of stored maps; an OSRM server "
            + "has one travel mode, so name it if you use several: car=http://127.0.0.1:5000")

    private static let modes = RouteMode.allCases.map(\.rawValue)

    private static let travel = [
        OptionSpec(.mode, .word(modes), "m", help: "travel mode (default: car)"),
        OptionSpec(.height, .number(0.5...10), metavar: "METRES", help: "height of the truck or bus"),
        OptionSpec(.width, .number(0.5...10), metavar: "METRES", help: "width of the truck or bus"),
        OptionSpec(.length, .number(0.5...60), metavar: "METRES", help: "length of the truck or bus"),
        OptionSpec(.weight, .number(0.1...200), metavar: "TONNES", help: "weight of the truck or bus"),
        OptionSpec(.axleLoad, .number(0.1...50), metavar: "TONNES", help: "axle load of the truck or bus"),
        OptionSpec(.hazardous, help: "the vehicle carries dangerous goods"),
        OptionSpec(
            .avoid, .list,
            help: "avoid these where possible: "
                + RouteAvoidance.allCases.map(\.rawValue).joined(separator: ", ")),
        engine,
        OptionSpec(
            .searchArea, .text, metavar: "REGION|ARCHIVE",
            help: "with stored maps, use only this region, package or vector tile archive"),
    ]

    /// The command lines that set up and start a routing engine. Each fits on one line.
    private static let start = [
        (
            "pip install pyvalhalla && valhalla_build_config --mjolnir-tile-dir t > v.json",
            "set up a local routing engine in three lines"
        ),
        (
            "mkdir t && valhalla_build_tiles -c v.json area.osm.pbf",
            "build its road data from an OpenStreetMap extract"
        ),
        ("valhalla_service v.json 1", "start it; check with rhumb doctor"),
    ]

    static let route = CommandSpec(
        name: .route, summary: "Find a route between places, or the area within reach of one.",
        operand: OperandSpec(
            placeholder: "FROM", help: "start: coordinates or a place name, quoted if it has spaces",
            isRequired: false),
        options: [
            OptionSpec(.destination, .text, metavar: "TO", help: "destination; can also be given after FROM"),
            OptionSpec(.via, .text, metavar: "PLACE", isRepeatable: true, help: "route through this place"),
            OptionSpec(.back, help: "route in the opposite direction"),
            OptionSpec(
                .within, .list, metavar: "TIMES",
                help:
                    "instead of a route, the area within reach of FROM in one to four times: 15min, or 5,10,15"
            ),
        ] + travel + [
            OptionSpec(.alternatives, .whole(0...3), "n", help: "up to N alternative routes"),
            OptionSpec(
                .departure, .text, metavar: "TIME",
                help:
                    "departure: now, or a time such as 2026-11-22T17:00; uses traffic forecasts if the engine has "
                    + "them"),
            OptionSpec(
                .heights,
                help:
                    "add elevation from --terrain, else from a Valhalla server with elevation data; HERE always has it"
            ),
            terrain,
            OptionSpec(
                .output, .path, "o",
                help: "output file: .gpx, .geojson or .json; -: GeoJSON on standard output"),
            json,
            OptionSpec(
                .agree, .text, metavar: "NAME",
                help: "accept the rules of a volunteer-run server; needed once"),
        ] + client + [passing, featureList, config] + common,
        secondOperand: Option.destination.name,
        details: [
            "A local routing engine is used first, and also offline; the first three examples set "
                + "one up. Where a map of vector tiles is stored, routes for cars, bicycles and on foot are found in its tiles, "
                + "without an engine or a network. Otherwise Rhumb uses a service with a key (TOMTOM_API_KEY, HERE_API_KEY), or a "
                + "volunteer-run "
                + "server whose rules you accepted. The last routes are stored, and shown offline "
                + "with their age; those of TomTom and HERE are never stored.",
            "With --within, the areas are written as GeoJSON, with colours, or printed as JSON with --json. Valhalla, "
                + "stored maps, TomTom and HERE find them; OSRM has no such service.",
            "Exit status: 4 no route, 5 the engine has no roads there, 6 refused by the provider, 7 offline.",
        ],
        examples: start + [
            ("rhumb route Monaco Nice --mode bicycle", "step-by-step directions"),
            (
                "rhumb route 43.7764,11.2480 43.7628,11.2650 -m foot --in florence.pmtiles",
                "on foot, with the roads of an archive"
            ),
            ("rhumb route 43.7312,7.4189 43.7450,7.4300 -o way.gpx", "the route as a track"),
            (
                "rhumb route Monaco --within 5min,10min --mode foot -o walk.geojson",
                "the area within walking distance"
            ),
            ("rhumb route Turku Tampere -m truck --height 4.2 --weight 40", "a route for a large lorry"),
            (
                "rhumb region add way --source mine --along way.gpx --width 2km --zooms 8-14",
                "download the map along a "
                    + "route"
            ),
        ])
}
