public import Rhumb
internal import RhumbStore

/// A builder of valid and invalid PMTiles archives.
public struct PMTilesFixture: Sendable {
    public var tiles: [(tile: TileID, body: [UInt8])]
    public var metadata: [UInt8] = Array(#"{"name":"A map"}"#.utf8)
    /// True if the directories and the metadata are compressed with gzip; false if they are uncompressed.
    public var isPacked = true
    /// The compression of all parts; nil to compress only directories and metadata, see `isPacked`.
    package var compression: Compression?
    /// The number of entries per leaf; nil to store all entries in the root.
    public var leafSize: Int?
    /// The number of levels of leaves, if there are leaves.
    public var leafDepth = 1
    /// Final changes to the archive's bytes, as offset and value.
    public var patches: [(offset: Int, value: UInt8)] = []

    public init(_ tiles: [(tile: TileID, body: [UInt8])]) { self.tiles = tiles }

    /// Creates a fixture with all tiles of the zooms, each with a distinct body.
    public init(zooms: ClosedRange<Int>) {
        self.init(TileID.pyramid(zooms).map { ($0, fakePicture($0)) })
    }

    /// The bytes of the archive. Consecutive equal bodies become runs, and other equal bodies share their
    /// bytes.
    public var bytes: [UInt8] {
        let (entries, data) = laidOut
        var leaves: [UInt8] = []
        var root = entries
        if let leafSize {
            for _ in 0..<leafDepth { root = split(root, leafSize, &leaves) }
        }
        return assembled(packed(PMTilesDirectory(root).encoded), leaves, data, entries)
    }

    private var laidOut: ([PMTilesDirectory.Entry], [UInt8]) {
        var data: [UInt8] = []
        var places: [[UInt8]: UInt64] = [:]
        var entries: [PMTilesDirectory.Entry] = []
        for (tile, plain) in tiles.sorted(by: { $0.tile.hilbertID < $1.tile.hilbertID }) {
            let body = compression?.stored(plain) ?? plain
            let offset = places[body] ?? UInt64(data.count)
            if places.updateValue(offset, forKey: body) == nil { data += body }
            if let last = entries.last, last.offset == offset, Int(last.length) == body.count,
                last.id + UInt64(last.run) == tile.hilbertID
            {
                entries[entries.count - 1].run += 1
            } else {
                entries.append(.init(id: tile.hilbertID, run: 1, length: UInt32(body.count), offset: offset))
            }
        }
        return (entries, data)
    }

    private func split(
        _ entries: [PMTilesDirectory.Entry], _ size: Int, _ leaves: inout [UInt8]
    ) -> [PMTilesDirectory.Entry] {
        stride(from: 0, to: entries.count, by: size).map { start in
            let part = entries[start..<min(start + size, entries.count)]
            let leaf = packed(PMTilesDirectory(Array(part)).encoded)
            defer { leaves += leaf }
            return .init(id: part[start].id, run: 0, length: UInt32(leaf.count), offset: UInt64(leaves.count))
        }
    }

    private func packed(_ bytes: [UInt8]) -> [UInt8] { method.stored(bytes) }

    private var method: Compression { compression ?? (isPacked ? .gzip : .none) }

    private func assembled(
        _ root: [UInt8], _ leaves: [UInt8], _ data: [UInt8], _ entries: [PMTilesDirectory.Entry]
    ) -> [UInt8] {
        let metadata = packed(metadata)
        var header = PMTilesHeader()
        var end = UInt64(PMTilesHeader.length)
        func section(_ bytes: [UInt8]) -> PMTilesHeader.Section {
            defer { end += UInt64(bytes.count) }
            return .init(offset: end, length: UInt64(bytes.count))
        }
        header.root = section(root)
        header.metadata = section(metadata)
        header.leaves = section(leaves)
        header.tiles = section(data)
        header.internalCompression = method
        header.tileCompression = compression ?? .none
        header.addressedTiles = UInt64(tiles.count)
        header.tileEntries = UInt64(entries.count)
        header.tileContents = UInt64(Set(entries.map(\.offset)).count)
        header.minZoom = UInt8(tiles.map(\.tile.zoom).min() ?? 0)
        header.maxZoom = UInt8(tiles.map(\.tile.zoom).max() ?? 0)
        var bytes = header.bytes + root + metadata + leaves + data
        for patch in patches { bytes[patch.offset] = patch.value }
        return bytes
    }
}

/// Returns the bytes of a valid archive with the tiles.
public func fakeArchive(_ tiles: [(tile: TileID, body: [UInt8])]) -> [UInt8] { PMTilesFixture(tiles).bytes }
