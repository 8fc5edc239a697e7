/// What is pointed out on the map, and views that are marked.
extension CommandTable {
    static let sharingCommands: [CommandSpec] = {
        let picks = [
            pick(.point, "Print a place that is shown on the map.", ["latlon", "lonlat", "geojson", "wkt", "geohash", "pluscode", "geo", "osm"]),
            pick(.bbox, "Print a box that is shown on the map: the view, or between two corners.", ["wsen", "swne", "geojson", "wkt"]),
            pick(.polygon, "Print a polygon that is drawn on the map.", ["geojson", "wkt", "latlon", "lonlat"]),
            pick(.feature, "Print a thing that is shown on a map of vector tiles, with what is known of it.", ["geojson", "text"]),
        ]
        let family = CommandSpec.family(.pick(nil), "Show something on the map; only that is printed.", of: picks)
        return [family] + picks + bookmarks
    }()

    private static func pick(_ verb: PickVerb, _ summary: String, _ formats: [String]) -> CommandSpec {
        CommandSpec(
            name: .pick(verb), summary: summary, operand: source,
            options: [
                OptionSpec(.format, "f", .word(formats), isConfigurable: false, help: "how it is written (\(formats[0]))")
            ] + open.options.filter { $0.name != Option.printConfig.name },
            details: [
                "The map takes the terminal even where standard output is a pipe, so that it can stand in $( ). "
                    + "Exits with 1 when nothing was picked."
            ],
            examples: verb == .bbox
                ? [("pmtiles extract planet.pmtiles town.pmtiles --bbox=$(rhumb pick bbox)", "a part of an archive")] : [])
    }

    private static let bookmarks: [CommandSpec] = {
        let about = "Bookmarks are kept in ~/.local/share/rhumb/bookmarks.json. On the map ' and a letter jumps, '' and a letter marks."
        func command(_ verb: BookmarksVerb?, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec]) -> CommandSpec {
            CommandSpec(name: .bookmarks(verb), summary: summary, operand: operand, options: options + common, details: [about])
        }
        let letter = OperandSpec(placeholder: "LETTER", help: "its mark", isRequired: true)
        let marked = OperandSpec(
            placeholder: "LETTER PLACE", help: "a letter or digit, and a place as after g: a 60.39,22.37 12", isRequired: true, isJoined: true)
        let name = OptionSpec(.name, nil, .text, isConfigurable: false, help: "what it is called")
        return [
            command(nil, "List the views marked with letters, or change them.", nil, [json]),
            command(.list, "List the views marked with letters.", nil, [json]),
            command(.add, "Mark a view with a letter.", marked, [name, json]),
            command(.remove, "Remove a mark.", letter, []),
        ]
    }()
}
