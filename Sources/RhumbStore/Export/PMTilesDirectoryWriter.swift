/// Builds the directories of a PMTiles archive incrementally. Leaves of 4096 entries are compressed and
/// stored in a temporary file. The root is limited to a size that one request fetches.
struct PMTilesDirectoryWriter {
    typealias Entry = PMTilesDirectory.Entry

    private static let leafSize = 4096
    /// The number of entries held before the first leaf is made, because they may fit into the root.
    private static let rootSize = 4 * leafSize

    /// The number of tile entries, with each run counted once.
    private(set) var entryCount = 0
    private var entries: [Entry] = []
    /// The entries that point to the leaves.
    private var pointers: [Entry] = []
    /// The leaf directories.
    private(set) var leaves: BufferedPart

    init(besides path: String) throws(ExportFailure) {
        let aside = try PartFile(path, isReplacing: true)
        aside.hide()
        leaves = BufferedPart(aside, from: 0)
    }

    /// Adds an entry of tiles. Merges it with the previous one if it has the same body and the next id.
    mutating func add(_ entry: Entry) throws(ExportFailure) {
        if let last = entries.last, last.offset == entry.offset, last.length == entry.length,
            last.id + UInt64(last.run) == entry.id, last.run <= .max - entry.run
        {
            entries[entries.count - 1].run += entry.run
            return
        }
        entries.append(entry)
        entryCount += 1
        if entries.count > PMTilesDirectoryWriter.rootSize { try makeLeaf() }
    }

    private mutating func makeLeaf() throws(ExportFailure) {
        let leaf = Array(entries.prefix(PMTilesDirectoryWriter.leafSize))
        entries.removeFirst(leaf.count)
        pointers.append(try put(leaf))
    }

    /// Stores a leaf.
    /// - Returns: The entry that points to it.
    private mutating func put(_ leaf: [Entry]) throws(ExportFailure) -> Entry {
        let packed = Gzip.packed(PMTilesDirectory(leaf).encoded)
        let offset = UInt64(leaves.count)
        try leaves.append(packed)
        return Entry(id: leaf.first?.id ?? 0, run: 0, length: UInt32(packed.count), offset: offset)
    }

    /// Stores the last leaves. Archives with many millions of entries get several levels of leaves.
    /// - Returns: The compressed root.
    mutating func finish(rootLimit: Int) throws(ExportFailure) -> [UInt8] {
        if pointers.isEmpty {
            let root = Gzip.packed(PMTilesDirectory(entries).encoded)
            if root.count <= rootLimit { return root }
        }
        while !entries.isEmpty { try makeLeaf() }
        var root = Gzip.packed(PMTilesDirectory(pointers).encoded)
        while root.count > rootLimit {
            let lower = pointers
            pointers = []
            for start in stride(from: 0, to: lower.count, by: PMTilesDirectoryWriter.leafSize) {
                let end = min(start + PMTilesDirectoryWriter.leafSize, lower.count)
                pointers.append(try put(Array(lower[start..<end])))
            }
            root = Gzip.packed(PMTilesDirectory(pointers).encoded)
        }
        return root
    }
}
