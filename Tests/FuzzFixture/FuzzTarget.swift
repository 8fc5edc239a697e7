import Rhumb
import RhumbTestSupport

/// A parser with valid sample inputs.
struct FuzzTarget: Sendable {
    let name: String
    private let makeSamples: @Sendable () -> [[UInt8]]
    /// True if the numbers of the samples are written as digits.
    let hasDigits: Bool
    /// Reads an input as completely as the program would.
    let read: @Sendable ([UInt8]) -> Void

    /// - Parameter samples: The samples, which are made when they are used, because those of all parsers take
    ///   memory and time.
    init(
        _ name: String, _ samples: @autoclosure @escaping @Sendable () -> [[UInt8]], hasDigits: Bool = true,
        _ read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.name = name
        makeSamples = samples
        self.hasDigits = hasDigits
        self.read = read
    }

    init(
        _ name: String, texts: @autoclosure @escaping @Sendable () -> [String],
        _ read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.init(name, texts().map { Array($0.utf8) }, read)
    }

    var samples: [[UInt8]] { makeSamples() }

    /// False while inputs are generated for parsers, which then draw a few of them only.
    nonisolated(unsafe) static var drawsAll = true

    static let all =
        tileTargets + databaseTargets + groundTargets + documentTargets + answerTargets + overlayTargets
        + smallTargets + transferTargets + requestTargets

    /// Inputs that are designed to be as expensive as possible, by the name of the parser.
    static let bombs: [(name: String, input: @Sendable () -> [UInt8])] = [
        ("mlt", { features(450_000, attributes: 6) }), ("mlt", { rings(7_900_000) }), ("mlt", symbols),
        ("mvt", { layer((0..<VectorTile.itemLimit).flatMap { _ in [2 << 3 | 2, 0] as [UInt8] }) }),
        ("mvt", { layer((0..<4 << 20).flatMap { _ in [2 << 3 | 2, 0] as [UInt8] }) }),
        ("mvt", { layer(feature(points: 500_000)) }),
        ("mvt", { layer((0..<15).flatMap { _ in feature(points: 250_000) }) }),
        ("json", { text("[", "[],", 8 << 20, "0]") }),
        ("json", { text("[", "{\"a\":{}},", 3 << 20, "0]") }),
        (
            "geojson",
            { text("{\"type\":\"LineString\",\"coordinates\":[", "[1.5,2.5],[3.5,4.5],", 50_000, "[0,0]]}") }
        ),
        (
            "geojson",
            {
                text(
                    "{\"type\":\"LineString\",\"coordinates\":[", "[1.5,2.5],[3.5,4.5],", 2_000_000, "[0,0]]}"
                )
            }
        ),
        (
            "gpx",
            {
                text(
                    "<gpx><trk><trkseg>", "<trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"2\" lon=\"1\"/>", 5_000,
                    "</trkseg></trk></gpx>")
            }
        ),
        ("mvt", { zigzags("streets") }), ("roads", { zigzags("streets") }),
        ("roads", { zigzags("street_labels") }),
        ("images", { scans(of: 4096, count: 60) }),
        ("images", { scans(of: 4096, count: 400) }),
        (
            "images",
            {
                PNGFixture.file([
                    ("IHDR", bigEndian(4096) + bigEndian(4096) + [8, 6, 0, 0, 0]), ("IDAT", []), ("IEND", []),
                ])
            }
        ),
    ]

    private static func layer(_ parts: [UInt8]) -> [UInt8] {
        VectorTileFixture.message(3, VectorTileFixture.message(1, Array("roads".utf8)) + parts)
    }

