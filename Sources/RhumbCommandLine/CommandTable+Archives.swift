/// The commands for the contents of tile archives.
extension CommandTable {
    /// In alphabetical order.
    static let archiveCommands = [decode, schema, stats, tile, verify]

    private static let archive = OperandSpec(
        placeholder: "ARCHIVE",
        help:
            "an .mbtiles, .gpkg, .pmtiles or .versatiles file, a folder of tiles, or the address of a .pmtiles or "
            + ".versatiles file",
        isRequired: true)

    private static let tileNumber = OptionSpec(
        .tile, "t", .tile, isConfigurable: false, help: "the tile: zoom/column/row, rows from the north")

    private static let tms = OptionSpec(
        .tms, isConfigurable: false, help: "folder uses TMS row numbering (y from the south)")

    private static let sample = OptionSpec(
        .sample, nil, .whole(1...100_000), isConfigurable: false,
        help: "read at most N tiles of each zoom, spread evenly (default: all)")

    private static let decode = CommandSpec(
        name: .decode, summary: "Print the features of a vector tile as GeoJSON.", operand: archive,
        options: [
            tileNumber,
            OptionSpec(
                .layer, "l", .text, metavar: "NAME", isConfigurable: false,
                help: "decode only this layer (default: all)"),
            OptionSpec(
                .output, "o", .path, isConfigurable: false,
                help: "output file (default: -, standard output)"),
            force, tms,
        ] + common,
        secondOperand: Option.tile.name, requiresSecondOperand: true,
        details: [
            "The output is one FeatureCollection (RFC 7946) in longitude and latitude, with a feature on each line. Like "
                + "the output of tippecanoe-decode -c, each feature has its layer and zoom in the member "
                + "\"tippecanoe\". Points beyond the border of the tile are included.",
            "The exit status is 3 if parts of the tile are damaged.",
        ],
        examples: [
            ("rhumb decode city.pmtiles 14/9370/4621", "all features of a tile"),
            ("rhumb decode city.pmtiles 14/9370/4621 --layer roads -o roads.geojson", "one layer"),
        ])

    private static let schema = CommandSpec(
        name: .schema, summary: "List the layers and fields of an archive of vector tiles.",
        operand: archive, options: [sample, json, tms] + common,
        details: [
            "For each layer: the geometry types, the zooms, and the fields with types, ranges and up to three values. "
                + "Differences from the metadata follow: layers and fields that are declared but absent, or present "
                + "but undeclared. With --sample, absent ones are not reported.",
            "The exit status is 3 if the metadata differs or tiles are damaged.",
        ],
        examples: [
            ("rhumb schema city.pmtiles", "all layers and fields"),
            ("rhumb schema planet.pmtiles --sample 500", "those of 500 tiles of each zoom"),
        ])

    private static let stats = CommandSpec(
        name: .stats, summary: "Measure the tiles of an archive by zoom, layer, field or tile.",
        operand: archive,
        options: [
            OptionSpec(
                .by, nil, .word(["zoom", "layer", "field", "tile"]), isConfigurable: false,
                help: "rows: zooms (default), layers or fields of vector tiles, or the largest tiles"),
            OptionSpec(
                .top, nil, .whole(1...1000), isConfigurable: false,
                help: "list the N largest tiles (default: 10 with --by tile)"),
            OptionSpec(
                .tileBudget, nil, .bytes(1...1_000_000_000), isConfigurable: false,
                help: "list the tiles whose stored size exceeds this, e.g. 500k"),
            OptionSpec(
                .weights, nil, .path, isConfigurable: false,
                help: "count requests: a file with lines of zoom, column, row and requests"),
            OptionSpec(
                .sizesOnly, rivals: [Option.sample.name], isConfigurable: false,
                help: "read only the sizes in the archive's directories, no tiles"),
            sample,
            OptionSpec(
                .tsv, rivals: [Option.json.name], isConfigurable: false,
                help: "output the rows as tab-separated values"),
            json, tms,
        ] + common,
        details: [
            "Stored sizes are those in the archive, usually compressed. A shared body counts for each of its tiles; the "
                + "column distinct counts it once. Attributes are names, values, and the references to them. The sizes "
                + "of layers and fields are decompressed. The number of a field's values is an estimate beyond some "
                + "thousands, and has the sign ~.",
            "With --weights, sizes are also summed over the requests, and the tiles with the most data sent are listed. "
                + "The columns of the file may be separated by tabs, spaces, commas or slashes, and it may be "
                + "compressed with gzip.",
            "With --sizes-only, unpacked sizes are unknown, and damage isn't found.",
            "The exit status is 3 if tiles exceed the budget or are damaged.",
        ],
        examples: [
            ("rhumb stats city.pmtiles", "tiles, sizes and duplicates of each zoom"),
            ("rhumb stats city.pmtiles --by layer", "features, vertices and sizes of each layer"),
            ("rhumb stats city.pmtiles --by field --tsv", "the fields that take the most space"),
            ("rhumb stats city.pmtiles --by tile --top 20", "the 20 largest tiles"),
            ("rhumb stats city.pmtiles --budget 500k", "fail if a tile is larger than 500 kB"),
        ])

    private static let tile = CommandSpec(
        name: .tile, summary: "Extract a tile from an archive.", operand: archive,
        options: [
            tileNumber,
            OptionSpec(
                .output, "o", .path, isConfigurable: false,
                help: "output file (default: -, standard output, unless that is a terminal)"),
            force, tms,
        ] + common,
        secondOperand: Option.tile.name, requiresSecondOperand: true,
        details: [
            "The tile is written decompressed: an image as it is, and a vector tile without gzip. The exit status is 1 if "
                + "the archive has no such tile."
        ],
        examples: [
            ("rhumb tile city.mbtiles 3/4/2 -o tile.png", "write an image"),
            ("rhumb tile city.pmtiles 14/9370/4621 > tile.mvt", "write a vector tile"),
        ])
    private static let verify = CommandSpec(
        name: .verify, summary: "Find the faults of an archive, and repair a copy.",
        operand: archive,
        options: [
            OptionSpec(
                .top, nil, .whole(1...1_000_000), isConfigurable: false,
                help: "list the first N faults of each kind (default: 10)"),
            OptionSpec(
                .repair, isConfigurable: false,
                help: "write a copy with correct metadata, bounds, counts and directories"),
            OptionSpec(
                .output, "o", .path, isConfigurable: false,
                help: "the repaired copy: an .mbtiles or .pmtiles file, or a folder if the name ends in /"),
            force,
            json, tms,
        ] + common,
        details: [
            "Checks the header, the directories and their order, the counts, the metadata against the tiles, and every "
                + "tile: its compression, format, size, features, rings and layers. Each fault has the tile or the "
                + "offset in the file.",
            "A repaired copy has the tiles unchanged, even damaged ones, and is verified again. It lacks tiles that "
                + "are empty or can't be read.",
            "The exit status is 3 if there are faults, or if Rhumb can't read the contents of the tiles; with --repair, if "
                + "the copy has faults or lacks tiles.",
        ],
        examples: [
            ("rhumb verify city.pmtiles", "all kinds of faults, with ten examples of each"),
            ("rhumb verify city.pmtiles --repair -o fixed.pmtiles", "write a correct copy"),
        ])
}
