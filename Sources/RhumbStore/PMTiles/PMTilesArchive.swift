public import RhumbCore
public import RhumbEngine

/// A PMTiles archive of version 3: one file with directories along a Hilbert curve.
public final class PMTilesArchive: TileArchive, IndexedArchive {
    /// The description of the archive.
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    /// The reason why the tiles can't be shown as pictures; nil if they can.
    public let refusal: ArchiveFailure?
    /// The name of the format.
    public let format = "PMTiles 3"
    /// Reads the size of tiles in pixels; nil to assume 256.
    public let probe: TileProbe?
    let file: PMTilesFile
    /// The reason why the metadata can't be read; nil if it can.
    let metadataProblem: String?

    /// Opens a file.
    /// - Throws: `ArchiveFailure`.
    public convenience init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        try self.init(try FileBytes(path), name: path, probe: probe)
    }

    /// Opens an archive from any source of bytes.
    /// - Parameters:
    ///   - name: The name for errors, and for the status line if the metadata has none.
    ///   - probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`.
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
        try bytes.checkServer(name)
        info = file.index.info(metadata, body: body, probe)
        refusal = file.index.refusal(body: body)
    }

    private static func firstBody(_ file: PMTilesFile) -> [UInt8]? {
        var entry = file.root.firstUsable
        for _ in 1..<PMTilesIndex.deepest {
            guard let leaf = entry, leaf.isLeaf else { break }
            entry = try? file.leaf(leaf).firstUsable
        }
        guard let entry, !entry.isLeaf, let stored = try? file.stored(entry, "") else { return nil }
        return try? file.index.body(stored, "")
    }

    /// The path or name, as given.
    public var path: String { file.name }

    /// The compression of the tiles in the header.
    public var compression: Compression { file.header.tileCompression }

    /// Returns true if the archive's zoom range includes the tile's zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the picture or vector tile, decompressed.
    /// - Throws: `TileFailure`: `badContent` for damaged directories or data.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal, refusal.reason != .vectorTiles { throw TileFailure(.refused, refusal.description) }
        guard let stored = try storedBody(tile), !stored.isEmpty else { return .absent }
        return .bitmap(.encoded(try file.index.body(stored, "\(tile)")))
    }

    /// Returns the body as stored.
    /// - Throws: `TileFailure`: `badContent` for damaged directories.
    public func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? {
        guard let entry = try file.entry(for: tile.hilbertID) else { return nil }
        return try file.stored(entry, "\(tile)")
    }
}
