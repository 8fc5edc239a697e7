package import RhumbCore

/// The header of a PMTiles archive of version 3: 127 bytes, with little-endian numbers.
package struct PMTilesHeader: Equatable, Sendable {
    package static let length = 127

    package enum TileType: UInt8, Sendable {
        case unknown, mvt, png, jpeg, webp, avif, mlt
    }

    package typealias Section = FileSection

    package var root = Section()
    package var metadata = Section()
    package var leaves = Section()
    package var tiles = Section()
    /// The number of tiles including runs, of entries, and of distinct bodies; 0 if unknown.
    package var addressedTiles: UInt64 = 0
    package var tileEntries: UInt64 = 0
    package var tileContents: UInt64 = 0
    /// True if bodies are ordered by their first tile.
    package var isClustered = true
    /// The compression of the directories and the metadata.
    package var internalCompression = Compression.gzip
    package var tileCompression = Compression.none
    package var tileType = TileType.png
    package var minZoom: UInt8 = 0
    package var maxZoom: UInt8 = 0
    /// West, south, east, north in degrees × 10^7.
    package var bounds: [Int32] = [-1_800_000_000, -850_511_287, 1_800_000_000, 850_511_287]
    package var centerZoom: UInt8 = 0
    /// Longitude, latitude in degrees × 10^7.
    package var center: [Int32] = [0, 0]

    package init() {}

    /// Decodes a header from the first bytes of a file; nil if there are fewer than 127.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= PMTilesHeader.length else { return nil }
        func number(_ at: Int, _ size: Int = 8) -> UInt64 { UInt64(littleEndian: bytes[at..<at + size]) }
        func section(_ at: Int) -> Section { Section(offset: number(at), length: number(at + 8)) }
        func degrees(_ at: Int) -> Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: number(at, 4))) }
        root = section(8)
        metadata = section(24)
        leaves = section(40)
        tiles = section(56)
        addressedTiles = number(72)
        tileEntries = number(80)
        tileContents = number(88)
        isClustered = bytes[96] == 1
        internalCompression = Compression(rawValue: bytes[97]) ?? .unknown
        tileCompression = Compression(rawValue: bytes[98]) ?? .unknown
        tileType = TileType(rawValue: bytes[99]) ?? .unknown
        minZoom = bytes[100]
        maxZoom = bytes[101]
        bounds = [102, 106, 110, 114].map(degrees)
        centerZoom = bytes[118]
        center = [119, 123].map(degrees)
    }

    /// The encoded header.
    package var bytes: [UInt8] {
        var bytes = Array("PMTiles".utf8) + [3]
        func add(_ value: UInt64, _ size: Int = 8) {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
        }
        for section in [root, metadata, leaves, tiles] {
            add(section.offset)
            add(section.length)
        }
        for count in [addressedTiles, tileEntries, tileContents] { add(count) }
        bytes += [
            isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue, tileType.rawValue,
        ]
        bytes += [minZoom, maxZoom]
        for edge in bounds { add(UInt64(UInt32(bitPattern: edge)), 4) }
        bytes.append(centerZoom)
        for part in center { add(UInt64(UInt32(bitPattern: part)), 4) }
        return bytes
    }
}
