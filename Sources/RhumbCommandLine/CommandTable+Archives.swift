/// The commands for the contents of tile archives.
extension CommandTable {
    static let archiveCommands =
        [.family(.archive(nil), "Examine, convert, merge and compare tile archives.", of: archiveMembers)]
        + archiveMembers + patchMembers

    private static let archiveMembers = [info, tile] + archiveTools

    private static let archive = OperandSpec(
        placeholder: "ARCHIVE",
        help:
            "an .mbtiles, .gpkg, .pmtiles or .versatiles file, a folder of tiles, or the address of a .pmtiles or "
            + ".versatiles file",
        isRequired: true)

    private static let tileNumber = OptionSpec(
        .tile, .tile, "t", help: "the tile: zoom/column/row, rows from the north")

    private static let tms = OptionSpec(.tms, help: "folder uses TMS row numbering (y from the south)")

    private static let info = CommandSpec(
        name: .archive(.info), summary: "Report the contents and the faults of an archive.", operand: archive,
        options: [
            OptionSpec(
                .check, help: "check every tile: compression, format, size, features, rings and layers"),
            OptionSpec(
                .repair,
                help: "check, and write a copy with correct metadata, bounds, counts and directories"),
            OptionSpec(
                .output, .path, "o",
                help: "the repaired copy: an .mbtiles or .pmtiles file, or a folder if the name ends in /"),
            force,
            OptionSpec(.fields, help: "list the layers and fields of vector tiles"),
            OptionSpec(
                .by, .word(["zoom", "layer", "field", "tile"]),
                help: "measure zooms, layers or fields of vector tiles, or the largest tiles"),
            OptionSpec(.tiles, help: "list the largest tiles, like --by tile"),
            OptionSpec(
                .top, .whole(1...1_000_000),
                help: "list the N largest tiles, or the first N faults of each kind (default: 10)"),
            OptionSpec(
                .tileBudget, .bytes(1...1_000_000_000),
                help: "list the tiles whose stored size exceeds this, e.g. 500k"),
            OptionSpec(
                .weights, .path, help: "count requests: a file with lines of zoom, column, row and requests"),
            OptionSpec(
                .sizesOnly, rivals: [Option.sample.name],
                help: "measure only the sizes in the archive's directories, no tiles"),
            OptionSpec(
                .sample, .whole(1...100_000),
                help: "with --by and --fields, read at most N tiles of each zoom, spread evenly"),
            OptionSpec(
                .tsv, rivals: [Option.json.name], help: "with --by, output the rows as tab-separated values"),
            tileNumber, json, tms,
        ] + common,
        secondOperand: Option.tile.name,
        details: [
            "Without options, only the header, the metadata and the directories are read: zooms, tile counts, sizes, "
                + "bounds and gaps, and the faults that they show. holes: tiles missing between others of their zoom. "
                + "orphans: tiles whose parent, the tile that covers them one zoom out, is missing. Both are no faults, "
                + "as many archives leave out empty tiles. The report names the checks that need --check. With a tile "
                + "Z/X/Y, the report is about that tile.",
            "A repaired copy has the tiles unchanged, even damaged ones, and is checked again. It lacks tiles that are "
                + "empty or can't be read.",
            "Stored sizes are those in the archive, usually compressed. A shared body counts for each of its tiles; the "
                + "column distinct counts it once. Attributes are names, values, and the references to them. The sizes "
                + "of layers and fields are decompressed. The number of a field's values is an estimate beyond some "
                + "thousands, and has the sign ~.",
            "With --weights, sizes are also summed over the requests, and the tiles with the most data sent are listed. "
                + "The columns of the file may be separated by tabs, spaces, commas or slashes, and it may be "
                + "compressed with gzip.",
            "With --fields, layers and fields that are declared but absent, or present but undeclared, follow. With "
                + "--sample, absent ones are not reported.",
            "The exit status is 3 if there are faults, if Rhumb can't read the contents of the tiles, if tiles exceed the "
                + "budget, or if the metadata has other layers or fields; with --repair, if the copy has faults or "
                + "lacks tiles.",
        ],
        examples: [
            ("rhumb archive info city.pmtiles", "zooms, tile counts, sizes, bounds, gaps"),
            ("rhumb archive info city.pmtiles --check", "all kinds of faults, with ten examples of each"),
            ("rhumb archive info city.pmtiles --repair -o fixed.pmtiles", "write a correct copy"),
            ("rhumb archive info city.pmtiles --fields", "all layers and fields"),
            ("rhumb archive info city.pmtiles --by layer", "features, vertices and sizes of each layer"),
            ("rhumb archive info city.pmtiles --tiles --top 20", "the 20 largest tiles"),
            ("rhumb archive info city.pmtiles 14/9370/4621", "the size, layers and fields of a tile"),
            ("rhumb archive info city.pmtiles --budget 500k", "fail if a tile is larger than 500 kB"),
        ])

