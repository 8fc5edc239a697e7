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

    var count: Int { cached.count }
}
