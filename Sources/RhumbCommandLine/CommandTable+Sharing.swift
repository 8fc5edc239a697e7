/// The commands for choices on the map, and bookmarks.
extension CommandTable {
    static let pickCommands: [CommandSpec] = {
        let picks = [
            pick(
                .point, "Pick a point on the map and print it.",
                [
                    "latlon", "lonlat", "geojson", "wkt", "geohash", "pluscode", "mgrs", "utm", "maidenhead",
                    "geo", "osm",
                ]),
            pick(
                .bbox, "Pick a box on the map (the view, or two corners) and print it.",
                ["wsen", "swne", "geojson", "wkt"]),
            pick(
                .polygon, "Draw a polygon on the map and print it.", ["geojson", "wkt", "latlon", "lonlat"]),
            pick(
                .feature, "Pick a feature on a vector map and print it with its attributes.",
                ["geojson", "text"]),
        ]
        let family = CommandSpec.family(
            .pick(nil),
            "Pick a point, box, polygon or feature on the map and print "
                + "it.", of: picks)
        return [family] + picks
    }()

    private static func pick(_ verb: PickVerb, _ summary: String, _ formats: [String]) -> CommandSpec {
        CommandSpec(
            name: .pick(verb), summary: summary, operand: source,
            options: [
                OptionSpec(
                    .format, .word(formats), "f", metavar: "FORMAT",
                    help:
                        "output format: \(formats[0]) (default), \(formats.dropFirst().joined(separator: ", "))"
                )
            ] + open.options.filter { $0.name != Option.printConfig.name },
            details: [
                "The map opens in the terminal even if standard output is a pipe, so you can use it in $( ). "
                    + "The exit status is 1 if nothing was picked."
            ],
            examples: verb == .bbox
                ? [
                    (
                        "pmtiles extract planet.pmtiles town.pmtiles --bbox=$(rhumb pick bbox)",
                        "extract an area from an archive"
                    )
                ] : [])
    }

    static let bookmarkCommands: [CommandSpec] = {
        let about =
            "Bookmarks are stored in ~/.local/share/rhumb/bookmarks.json. On the map, press ' and a letter to open one, '' and "
            + "a letter to save one."
        func command(
            _ verb: BookmarkVerb, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec]
        ) -> CommandSpec {
            CommandSpec(
                name: .bookmark(verb), summary: summary, operand: operand, options: options + common,
                details: [about])
        }
        let letter = OperandSpec(
            placeholder: "LETTER", help: "letter of the bookmark", isRequired: true, names: .bookmarks)
        let marked = OperandSpec(
            placeholder: "LETTER PLACE",
            help: "a letter or digit, and coordinates with an optional zoom: a 60.39,22.37 12",
            isRequired: true, isJoined: true)
        let name = OptionSpec(.name, .text, help: "name of the bookmark")
        let members = [
            command(.list, "List the bookmarks.", nil, [json]),
            command(.add, "Add a bookmark.", marked, [name, json]),
            command(.remove, "Remove a bookmark.", letter, [json]),
        ]
        return [.family(.bookmark(nil), "List and edit bookmarks.", of: members)] + members
    }()
}
