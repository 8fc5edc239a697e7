package import RhumbCore
package import RhumbEngine

/// The header and root directory of a PMTiles archive, and the decoding of its other parts, independent of
/// where the bytes are stored.
package struct PMTilesIndex: Sendable {
    /// The name of the archive in errors.
    package let name: String
    package let header: PMTilesHeader
    package let root: PMTilesDirectory

    /// The number of initial bytes that usually contain the header and root directory.
    package static let startLength = 16384
    /// The maximum depth of directories, including the root.
    package static let deepest = 4
    /// The maximum stored sizes in bytes of a directory, the metadata and a tile.
    package static let directoryLimit = 4 << 20
    package static let metadataLimit = ArchiveDescription.metadataLimit
    package static let tileLimit = 16 << 20
    /// The maximum unpacked sizes in bytes of a directory and of the metadata.
    private static let unpackedLimit = 16 << 20, unpackedMetadataLimit = 64 << 20

    /// Decodes the first bytes of an archive.
    /// - Parameters:
    ///   - start: The first `startLength` bytes, or all if there are fewer.
    ///   - size: The size of the archive in bytes; nil if unknown.
    ///   - read: Reads bytes beyond `start`, for archives whose root is there.
    /// - Throws: `ArchiveFailure`.
    package init(
        start: [UInt8], size: UInt64? = nil, name: String,
        read: (_ offset: UInt64, _ count: Int) throws(TileFailure) -> [UInt8]
    ) throws(ArchiveFailure) {
        self.name = name
        header = try PMTilesIndex.header(start, size, name)
        do throws(TileFailure) {
            let section = header.root
            let packed: [UInt8]
            let location = "the root directory of \(SafeText.sanitised(name)) at byte \(section.offset)"
            try PMTilesIndex.check(section, PMTilesIndex.directoryLimit, location)
            if let slice = PMTilesIndex.slice(start, section) {
                packed = slice
            } else {
                packed = try read(section.offset, Int(section.length))
            }
            root = try PMTilesIndex.decoded(packed, header, location)
        } catch {
            throw ArchiveFailure(name, .damaged, error.message, "download it again")
        }
    }

    private static func header(
        _ start: [UInt8], _ size: UInt64?, _ name: String
    ) throws(ArchiveFailure) -> PMTilesHeader {
        guard start.starts(with: "PMTiles".utf8), let header = PMTilesHeader(start) else {
            throw ArchiveFailure(
                name, .damaged,
                start.count < 127
                    ? "it has no PMTiles header of 127 bytes (it has \(start.count))"
                    : "it has no PMTiles header",
                "download it again")
        }
        guard start[7] == 3 else {
            throw ArchiveFailure(
                name, .unsupported, "it is PMTiles version \(start[7]); Rhumb reads version 3",
                start[7] < 3 ? "convert it with \"pmtiles convert\"" : "ask for version 3")
        }
        if let problem = header.root.misfit("root directory", size: size)
            ?? header.metadata.misfit("metadata", size: size)
            ?? header.leaves.misfit("leaf directories", size: size)
            ?? header.tiles.misfit("tile data", size: size)
        {
            throw ArchiveFailure(name, .damaged, problem, "download it again")
        }
        let compression = header.internalCompression
        guard compression != .unknown, compression.missingPackage == nil else {
            throw .compression(compression, "its directories", name)
        }
        return header
    }

    /// Returns a section's bytes from the start of the file; nil if they aren't all included.
    package static func slice(_ start: [UInt8], _ section: PMTilesHeader.Section) -> [UInt8]? {
        section.bytes(in: start, of: FileSection(offset: 0, length: UInt64(start.count))).map(Array.init)
    }

    // MARK: Directories

    /// Returns the section of the leaf directory of an entry.
    /// - Throws: `TileFailure` if it is outside the leaf section or too large.
    package func section(ofLeaf entry: PMTilesDirectory.Entry) throws(TileFailure) -> PMTilesHeader.Section {
        guard let section = entry.section(in: header.leaves) else {
            throw TileFailure(.badContent, "\(leafName(entry)) is outside the leaf section")
        }
        guard section.length > 0 else { throw TileFailure(.badContent, "\(leafName(entry)) has no bytes") }
        try PMTilesIndex.check(section, PMTilesIndex.directoryLimit, leafName(entry))
        return section
    }

    private static func check(_ section: FileSection, _ limit: Int, _ location: String) throws(TileFailure) {
        guard section.length <= UInt64(limit) else {
            throw TileFailure(
                .badContent,
                "\(location) claims \(section.length) bytes, over the limit of \(limit >> 20) MiB")
        }
    }

    /// Decodes the leaf directory of an entry.
    package func leaf(
        _ packed: [UInt8], of entry: PMTilesDirectory.Entry
    ) throws(TileFailure) -> PMTilesDirectory {
        try PMTilesIndex.decoded(packed, header, leafName(entry))
    }

    private func leafName(_ entry: PMTilesDirectory.Entry) -> String {
        "the leaf directory of \(SafeText.sanitised(name)) at byte \(header.leaves.offset &+ entry.offset)"
    }

    /// The error for directories that are nested deeper than `deepest`, or in a loop.
    package var tooDeep: TileFailure {
        TileFailure(
            .badContent,
            "\(SafeText.sanitised(name)) has directories more than \(PMTilesIndex.deepest) deep, or in a loop; download it again"
        )
    }

    private static func decoded(
        _ packed: [UInt8], _ header: PMTilesHeader, _ location: String
    ) throws(TileFailure) -> PMTilesDirectory {
        let plain = try unpacked(packed, header.internalCompression, location)
        return try converting(PMTilesDirectory(decoding: plain)) { (error: Varints.Failure) in
            TileFailure(.badContent, "\(location) is damaged: \(error.description)")
        }
    }

    /// Decompresses bytes as the header declares, except that bytes without a gzip header are not gzip.
    private static func unpacked(
        _ bytes: [UInt8], _ compression: Compression, _ location: String, limit: Int = unpackedLimit
    ) throws(TileFailure) -> [UInt8] {
        guard compression != .gzip || bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        do throws(Gzip.Failure) {
            return try compression.unpacked(bytes, limit: limit)
        } catch {
            let problem =
                error == .tooLarge
                ? "decompresses to more than \(limit >> 20) MiB"
                : "has invalid \(compression.name) data"
            throw TileFailure(.badContent, "\(location) \(problem)")
        }
    }

    // MARK: Tiles and metadata

    /// Returns the section of a tile's body.
    /// - Throws: `TileFailure` if it is outside the tile data or too large.
    package func section(
        ofTile entry: PMTilesDirectory.Entry, _ tile: @autoclosure () -> String
    ) throws(TileFailure) -> PMTilesHeader.Section {
        guard let section = entry.section(in: header.tiles) else {
            throw TileBody.bad(tile(), name, "has an entry that points outside the tile data")
        }
        guard section.length <= UInt64(PMTilesIndex.tileLimit) else {
            throw TileBody.bad(
                tile(), name,
                "claims \(section.length) bytes, over the limit of \(PMTilesIndex.tileLimit >> 20) MiB")
        }
        return section
    }

    /// Returns a tile's body decompressed.
    package func body(_ stored: [UInt8], _ tile: String) throws(TileFailure) -> [UInt8] {
        try TileBody.unwrapped(stored, tile, in: name, header.tileCompression)
    }

    /// Decodes the metadata.
    package func metadata(_ packed: [UInt8]) throws(TileFailure) -> JSON {
        let location = metadataName
        let plain = try PMTilesIndex.unpacked(
            packed, header.internalCompression, location, limit: PMTilesIndex.unpackedMetadataLimit)
        return try converting(JSON.parse(plain)) { (error: JSONFailure) in
            TileFailure(.badContent, "\(location) is \(error.description)")
        }
    }

    /// - Throws: `TileFailure` if the metadata exceeds the size limit.
    package func checkMetadataSize() throws(TileFailure) {
        try PMTilesIndex.check(header.metadata, PMTilesIndex.metadataLimit, metadataName)
    }

    private var metadataName: String {
        "the metadata of \(SafeText.sanitised(name)) at byte \(header.metadata.offset)"
    }
}

