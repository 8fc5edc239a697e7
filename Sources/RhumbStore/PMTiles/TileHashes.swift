internal import CCrypto
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
/// A list with "RhumbTH2" has cryptographic hashes, so that a signature of the list covers every tile. The
/// hash of the archive is then the SHA-256 of its first bytes, followed by the stored metadata (32 bytes).
/// The hash of a tile is the first 16 bytes of the SHA-256 of its unpacked body, the form that clients store.
///
/// Counts, ids and runs are unsigned LEB128 numbers; 8-byte numbers are little-endian. Hashes are 64-bit
/// FNV-1a in "RhumbTH1". A tile's hash covers its stored bytes there.
package struct TileHashes: Equatable, Sendable {
    /// The hash of the archive's first bytes.
    private let archive: [UInt8]
    /// True if the hashes are cryptographic.
    package let isSecure: Bool
    /// The version of the archive's edition.
    package private(set) var version: String
    /// The first tile of each entry.
    private(set) var ids: [UInt64] = []
    /// The number of tiles of each entry.
    private(set) var runs: [UInt64] = []
    private var hashes: [TileDigest] = []
    /// The total number of tiles.
    package private(set) var tiles: UInt64 = 0

    /// The signature at the start of a list.
    package static let mark = Array("RhumbTH1".utf8)
    /// The signature at the start of a list with cryptographic hashes.
    package static let secureMark = Array("RhumbTH2".utf8)
    /// The maximum number of tiles of a list, and therefore of a package with differential updates.
    package static let tileLimit: UInt64 = 1 << 24
    private static let unpackedLimit = 64 << 20

    /// - Parameter metadata: The stored metadata of the archive, for cryptographic hashes; nil for others.
    package init(version: String, beginning: [UInt8], metadata: [UInt8]? = nil) {
        self.version = version
        isSecure = metadata != nil
        archive = TileHashes.archiveHash(beginning, metadata)
    }

    private static func archiveHash(_ beginning: [UInt8], _ metadata: [UInt8]?) -> [UInt8] {
        let start = beginning.prefix(PMTilesIndex.startLength)
        guard let metadata else { return hash(start).littleEndianBytes }
        return TileDigest.sha256(Array(start) + metadata)
    }

    /// Returns the 64-bit FNV-1a hash.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Appends consecutive tiles, which must follow all previous ones.
    package mutating func add(_ tiles: Range<UInt64>, _ hash: UInt64) {
        add(tiles, TileDigest(low: hash))
    }

    /// Appends consecutive tiles, which must follow all previous ones.
    package mutating func add(_ tiles: Range<UInt64>, _ hash: TileDigest) {
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
    /// - Parameter metadata: The stored metadata of the archive.
    package func fits(_ beginning: [UInt8], metadata: [UInt8]) -> Bool {
        archive == TileHashes.archiveHash(beginning, isSecure ? metadata : nil)
    }

    /// The hash of a tile; nil if the archive lacks it.
    package subscript(tile: TileID) -> TileDigest? { self[tile.hilbertID] }

    private subscript(id: UInt64) -> TileDigest? {
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
        plain.append(varint: UInt64(ids.count))
        var end: UInt64 = 0
        for at in ids.indices {
            plain.append(varint: ids[at] - end)
            end = ids[at] + runs[at]
        }
        for run in runs { plain.append(varint: run) }
        for hash in hashes {
            plain += hash.low.littleEndianBytes + (isSecure ? hash.high.littleEndianBytes : [])
        }
        return (isSecure ? TileHashes.secureMark : TileHashes.mark) + archive + Gzip.packed(plain)
    }

    /// Decodes a list.
    /// - Throws: `TileHashesFailure`.
    package init(_ bytes: [UInt8]) throws(TileHashesFailure) {
        isSecure = bytes.starts(with: TileHashes.secureMark)
        let start = isSecure ? 40 : 16
        guard isSecure || bytes.starts(with: TileHashes.mark), bytes.count > start else { throw .other }
        archive = Array(bytes[8..<start])
        let plain = try converting(Gzip.unpacked(Array(bytes[start...]), limit: TileHashes.unpackedLimit)) {
            (error: Gzip.Failure) in
            error == .tooLarge
                ? TileHashesFailure.tooLarge : .damaged("it is truncated or has invalid gzip data")
        }
        guard let length = plain.first, plain.count > Int(length) else { throw .damaged("it has no version") }
        version = String(decoding: plain[1..<1 + Int(length)], as: UTF8.self)
        try readEntries(Array(plain[(1 + Int(length))...]))
    }

    private mutating func readEntries(_ bytes: [UInt8]) throws(TileHashesFailure) {
        var numbers = Varints(bytes)
        do throws(Varints.Failure) {
            let count = try numbers.next("the count")
            guard count <= UInt64(bytes.count / 10) else {
                throw Varints.Failure(
                    description: "it claims \(count) entries in \(bytes.count) bytes")
            }
            for _ in 0..<count { ids.append(try numbers.next("an id")) }
            for _ in 0..<count { runs.append(try numbers.next("a run")) }
        } catch {
            throw .damaged(error.description)
        }
        let rest = bytes[numbers.position...], size = isSecure ? 16 : 8
        guard rest.count == ids.count * size else {
            throw .damaged("it has \(rest.count / size) hashes for \(ids.count) entries")
        }
        for at in stride(from: rest.startIndex, to: rest.endIndex, by: size) {
            hashes.append(
                TileDigest(
                    low: UInt64(littleEndian: rest[at..<at + 8]),
                    high: isSecure ? UInt64(littleEndian: rest[at + 8..<at + 16]) : 0))
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

/// The hash of a tile in a list.
package struct TileDigest: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    init(low: UInt64, high: UInt64 = 0) { (self.low, self.high) = (low, high) }

    /// Computes the cryptographic hash of a tile.
    package init(ofUnpacked body: [UInt8]) {
        let sum = TileDigest.sha256(body)
        self.init(low: UInt64(littleEndian: sum[0..<8]), high: UInt64(littleEndian: sum[8..<16]))
    }

    /// Returns the SHA-256, or a random value if libcrypto can't be loaded, so that it equals no other.
    fileprivate static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: 32)
        guard !rhumb_sha256(bytes, bytes.count, &sum) else { return sum }
        return sum.map { _ in UInt8.random(in: 0...255) }
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
