internal import Synchronization

extension Gazetteer {
    /// How its names are made comparable, for others that are searched like it.
    package var folding: NameFolding {
        file.withLock { NameFolding(table: String(decoding: $0.foldingTable, as: UTF8.self)) }
    }
}
