internal import RhumbCore

/// Routes, and what can be reached.
extension CommandTable {
    static let engine = OptionSpec(
        .engine, nil, .text, metavar: "[MODE=]URL|NAME", isRepeatable: true,
        help: "ask this engine: an OSRM or a Valhalla by its address, a name that rhumb source list shows; an OSRM "
            + "serves one mode, so that of several each is named: car=http://127.0.0.1:5000")

    private static let modes = RouteMode.allCases.map(\.rawValue)

    private static let travel = [
        OptionSpec(.mode, "m", .word(modes), isConfigurable: false, help: "what moves; car if nothing is said"),
        OptionSpec(.height, nil, .number(0.5...10), metavar: "METRES", isConfigurable: false, help: "of a truck or bus"),
        OptionSpec(.width, nil, .number(0.5...10), metavar: "METRES", isConfigurable: false, help: "of a truck or bus"),
        OptionSpec(.length, nil, .number(0.5...60), metavar: "METRES", isConfigurable: false, help: "of a truck or bus"),
        OptionSpec(.weight, nil, .number(0.1...200), metavar: "TONNES", isConfigurable: false, help: "of a truck or bus"),
        OptionSpec(.axleLoad, nil, .number(0.1...50), metavar: "TONNES", isConfigurable: false, help: "of a truck or bus, on each axle"),
        OptionSpec(.hazardous, isConfigurable: false, help: "it carries dangerous goods"),
        OptionSpec(
            .avoid, nil, .list, isConfigurable: false,
            help: "go round these where it can be done: " + RouteAvoidance.allCases.map(\.rawValue).joined(separator: ", ")),
        engine,
    ]

    /// How an engine is begun; each fits into a line.
    private static let start = [
        ("pip install pyvalhalla && valhalla_build_config --mjolnir-tile-dir t > v.json", "an engine for this machine, in three lines"),
        ("mkdir t && valhalla_build_tiles -c v.json area.osm.pbf", "its roads, from an extract of OpenStreetMap"),
        ("valhalla_service v.json 1", "leave it running: rhumb doctor tells whether it is found"),
    ]

    static let route = CommandSpec(
        name: .route, summary: "Find the way from one place to another.",
        operand: OperandSpec(
            placeholder: "FROM", help: "a place by name, in quotation marks if it has spaces, or coordinates", isRequired: false),
        options: [
            OptionSpec(.destination, nil, .text, metavar: "TO", isConfigurable: false, help: "where it ends; the word after FROM says the same"),
            OptionSpec(.via, nil, .text, metavar: "PLACE", isRepeatable: true, isConfigurable: false, help: "go by this place"),
            OptionSpec(.back, isConfigurable: false, help: "the way back"),
        ] + travel + [
            OptionSpec(.alternatives, "n", .whole(0...3), isConfigurable: false, help: "so many others besides the best"),
            OptionSpec(
                .departure, nil, .text, metavar: "TIME", isConfigurable: false,
                help: "now, or as 2026-11-22T17:00: with the traffic of then, where the engine knows it"),
            OptionSpec(.heights, isConfigurable: false, help: "tell how high it lies, too: by --terrain, else by a Valhalla with elevation data; HERE always does"),
            terrain,
            OptionSpec(
                .output, "o", .path, isConfigurable: false,
                help: "write the route to this file, .gpx, .geojson or .json; - is standard output, as GeoJSON"),
            json,
            OptionSpec(
                .agree, nil, .text, metavar: "NAME", isConfigurable: false,
                help: "agree, once and for all, to the rules of a server that volunteers run"),
        ] + client + [passing, featureList, config] + common,
        secondOperand: Option.destination.name,
        details: [
            "An engine on this machine is asked before all others, and offline too; the examples begin with how to start "
                + "one. Without one, one whose key is there is asked (TOMTOM_API_KEY, HERE_API_KEY), or one that was "
                + "agreed to. TomTom's and HERE's routes are never kept; of others the last are, and are shown offline "
                + "with their age.",
            "Exits with 4 where there is no way, 5 where the engine has no roads, 6 where the provider refuses, 7 offline.",
        ],
        examples: start + [
            ("rhumb route Monaco Nice --mode bicycle", "the way, step by step"),
            ("rhumb route 43.7312,7.4189 43.7450,7.4300 -o way.gpx", "as a track"),
            ("rhumb route Turku Tampere -m truck --height 4.2 --weight 40", "where a lorry gets through"),
            ("rhumb region add way --source mine --along way.gpx --width 2km --zooms 8-14", "the map along it"),
        ])

    static let reach = CommandSpec(
        name: .reach, summary: "Tell what can be reached from a place in a time.",
        operand: OperandSpec(placeholder: "PLACE", help: "a place by name, or coordinates", isRequired: true, isJoined: true),
        options: [
            OptionSpec(.minutes, nil, .list, metavar: "LIST", isConfigurable: false, help: "one to four times in minutes (15): 5,10,15"),
        ] + travel + [
            OptionSpec(.output, "o", .path, isConfigurable: false, help: "write to this file instead of standard output (-)"),
        ] + client + [passing, featureList, config] + common,
        details: ["Writes areas as GeoJSON, with colours. Valhalla, TomTom and HERE tell it; OSRM does not."],
        examples: [("rhumb reach Monaco --minutes 5,10 --mode foot -o walk.geojson", "how far one gets on foot")])
}
