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
