/// The options of overlays, and the command for tracks.
extension CommandTable {
    static let overlays = [
        OptionSpec(
            .over, nil, .source, isRepeatable: true,
            help:
                "overlay to draw on the map: any SOURCE, or features from a file (GPX, GeoJSON, KML, KMZ, CSV, TCX, FIT, NMEA, "
                + "GeoPackage), - (standard input), exec:COMMAND, exec:30s:COMMAND, a URL, gpsd:HOST, aprs:HOST, "
                + "meshtastic:HOST or tcp:HOST:PORT"
        ),
        OptionSpec(
            .gpsd, nil, .text, metavar: "HOST[:PORT]",
            help: "show the position and ships reported by gpsd; press f to follow"),
        OptionSpec(
            .styleBy, nil, .text, metavar: "FIELD",
            help:
                "colour features by this attribute (numbers in five steps, words one colour each), or tracks by speed, height or time"
        ),
        OptionSpec(
            .timeToLive, nil, .number(1...1_000_000), metavar: "SECONDS",
            help: "remove features not updated for this many seconds"),
    ]

    static let terrain = OptionSpec(
        .terrain, nil, .source,
        help: "elevation source for tracks and routes without heights: "
            + "a local archive of terrain-RGB or terrarium tiles")

    static let track = CommandSpec(
        name: .track, summary: "Report length, ascent, time and speed of tracks.",
        operand: OperandSpec(
            placeholder: "FILE", help: "GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA file; - for standard input",
            isRequired: true),
        options: [json, terrain] + client + [config] + common,
        details: [
            "JSON has metres, seconds and metres per second. Climbs and descents under 5 m are ignored. If the file has "
                + "no heights, those of --terrain are used. The exit status is 3 if parts of "
                + "the file can't be read."
        ],
        examples: [
            ("rhumb track walk.gpx", "length, ascent, time and speed"),
            ("rhumb track plan.gpx --terrain alps.mbtiles", "with heights of the terrain"),
        ])
}
