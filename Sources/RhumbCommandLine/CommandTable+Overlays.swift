/// The options of overlays, and the command for tracks.
extension CommandTable {
    static let overlays = [
        OptionSpec(
            .over, .source, isRepeatable: true, isConfigurable: true,
            help:
                "overlay to draw on the map: any SOURCE, or features from a file (GPX, GeoJSON, KML, KMZ, CSV, TCX, FIT, NMEA, "
                + "GeoPackage), - (standard input), exec:COMMAND, exec:30s:COMMAND, a URL, features:URL, gpsd:HOST, aprs:HOST, "
                + "meshtastic:HOST or tcp:HOST:PORT"),
        OptionSpec(
            .gpsd, .text, metavar: "HOST[:PORT]", isConfigurable: true,
            help: "show the position and ships reported by gpsd; press f to follow"),
        OptionSpec(
            .styleBy, .text, metavar: "FIELD", isConfigurable: true,
            help:
                "colour features by this attribute (numbers in five steps, words one colour each), or tracks by speed, height or time"
        ),
        OptionSpec(
            .timeToLive, .number(1...1_000_000), metavar: "SECONDS", isConfigurable: true,
            help: "remove features not updated for this many seconds"),
    ]

    static let terrain = OptionSpec(
        .terrain, .source, isConfigurable: true,
        help: "elevation source for hills, and for tracks and routes without heights: an archive of "
            + "terrain-RGB or terrarium tiles, a GeoTIFF model, or a source (default: stored heights)")

    static let units = OptionSpec(
        .units, .word(["metric", "imperial"]), isConfigurable: true,
        help: "units of the scale bar and of contours")

    static let contours = CommandSpec(
        name: .contours, summary: "Write the contour lines of an area as GeoJSON.",
        operand: OperandSpec(
            placeholder: "SOURCE",
            help:
                "an archive of terrain-RGB or terrarium tiles, a GeoTIFF model, or a source such as mapterhorn",
            isRequired: true),
        options: [
            OptionSpec(.bbox, .bounds, "b", help: "box in degrees; W above E crosses the antimeridian"),
            OptionSpec(
                .interval, .number(0.1...5000), metavar: "METRES",
                help: "distance in height between two lines, in feet with --units imperial (default: 20)"),
            OptionSpec(
                .zoom, .number(0...24), "z",
                help: "zoom of the heights (default: the deepest with at most 64 tiles)"),
            OptionSpec(.output, .path, "o", help: "output file (default: -, standard output)"),
            force, units,
        ] + client + [config] + common,
        requiredOption: Option.bbox.name,
        details: [
            "Each line is a feature with its height as \"ele\". Closed lines end where they begin. Coarser heights "
                + "replace missing ones. The exit status is 3 if a tile is damaged, or a part of the box has no "
                + "heights, also at sea and beyond the edge of the source."
        ],
        examples: [
            (
                "rhumb contours alps.mbtiles -b 7.6,45.9,7.8,46 --interval 50 -o lines.geojson",
                "lines every 50 m"
            )
        ])

    static let track = CommandSpec(
        name: .track, summary: "Report length, ascent, time and speed of tracks.",
        operand: OperandSpec(
            placeholder: "FILE",
            help: "GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA file; - for standard input "
                + "(default: recorded tracks)",
            isRequired: false),
        options: [
            OptionSpec(
                .output, .path, "o",
                help: "write the tracks to this file as GPX; without FILE, the newest recorded track"),
            force, json, terrain,
        ] + client + [config] + common,
        details: [
            "The map records the way of a receiver (--gpsd, tcp:, standard input, exec:) as GPX in the folder "
                + "tracks of the data folder, unless --no-record is given. Without FILE, those tracks are listed.",
            "JSON has metres, seconds and metres per second. Climbs and descents under 5 m are ignored. If the file has "
                + "no heights, those of --terrain are used, and requested if they are not stored. The exit status is 3 if "
                + "parts of the file can't be read, or --terrain lacks heights of the track.",
        ],
        examples: [
            ("rhumb track walk.gpx", "length, ascent, time and speed"),
            ("rhumb track", "the recorded tracks"),
            ("rhumb track -o walk.gpx", "save the newest recorded track"),
            ("rhumb track plan.gpx --terrain alps.mbtiles", "with heights of the terrain"),
        ])
}