    /// Returns a tile with named lines from corner to corner, a street and house numbers.
    private static func zigzags(_ layer: String) -> [UInt8] {
        let line = (0..<5000).map { $0.isMultiple(of: 2) ? ($0 % 99, 0) : (4095 - $0 % 97, 4095) }
        let zigzags = (0..<60).map {
            VectorTileFixture.Feature(
                .line, through: line, [("name", .string("Zigzag \($0)")), ("kind", .string("primary"))])
        }
        let street = VectorTileFixture.Feature(
            .line, through: [(50, 0), (50, 4000)], [("kind", .string("primary"))])
        let houses = (0..<1000).map {
            VectorTileFixture.Feature(.point, through: [($0, 4 * $0)], [("housenumber", .string("7"))])
        }
        return VectorTileFixture([
            (layer, zigzags), ("streets", [street]), ("housenumber", houses),
        ]).bytes
    }

    /// Returns a feature whose line runs back and forth across the tile.
    private static func feature(points: Int) -> [UInt8] {
        var moves: [UInt8] = [9, 0, 0] + VectorTileFixture.varint(UInt64(points) << 3 | 2)
        for index in 0..<points { moves += index.isMultiple(of: 2) ? [0x80, 0x3E, 2] : [0xFF, 0x3D, 1] }
        return VectorTileFixture.message(2, [3 << 3, 2] + VectorTileFixture.message(4, moves))
    }

    /// Returns a MapLibre Tile with equal points and attributes, in few bytes.
    private static func features(_ count: Int, attributes: Int) -> [UInt8] {
        typealias Tile = MapLibreTileFixture
        func run(_ value: Int) -> [UInt8] {
            Tile.stream(0x10, 0b011_000_10, 1, [1, count], Tile.varints([count, value]))
        }
        let zeros = Tile.fastPFOR([UInt32](repeating: 0, count: 2 * count), width: 0)
        let columns = (0..<attributes).map { at in ([18] + Tile.text("key\(at)"), run(at)) }
        return Tile.layer(
            "roads", [Tile.geometry([run(0), Tile.stream(0x13, 1, 2 * count, zeros)])] + columns)
    }

    /// Returns a MapLibre Tile with a polygon of empty rings.
    private static func rings(_ count: Int) -> [UInt8] {
        typealias Tile = MapLibreTileFixture
        let rings = Tile.stream(0x33, 0b011_000_10, 1, [1, count], Tile.varints([count, 0]))
        let streams = [Tile.numbers(0x10, [5]), Tile.numbers(0x31, [1]), Tile.numbers(0x32, [count]), rings]
        return Tile.layer("roads", [Tile.geometry(streams)])
    }

    /// Returns a MapLibre Tile whose symbol table expands to far more bytes than its strings have.
    @Sendable private static func symbols() -> [UInt8] {
        typealias Tile = MapLibreTileFixture
        let long = [UInt8](repeating: 65, count: 1 << 20)
        let streams = [
            Tile.numbers(0x35, [long.count]), Tile.stream(0x15, 0, 1, long), Tile.numbers(0x30, [16 << 20]),
            Tile.stream(0x10, 0, 1, [UInt8](repeating: 0, count: 8 << 20)),
        ]
        let column = ([28] + Tile.text("name"), Tile.varints([4]) + streams.joined())
        return Tile.layer("roads", [Tile.points(1), column])
    }

    private static func text(_ start: String, _ part: String, _ count: Int, _ end: String) -> [UInt8] {
        var bytes = Array(start.utf8)
        let part = Array(part.utf8)
        for _ in 0..<count { bytes += part }
        return bytes + end.utf8
    }

    /// Returns a progressive JPEG that repeats its last scan.
    private static func scans(of side: UInt16, count: Int) -> [UInt8] {
        var bytes = Gradient.progressiveJPEG
        let size = [UInt8(side >> 8), UInt8(side & 255)]
        guard
            let frame = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 }),
            let scan = bytes.indices.dropLast().last(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        else { return [] }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: size + size)
        let last = Array(bytes[scan..<bytes.count - 2])
        return bytes.prefix(scan) + (0..<count).flatMap { _ in last } + [0xFF, 0xD9]
    }
}
