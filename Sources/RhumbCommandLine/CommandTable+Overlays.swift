/// What concerns data of one's own that lies over a map.
extension CommandTable {
    static let overlays = [
        OptionSpec(
            .over, nil, .source, isRepeatable: true,
            help: "lay this over the map: any SOURCE, or features: a file (GPX, GeoJSON, KML, KMZ, CSV, TCX, FIT, NMEA, "
                + "GeoPackage), - (standard input), exec:COMMAND, exec:30s:COMMAND, a web address, gpsd:HOST, aprs:HOST, tcp:HOST:PORT"),
        OptionSpec(
            .gpsd, nil, .text, metavar: "HOST[:PORT]", help: "show the position that gpsd tells, and ships; f follows it"),
        OptionSpec(
            .styleBy, nil, .text, metavar: "FIELD", help: "colour features by this attribute: numbers in five steps, words each in its own; tracks by speed, height or time"),
        OptionSpec(
            .timeToLive, nil, .number(1...1_000_000), metavar: "SECONDS",
            help: "features that are not heard of again for so long go"),
    ]

    static let terrain = OptionSpec(
        .terrain, nil, .source,
        help: "where tracks and routes have no heights, take those of the ground from this source, as far as it is on this machine: "
            + "an archive of terrain-RGB or terrarium tiles")

    static let trackCommands: [CommandSpec] = {
        let members = [
            CommandSpec(
                name: .track(.stats), summary: "Say how long, high and fast the tracks of a file are.",
                operand: OperandSpec(
                    placeholder: "FILE", help: "GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA; - reads standard input", isRequired: true),
                options: [json, terrain] + client + [config] + common,
                details: [
                    "Metres, seconds and metres a second in JSON. Heights count as up or down from 5 m on; a file without heights has those of "
                        + "--terrain. Exits with 3 when parts of "
                        + "the file could not be read.",
                ],
                examples: [
                    ("rhumb track stats walk.gpx", "length, ascent, time, speed"),
                    ("rhumb track stats plan.gpx --terrain alps.mbtiles", "with the heights of the ground"),
                ])
        ]
        return [.family(.track(nil), "Figures of tracks.", of: members)] + members
    }()
}
