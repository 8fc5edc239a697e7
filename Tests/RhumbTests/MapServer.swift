import Rhumb
import RhumbTestSupport

/// A server with a map of each kind. Its tiles are images of 512 pixels, or vector tiles with a rectangle.
enum MapServer {
    static let picture = blankPicture(.init(0x336699), side: 512)
    static let vectorTile = VectorTileFixture([
        ("water", [.init(.polygon, through: [(0, 0), (2048, 0), (2048, 4096), (0, 4096)])])
    ]).bytes

    static func start() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.target {
            case "/town.json":
                json(#"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.png"],"maxzoom":9}"#)
            case "/vectors.json":
                json(
                    #"{"tilejson":"3.0.0","name":"Vectors","tiles":["{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"water"}]}"#
                )
            case "/style.json":
                json(
                    #"""
                    {"version":8,"name":"Styled","sources":{"v":{"type":"vector","tiles":["v/{z}/{x}/{y}.pbf"]},
                     "p":{"type":"raster","tiles":["p/{z}/{x}/{y}.png"]}},"layers":[{"id":"p","type":"raster","source":"p"},
                     {"id":"w","type":"fill","source":"v","source-layer":"water"}]}
                    """#)
            case "/town.pmtiles": part(of: archive(picture), request)
            case "/vectors.pmtiles": part(of: archive(vectorTile), request)
            default: LoopbackReply(404)
            }
        }
    }

    /// Returns an archive of one tile.
    static func archive(_ body: [UInt8]) -> [UInt8] {
        var archive = PMTilesFixture([(.world, body)])
        if body == vectorTile {
            archive.metadata = Array(#"{"name":"Vectors","vector_layers":[{"id":"water"}]}"#.utf8)
            archive.patches = [(99, 1)]
        }
        return archive.bytes
    }

    private static func json(_ text: String) -> LoopbackReply { LoopbackReply(200, Array(text.utf8)) }

    private static func part(of file: [UInt8], _ request: LoopbackRequest) -> LoopbackReply {
        let ends = (request.header("Range") ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap
        { Int($0) }
        guard ends.count == 2, ends[0] < file.count else { return LoopbackReply(416) }
        let last = min(ends[1], file.count - 1)
        return LoopbackReply(
            206, Array(file[ends[0]...last]),
            headers: ["Content-Range": "bytes \(ends[0])-\(last)/\(file.count)", "ETag": "\"1\""])
    }
}
