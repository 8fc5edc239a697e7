package import RhumbCore

/// The hashes of an archive's tiles, published next to it. Comparing the lists of two editions finds the
/// changed tiles before fetching any.
///
///     "RhumbTH1"   8 bytes
///     archive      8 bytes: the hash of the archive's first 16,384 bytes, or of all if there are fewer
///     then, compressed with gzip (RFC 1952):
///     version      the edition's version in the catalogue: its length in one byte, and its text
///     count        the number of entries; each covers consecutive tiles with the same body
///     ids          the distance of each entry's first PMTiles id from the end of the previous entry
///     runs         the number of tiles of each entry
///     hashes       8 bytes each
///
/// Counts, ids and runs are unsigned LEB128 numbers; 8-byte numbers are little-endian. Hashes are 64-bit
/// FNV-1a. A tile's hash covers its stored bytes.
package struct TileHashes: Equatable, Sendable {
    /// The hash of the archive's first bytes.
    package let archive: UInt64
    /// The version of the archive's edition.
    package private(set) var version: String
    /// The first tile of each entry.
    private(set) var ids: [UInt64] = []
    /// The number of tiles of each entry.
    private(set) var runs: [UInt64] = []
    private var hashes: [UInt64] = []
    /// The total number of tiles.
    package private(set) var tiles: UInt64 = 0

    /// The signature at the start of a list.
    package static let mark = Array("RhumbTH1".utf8)
    /// The maximum number of tiles of a list, and therefore of a package with differential updates.
    package static let tileLimit: UInt64 = 1 << 24
    private static let unpackedLimit = 32 << 20

    package init(version: String, beginning: [UInt8]) {
        self.version = version
        archive = TileHashes.hash(beginning.prefix(PMTilesIndex.startLength))
    }

    /// Returns the 64-bit FNV-1a hash.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Appends consecutive tiles, which must follow all previous ones.
    package mutating func add(_ tiles: Range<UInt64>, _ hash: UInt64) {
        self.tiles += UInt64(tiles.count)
        if let at = ids.indices.last, ids[at] + runs[at] == tiles.lowerBound, hashes[at] == hash {
            runs[at] += UInt64(tiles.count)
            return
        }
        ids.append(tiles.lowerBound)
        runs.append(UInt64(tiles.count))
        hashes.append(hash)
    }

    // MARK: Comparison

    /// Returns true if the list was made from an archive with these first bytes.
    package func fits(_ beginning: [UInt8]) -> Bool {
        archive == TileHashes.hash(beginning.prefix(PMTilesIndex.startLength))
    }

    /// The hash of a tile; nil if the archive lacks it.
    package subscript(tile: TileID) -> UInt64? { self[tile.hilbertID] }

    private subscript(id: UInt64) -> UInt64? {
        let last = ids.partitioningIndex { $0 > id } - 1
        return last >= 0 && id - ids[last] < runs[last] ? hashes[last] : nil
    }

    /// Returns the tiles that are new or different compared with another list.
    package func changed(since other: TileHashes) -> [TileID] {
        var changed: [TileID] = []
        for at in ids.indices {
            for id in ids[at]..<ids[at] + runs[at] where other[id] != hashes[at] {
                if let tile = TileID(hilbertID: id) { changed.append(tile) }
            }
        }
        return changed
    }

    /// Returns the list with another version of the edition.
    package func of(_ version: String) -> TileHashes {
        var list = self
        list.version = version
        return list
    }

    // MARK: Encoding

    /// The encoded list, as published.
    package var bytes: [UInt8] {
        var plain = [UInt8(truncatingIfNeeded: version.utf8.count)] + version.utf8
        Varints.append(UInt64(ids.count), to: &plain)
        var end: UInt64 = 0
        for at in ids.indices {
            Varints.append(ids[at] - end, to: &plain)
            end = ids[at] + runs[at]
        }
        for run in runs { Varints.append(run, to: &plain) }
        for hash in hashes { plain += hash.littleEndianBytes }
        return TileHashes.mark + archive.littleEndianBytes + Gzip.packed(plain)
    }

    /// Decodes a list.
    /// - Throws: `TileHashesFailure`.
    package init(_ bytes: [UInt8]) throws(TileHashesFailure) {
        guard bytes.starts(with: TileHashes.mark), bytes.count > 16 else { throw .other }
        archive = UInt64(littleEndian: bytes[8..<16])
        let plain: [UInt8]
        do throws(Gzip.Failure) {
            plain = try Gzip.unpacked(Array(bytes[16...]), limit: TileHashes.unpackedLimit)
        } catch {
            throw error == .tooLarge ? .tooLarge : .damaged("it is truncated or has invalid gzip data")
        }
        guard let length = plain.first, plain.count > Int(length) else { throw .damaged("it has no version") }
        version = String(decoding: plain[1..<1 + Int(length)], as: UTF8.self)
        try readEntries(Array(plain[(1 + Int(length))...]))
    }

    private mutating func readEntries(_ bytes: [UInt8]) throws(TileHashesFailure) {
        var numbers = Varints(bytes)
        do throws(PMTilesDirectory.Failure) {
            let count = try numbers.next("the count")
            guard count <= UInt64(bytes.count / 10) else {
                throw PMTilesDirectory.Failure(
                    description: "it claims \(count) entries in \(bytes.count) bytes")
            }
            for _ in 0..<count { ids.append(try numbers.next("an id")) }
            for _ in 0..<count { runs.append(try numbers.next("a run")) }
        } catch {
            throw .damaged(error.description)
        }
        let rest = bytes[numbers.position...]
        guard rest.count == ids.count * 8 else {
            throw .damaged("it has \(rest.count / 8) hashes for \(ids.count) entries")
        }
        for at in stride(from: rest.startIndex, to: rest.endIndex, by: 8) {
            hashes.append(UInt64(littleEndian: rest[at..<at + 8]))
        }
        try placeEntries()
    }

    /// Converts the distances between entries to ids.
    private mutating func placeEntries() throws(TileHashesFailure) {
        let limit = TileID.firstHilbertID(zoom: TileID.maximumZoom + 1)
        var end: UInt64 = 0
        for at in ids.indices {
            guard ids[at] < limit - end, (1...limit).contains(runs[at]), runs[at] <= limit - end - ids[at]
            else {
                throw .damaged("entry \(at) is beyond the deepest zoom")
            }
            ids[at] += end
            end = ids[at] + runs[at]
            tiles += runs[at]
        }
        guard tiles <= TileHashes.tileLimit else { throw .tooLarge }
    }
}

/// The reason why a list of hashes can't be used.
package enum TileHashesFailure: Error, Equatable, CustomStringConvertible {
    case other
    case damaged(String)
    case tooLarge

    package var description: String {
        switch self {
        case .other: "it is not a list of hashes"
        case .damaged(let problem): "it is damaged: \(problem)"
        case .tooLarge: "it has more than \(TileHashes.tileLimit) tiles"
        }
    }
}

extension UInt64 {
    var littleEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
    }

    init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