/// The description of the archive as a tile source.
extension PMTilesIndex {
    /// Returns the description of the source.
    /// - Parameters:
    ///   - body: The body of any tile, to find the tile size; nil to assume 256 pixels.
    ///   - probe: Reads the size of a picture.
    package func info(_ metadata: JSON, body: [UInt8]?, _ probe: TileProbe?) -> TileSourceInfo {
        var info = ArchiveDescription(metadata: metadata).info(
            fallbackName: baseName(name), zooms: zooms,
            bounds: ArchiveDescription.bounds(header.bounds.map { Double($0) / 1e7 }),
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
        info.center = Coordinate(
            latitude: Double(header.center[1]) / 1e7, longitude: Double(header.center[0]) / 1e7)
        info.centerZoom = Double(min(header.centerZoom, 30))
        return info
    }

    /// The zooms of the header, extended to those of the root directory.
    private var zooms: ClosedRange<Int> {
        let high = min(Int(header.maxZoom), TileID.maximumZoom), low = min(Int(header.minZoom), high)
        guard let first = root.entries.first?.id, let last = root.entries.last?.id,
            let lowest = TileID(hilbertID: first)?.zoom, let highest = TileID(hilbertID: last)?.zoom
        else { return low...high }
        return min(low, lowest)...max(high, highest)
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
