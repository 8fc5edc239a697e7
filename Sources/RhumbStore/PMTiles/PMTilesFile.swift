internal import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The parts of a PMTiles archive, found and unpacked.
final class PMTilesFile: Sendable {
    let bytes: any ByteSource
    let name: String
    let header: PMTilesHeader
    let root: PMTilesDirectory
    private let leaves = Mutex(LeafCache())

    /// Directories may lie this deep, the root counted.
    static let deepest = 4

    init(_ bytes: any ByteSource, name: String) throws(ArchiveFailure) {
        self.bytes = bytes
        self.name = name
        let start: [UInt8]
        do {
            start = try bytes.read(offset: 0, count: Int(min(bytes.size, 16384)))
        } catch {
            throw ArchiveFailure(name, .cannotOpen, error.message, "check the file and its disk")
        }
        header = try PMTilesFile.header(start, bytes.size, name)
        root = try PMTilesFile.directory(header.root, header, start, bytes, name)
    }

    private static func header(
        _ start: [UInt8], _ size: UInt64, _ name: String
    ) throws(ArchiveFailure) -> PMTilesHeader {
        guard start.starts(with: "PMTiles".utf8), let header = PMTilesHeader(start) else {
            throw ArchiveFailure(
                name, .damaged, "it does not begin with a PMTiles header of 127 bytes (it has \(size))",
                "fetch it again")
        }
        guard start[7] == 3 else {
            throw ArchiveFailure(
                name, .unsupported, "it is PMTiles version \(start[7]); Rhumb reads version 3",
                "convert it with \"pmtiles convert\"")
        }
        try checkInside(header, size, name)
        guard [.none, .gzip].contains(header.internalCompression) else {
            throw .compression(header.internalCompression, "its directories", name)
        }
        return header
    }

    private static func checkInside(
        _ header: PMTilesHeader, _ size: UInt64, _ name: String
    ) throws(ArchiveFailure) {
        let sections = [
            ("root directory", header.root), ("metadata", header.metadata),
            ("leaf directories", header.leaves), ("tile data", header.tiles),
        ]
        for (part, section) in sections where section.length > 0 {
            let (end, isTooLarge) = section.offset.addingReportingOverflow(section.length)
            guard !isTooLarge && end <= size else {
                throw ArchiveFailure(
                    name, .damaged,
                    "its header puts the \(part) at bytes \(section.offset) + \(section.length), but it has only \(size): it was cut short",
                    "fetch it again")
            }
        }
    }

    private static func directory(
        _ section: PMTilesHeader.Section, _ header: PMTilesHeader, _ start: [UInt8],
        _ bytes: any ByteSource, _ name: String
    ) throws(ArchiveFailure) -> PMTilesDirectory {
        do throws(TileFailure) {
            let packed: [UInt8]
            if section.offset + section.length <= UInt64(start.count) {
                packed = Array(start[Int(section.offset)..<Int(section.offset + section.length)])
            } else {
                packed = try bytes.read(offset: section.offset, count: Int(min(section.length, 64 << 20)))
            }
            return try decoded(packed, header, "the root directory of \(SafeText.sanitised(name))")
        } catch {
            throw ArchiveFailure(name, .damaged, error.message, "fetch it again")
        }
    }

    private static func decoded(
        _ packed: [UInt8], _ header: PMTilesHeader, _ place: String
    ) throws(TileFailure) -> PMTilesDirectory {
        let plain = try unpacked(packed, header.internalCompression, place)
        do throws(PMTilesDirectory.Failure) {
            return try PMTilesDirectory(decoding: plain)
        } catch {
            throw TileFailure(.badContent, "\(place) is damaged: \(error.description)")
        }
    }

    /// Takes off the compression that the header declares, if it is really there.
    private static func unpacked(
        _ bytes: [UInt8], _ compression: PMTilesHeader.Compression, _ place: String
    ) throws(TileFailure) -> [UInt8] {
        guard compression == .gzip, bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        do {
            return try Gzip.unpacked(bytes)
        } catch {
            throw TileFailure(.badContent, "\(place) has damaged gzip data")
        }
    }

    /// The leaf directory that an entry points to.
    func leaf(_ entry: PMTilesDirectory.Entry) throws(TileFailure) -> PMTilesDirectory {
        if let known = leaves.withLock({ $0[entry.offset] }) { return known }
        let directory = try readLeaf(entry)
        leaves.withLock { $0.insert(directory, at: entry.offset) }
        return directory
    }

    func readLeaf(_ entry: PMTilesDirectory.Entry) throws(TileFailure) -> PMTilesDirectory {
        let place = "the leaf directory at \(entry.offset) of \(SafeText.sanitised(name))"
        guard entry.fits(header.leaves) else {
            throw TileFailure(.badContent, "\(place) lies outside the leaf section")
        }
        let packed = try bytes.read(offset: header.leaves.offset + entry.offset, count: Int(entry.length))
        return try PMTilesFile.decoded(packed, header, place)
    }

    /// The entry that has the tile's body; nil if there is no such tile.
    func entry(for id: UInt64) throws(TileFailure) -> PMTilesDirectory.Entry? {
        var found = root.entry(for: id)
        var depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesFile.deepest else {
                throw TileFailure(
                    .badContent,
                    "\(SafeText.sanitised(name)) has directories more than \(PMTilesFile.deepest) deep, or in a loop; fetch it again")
            }
            found = try leaf(entry).entry(for: id)
            depth += 1
        }
        return found
    }

    /// The body as it is stored.
    func stored(_ entry: PMTilesDirectory.Entry, _ tile: String) throws(TileFailure) -> [UInt8] {
        guard entry.fits(header.tiles) else {
            throw TileBody.bad(tile, name, "has an entry that points outside the tile data")
        }
        return try bytes.read(offset: header.tiles.offset + entry.offset, count: Int(entry.length))
    }

    /// The metadata, or why it can't be read.
    func metadata() throws(TileFailure) -> JSON {
        guard header.metadata.length > 0 else { return [:] }
        let place = "the metadata of \(SafeText.sanitised(name))"
        guard header.metadata.length <= UInt64(Gzip.limit) else {
            throw TileFailure(.badContent, "\(place) has more than \(Gzip.limit >> 20) MiB")
        }
        let packed = try bytes.read(offset: header.metadata.offset, count: Int(header.metadata.length))
        let plain = try PMTilesFile.unpacked(packed, header.internalCompression, place)
        do throws(JSONFailure) {
            return try JSON.parse(plain)
        } catch {
            throw TileFailure(.badContent, "\(place) is \(error.description)")
        }
    }
}

extension ArchiveFailure {
    static func compression(
        _ kind: PMTilesHeader.Compression, _ part: String, _ file: String
    ) -> ArchiveFailure {
        let name = kind == .brotli ? "Brotli" : kind == .zstd ? "Zstandard" : "an unknown method"
        return ArchiveFailure(
            file, .unsupported, "\(part) are compressed with \(name); Rhumb reads gzip and none",
            "write the archive anew with gzip")
    }
}
