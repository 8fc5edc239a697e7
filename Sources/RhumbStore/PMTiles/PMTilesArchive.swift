public import RhumbCore
public import RhumbEngine

/// A PMTiles archive of version 3: one file with directories along a Hilbert curve.
public final class PMTilesArchive: TileArchive {
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    public let refusal: ArchiveFailure?
    let file: PMTilesFile
    let probe: TileProbe?
    /// Why the metadata can't be read.
    let metadataProblem: String?

    /// Opens a file.
    /// - Throws: `ArchiveFailure`
    public convenience init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        try self.init(try FileBytes(path), name: path, probe: probe)
    }

    /// Opens an archive that lies anywhere.
    /// - Parameters:
    ///   - name: what to call it in errors, and in the status line if it does not name itself.
    ///   - probe: tells the tiles' size in pixels; nil: 256 is assumed.
    /// - Throws: `ArchiveFailure`
    public init(
        _ bytes: any ByteSource, name: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) {
        let file = try PMTilesFile(bytes, name: name)
        self.file = file
        self.probe = probe
        do throws(TileFailure) {
            metadata = try file.metadata()
            metadataProblem = metadata.object == nil ? "the metadata is not a JSON object" : nil
        } catch {
            metadata = [:]
            metadataProblem = error.message
        }
        let body = PMTilesArchive.firstBody(file)
        info = PMTilesArchive.info(file, metadata, TileBody.size(of: body, probe) ?? .pixels256)
        refusal = PMTilesArchive.refusal(file, body)
    }

    private static func info(_ file: PMTilesFile, _ metadata: JSON, _ size: TileSize) -> TileSourceInfo {
        let header = file.header
        let high = min(Int(header.maxZoom), TileID.maximumZoom)
        let bounds = ArchiveDescription.bounds(header.bounds.map { Double($0) / 1e7 })
        var info = ArchiveDescription(metadata: metadata).info(
            fallbackName: baseName(file.name), zooms: min(Int(header.minZoom), high)...high,
            bounds: bounds, tileSize: size)
        info.center = Coordinate(latitude: Double(header.center[1]) / 1e7, longitude: Double(header.center[0]) / 1e7)
        info.centerZoom = Double(min(header.centerZoom, 30))
        return info
    }

    private static func firstBody(_ file: PMTilesFile) -> [UInt8]? {
        var entry = file.root.entries.first
        for _ in 1..<PMTilesFile.deepest {
            guard let leaf = entry, leaf.isLeaf else { break }
            entry = try? file.leaf(leaf).entries.first
        }
        guard let entry, !entry.isLeaf, let stored = try? file.stored(entry, "") else { return nil }
        return try? TileBody.unwrapped(stored, "", in: file.name)
    }

    private static func refusal(_ file: PMTilesFile, _ body: [UInt8]?) -> ArchiveFailure? {
        func unsupported(_ what: String) -> ArchiveFailure {
            ArchiveFailure(
                file.name, .unsupported, "it holds \(what) tiles, which Rhumb does not draw",
                "use an archive of PNG, JPEG or WebP tiles")
        }
        if file.header.tileCompression == .brotli || file.header.tileCompression == .zstd {
            return .compression(file.header.tileCompression, "its tiles", file.name)
        }
        switch (file.header.tileType, body.map(TileKind.init(of:))) {
        case (.mvt, _), (.unknown, .vector): return .vectorTiles(file.name)
        case (.avif, _), (.unknown, .avif): return unsupported("AVIF")
        case (.mlt, _): return unsupported("MLT (MapLibre)")
        default: return nil
        }
    }

    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// The tile's picture, unpacked.
    /// - Throws: `TileFailure`: `badContent` for damaged directories or data.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal { throw TileFailure(.refused, refusal.description) }
        guard let entry = try file.entry(for: tile.pmtilesID) else { return .absent }
        let stored = try file.stored(entry, "\(tile)")
        return .bitmap(.encoded(try TileBody.unwrapped(stored, "\(tile)", in: file.name)))
    }
}
