internal import Synchronization

extension Gazetteer {
    /// The gazetteer's name folding, for searching other lists in the same way.
    package var folding: NameFolding { file.withLock { $0.nameFolding } }
}
