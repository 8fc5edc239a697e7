/// The command that publishes maps.
extension CommandTable {
    static let serve = CommandSpec(
        name: .serve, summary: "Publish archives and stored maps over HTTP.",
        operand: OperandSpec(
            placeholder: "SOURCE...", help: "archives, and stored regions and sources by their names",
            isRequired: false, count: 0...1000, names: .sources, takesFiles: true),
        options: [
            OptionSpec(.port, .whole(0...65_535), help: "port to listen on (default: 8080; 0: any free one)"),
            OptionSpec(
                .bind, .text, metavar: "ADDRESS",
                help: "IP address to listen on; 0.0.0.0 for the whole network (default: 127.0.0.1)"),
            OptionSpec(
                .connectionLimit, .whole(1...10_000),
                help: "maximum number of open connections (default: 500)"),
            OptionSpec(
                .origin, .text, metavar: "ORIGIN", isRepeatable: true,
                help:
                    "allow the pages of an origin, such as https://maps.example, to read the maps; * for all"),
            OptionSpec(.trustForwarded, help: "use X-Forwarded-Host, -Proto and -Prefix of a proxy in front"),
            json, dataPath, cachePath, style, config,
        ] + common,
        details: [
            "Serves tiles, TileJSON, PMTiles in ranges, a catalogue, and a page that shows the maps. Stored maps are "
                + "served only if you name them; the name of a source includes the tiles in the cache. Sources whose "
                + "policy does not allow redistribution are left out. Runs until interrupted; see rhumb help team."
        ],
        examples: [
            ("rhumb serve city.pmtiles", "a map for this machine's browser and QGIS"),
            ("rhumb serve city.pmtiles --bind 0.0.0.0", "the same for the local network"),
        ])
}
