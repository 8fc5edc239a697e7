public import RhumbCore

/// An entry of the cache as listed.
public struct CacheRow: Sendable, Equatable {
    /// The key of the entry.
    public let key: ResourceKey
    /// The name of the source, or the address of the document.
    public let name: String
    /// The size of the body in bytes; nil if the resource is known not to exist.
    public let size: Int?
    /// The response, without its body.
    public let response: StoredResponse
    /// The time of the last use.
    public let lastUse: UnixSeconds
    /// The number of other entries with an equal body.
    public let twins: Int
}
