package import RhumbCore
package import RhumbEngine

/// The header of a VersaTiles container, and the decoding of its other parts, independent of where the bytes
/// are stored.
package struct VersaTilesLayout: ArchiveIndex {
    /// The name of the container in errors.
    package let name: String
    package let header: VersaTilesHeader

    /// Maximum sizes in bytes of the metadata and of a tile, and of the stored and the unpacked block index.
    private static let metadataLimit = ArchiveDescription.metadataLimit, tileLimit = 16 << 20
    private static let indexLimit = 16 << 20, unpackedLimit = 64 << 20
    /// Maximum stored size in bytes of a tile index.
    private static let tileIndexLimit = 2 << 20

    /// Decodes the first bytes of a container.
    /// - Parameter size: The size of the file in bytes; nil if unknown.
    /// - Throws: `ArchiveFailure`.
    package init(start: [UInt8], size: UInt64? = nil, name: String) throws(ArchiveFailure) {
        do throws(TileFailure) {
            try self.init(decoding: start, size: size, name: name)
        } catch {
            throw VersaTilesLayout.failure(error, name)
        }
    }

    /// - Parameter size: The size of the file in bytes; nil if unknown.
    init(decoding start: [UInt8], size: UInt64?, name: String) throws(TileFailure) {
        self.name = name
        header = try VersaTilesHeader(checking: start, size: size, name: name)
        guard Compression.brotli.missingPackage == nil else {
            throw TileFailure(.refused, "its indices are compressed with Brotli")
        }
    }

    /// Returns the failure to open a container.
    static func failure(_ failure: TileFailure, _ name: String) -> ArchiveFailure {
        if Compression.brotli.missingPackage != nil { return .compression(.brotli, "its indices", name) }
        return ArchiveFailure(name, .damaged, failure.message, "download it again")
    }

    // MARK: Indices

    package var blockIndexName: String { "the block index of \(SafeText.sanitised(name))" }

    package func checkBlockIndexSize() throws(TileFailure) {
        try check(header.blockIndex, Self.indexLimit, blockIndexName)
    }

    /// Decodes the block index.
    /// - Returns: The blocks in the order of their zooms, then of the file.
    package func blocks(_ packed: [UInt8]) throws(TileFailure) -> [VersaTilesBlock] {
        let plain = try unpacked(packed, .brotli, Self.unpackedLimit, blockIndexName)
        guard plain.count.isMultiple(of: VersaTilesBlock.recordLength) else {
            throw TileFailure(
                .badContent, "\(blockIndexName) has \(plain.count) bytes, which is no number of blocks")
        }
        let blocks = stride(from: 0, to: plain.count, by: VersaTilesBlock.recordLength).map {
            VersaTilesBlock(plain[$0..<$0 + VersaTilesBlock.recordLength])
        }
        return blocks.sorted { ($0.position.level, $0.blobs.offset) < ($1.position.level, $1.blobs.offset) }
    }

    private func indexName(_ block: VersaTilesBlock) -> String {
        "the tile index of \(block.text) of \(SafeText.sanitised(name))"
    }

    /// Checks a block before its tile index is read.
    /// - Parameter size: The size of the file in bytes; nil if unknown.
    package func check(_ block: VersaTilesBlock, size: UInt64?) throws(TileFailure) {
        guard block.isValid, block.tileIndex.fits(size: size) else {
            throw TileFailure(
                .badContent,
                "\(indexName(block)) is not in the file, or its block has invalid columns or rows")
        }
        try check(block.tileIndex, Self.tileIndexLimit, indexName(block))
    }

    /// Decodes the tile index of a block.
    package func index(of block: VersaTilesBlock, _ packed: [UInt8]) throws(TileFailure) -> VersaTilesIndex {
        let size = block.tileCount * VersaTilesIndex.recordLength
        let plain = try unpacked(packed, .brotli, size, indexName(block))
        guard plain.count == size else {
            throw TileFailure(
                .badContent, "\(indexName(block)) has \(plain.count) bytes instead of \(size)")
        }
        return VersaTilesIndex(block: block, bytes: plain)
    }

    /// - Throws: `TileFailure` if a tile's body is outside of its block or too large.
    package func check(
        _ section: FileSection, of tile: TileID, in block: VersaTilesBlock
    ) throws(TileFailure) {
        guard block.encloses(section) else { throw TileBody.bad("\(tile)", name, "is outside of its block") }
        guard section.length <= UInt64(Self.tileLimit) else {
            throw TileBody.bad(
                "\(tile)", name,
                "claims \(section.length) bytes, over the limit of \(Self.tileLimit >> 20) MiB")
        }
    }

    private func check(_ section: FileSection, _ limit: Int, _ part: String) throws(TileFailure) {
        guard section.length <= UInt64(limit) else {
            throw TileFailure(
                .badContent, "\(part) claims \(section.length) bytes, over the limit of \(limit >> 20) MiB")
        }
    }

    private func unpacked(
        _ packed: [UInt8], _ compression: Compression, _ limit: Int, _ part: String
    ) throws(TileFailure) -> [UInt8] {
        let actual = compression.actual(of: packed)
        do throws(Gzip.Failure) {
            return try actual.unpacked(packed, limit: limit)
        } catch {
            let problem =
                error == .tooLarge
                ? "decompresses to more than \(limit >> 20) MiB" : "has invalid \(actual.name) data"
            throw TileFailure(.badContent, "\(part) \(problem)")
        }
    }

    // MARK: Metadata and tiles

    package var metadataSection: FileSection { header.metadata }
    package var tileBytes: UInt64 { header.end }
    package var areTilesRepacked: Bool {
        declaresVectorTiles && [.brotli, .zstd].contains(header.tilePrecompression)
    }
    package var declaresVectorTiles: Bool { header.kind?.isVector == true }

    private var metadataName: String { "the metadata of \(SafeText.sanitised(name))" }

    package func checkMetadataSize() throws(TileFailure) {
        try check(header.metadata, Self.metadataLimit, metadataName)
    }

    package func metadata(_ packed: [UInt8]) throws(TileFailure) -> JSON {
        let plain = try unpacked(packed, header.tilePrecompression, Self.unpackedLimit, metadataName)
        do throws(JSONFailure) { return try JSON.parse(plain) } catch {
            throw TileFailure(.badContent, "\(metadataName) is \(error.description)")
        }
    }

    package func body(_ stored: [UInt8], _ tile: String) throws(TileFailure) -> [UInt8] {
        try TileBody.unwrapped(stored, tile, in: name, header.tilePrecompression)
    }

    package func info(_ metadata: JSON, body: [UInt8]?, _ probe: TileProbe?) -> TileSourceInfo {
        let low = Int(header.minZoom), high = min(Int(header.maxZoom), TileID.maximumZoom)
        return ArchiveDescription(metadata: metadata).info(
            fallbackName: baseName(name), zooms: min(low, high)...high, bounds: header.bounds,
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
    }

    package func refusal(body: [UInt8]?) -> ArchiveFailure? {
        guard header.tilePrecompression.missingPackage == nil else {
            return .compression(header.tilePrecompression, "its tiles", name)
        }
        let kind = header.kind ?? body.map { TileKind(of: $0) }
        if kind?.isVector == true { return .vectorTiles(name) }
        guard kind == nil || kind == .avif || kind == .text else { return nil }
        return ArchiveFailure(
            name, .unsupported, "it has tiles in a format that Rhumb can't draw",
            "use an archive of vector tiles, or of PNG, JPEG or WebP tiles")
    }
}
