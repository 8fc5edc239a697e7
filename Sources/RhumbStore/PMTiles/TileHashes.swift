package import RhumbCore

/// The hashes of an archive's tiles, as its publisher puts them beside it: the lists of two editions
/// tell which tiles differ before any of them is fetched.
///
///     "RhumbTH1"   8 bytes
///     archive      8 bytes: the hash of the archive's first 16,384 bytes, or of all where it has fewer
///     then, packed with gzip (RFC 1952):
///     version      of the edition, as the catalogue writes it: its length in one byte, and its text
///     count        of entries; each stands for tiles in a row that have the same body
///     ids          how far each entry's first PMTiles id lies beyond the end of the entry before
///     runs         how many tiles each stands for
///     hashes       8 bytes each
///
/// Counts, ids and runs are unsigned LEB128 numbers; what has 8 bytes is little-endian. A hash is
/// FNV-1a of 64 bits, of a tile over the bytes that the archive has of it.
package struct TileHashes: Equatable, Sendable {
    /// Of the archive's first bytes.
    package let archive: UInt64
    /// Of the edition that the archive is.
    package private(set) var version: String
    private var ids: [UInt64] = []
    private var runs: [UInt64] = []
    private var hashes: [UInt64] = []
    /// All that entries stand for.
    package private(set) var tiles: UInt64 = 0

    /// The first bytes of a list.
    package static let mark = Array("RhumbTH1".utf8)
    /// The most tiles of a list, and so of a package that is fetched by differences.
    package static let tileLimit: UInt64 = 1 << 24
    private static let unpackedLimit = 32 << 20

    package init(version: String, beginning: [UInt8]) {
        self.version = version
        archive = TileHashes.hash(beginning.prefix(PMTilesIndex.startLength))
    }

    /// FNV-1a, 64 bits.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Adds consecutive tiles, which must follow all earlier ones.
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

    // MARK: Asking

    /// Returns true if the list belongs to an archive with these first bytes.
    package func fits(_ beginning: [UInt8]) -> Bool {
        archive == TileHashes.hash(beginning.prefix(PMTilesIndex.startLength))
    }

    /// Nil where the archive has no such tile.
    package subscript(tile: TileID) -> UInt64? { self[tile.pmtilesID] }

    private subscript(id: UInt64) -> UInt64? {
        let last = ids.partitioningIndex { $0 > id } - 1
        return last >= 0 && id - ids[last] < runs[last] ? hashes[last] : nil
    }

    /// The tiles it has that another list has not, or otherwise.
    package func changed(since other: TileHashes) -> [TileID] {
        var changed: [TileID] = []
        for at in ids.indices {
            for id in ids[at]..<ids[at] + runs[at] where other[id] != hashes[at] {
                if let tile = TileID(pmtilesID: id) { changed.append(tile) }
            }
        }
        return changed
    }

    /// The same list by another name of the edition.
    package func of(_ version: String) -> TileHashes {
        var list = self
        list.version = version
        return list
    }

    // MARK: As a file

    /// The list as it is published.
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

    /// Reads a list.
    /// - Throws: `TileHashesFailure`
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

    /// Makes ids of the distances between them.
    private mutating func placeEntries() throws(TileHashesFailure) {
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
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

/// Why a list of hashes can't be used.
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
    fileprivate var littleEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
    }

    fileprivate init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
