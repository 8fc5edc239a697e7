public import RhumbCore
internal import Synchronization

/// A cache of a source's most recently used decoded tiles. Several pictures and labels come from one tile.
public final class DecodedTiles<Content: Sendable>: Sendable {
    private struct Entry {
        let id: TileID
        /// The hash of the encoded bytes, which are not kept.
        let hash: Int
        let content: Content
        let weight: Int
    }

    /// A lock for the work on a tile.
    private final class Turn: Sendable {
        let held = Mutex(())
    }

    private let turns = Mutex<[TileID: (turn: Turn, takers: Int)]>([:])
    private let byteLimit: Int
    /// The entries, the most recently used last.
    private let entries = Mutex<[Entry]>([])

    /// Creates a cache.
    /// - Parameter byteLimit: The approximate limit in bytes. The last used tile stays even if it is larger.
    public init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// The cached contents of a tile, decoded from any data; nil if it isn't cached.
    public subscript(id: TileID) -> Content? { entries.withLock { Self.take(&$0) { $0.id == id } } }

    /// Returns a tile, decoded unless it is cached.
    /// - Parameter decode: Decodes the bytes, and returns the contents with their approximate size in bytes.
    public func tile(
        _ id: TileID, from bytes: [UInt8], decode: () throws(TileFailure) -> (content: Content, weight: Int)
    ) throws(TileFailure) -> Content {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = hasher.finalize(), isSame = { (entry: Entry) in entry.id == id && entry.hash == hash }
        if let found = entries.withLock({ Self.take(&$0, where: isSame) }) { return found }
        let (content, weight) = try decode()
        return entries.withLock { entries in
            // Another thread may have decoded it in the meantime.
            if let found = Self.take(&entries, where: isSame) { return found }
            entries.removeAll { $0.id == id }
            entries.append(Entry(id: id, hash: hash, content: content, weight: weight))
            while entries.count > 1, entries.reduce(0, { $0 + $1.weight }) > byteLimit {
                entries.removeFirst()
            }
            return content
        }
    }

    /// Runs work on a tile while no other thread works on it. Later callers wait, and use the result.
    public func alone<Value: Sendable>(
        _ id: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        let turn = turns.withLock { turns in
            let turn = turns[id]?.turn ?? Turn()
            turns[id] = (turn, (turns[id]?.takers ?? 0) + 1)
            return turn
        }
        defer {
            turns.withLock { turns in
                let others = (turns[id]?.takers ?? 1) - 1
                turns[id] = others > 0 ? (turn, others) : nil
            }
        }
        return try turn.held.withLock { _ throws(TileFailure) in try body() }
    }

    /// Removes all tiles.
    public func removeAll() { entries.withLock { $0 = [] } }

    /// Returns an entry and makes it the most recently used one.
    private static func take(_ entries: inout [Entry], where isWanted: (Entry) -> Bool) -> Content? {
        guard let index = entries.lastIndex(where: isWanted) else { return nil }
        let found = entries.remove(at: index)
        entries.append(found)
        return found.content
    }
}
