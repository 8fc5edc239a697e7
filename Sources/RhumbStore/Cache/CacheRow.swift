public import RhumbCore

/// An entry as lists show it.
public struct CacheRow: Sendable, Equatable {
    /// What the cache knows it by.
    public let key: ResourceKey
    /// How its source is called; of a document, its address.
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