    private static let tile = CommandSpec(
        name: .archive(.tile), summary: "Extract a tile from an archive, or print its features as GeoJSON.",
        operand: archive,
        options: [
            tileNumber,
            OptionSpec(.decode, help: "print the features of a vector tile as GeoJSON"),
            OptionSpec(.layer, .text, "l", metavar: "NAME", help: "print only the features of this layer"),
            OptionSpec(
                .output, .path, "o",
                help: "output file (default: -, standard output; a terminal only with --decode)"),
            force, tms,
        ] + common,
        secondOperand: Option.tile.name, requiresSecondOperand: true,
        details: [
            "The tile is written decompressed: an image as it is, and a vector tile without gzip. The exit status is 1 if "
                + "the archive has no such tile.",
            "With --decode, the output is one FeatureCollection (RFC 7946) in longitude and latitude, with a feature on "
                + "each line. Like the output of tippecanoe-decode -c, each feature has its layer and zoom in the "
                + "member \"tippecanoe\". Points beyond the border of the tile are included. The exit status is 3 if "
                + "parts of the tile are damaged.",
        ],
        examples: [
            ("rhumb archive tile city.mbtiles 3/4/2 -o tile.png", "write an image"),
            ("rhumb archive tile city.pmtiles 14/9370/4621 > tile.mvt", "write a vector tile"),
            ("rhumb archive tile city.pmtiles 14/9370/4621 --decode", "all features of a tile"),
            (
                "rhumb archive tile city.pmtiles 14/9370/4621 --layer roads -o roads.geojson",
                "the features of one layer"
            ),
        ])
}

/// The commands that copy, merge, extract and compare tile archives.
extension CommandTable {
    static let archiveTools = [convert, merge, extract, diff, patch]

    private static let convert = CommandSpec(
        name: .archive(.convert), summary: "Convert a tile archive to another format.",
        operand: OperandSpec(
            placeholder: "INPUT OUTPUT",
            help: "\(remoteKinds); and the new .mbtiles or .pmtiles file, or a folder if its name ends in /",
            isRequired: true, count: 2...2),
        options: [force] + ending,
        details: [
            "Every tile is copied unchanged, except that vector tiles are compressed with gzip in files and not in "
                + "folders. Name, attribution, bounds and all other metadata are kept. A damaged tile stops the "
                + "command. The output appears when it is complete."
        ],
        examples: [
            ("rhumb archive convert city.mbtiles city.pmtiles", "MBTiles to PMTiles"),
            ("rhumb archive convert city.pmtiles tiles/", "to a folder of zoom/column/row files"),
        ])

    private static let merge = CommandSpec(
        name: .archive(.merge), summary: "Merge tile archives into one.",
        operand: OperandSpec(
            placeholder: "FILE FILE...", help: "two or more archives: \(remoteKinds)", isRequired: true,
            count: 2...10_000),
        options: [
            output,
            OptionSpec(
                .onDuplicate, .word(["first", "last", "newest", "overlay", "error"]),
                help:
                    "for a tile in several archives: use the first, the last or the newest one, unite the layers of "
                    + "vector tiles (overlay), or fail (default)"),
            force,
        ] + ending,
        details: [
            "The archives must have tiles of one type and size. The metadata is that of the first archive, with the "
                + "attributions, vector layers and bounds of all.",
            "With overlay, Mapbox layers of one name are united without repeated features. MapLibre layers of one "
                + "name must be equal.",
        ],
        examples: [
            (
                "rhumb archive merge n.pmtiles s.pmtiles -o all.pmtiles --on-duplicate first",
                "two neighbouring areas"
            )
        ])

