/// The options and commands of offline regions.
extension CommandTable {
    /// The options of the region store.
    static let regionStore = [
        dataPath,
        OptionSpec(
            .store, .word(["off", "read", "update"]), isConfigurable: true,
            help:
                "ignore regions (off), use them (read, the default), or also fill gaps, whole packs and stale tiles while browsing (update)"
        ),
        OptionSpec(
            .regionQuota, .bytes(0...1_000_000_000_000_000), isConfigurable: true,
            help: "disk quota for all regions, such as 20GB (default: unlimited; 0: allow no new ones)"),
    ]

    static let dataPath = OptionSpec(
        .dataPath, .path, metavar: "DIR", isConfigurable: true, help: "folder of the regions")

    private static let id = OperandSpec(
        placeholder: "ID", help: "id of the region", isRequired: true, names: .regions)

    private static let newID = OperandSpec(
        placeholder: "ID", help: "id for the region; the name of a city also chooses its area",
        isRequired: true, names: .regions)

    private static let ids = OperandSpec(
        placeholder: "ID...", help: "ids of the regions", isRequired: true, isJoined: true, names: .regions)

    /// The options that select tiles by area and zoom.
    static let ground = [
        OptionSpec(
            .bbox, .bounds, "b", rivals: [Option.geoJSON.name, Option.around.name, Option.along.name],
            help: "box in degrees; W above E crosses the antimeridian"),
        OptionSpec(
            .geoJSON, .path, rivals: [Option.around.name, Option.along.name],
            help: "polygons of a GeoJSON file"),
        OptionSpec(.around, .place, rivals: [Option.along.name], help: "circle around this place"),
        OptionSpec(.radius, .width, metavar: "LENGTH", help: "radius of the circle, e.g. 5km"),
        OptionSpec(.along, .path, help: "corridor along the lines of a GPX or GeoJSON " + "file"),
        OptionSpec(.width, .width, "w", help: "corridor width, e.g. 2km"),
        OptionSpec(.zooms, .zooms, "z", help: "zoom levels"),
    ]

    /// The options for the heights of a download.
    static let heights = [
        OptionSpec(
            .heights, rivals: [Option.noHeights.name], help: "also download heights for hills and profiles"),
        OptionSpec(
            .noHeights,
            help: "download no heights (default: heights if their source allows it and they add less "
                + "than a quarter)"),
        OptionSpec(
            .terrain, .source,
            help: "source of the heights: a name, an address or a PMTiles file (default: mapterhorn)"),
    ]

    private static let what =
        [
            OptionSpec(.source, .source, isRepeatable: true, help: "source to download from")
        ] + ground + [
            OptionSpec(
                .scale, .whole(1...2), help: "2: 512-pixel tiles, twice as fine, if the source has them"),
            OptionSpec(
                .alsoZooms, .text, metavar: "ZOOMS", isRepeatable: true,
                help: "further zooms, at a scale of their own if given: 12-13, 5-6@2"),
            OptionSpec(
                .wholePacks, rivals: [Option.exact.name],
                help: "download whole packs of tiles, which neighbouring regions share"),
            OptionSpec(.exact, help: "download only tiles in the area (default for new regions)"),
        ] + heights + [
            OptionSpec(.style, .path, help: "style to store with its vector tiles"),
            OptionSpec(.name, .text, metavar: "TEXT", help: "display name"),
            OptionSpec(.metadata, .text, metavar: "JSON", help: "custom metadata to store " + "with it"),
            permitted,
        ]

    static let expired = OptionSpec(
        .acceptExpired, help: "copy tiles from the cache even if they have expired")

