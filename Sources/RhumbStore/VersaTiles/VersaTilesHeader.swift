package import RhumbCore
internal import RhumbEngine

/// The header ("file_header") of a VersaTiles container of version 02: 66 bytes, with big-endian numbers.
package struct VersaTilesHeader: Equatable, Sendable {
    package static let length = 66
    package static let magic = Array("versatiles_v02".utf8)

    let tileFormat: UInt8
    let tilePrecompression: Compression
    let minZoom: UInt8
    let maxZoom: UInt8
    /// The box in the header; nil if it is empty or invalid.
    let bounds: Bounds?
    let metadata: FileSection
    package let blockIndex: FileSection
    /// The size of the file in bytes, if it has nothing after the header's sections.
    package var end: UInt64 { max(metadata.end, blockIndex.end) }

    /// Decodes a header from the first bytes of a file; nil if it is none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, bytes.starts(with: Self.magic) else { return nil }
        let bytes = bytes[...]
        tileFormat = bytes[14]
        // The specification ends with Brotli; writers also use 3 for Zstandard.
        let compressions: [Compression] = [.none, .gzip, .brotli, .zstd]
        tilePrecompression = bytes[15] < 4 ? compressions[Int(bytes[15])] : .unknown
        minZoom = bytes[16]
        maxZoom = bytes[17]
        bounds = ArchiveDescription.bounds(
            [18, 22, 26, 30].map { Double(Int32(truncatingIfNeeded: bytes.number(at: $0, 4))) / 1e7 })
        metadata = FileSection(offset: bytes.number(at: 34, 8), length: bytes.number(at: 42, 8))
        blockIndex = FileSection(offset: bytes.number(at: 50, 8), length: bytes.number(at: 58, 8))
    }

    /// Decodes a header, and checks that its sections are in the file.
    init(checking bytes: [UInt8], size: UInt64?, name: String) throws(TileFailure) {
        guard let header = VersaTilesHeader(bytes) else {
            throw TileFailure(
                .badContent, "it has no VersaTiles header of \(Self.length) bytes (it has \(bytes.count))")
        }
        if let problem = header.metadata.misfit("metadata", size: size)
            ?? header.blockIndex.misfit("block index", size: size)
        {
            throw TileFailure(.badContent, problem)
        }
        self = header
    }

    /// The format of the tiles; nil for formats that Rhumb doesn't know.
    var kind: TileKind? {
        switch tileFormat {
        case 0x10: .png
        case 0x11: .jpeg
        case 0x12: .webp
        case 0x13: .avif
        // The specification has no MapLibre Tiles yet, so they may be declared as other vector tiles.
        case 0x20: .vector
        case 0x14, 0x21, 0x22, 0x23: .text
        default: nil
        }
    }

    /// Checks the values, each at the offset that the specification gives.
    func check(_ report: (VerificationFault) -> Void) {
        if kind == nil {
            report(VerificationFault(.header, .byte(14), "the type of the tiles is not declared"))
        }
        if tilePrecompression == .unknown {
            report(VerificationFault(.header, .byte(15), "the compression of the tiles is unknown"))
        }
        if minZoom > maxZoom || Int(maxZoom) > TileID.maximumZoom {
            report(VerificationFault(.zooms, .byte(16), "zooms \(minZoom) to \(maxZoom) are invalid"))
        }
        if bounds == nil { report(VerificationFault(.bounds, .byte(18), "the bounds are invalid")) }
        let first = metadata.offset < blockIndex.offset ? metadata : blockIndex
        if metadata.length > 0, first.end > max(metadata.offset, blockIndex.offset) {
            report(
                VerificationFault(
                    .header, .byte(max(metadata.offset, blockIndex.offset)),
                    "the metadata and the block index overlap"))
        }
    }
}

