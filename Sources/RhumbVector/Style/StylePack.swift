public import RhumbBase

/// A style that is stored with its resources, exempt from eviction, like Mapbox's StylePack.
public struct StylePack: Sendable, Equatable {
    /// A resource that is missing from a style pack.
    public struct Missing: Error, Sendable, Equatable {
        /// The address, without secrets.
        public let address: String
        /// The reason, as one sentence.
        public let reason: String

        /// - Parameter reason: The reason, as one sentence.
        public init(address: String, reason: String) { (self.address, self.reason) = (address, reason) }
    }

    /// The address of the style, or its file after "file:"; without secrets.
    public let address: String
    /// The name in the style, sanitised for terminal output; may be empty.
    public let name: String
    /// Arbitrary data that the user or the calling program stores with the pack.
    public let metadata: JSON
    /// The resources that failed, or are not the server's current ones. The style itself is never among them.
    public let missing: [Missing]
    /// The time at which the pack was loaded.
    public let changed: UnixSeconds
    /// The addresses of the stored resources, the style first.
    public package(set) var documents: [String] = []
    /// The total size of the stored bodies in bytes.
    public package(set) var bytes = 0
    /// The time at which the first document becomes stale; nil if all are files.
    public package(set) var expires: UnixSeconds?

    /// Creates a pack that was just loaded.
    public init(address: String, name: String, metadata: JSON, missing: [Missing], changed: UnixSeconds) {
        self.address = address
        self.name = name
        self.metadata = metadata
        self.missing = missing
        self.changed = changed
    }

    /// The style's address or file.
    public var location: String { address.hasPrefix("file:") ? String(address.dropFirst(5)) : address }

    /// The number of resources.
    public var required: Int { Set(documents + missing.map(\.address)).count }
}

extension StylePack: CustomStringConvertible {
    /// The style and the number of stored resources, such as "Bright (https://a.example/style.json): 7 of 7
    /// resources, 120 kB".
    public var description: String {
        let location = SafeText.sanitised(self.location)
        return
            "\(name.isEmpty ? location : "\(name) (\(location))"): \(AmountText.count(documents.count)) of \(AmountText.count(required, "resource")), \(AmountText.bytes(bytes))"
    }
}
