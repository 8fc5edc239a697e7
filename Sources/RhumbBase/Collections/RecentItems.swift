internal import Synchronization

/// The most recently used items up to a size, for all threads.
package final class RecentItems<Key: Hashable & Sendable, Item: Sendable>: Sendable {
    private struct State {
        var items: [Key: (item: Item, bytes: Int, used: Int)] = [:]
        var bytes = 0
        var clock = 0
        var limit: Int
    }

    private let state: Mutex<State>

    /// - Parameter limit: The maximum size of all items in bytes.
    package init(limit: Int = 48_000_000) { state = Mutex(State(limit: limit)) }

    /// Makes room for items of a size.
    package func makeRoom(bytes: Int) { state.withLock { $0.limit = max($0.limit, bytes) } }

    /// The item of a key; nil if it isn't stored.
    package subscript(_ key: Key) -> Item? {
        state.withLock { state in
            state.clock += 1
            state.items[key]?.used = state.clock
            return state.items[key]?.item
        }
    }

    /// Adds an item, and removes the least recently used ones if there are too many.
    package func add(_ item: Item, _ key: Key, bytes: Int) {
        state.withLock { state in
            state.clock += 1
            state.bytes += bytes - (state.items[key]?.bytes ?? 0)
            state.items[key] = (item, bytes, state.clock)
            guard state.bytes > state.limit else { return }
            for (old, entry) in state.items.sorted(by: { $0.value.used < $1.value.used }) {
                guard state.bytes > state.limit * 3 / 4, old != key else { break }
                state.bytes -= entry.bytes
                state.items[old] = nil
            }
        }
    }
}
