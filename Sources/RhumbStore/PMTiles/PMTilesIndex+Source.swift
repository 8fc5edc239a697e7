package import RhumbCore
package import RhumbEngine

/// The description of the archive as a tile source.
extension PMTilesIndex {
    /// Returns the description of the source.
    /// - Parameters:
    ///   - body: The body of any tile, to find the tile size; nil to assume 256 pixels.
    ///   - probe: Reads the size of a picture.
    package func info(_ metadata: JSON, body: [UInt8]?, _ probe: TileProbe?) -> TileSourceInfo {
        let high = min(Int(header.maxZoom), TileID.maximumZoom)
        var info = ArchiveDescription(metadata: metadata).info(
            fallbackName: baseName(name), zooms: min(Int(header.minZoom), high)...high,
            bounds: ArchiveDescription.bounds(header.bounds.map { Double($0) / 1e7 }),
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
        info.center = Coordinate(
            latitude: Double(header.center[1]) / 1e7, longitude: Double(header.center[0]) / 1e7)
        info.centerZoom = Double(min(header.centerZoom, 30))
        return info
    }

    /// Returns the reason why the tiles can't be shown as pictures; nil if they can.
    /// - Parameter body: The body of any tile, for archives that don't declare their format.
    package func refusal(body: [UInt8]?) -> ArchiveFailure? {
        if header.tileCompression.missingPackage != nil {
            return .compression(header.tileCompression, "its tiles", name)
        }
        switch (header.tileType, body.map(TileKind.init(of:))) {
        case (.mvt, _), (.mlt, _), (.unknown, .vector), (.unknown, .mapLibre): return .vectorTiles(name)
        case (.avif, _), (.unknown, .avif): return unsupported("AVIF")
        default: return nil
        }
    }

    private func unsupported(_ what: String) -> ArchiveFailure {
        ArchiveFailure(
            name, .unsupported, "it has \(what) tiles, which Rhumb can't draw",
            "use an archive of PNG, JPEG or WebP tiles")
    }
}

extension ArchiveFailure {
    /// The failure of an archive whose compression is unknown, or whose library is missing.
    static func compression(_ kind: Compression, _ part: String, _ file: String) -> ArchiveFailure {
        ArchiveFailure(
            file, .unsupported, "\(part) are compressed with \(kind.name)",
            kind.missingPackage.map { "install the Debian package \($0)" } ?? "recreate the archive with gzip"
        )
    }
}

extension PMTilesIndex: ArchiveIndex {
    package var metadataSection: FileSection { header.metadata }
    package var tileBytes: UInt64 { header.tiles.length }
    package var areTilesRepacked: Bool {
        declaresVectorTiles && [.brotli, .zstd].contains(header.tileCompression)
    }
    package var declaresVectorTiles: Bool { [.mvt, .mlt].contains(header.tileType) }
}
