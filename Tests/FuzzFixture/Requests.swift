import Rhumb
import RhumbServer
import RhumbTestSupport

/// The target for requests to the tile server.
extension FuzzTarget {
    static let requestTargets = [
        FuzzTarget("requests", texts: requests) { bytes in
            guard HTTPServer.isAvailable else { return }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let words = (lines.first ?? "").split(separator: " ", maxSplits: 1)
            let fields = lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (parts[0].lowercased(), String(parts.last ?? "").trimmed)
            }
            let request = ServedRequest(
                String(words.last ?? ""), method: String(words.first ?? ""),
                fields: Dictionary(fields) { "\($0), \($1)" })
            // 500 means that the archive is damaged.
            for server in servers { precondition(server.answer(request).status != 500) }
        }
    ]

    private static let folder = TemporaryFolder(inMemory: true)

    /// A server for pages of one origin, one for all of them, and one behind a proxy.
    private static let servers: [TileServer] = {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.metadata = Array(#"{"name": "Test", "format": "png"}"#.utf8)
        let path = folder.write(fixture.bytes, to: "a.pmtiles")
        guard let archive = try? PMTilesArchive(path) else { return [] }
        var local = ServedAccess(), open = ServedAccess(), forwarded = ServedAccess()
        local.isLocal = true
        local.origins = ["https://maps.example"]
        open.origins = ["*"]
        forwarded.trustsForwarded = true
        return [local, open, forwarded].map {
            TileServer([ServedTileset(id: "a", archive, path: path)], access: $0)
        }
    }()

    private static let requests = [
        """
        GET /a/2/1/3.png
        Host: localhost:8080
        Accept-Encoding: gzip;q=0.5, br, *;q=0
        Origin: https://maps.example
        If-None-Match: W/"a", "b"
        """,
        """
        HEAD http://[::1]:8080/%61.pmtiles
        Range: bytes=5-
        If-Range: "a"
        If-Match: *
        If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT
        """,
        """
        GET /a.pmtiles
        Range: bytes=-18446744073709551615
        If-Unmodified-Since: Sun Nov  6 08:49:37 1994
        """,
        """
        GET /a.json
        Host: 127.0.0.1
        X-Forwarded-Host: maps.example, b
        X-Forwarded-Proto: https
        X-Forwarded-Prefix: /tiles/%2F
        """,
        "OPTIONS /catalog.json\nOrigin: null", "GET /\nAccept-Encoding: x-gzip", "GET /a/render/0/0/0.png",
    ]
}