    static let regionCommands: [CommandSpec] = {
        let members = [
            region(.plan, "Report the download size of a region, without fetching it.", newID, what),
            region(
                .add, "Download a region, or resume an interrupted download.", newID,
                what + [
                    detach, expired,
                ],
                details: [
                    "Without a network, the command waits for ten minutes. If a server rate-limits ten times in a row, or "
                        + "fails for twenty tiles or three pauses in a row, the download stops with exit status 1; "
                        + "rhumb region resume continues it. If another process is downloading the region, this one "
                        + "follows its progress."
                ]),
            region(
                .list, "List the regions.", nil,
                [
                    OptionSpec(
                        .expiring, .text, metavar: "TIME",
                        help: "only regions, packages and style packs that expire within this time: 12h, 30d")
                ]),
            region(.show, "Show the progress, size, age and gaps of a region.", id),
            region(
                .update, "Revalidate every tile of a region.", id,
                [
                    detach, expired, permitted,
                    OptionSpec(
                        .olderThan, .text, metavar: "AGE",
                        help: "only tiles older than this, e.g. 12h or 30d"),
                    OptionSpec(.reconfigure, help: "apply the features enabled now"),
                ]),
            region(.resume, "Resume a download.", id, [detach, expired, permitted]),
            region(.pause, "Pause a running download (in any process).", id),
            region(.cancel, "Cancel a running download; stored tiles are kept.", id),
            region(
                .check, "Check that all of a region is available offline; exit status 3 if not.",
                OperandSpec(
                    placeholder: "ID", help: "id of the region; optional with --repair", isRequired: false,
                    names: .regions),
                [
                    OptionSpec(
                        .repair,
                        help: "fetch missing and damaged tiles again; without ID, repair the store only"),
                    permitted,
                ]),
            region(
                .why, "Explain which copies of a tile are stored.", id,
                [
                    OptionSpec(.tile, .tile, "t", help: "the tile")
                ], second: Option.tile.name),
            region(
                .rename, "Change the id, name or metadata of a region.", id,
                [
                    OptionSpec(.newID, .text, metavar: "ID", help: "new id"),
                    OptionSpec(.name, .text, metavar: "TEXT", help: "new name"),
                    OptionSpec(.metadata, .text, metavar: "JSON", help: "new metadata"),
                ], second: Option.newID.name),
            region(.remove, "Remove regions and the tiles no other region uses.", ids),
            region(
                .export, "Export a region to an archive.", id,
                [
                    OptionSpec(.source, .source, help: "the source to export"),
                    OptionSpec(
                        .output, .path, "o",
                        help: "new .mbtiles or .pmtiles file; {source} is replaced by the source's name"),
                    OptionSpec(.force, help: "replace an existing file"),
                ],
                details: [
                    "An archive has the tiles of one source. If the region has several, choose one with --source, or put "
                        + "{source} in "
                        + "the file name, as in -o home-{source}.pmtiles, to write one file for each."
                ]),
            region(
                .import, "Create a region from an archive.", id,
                [
                    OptionSpec(.source, .source, help: "source the tiles belong to"),
                    OptionSpec(
                        .from, .path,
                        help: "archive to import: .mbtiles, .gpkg, .versatiles or "
                            + ".pmtiles"),
                    permitted,
                ]),
        ]
        return [.family(.region(nil), "Download and manage offline regions.", of: members)] + members
    }()

    private static let detach = OptionSpec(
        .detach, help: "run in the background; rhumb region show shows the progress")

    /// Returns the options of a command on stored regions, packages or style packs.
    /// - Parameter isLocal: True if the command sends no request to a server.
    static func storing(isLocal: Bool) -> [OptionSpec] {
        (isLocal ? [dataPath] : regionStore + downloading) + [lockTimeout, config]
    }

    /// Verbs that read or change stored regions without a request to a server.
    private static let localVerbs: Set<RegionVerb> = [
        .list, .show, .pause, .cancel, .why, .rename, .remove, .export,
    ]

    private static func region(
        _ verb: RegionVerb, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec] = [],
        second: String? = nil,
        details: [String] = []
    ) -> CommandSpec {
        let isLocal = localVerbs.contains(verb)
        var command = CommandSpec(
            name: .region(verb), summary: summary, operand: operand,
            options: options + [json] + storing(isLocal: isLocal) + common, details: details
        ).acceptingStoreOptions()
        command.secondOperand = second
        return command
    }
}

extension CommandSpec {
    /// Returns the command, which also accepts the options of other commands on the same stores without
    /// listing them.
    func acceptingStoreOptions() -> CommandSpec {
        var command = self
        command.unlisted = CommandTable.storeOptions
        return command
    }
}

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
