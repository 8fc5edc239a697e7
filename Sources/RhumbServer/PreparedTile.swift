internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A tile ready to be sent, and the response that it is unchanged.
final class PreparedTile: Sendable {
    private let etag: String
    private let modified: String?
    private let whole: ServedResponse
    private let unchanged: ServedResponse
    /// The number of bytes in memory.
    let size: Int

    /// Creates the answer of a stored tile; nil if the tile is damaged.
    init?(_ tile: ServedTileset.Tile, _ tileset: ServedTileset, _ acceptsGzip: Bool) {
        let isPacked = Gzip.isWrapped(tile.body), isSentPacked = isPacked && acceptsGzip
        guard let plain = isPacked && !isSentPacked ? try? Gzip.unpacked(tile.body) : tile.body else {
            return nil
        }
        let etag = "\"\(ContentHash(tile.body))\(isSentPacked ? "-gz" : "")\""
        let modified = tile.modified.map(HTTPDate.text(of:))
        let kind: TileKind =
            tileset.isMapLibre ? .mapLibre : tileset.isVector ? .vector : TileKind(of: plain)
        let type = kind.mediaType
        let control = "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800"
        self.etag = etag
        self.modified = modified
        let encoding: KeyValuePairs<String, String> =
            isSentPacked
            ? [
                "Content-Type": type, "ETag": etag, "Cache-Control": control, "Content-Encoding": "gzip",
                "Vary": "Accept-Encoding",
            ]
            : isPacked
                ? ["Content-Type": type, "ETag": etag, "Cache-Control": control, "Vary": "Accept-Encoding"]
                : ["Content-Type": type, "ETag": etag, "Cache-Control": control]
        whole = ServedResponse(200, plain, fields: encoding)
        unchanged = .empty(304, ["ETag": etag, "Cache-Control": control])
        if let modified { whole.addField("Last-Modified", modified) }
        size = plain.count + 1000
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

    func response(to request: ServedRequest) -> ServedResponse {
        request.has(etag: etag, modified: modified) ? unchanged : whole
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
