internal import RhumbEngine
internal import Synchronization

/// The keys in the addresses that a person types: taken out of them at once, and kept in memory
/// alone.
public final class URLCredentials: Sendable {
    private let values = Mutex<[String: String]>([:])
    private let onTake: @Sendable ([String]) -> Void

    /// - Parameter onTake: called with each key that is taken, so that it is never shown.
    public init(onTake: @escaping @Sendable ([String]) -> Void = { _ in }) { self.onTake = onTake }

    /// By the variables they stand for.
    public var all: [String: String] { values.withLock { $0 } }

    /// The words without the keys in them, which are remembered.
    public func take(_ words: String) -> String {
        let typed = RedactedURL(words)
        values.withLock { $0.merge(typed.keys) { _, new in new } }
        onTake(Array(typed.keys.values))
        return typed.text
    }
}
