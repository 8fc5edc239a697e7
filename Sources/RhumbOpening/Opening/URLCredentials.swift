internal import RhumbEngine
internal import Synchronization

/// The keys in the addresses that the user types. They are removed from the addresses at once, and stored
/// only in memory.
public final class URLCredentials: Sendable {
    private let values = Mutex<[String: String]>([:])
    private let onTake: @Sendable ([String]) -> Void

    /// Creates an empty collection of keys.
    /// - Parameter onTake: Called with the keys that are removed from an address, so that they are never
    ///   shown.
    public init(onTake: @escaping @Sendable ([String]) -> Void = { _ in }) { self.onTake = onTake }

    /// The keys, by the variables that they replace.
    public var all: [String: String] { values.withLock { $0 } }

    /// Returns the words without the keys in them, and stores the keys.
    public func take(_ specifier: String) -> String {
        let typed = RedactedURL(specifier)
        values.withLock { $0.merge(typed.keys) { _, new in new } }
        onTake(Array(typed.keys.values))
        return typed.text
    }
}
