public import RhumbCore

/// A style that is kept with what it is drawn with, exempt from eviction; after Mapbox's StylePack.
public struct StylePack: Sendable, Equatable {
    /// Something of it that could not be had.
    public struct Missing: Error, Sendable, Equatable {
        /// Where it would be; without secrets.
        public let address: String
        /// One sentence.
        public let reason: String

        /// - Parameter reason: one sentence.
        public init(address: String, reason: String) { (self.address, self.reason) = (address, reason) }
    }

    /// The address of the style, or its file after "file:"; without secrets.
    public let address: String
    /// As the style calls itself; harmless to a terminal; may be empty.
    public let name: String
    /// Anything that the person or program wants to keep with it.
    public let metadata: JSON
    /// What could not be had of what the style names, or not as its server has it now; the style itself
    /// always is.
    public let missing: [Missing]
    /// When it was loaded.
    public let changed: UnixSeconds
    /// The addresses of what is stored of it, the style first.
    public internal(set) var documents: [String] = []
    /// Of the bodies that are stored.
    public internal(set) var bytes = 0
    /// The time at which the first of its documents becomes stale; nil if all are files.
    public internal(set) var expires: UnixSeconds?

    /// A pack that was just loaded.
    public init(address: String, name: String, metadata: JSON, missing: [Missing], changed: UnixSeconds) {
        self.address = address
        self.name = name
        self.metadata = metadata
        self.missing = missing
        self.changed = changed
    }

    /// The style's address or file.
    public var place: String { address.hasPrefix("file:") ? String(address.dropFirst(5)) : address }

    /// How many things it consists of.
    public var required: Int { Set(documents + missing.map(\.address)).count }
}
