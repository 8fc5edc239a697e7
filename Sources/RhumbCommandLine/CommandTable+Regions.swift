/// What concerns offline regions.
extension CommandTable {
    /// Where regions are, and whether they are used.
    static let regionStore = [
        dataPath,
        OptionSpec(
            .store, nil, .word(["off", "read", "update"]),
            help: "use regions not at all, read them (the default), or also renew them and close their gaps by browsing"),
        OptionSpec(
            .regionQuota, nil, .bytes(0...1_000_000_000_000_000),
            help: "the bytes all regions may take; as many as there are if not given, 0: no new regions"),
    ]

    static let dataPath = OptionSpec(.dataPath, nil, .path, metavar: "DIR", help: "the folder of the regions")

    private static let id = OperandSpec(placeholder: "ID", help: "the region", isRequired: true)

    /// Which tiles.
    static let ground = [
        OptionSpec(
            .bbox, "b", .bounds, rivals: [Option.geoJSON.name, Option.around.name, Option.along.name], isConfigurable: false,
            help: "this box of degrees"),
        OptionSpec(
            .geoJSON, nil, .path, rivals: [Option.around.name, Option.along.name], isConfigurable: false,
            help: "the shapes of a GeoJSON file"),
        OptionSpec(.around, nil, .place, rivals: [Option.along.name], isConfigurable: false, help: "a circle around this place"),
        OptionSpec(.radius, nil, .width, metavar: "KM", isConfigurable: false, help: "of the circle: 5km"),
        OptionSpec(.along, nil, .path, isConfigurable: false, help: "along the lines of a GPX or GeoJSON file"),
        OptionSpec(.width, "w", .width, isConfigurable: false, help: "across, along the line: 2km"),
        OptionSpec(.zooms, "z", .zooms, isConfigurable: false, help: "these zooms"),
    ]

    private static let what = [
        OptionSpec(.source, nil, .source, isRepeatable: true, isConfigurable: false, help: "where from"),
    ] + ground + [
        OptionSpec(
            .scale, nil, .whole(1...2), isConfigurable: false,
            help: "2: tiles of 512 pixels, twice as fine, where the source has them"),
        OptionSpec(
            .wholePacks, rivals: [Option.exact.name], isConfigurable: false,
            help: "all tiles of each pack touched, which serve neighbouring regions, too"),
        OptionSpec(.exact, isConfigurable: false, help: "only the tiles touched (the default for a new region)"),
        OptionSpec(.style, nil, .path, isConfigurable: false, help: "a style for its vector tiles, which it then carries"),
        OptionSpec(.name, nil, .text, metavar: "TEXT", isConfigurable: false, help: "what to call it"),
        OptionSpec(.metadata, nil, .text, metavar: "JSON", isConfigurable: false, help: "anything to keep with it"),
        permitted,
    ]

    static let expired = OptionSpec(
        .acceptExpired, isConfigurable: false, help: "what is stored will do, however old")

    static let regionCommands: [CommandSpec] = {
        let members = [
            region(.plan, "Say what a region would cost; nothing is fetched.", id, what),
            region(.add, "Download a region, or take up one that was broken off.", id, what + [
                detach, expired,
            ], details: [
                "A network that is away is waited for. A server that asked for patience ten times in a row, or "
                    + "failed with fifty tiles in a row, while no tile came, is given up with exit status 1: rhumb "
                    + "region resume goes on. Where another process downloads the region already, this one looks on.",
            ]),
            region(.list, "List the regions.", nil),
            region(.show, "Show a region: how far it is, its size, age and gaps.", id),
            region(.update, "Ask about every tile of a region again.", id, [
                detach, expired, permitted,
                OptionSpec(.olderThan, nil, .text, metavar: "AGE", isConfigurable: false, help: "only tiles older than this: 12h, 30d"),
                OptionSpec(.reconfigure, isConfigurable: false, help: "with the features enabled now"),
            ]),
            region(.retry, "Try the gaps of a region again.", id, [detach, permitted]),
            region(.resume, "Go on with a region.", id, [detach, expired, permitted]),
            region(.pause, "Have whoever downloads a region pause.", id),
            region(.cancel, "Have whoever downloads a region stop; what is stored stays.", id),
            region(.check, "Say whether all of a region can be shown offline; exits with 3 if not.", id),
            region(.verify, "The same, and list each tile that is damaged.", id),
            region(
                .repair, "Fetch again what is damaged or missing; without a region, only mend the store.",
                OperandSpec(placeholder: "ID", help: "the region", isRequired: false), [permitted]),
            region(.why, "Explain what is stored of a tile.", id, [
                OptionSpec(.tile, "t", .tile, isConfigurable: false, help: "the tile"),
            ], second: Option.tile.name),
            region(.rename, "Give a region another id or name.", id, [
                OptionSpec(.newID, nil, .text, metavar: "ID", isConfigurable: false, help: "the new id"),
                OptionSpec(.name, nil, .text, metavar: "TEXT", isConfigurable: false, help: "the new name"),
                OptionSpec(.metadata, nil, .text, metavar: "JSON", isConfigurable: false, help: "the new metadata"),
            ], second: Option.newID.name),
            region(.remove, "Remove a region and every tile no other region holds.", id),
            region(.export, "Write a region into an archive.", id, [
                OptionSpec(.source, nil, .source, isConfigurable: false, help: "of its sources, this one"),
                OptionSpec(.output, "o", .path, isConfigurable: false, help: "a new .mbtiles or .pmtiles; {source} in it stands for the source's name"),
                OptionSpec(.force, isConfigurable: false, help: "replace a file of that name"),
            ], details: [
                "An archive has the tiles of one source. Of a region of several, --source names one; with {source} in "
                    + "the name of the file, as in -o home-{source}.pmtiles, each gets a file of its own.",
            ]),
            region(.import, "Make a region of an archive's tiles.", id, [
                OptionSpec(.source, nil, .source, isConfigurable: false, help: "the source the tiles are of"),
                OptionSpec(.from, nil, .path, isConfigurable: false, help: "an .mbtiles, a .gpkg or a .pmtiles"),
                permitted,
            ]),
        ]
        return [.family(.region(nil), "Offline regions.", of: members)] + members
    }()

    private static let detach = OptionSpec(
        .detach, isConfigurable: false, help: "go on in the background; rhumb region show tells how far")

    private static func region(
        _ verb: RegionVerb, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec] = [], second: String? = nil,
        details: [String] = []
    ) -> CommandSpec {
        var command = CommandSpec(
            name: .region(verb), summary: summary, operand: operand,
            options: options + [json] + regionStore + network + [lockTimeout, config] + common, details: details)
        command.secondOperand = second
        return command
    }
}
