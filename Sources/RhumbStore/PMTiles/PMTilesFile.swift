internal import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The random-access reader of a local PMTiles archive.
final class PMTilesFile: Sendable {
    let bytes: any ByteSource
    let index: PMTilesIndex
    private let leaves = Mutex(DirectoryCache())

    init(_ bytes: any ByteSource, name: String) throws(ArchiveFailure) {
        self.bytes = bytes
        let start: [UInt8]
        do {
            start = try bytes.read(offset: 0, count: Int(min(bytes.size, UInt64(PMTilesIndex.startLength))))
        } catch {
            try bytes.checkServer(name)
            throw ArchiveFailure(name, .cannotOpen, error.message, "check the file and its disk")
        }
        do throws(ArchiveFailure) {
            index = try PMTilesIndex(start: start, size: bytes.size, name: name) {
                offset, count throws(TileFailure) in
                try bytes.read(offset: offset, count: count)
            }
        } catch {
            try bytes.checkServer(name)
            throw error
        }
    }

    var name: String { index.name }
    var header: PMTilesHeader { index.header }
    var root: PMTilesDirectory { index.root }

    func leaf(_ entry: PMTilesDirectory.Entry) throws(TileFailure) -> PMTilesDirectory {
        if entry.length > 0, let cached = leaves.withLock({ $0[entry.offset] }) { return cached }
        let directory = try readLeaf(entry)
        leaves.withLock { $0.insert(directory, at: entry.offset) }
        return directory
    }

    func readLeaf(_ entry: PMTilesDirectory.Entry) throws(TileFailure) -> PMTilesDirectory {
        try index.leaf(read(try index.section(ofLeaf: entry)), of: entry)
    }

    /// Returns the entry with a tile's body; nil if there is no such tile.
    func entry(for id: UInt64) throws(TileFailure) -> PMTilesDirectory.Entry? {
        var found = root.entry(for: id)
        var depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesIndex.deepest else { throw index.tooDeep }
            found = try leaf(entry).entry(for: id)
            depth += 1
        }
        return found
    }

    /// Returns the body as stored.
    func stored(
        _ entry: PMTilesDirectory.Entry, _ tile: @autoclosure () -> String
    ) throws(TileFailure) -> [UInt8] {
        entry.length == 0 ? [] : try read(try index.section(ofTile: entry, tile()))
    }

    /// Returns the metadata; empty if there is none.
    func metadata() throws(TileFailure) -> JSON {
        guard header.metadata.length > 0 else { return [:] }
        try index.checkMetadataSize()
        return try index.metadata(read(header.metadata))
    }

    private func read(_ section: PMTilesHeader.Section) throws(TileFailure) -> [UInt8] {
        try bytes.read(offset: section.offset, count: Int(section.length))
    }
}

/// A cache of the most recently used leaf directories, decoded.
package struct DirectoryCache: Sendable {
    package init() {}

    /// The maximum number of entries, at 24 bytes each. The last inserted leaf is always stored.
    static let limit = 1 << 20

    private var cached: [UInt64: (directory: PMTilesDirectory, lastUse: Int)] = [:]
    private var uses = 0
    private var entries = 0

    package subscript(offset: UInt64) -> PMTilesDirectory? {
        mutating get {
            uses += 1
            cached[offset]?.lastUse = uses
            return cached[offset]?.directory
        }
    }

    package mutating func insert(_ directory: PMTilesDirectory, at offset: UInt64) {
        uses += 1
        let old = cached.updateValue((directory, uses), forKey: offset)
        entries += directory.entries.count - (old?.directory.entries.count ?? 0)
        while entries > DirectoryCache.limit && cached.count > 1 { dropOldest() }
    }

    private mutating func dropOldest() {
        guard let oldest = cached.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        cached[oldest.key] = nil
        entries -= oldest.value.directory.entries.count
    }
}
