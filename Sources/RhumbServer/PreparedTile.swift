internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A tile ready to be sent, and the response that it is unchanged.
final class PreparedTile: Sendable {
    private let etag: String
    private let modified: UnixSeconds?
    private let whole: ServedResponse
    private let unchanged: ServedResponse
    /// The lifetime of archives and their tiles.
    static let lifetime = "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800"
    /// The number of bytes in memory.
    let size: Int

    /// Creates the answer of a stored tile; nil if the tile is damaged.
    init?(_ tile: ServedTileset.Tile, _ tileset: ServedTileset, _ acceptsGzip: Bool) {
        let isPacked = Gzip.isWrapped(tile.body), isSentPacked = isPacked && acceptsGzip
        guard let plain = isPacked ? try? Gzip.unpacked(tile.body) : tile.body else { return nil }
        let etag = "\"\(ContentHash(tile.body))\(isSentPacked ? "-gz" : "")\""
        let kind: TileKind =
            tileset.isMapLibre ? .mapLibre : tileset.isVector ? .vector : TileKind(of: plain)
        let type = kind.mediaType
        self.etag = etag
        modified = tile.modified
        let body = isSentPacked ? tile.body : plain
        whole = ServedResponse(200, body, fields: ["Content-Type": type])
        unchanged = ServedResponse(304, [])
        for response in [whole, unchanged] {
            response.addField("ETag", etag)
            response.addField("Cache-Control", Self.lifetime)
            if isPacked { response.addField("Vary", "Accept-Encoding") }
            if let modified { response.addField("Last-Modified", HTTPDate.text(of: modified)) }
        }
        if isSentPacked { whole.addField("Content-Encoding", "gzip") }
        size = body.count + 1000
    }

    /// Creates the answer of computed content, such as a picture.
    init(_ bytes: [UInt8], type: String) {
        etag = "\"\(ContentHash(bytes))\""
        modified = nil
        whole = ServedResponse(
            200, bytes, fields: ["Content-Type": type, "ETag": etag, "Cache-Control": "max-age=3600"])
        unchanged = .empty(304, ["ETag": etag, "Cache-Control": "max-age=3600"])
        size = bytes.count + 1000
    }

    /// Returns the response to a request with these conditions.
    func response(to conditions: Preconditions) -> ServedResponse {
        switch conditions.outcome(etag: etag, modified: modified) {
        case .proceed: whole
        case .unchanged: unchanged
        case .failed: .empty(412)
        }
    }
}

extension TileKind {
    /// The media type of a body.
    fileprivate var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .avif: "image/avif"
        case .vector: "application/vnd.mapbox-vector-tile"
        case .mapLibre: "application/vnd.maplibre-tile"
        case .text, .unknown: "application/octet-stream"
        }
    }
}
