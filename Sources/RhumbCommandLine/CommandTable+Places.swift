/// The search for places.
extension CommandTable {
    static let search = CommandSpec(
        name: .search, summary: "Search for places by name, without a network.",
        operand: OperandSpec(
            placeholder: "TEXT",
            help: "a name in any language, whole or begun, after a comma its region or country; or coordinates, "
                + "a tile z/x/y, a geohash, a plus code, a link to a map",
            isRequired: true, isJoined: true),
        options: [
            json,
            OptionSpec(.near, nil, .place, isConfigurable: false, help: "prefer what is near this place"),
            OptionSpec(.limit, "n", .whole(1...1000), isConfigurable: false, help: "at most so many (10)"),
            featureList, config,
        ] + common,
        details: [
            "Prints coordinate, kind, name, region and country, and people, best first. Small typing mistakes "
                + "are forgiven. Exits with 1 when nothing is found.",
            "Places are GeoNames' (geonames.org, CC BY 4.0).",
        ],
        examples: [
            ("rhumb search Åbo", "Turku, under its Swedish name"),
            ("rhumb search springfield --near 42.1,-72.5", "the one in Massachusetts first"),
        ])
}
