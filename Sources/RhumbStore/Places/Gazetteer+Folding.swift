internal import Synchronization

extension Gazetteer {
    /// The folding of its names, for other lists that are searched alike.
    package var folding: NameFolding {
        file.withLock { NameFolding(table: String(decoding: $0.foldingTable, as: UTF8.self)) }
    }
}