/// A record of the block index: a square of up to 256 × 256 tiles, whose bodies are followed by their index.
package struct VersaTilesBlock: Equatable, Sendable {
    static let recordLength = 33

    /// The level of a block, and its column and row in units of 256 tiles.
    package struct Position: Hashable, Sendable {
        let level: UInt8
        let column: UInt32
        let row: UInt32

        package init(_ tile: TileID) {
            level = UInt8(tile.zoom)
            column = UInt32(tile.x >> 8)
            row = UInt32(tile.y >> 8)
        }

        fileprivate init(_ record: ArraySlice<UInt8>) {
            level = UInt8(record.number(at: 0, 1))
            column = UInt32(record.number(at: 1, 4))
            row = UInt32(record.number(at: 5, 4))
        }
    }

    package let position: Position
    /// The columns and rows of its tiles within the square; empty if they are invalid.
    let columns: Range<Int>
    let rows: Range<Int>
    let blobs: FileSection
    package let tileIndex: FileSection

    init(_ record: ArraySlice<UInt8>) {
        position = Position(record)
        func range(_ first: Int, _ last: Int) -> Range<Int> {
            let low = Int(record.number(at: first, 1)), high = Int(record.number(at: last, 1))
            return low..<max(high + 1, low)
        }
        columns = range(9, 11)
        rows = range(10, 12)
        blobs = FileSection(offset: record.number(at: 13, 8), length: record.number(at: 21, 8))
        tileIndex = FileSection(offset: blobs.end, length: record.number(at: 29, 4))
    }

    var tileCount: Int { columns.count * rows.count }

    /// True if the block has tiles, all of them within the world.
    var isValid: Bool { tileCount > 0 && tile(at: 0) != nil && tile(at: tileCount - 1) != nil }

    /// The block in words.
    var text: String { "block \(position.level)/\(position.column)/\(position.row)" }

    package func contains(_ tile: TileID) -> Bool {
        columns.contains(tile.x & 255) && rows.contains(tile.y & 255)
    }

    /// Returns true if a body is within the block.
    func encloses(_ section: FileSection) -> Bool {
        section.offset >= blobs.offset && section.end <= blobs.end
    }

    /// Returns the tile with a number in the index; nil if it is outside of the world.
    func tile(at number: Int) -> TileID? {
        TileID(
            zoom: Int(position.level),
            x: Int(position.column) << 8 + columns.lowerBound + number % columns.count,
            y: Int(position.row) << 8 + rows.lowerBound + number / columns.count)
    }

    /// Returns the number of a tile of the block in its index.
    func number(of tile: TileID) -> Int {
        (tile.y & 255 - rows.lowerBound) * columns.count + tile.x & 255 - columns.lowerBound
    }
}

/// The index ("tile_index") of a valid block: the sections of its tiles' bodies.
package struct VersaTilesIndex: Sequence, Sendable {
    static let recordLength = 12

    let block: VersaTilesBlock
    let bytes: [UInt8]

    /// The section of a tile's body. It has no bytes if there is no such tile.
    package subscript(tile: TileID) -> FileSection { section(at: block.number(of: tile)) }

    private func section(at number: Int) -> FileSection {
        let record = bytes[number * Self.recordLength..<(number + 1) * Self.recordLength]
        let (offset, isTooFar) = block.blobs.offset.addingReportingOverflow(record.number(at: 0, 8))
        return FileSection(offset: isTooFar ? .max : offset, length: record.number(at: 8, 4))
    }

    /// Returns all sections of the block, row by row.
    package func makeIterator() -> some IteratorProtocol<(tile: TileID, section: FileSection)> {
        (0..<block.tileCount).lazy.compactMap { number in
            block.tile(at: number).map { (tile: $0, section: section(at: number)) }
        }.makeIterator()
    }
}

extension ArraySlice<UInt8> {
    /// Returns a big-endian number.
    fileprivate func number(at offset: Int, _ size: Int) -> UInt64 {
        UInt64(bigEndian: self[startIndex + offset..<startIndex + offset + size])
    }
}
