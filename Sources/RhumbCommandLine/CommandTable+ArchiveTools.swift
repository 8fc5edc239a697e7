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
                    help: "box in degrees"),
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