    private static let extract: CommandSpec = {
        var command = CommandSpec(
            name: .archive(.extract), summary: "Extract an area of a tile archive.",
            operand: OperandSpec(
                placeholder: "ARCHIVE", help: kinds + ", or the address of a .pmtiles or .versatiles file",
                isRequired: true),
            options: [
                output,
                OptionSpec(
                    .bbox, .bounds, "b",
                    rivals: [Option.areaFile.name, Option.geoJSON.name, Option.along.name],
                    help: "box in degrees; W above E crosses the antimeridian"),
                OptionSpec(
                    .areaFile, .path, rivals: [Option.geoJSON.name, Option.along.name],
                    help: "polygons, lines or points of a GeoJSON file"),
                OptionSpec(
                    .along, .path, rivals: [Option.geoJSON.name],
                    help: "surroundings of the lines of a GPX or GeoJSON file"),
                OptionSpec(.distance, .width, help: "maximum distance from these lines (default: 1km)"),
                OptionSpec(.zooms, .zooms, "z", help: "zoom levels (default: all)"),
                force,
            ] + ending,
            details: [
                "The new archive has each tile that the area touches, as in rhumb region add.",
                "Of an archive on a server, only the needed parts are loaded. Their size is printed first.",
            ],
            examples: [
                (
                    "rhumb archive extract city.mbtiles -o part.mbtiles -b 7.4,43.7,7.5,43.8 -z 0-9",
                    "a box, without the deepest zooms"
                ),
                (
                    "rhumb archive extract city.pmtiles -o a.pmtiles --along a.gpx --distance 500m",
                    "the surroundings of a track"
                ),
            ])
        command.unlisted = ground.filter { $0.name == Option.geoJSON.name }
        return command
    }()

    private static let diff = CommandSpec(
        name: .archive(.diff), summary: "Compare two tile archives.",
        operand: OperandSpec(
            placeholder: "FIRST SECOND", help: "two archives: \(remoteKinds)", isRequired: true, count: 2...2),
        options: [
            OptionSpec(
                .top, .whole(0...1_000_000),
                help: "number of tiles and features to list of each kind of difference (default 10)"),
            OptionSpec(
                .by, .word(["tile", "feature"]),
                help: "compare tiles only (default), or also the features of vector tiles, by layer"),
            OptionSpec(.show, help: "show the differences on the map"),
        ] + ending + drawing + [style],
        details: [
            "Tiles are compared without their compression, so archives of different formats can be equal. Values that "
                + "follow from the tiles or the format, such as the zooms, are not compared.",
            "With --by feature, a feature is unchanged if the other tile has one with the same shape and attributes. Others "
                + "are matched by id or, without ids, by shape or else by attributes; such pairs are changed. A "
                + "feature counts once for each of its tiles.",
            "With --show, changed tiles are shaded on the map, if there are any. x switches between the archives, . and , "
                + "step through the changes, largest first, and B lists them.",
            "The exit status is 0 if the archives are equal, 1 if they differ, and 2 if they can't be compared.",
        ],
        examples: [
            (
                "rhumb archive diff old.pmtiles new.pmtiles --top 100",
                "differences by zoom, and 100 tiles of each"
            ),
            ("rhumb archive diff old.pmtiles new.pmtiles --show", "differences on the map"),
        ])

    static let patchMembers: [CommandSpec] = {
        [
            CommandSpec(
                name: .patch(.make), summary: "Write the difference between two archives to a file.",
                operand: OperandSpec(
                    placeholder: "OLD NEW", help: "two archives: \(remoteKinds)", isRequired: true,
                    count: 2...2),
                options: [
                    OptionSpec(.output, .path, "o", help: "file of the patch"), force,
                ] + ending,
                details: [
                    "The patch has the tiles that are new or changed, and a hash of every tile of the new archive. It is "
                        + "also a PMTiles archive: open it to see the changed tiles."
                ],
                examples: [
                    (
                        "rhumb archive patch make old.pmtiles new.pmtiles -o update.pmtiles",
                        "the changes from one build to the next"
                    )
                ]),
            CommandSpec(
                name: .patch(.apply), summary: "Update an archive with a patch, into a new file.",
                operand: OperandSpec(
                    placeholder: "OLD PATCH",
                    help: "the archive that the patch was made for (\(remoteKinds)), and the patch",
                    isRequired: true, count: 2...2),
                options: [output, force] + ending,
                details: [
                    "Every tile is compared with its hash, so the result has the same tiles as the archive that the patch "
                        + "leads to. The old archive is not changed."
                ],
                examples: [
                    ("rhumb archive patch apply old.pmtiles update.pmtiles -o new.pmtiles", "the new build")
                ]),
        ]
    }()

    private static let patch = CommandSpec.family(
        .patch(nil), "Make and apply patches of archives.", of: patchMembers)

    private static let kinds = "an .mbtiles, .gpkg, .pmtiles or .versatiles file, or a folder of tiles"

    private static let remoteKinds =
        kinds + ", or the address of a .pmtiles or .versatiles file"

    private static let output = OptionSpec(
        .output, .path, "o", help: "new .mbtiles or .pmtiles file, or a folder if the name ends in /")

    static let force = OptionSpec(.force, help: "replace an existing file")

    private static let ending =
        [
            OptionSpec(
                .tms, isConfigurable: true, help: "input folders use TMS row numbering (y from the south)"),
            OptionSpec(.json, help: "output JSON"),
        ] + common
}
