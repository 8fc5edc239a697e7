public import RhumbCore

/// An entry as lists show it.
public struct CacheRow: Sendable, Equatable {
    /// The key of the entry.
    public let key: ResourceKey
    /// The name of the source, or the address of a document.
    public let name: String
    /// Bytes of the body; nil: known not to exist.
    public let size: Int?
    /// Without its body.
    public let response: StoredResponse
    /// When it was last used.
    public let lastUse: UnixSeconds
    /// Other entries with an equal body.
    public let twins: Int
}
